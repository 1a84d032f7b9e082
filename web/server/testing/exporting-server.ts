import { createServer } from 'node:http';
import { openExporter } from '@tapeline/lake/exports/exporter.ts';
import { stopServing } from '../stopping.ts';

/**
 * A server in its own process that answers every call with an export of a given number of rows. Used to test stopping.
 */
const [spillFolder = '', rows = '0', finishMs = '0'] = process.argv.slice(2);
const exporter = openExporter({ memoryLimit: '256MB', spillFolder });
const table = {
  columns: [
    { name: 'number', label: 'Number', kind: 'number' as const, sql: 'CAST(i AS INTEGER)', type: 'INTEGER' as const },
    { name: 'text', label: 'Text', kind: 'text' as const, sql: `concat('row ', i)`, type: 'VARCHAR' as const },
  ],
  rows: Number(rows),
  queries: Array.from({ length: Math.ceil(Number(rows) / 100_000) }, (_, slice) => ({
    from: `FROM range(${slice * 100_000}, least(${(slice + 1) * 100_000}, ${rows})) t(i) ORDER BY hash(i)`,
    values: [],
  })),
};

const server = createServer(async (_request, response) => {
  try {
    for await (const piece of exporter.make(table, 'csv', { sheetName: 'Rows', owner: 'tester' })) {
      if (!response.write(piece))
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    response.destroy();
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
process.on('SIGTERM', () => {
  process.stdout.write('stopping\n');
  void stopServing([server], { drainMs: 0, finishMs: Number(finishMs) }, { close: () => exporter.close() });
});

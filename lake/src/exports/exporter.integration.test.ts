import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DERIVED_FILE, type Lake, openLake } from '../lake.ts';
import { exportList } from './export-list.ts';
import { EXPORT_TYPES, type ExportColumn, type ExportFormat, type ExportTable } from './export-table.ts';
import { type Exporter, openExporter } from './exporter.ts';

let folder: string;
let lake: Lake;
let exporter: Exporter;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exporter-'));
  lake = await openLake({ threads: 2, spillFolder: folder });
  exporter = openExporter({ memoryLimit: '512MB', spillFolder: folder });
});
afterAll(async () => {
  await exporter.close();
  lake.close();
  await rm(folder, { recursive: true, force: true });
});

const FORMATS = Object.keys(EXPORT_TYPES) as ExportFormat[];
/** Each test has its own owners: the limit for one owner is not tested here. */
let owners = 0;
const options = () => {
  owners += 1;
  return { sheetName: 'Rows', owner: `owner ${owners}` };
};

function table(rows: number, relation = 'range(%) t(i)', said = rows): ExportTable {
  const column = (name: string, kind: ExportColumn['kind'], sql: string, type: ExportColumn['type']): ExportColumn => ({
    name,
    label: name,
    kind,
    sql,
    type,
  });
  const query = { from: `FROM ${relation.replace('%', String(rows))} WHERE i >= CAST($1 AS INTEGER)`, values: ['0'] };
  const columns = [
    column('number', 'number', 'CAST(i AS INTEGER)', 'INTEGER'),
    column('text', 'text', `CASE WHEN i % 3 > 0 THEN concat('name ', i) END`, 'VARCHAR'),
    column('sum', 'amount', 'CAST(i / 8 AS DECIMAL(18,4))', 'DECIMAL(18,4)'),
  ];
  return { columns, rows: said, queries: [query] };
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

describe('an export from the export thread', () => {
  it.each(FORMATS)('is the same file in %s as one produced in this thread', async (format) => {
    const made = await bytesOf(exporter.make(table(50_000), format, options()));
    expect(made.equals(await bytesOf(exportList(lake, table(50_000), format, options())))).toBe(true);
  });

  it('stays separate from others that run at the same time', async () => {
    const sizes = [30_000, 7, 0, 90_000];
    const made = await Promise.all(sizes.map((rows) => bytesOf(exporter.make(table(rows), 'arrow', options()))));
    expect(made.map((bytes) => tableFromIPC(bytes).numRows)).toEqual(sizes);
  });

  it('is complete when more lists are sorted at once than can take turns, and one of them is aborted', async () => {
    const sizes = [120_000, 130_000, 140_000, 150_000, 160_000];
    const ordered = (rows: number): ExportTable => {
      const made = table(rows);
      return {
        ...made,
        queries: made.queries.map(({ from, values }) => ({ from: `${from} ORDER BY hash(i)`, values })),
      };
    };
    const stop = new AbortController();
    const broken = bytesOf(exporter.make(ordered(170_000), 'arrow', { ...options(), signal: stop.signal }));
    const first = sizes.map((rows) => bytesOf(exporter.make(ordered(rows), 'arrow', options())));
    const waiting = bytesOf(exporter.make(ordered(180_000), 'parquet', { ...options(), signal: stop.signal }));
    const last = bytesOf(exporter.make(ordered(190_000), 'arrow', options()));
    const ended = Promise.allSettled([broken, waiting]);
    stop.abort(new Error('no longer wanted'));
    const nobody = { status: 'rejected', reason: expect.objectContaining({ message: 'no longer wanted' }) };
    expect(await ended).toEqual([nobody, nobody]);
    const made = await Promise.all([...first, last]);
    expect(made.map((bytes) => tableFromIPC(bytes).numRows)).toEqual([...sizes, 190_000]);
  });

  it('is refused with a message if the format cannot hold it', async () => {
    const pieces = exporter.make({ ...table(1), rows: 5_000_000 }, 'xlsx', options());
    const refused = await pieces.next().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ code: 'badRequest', message: expect.stringContaining('at most 4,194,300 rows') });
  });

  it('fails with its cause, and the next one succeeds', async () => {
    await expect(bytesOf(exporter.make(table(1, 'nowhere'), 'csv', options()))).rejects.toThrow(
      /nowhere does not exist/,
    );
    await expect(bytesOf(exporter.make(table(10, undefined, 11), 'csv', options()))).rejects.toThrow(
      'returned 10 of 11 rows',
    );
    expect(String(await bytesOf(exporter.make(table(1), 'csv', options())))).toBe('number,text,sum\n0,,0.0000\n');
  });

  it.each(FORMATS)('ends in %s when it is aborted, and when its iteration ends early', async (format) => {
    const stop = new AbortController();
    const aborted = exporter.make(table(2_000_000), format, { ...options(), signal: stop.signal });
    const first = format === 'parquet' ? null : await aborted.next();
    const rest = bytesOf(aborted);
    stop.abort(new Error('no longer wanted'));
    await expect(rest).rejects.toThrow('no longer wanted');
    expect(first?.done).not.toBe(true);
    const left = exporter.make(table(200_000), format, options());
    await left.next();
    await left.return();
    expect((await left.next()).done).toBe(true);
    const before = exporter.make(table(1), format, { ...options(), signal: AbortSignal.abort(new Error('too late')) });
    await expect(before.next()).rejects.toThrow('too late');
  });

  it('ends when the exporter is closed, and the exporter can be used again', async () => {
    const pieces = exporter.make(table(2_000_000), 'csv', options());
    await pieces.next();
    await exporter.close();
    await expect(bytesOf(pieces)).rejects.toThrow(/abort|ended/);
    expect(tableFromIPC(await bytesOf(exporter.make(table(5), 'arrow', options()))).numRows).toBe(5);
    await exporter.close();
    await exporter.close();
  });

  it('keeps its files separate from those of another lake, and removes them', async () => {
    await exporter.close();
    const derived = `${DERIVED_FILE}of another lake`;
    await writeFile(join(folder, derived), 'in use');
    await bytesOf(exporter.make(table(10), 'parquet', options()));
    expect((await readdir(folder)).filter((name) => name.startsWith(DERIVED_FILE))).toEqual(
      expect.arrayContaining([derived, expect.stringMatching(/exports-/)]),
    );
    await exporter.close();
    expect(await readdir(folder)).toEqual([derived]);
    await rm(join(folder, derived));
  });

  it('is not affected by the end of the previous thread', async () => {
    await exporter.make(table(1), 'csv', options()).next();
    const closing = exporter.close();
    const made = bytesOf(exporter.make(table(50_000), 'arrow', options()));
    await closing;
    expect(tableFromIPC(await made).numRows).toBe(50_000);
  });
});

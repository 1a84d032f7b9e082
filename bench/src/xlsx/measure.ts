import { readSheetBatches } from '@tapeline/workers/sheets/read-sheet.ts';
import { openWorkbook } from '@tapeline/workers/sheets/workbook.ts';
import { sayMeasured } from '../measuring/rounds.ts';

// One measurement in a process of its own: `inflate` takes the sheet's chunks and drops them, `read` makes typed columns.
const [mode, path] = process.argv.slice(2);
if (path === undefined) {
  throw new Error('usage: measure.ts inflate|read FILE');
}
const started = performance.now();
const usedBefore = process.cpuUsage();
let bytes = 0;
let rows = 0;
let cells = 0;
if (mode === 'inflate') {
  const workbook = await openWorkbook(path);
  for await (const chunk of workbook.openSheet(workbook.findSheet())) {
    bytes += chunk.length;
  }
  await workbook.close();
} else {
  for await (const batch of readSheetBatches(path)) {
    rows += batch.rowCount;
    cells += batch.rowCount * batch.columns.length;
  }
}
const elapsedMs = performance.now() - started;
const used = process.cpuUsage(usedBefore);
sayMeasured({ elapsedMs, cpuMs: (used.user + used.system) / 1000, rows, cells, bytes });

import { readSheetBatches } from '@tapeline/sheets/read-sheet.ts';
import { openWorkbook } from '@tapeline/sheets/workbook.ts';
import { printMeasured } from '../measuring/rounds.ts';

// One measurement in a separate process: `inflate` discards the sheet's chunks, `read` builds typed columns.
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
printMeasured({ elapsedMs, cpuMs: (used.user + used.system) / 1000, rows, cells, bytes });

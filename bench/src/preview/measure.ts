import { inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import { previewMapping } from '@tapeline/workers/preview/preview-mapping.ts';
import { printMeasured } from '../measuring/rounds.ts';
import { TAPE_FACTS, TAPE_MAPPING } from '../tape-data/mapping.ts';

// One preview in a separate process: the sheets, the header and the first rows of a file, and these rows mapped.
const [path] = process.argv.slice(2);
if (path === undefined) {
  throw new Error('usage: measure.ts FILE');
}
const started = performance.now();
const usedBefore = process.cpuUsage();
const sheet = await inspectSheetFile(path);
const inspectedMs = performance.now() - started;
const { cutOffDate, primaryCurrency } = TAPE_FACTS;
const { rows, missingHeaders } = await previewMapping(sheet, {
  rules: TAPE_MAPPING.rules,
  cutOffDate,
  primaryCurrency,
});
const elapsedMs = performance.now() - started;
if (missingHeaders.length > 0) {
  throw new Error(`the sheet lacks ${missingHeaders.join(', ')}`);
}
const used = process.cpuUsage(usedBefore);
const cells = sheet.rows.length * sheet.columns.length;
printMeasured({ elapsedMs, cpuMs: (used.user + used.system) / 1000, rows: rows.length, cells, inspectedMs });

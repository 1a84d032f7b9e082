import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { printDocument } from '@tapeline/workers/printing/print-document.ts';
import { printMeasured } from '../measuring/rounds.ts';

// One measurement in a separate process: prints all documents after those that warm it up.
const [folder, warmUp] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: measure.ts FOLDER DOCUMENTS_TO_WARM_UP');
const documents: PrintedDocument[] = JSON.parse(await readFile(join(folder, 'documents.json'), 'utf8'));
for (const document of documents.slice(0, Number(warmUp))) await printDocument(document);
const usedBefore = process.cpuUsage();
const started = performance.now();
let [pages, bytes] = [0, 0];
for (const document of documents) {
  const pdf = await printDocument(document);
  bytes += pdf.length;
  pages += pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
}
const elapsedMs = performance.now() - started;
const used = process.cpuUsage(usedBefore);
printMeasured({ elapsedMs, cpuMs: (used.user + used.system) / 1000, pages, bytes, documents: documents.length });

import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXPORT_TYPES, type ExportFormat } from '@tapeline/lake/exports/export-table.ts';
import { cpuMsOf, forgetPeak, memoryOf } from '@tapeline/launch/processes/usage.ts';
import {
  type Measurement,
  measureRounds,
  median,
  medianCpuMs,
  medianMs,
  numberOption,
  printLoad,
  report,
  say,
} from '../measuring/rounds.ts';
import { serveTape } from '../measuring/served-tape.ts';
import { pythonPeers, pythonScript } from '../python-peers/environment.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { compileTapeMapping } from '../transform/staged-parts.ts';
import { askMeanwhile } from './ask-meanwhile.ts';
import { wideTape } from './wide-tape.ts';

const idleMs = numberOption('idle-ms', 5000);
const rows = numberOption('rows', 1_000_000);
const rounds = numberOption('rounds', 3);
/** The peer takes ten minutes for a million. */
const peerRows = Math.min(rows, numberOption('peer-rows', 100_000));

const { assetsFile, columns } = await wideTape(rows);
const customFields = compileTapeMapping()
  .fields.filter(({ custom }) => custom)
  .map(({ path, kind, label }) => ({ path, kind, label }));
const product = await serveTape(assetsFile, { rows, columns, customFields });
const [{ url, pid } = { url: '', pid: 0 }] = product.webs;
const folder = await mkdtemp(join(DATA_FOLDER, 'exported-'));

const waitsOf = (asked: readonly number[]): string => {
  const [middle, late] = [0.5, 0.99].map((share) => (asked[Math.floor(share * asked.length)] ?? 0).toFixed(0));
  return `${middle} ms, 99 % within ${late} ms`;
};

/** Streams the whole tape from `GET /crud/assets` to the last byte. */
async function exportWhole(format: ExportFormat): Promise<Measurement> {
  const path = join(folder, `exported.${format}`);
  forgetPeak(pid);
  const { bytes: before } = memoryOf(pid);
  const cpuBefore = cpuMsOf(pid);
  const meanwhile = askMeanwhile(url);
  const started = performance.now();
  const answer = await product.exported(EXPORT_TYPES[format].split(';')[0]!);
  const firstMs = performance.now() - started;
  if (!answer.ok || !answer.body) throw new Error(`the export was refused: ${await answer.text()}`);
  await pipeline(answer.body, createWriteStream(path));
  const elapsedMs = performance.now() - started;
  const asked = await meanwhile.stop();
  const cpuMs = cpuMsOf(pid) - cpuBefore;
  const { peakBytes } = memoryOf(pid);
  const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;
  say(
    `  ${format.padEnd(8)} ${megabytes((await stat(path)).size).padStart(7)}, begun after ${firstMs.toFixed(0)} ms; ${megabytes(peakBytes - before)} above ${megabytes(before)}; others answered in ${waitsOf(asked)}`,
  );
  await rm(path);
  return { elapsedMs, cpuMs, peakBytes };
}

try {
  printLoad();
  say(`${rows.toLocaleString('en')} assets of ${columns.length + 4} columns by the web server`);
  const idle = askMeanwhile(url);
  await sleep(idleMs);
  say(`  while nothing is exported others are answered in ${waitsOf(await idle.stop())}`);
  const formats = Object.keys(EXPORT_TYPES) as ExportFormat[];
  const measured = new Map<ExportFormat, Measurement[]>(formats.map((format) => [format, []]));
  const python = await pythonPeers();
  const peer = python
    ? [pythonScript('XlsxWriter', python, 'write_workbook.py', assetsFile, join(folder, 'peer.xlsx'), String(peerRows))]
    : [];
  const peers: Measurement[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const format of formats) measured.get(format)!.push(await exportWhole(format));
    for (const [run] of await measureRounds(peer, 1)) if (run) peers.push(run);
  }
  for (const [format, runs] of measured) report(`GET /crud/assets as ${format}`, runs);
  const ours = measured.get('xlsx')!;
  if (peers.length > 0) {
    report(`XlsxWriter, ${peerRows.toLocaleString('en')} rows`, peers);
    const share = rows / peerRows;
    say(`by processor time ${((share * medianCpuMs(peers)) / medianCpuMs(ours)).toFixed(2)}`);
    const ratio = (share * medianMs(peers)) / medianMs(ours);
    say(
      `ratio export ${ratio.toFixed(2)} (a row of an Excel workbook of ${rows.toLocaleString('en')} assets: times as fast as XlsxWriter)`,
    );
  } else {
    const csv = median(measured.get('csv')!.map(({ cpuMs }) => cpuMs));
    say(`ratio export ${(medianCpuMs(ours) / csv).toFixed(2)} (processor time of an Excel workbook against CSV)`);
  }
} finally {
  await product.close();
  await rm(folder, { recursive: true, force: true });
}

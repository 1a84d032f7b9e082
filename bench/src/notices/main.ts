import {
  type Measurement,
  measureRounds,
  median,
  medianCpuMs,
  numberOption,
  printLoad,
  report,
  say,
  script,
} from '../measuring/rounds.ts';
import { pythonPeers, pythonScript } from '../python-peers/environment.ts';
import { writeDocuments } from './documents.ts';

interface Printing extends Measurement {
  readonly pages: number;
  readonly bytes: number;
  readonly documents: number;
}

const investors = numberOption('investors', 500);
const rounds = numberOption('rounds', 5);
/** Documents that each process prints before the clock starts. */
const WARM_UP = '40';

const folder = await writeDocuments(investors);
const contenders = [script('Tapeline (pdfkit)', new URL('measure.ts', import.meta.url), folder, WARM_UP)];
const python = await pythonPeers();
if (python !== null) contenders.push(pythonScript('ReportLab', python, 'print_notices.py', folder, WARM_UP));
printLoad();
const runs = await measureRounds<Printing>(contenders, rounds);
const speed = (run: Printing): number => run.pages / (run.cpuMs / 1000);
for (const [index, contender] of contenders.entries()) {
  const [first] = runs[index]!;
  report(contender.name, runs[index]!);
  const size = `${first!.documents} documents, ${first!.pages} pages, ${(first!.bytes / 2 ** 20).toFixed(1)} MB`;
  say(`${''.padEnd(36)} ${median(runs[index]!.map(speed)).toFixed(1)} pages a second and core (${size})`);
}
const [own = [], peer] = runs;
if (peer === undefined) {
  say(`ratio notices ${median(own.map(speed)).toFixed(1)} (pages a second and core; no peer)`);
} else {
  if (own[0]!.documents !== peer[0]!.documents) throw new Error('the contenders printed different documents');
  const pageOf = (all: readonly Printing[]): number => medianCpuMs(all) / all[0]!.pages;
  say(
    `ratio notices ${(pageOf(peer) / pageOf(own)).toFixed(2)} (times the pages of ReportLab a second and core, ${investors} notices and the list of all investors)`,
  );
}

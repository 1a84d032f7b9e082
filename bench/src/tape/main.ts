import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Measurement,
  measureRounds,
  median,
  medianMs,
  numberOption,
  printLoad,
  report,
  say,
  script,
} from '../measuring/rounds.ts';
import { pythonPeers, pythonScript } from '../python-peers/environment.ts';
import { DATA_FOLDER, HEADERS, makeTapeWorkbook } from '../tape-data/workbook.ts';

interface Publishing extends Measurement {
  readonly assets: number;
  readonly errored: number;
  readonly stagedMs?: number;
  readonly transformedMs?: number;
  readonly readMs?: number;
}

const rows = numberOption('rows', 500_000);
const rounds = numberOption('rounds', 5);
const workbook = await makeTapeWorkbook(rows);
const python = await pythonPeers();
const folder = await mkdtemp(join(DATA_FOLDER, 'peer-'));
try {
  const contenders = [script('Tapeline: file to published parts', new URL('measure.ts', import.meta.url), workbook)];
  if (python !== null) {
    contenders.push(pythonScript('fastexcel, polars, Parquet', python, 'publish_tape.py', workbook, folder));
  }
  printLoad();
  const [ours = [], peer] = await measureRounds<Publishing>(contenders, rounds);
  const { assets, errored } = ours[0]!;
  for (const run of [...ours, ...(peer ?? [])]) {
    if (run.assets !== assets || run.errored !== errored || assets + errored !== rows) {
      throw new Error(`${run.assets} assets and ${run.errored} errored rows instead of ${assets} and ${errored}`);
    }
  }
  const size = `${rows.toLocaleString('en')} x ${HEADERS.length}`;
  say(`${size}, 16 rules: ${assets} assets, ${errored} errored; medians of ${rounds}, fresh processes`);
  const stage = (pick: (run: Publishing) => number | undefined, runs: readonly Publishing[]): string =>
    `${median(runs.map((run) => pick(run) ?? Number.NaN)).toFixed(0)} ms`;
  report(contenders[0]!.name, ours);
  const phases = script('phases', new URL('phases.ts', import.meta.url), workbook);
  const { stdout } = await promisify(execFile)(phases.command, [...phases.args]);
  say(`  one phase after another, in one process:\n${stdout.trimEnd().replaceAll(/^/gm, '    ')}`);
  say(
    `  all rows staged after ${stage((run) => run.stagedMs, ours)}, transformed after ${stage((run) => run.transformedMs, ours)}`,
  );
  if (!peer) {
    say(`ratio tape ${((medianMs(ours) / rows) * 1000).toFixed(2)} (milliseconds for a thousand rows; no peer)`);
  } else {
    report(contenders[1]!.name, peer);
    say(`  sheet read after ${stage((run) => run.readMs, peer)}`);
    say(
      `ratio tape ${(medianMs(peer) / medianMs(ours)).toFixed(2)} (${size}, 16 rules, file to published Parquet: times as fast as fastexcel and polars)`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

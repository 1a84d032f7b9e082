import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { checkContractAgainstFields, prepareContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { joinParquet } from '@tapeline/parquet';
import { calculateBorrowingBase } from '@tapeline/workers/borrowing-base/engine.ts';
import { median, numberOption, option, printLoad, say } from '../measuring/rounds.ts';
import { pythonPeers, pythonScript } from '../python-peers/environment.ts';
import { BENCH_CONTRACT, COMPARED_RULES, comparedRules } from './contract.ts';
import { neededColumns } from './needed-columns.ts';
import { writeBenchTape } from './tape.ts';

const ASSETS = numberOption('rows', 1_000_000);
const ROUNDS = numberOption('rounds', 5);
const TAPE = { cutOffDate: '2026-10-31', mainCurrency: 'USD', exchangeRates: {} };

const COMPARED = {
  none: `without its first ${COMPARED_RULES} rules and without limits`,
  plain: `with these ${COMPARED_RULES} rules and without limits`,
  wholeGroups: `with these ${COMPARED_RULES} rules about whole groups and without limits`,
} as const;

const noTimes = (): Times => ({ elapsedMs: [], cpuMs: [] });

interface Times {
  readonly elapsedMs: number[];
  readonly cpuMs: number[];
}

async function measure(work: () => Promise<unknown>, times: Times): Promise<void> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  times.elapsedMs.push(performance.now() - start);
  times.cpuMs.push((user + system) / 1000);
}

/** The ratios of single rounds, and of the least times, which other programs on the machine disturb least. */
function rangeOf(times: readonly number[], floors: readonly number[]): string {
  const ratios = times.map((time, round) => time / floors[round]!);
  const least = Math.min(...times) / Math.min(...floors);
  return `rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, least times ${least.toFixed(2)}`;
}

/** What a peer must find: counts as they are, amounts to about a cent. */
interface Found {
  readonly pool: number;
  readonly excess: number;
  readonly net: number;
}
const TOLERANCE = 0.1;

/** The same contract in polars, on the same file, as often. @throws Error if it finds something else */
async function runPolars(file: string, expected: Found): Promise<Times | null> {
  const python = await pythonPeers();
  if (python === null) return null;
  const { command, args } = pythonScript('polars', python, 'borrowing_base.py', file, String(ROUNDS));
  const { stdout } = await promisify(execFile)(command, [...args]);
  const { pool, excess, net, ...times }: Found & Times = JSON.parse(stdout);
  if (pool !== expected.pool || Math.abs(excess - expected.excess) + Math.abs(net - expected.net) > TOLERANCE) {
    throw new Error(`polars found a pool of ${pool}, an excess of ${excess} and a net of ${net}`);
  }
  return times;
}

/** A borrowing base of a million assets, 50 rules and 5 scopes, against a bare scan of the columns it needs. */
export async function runBorrowingBaseBench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'borrowing-base-bench-'));
  try {
    const parts = await writeBenchTape(folder, ASSETS);
    const published = path.join(folder, 'assets.parquet');
    await joinParquet(
      published,
      parts.map((part) => [part]),
    );
    const catalog = assetCatalog();
    const problems = checkContractAgainstFields(BENCH_CONTRACT, catalog);
    if (problems.length > 0) throw new Error(problems.map((problem) => problem.message).join('\n'));
    const columns = neededColumns(prepareContract(BENCH_CONTRACT, catalog, TAPE.cutOffDate));

    const instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
    const connection = await instance.connect();
    const maxima = columns.map((column) => `max("${column}")`).join(', ');
    const scan = () => connection.run(`SELECT ${maxima} FROM read_parquet('${published}')`);
    const calculate = (parquetFiles: string[], contract = BENCH_CONTRACT) =>
      // Workers and the web app calculate on a connection to a database that is open, too.
      calculateBorrowingBase({ parquetFiles, tape: TAPE, contract, catalog }, connection);

    await scan();
    const warm = await calculate([published]);
    const ofParts = await calculate(parts);
    if (JSON.stringify(ofParts.result) !== JSON.stringify(warm.result)) throw new Error('parts and file differ');
    const { totals, excessBreachDistribution } = warm.result;
    const breached = excessBreachDistribution.filter((rule) => rule.breached).length;
    say(
      `${ASSETS} assets, pool ${totals.pools.eligibleOrPerforming.count}, excess ${totals.excess.sum} by ${breached} rules, net ${totals.netBB.sum} ${totals.netBB.currency}`,
    );
    printLoad();
    const contenders = [
      { name: `bare scan of ${columns.length} columns`, work: scan, times: noTimes() },
      { name: 'borrowing base of one published file', work: () => calculate([published]), times: noTimes() },
      { name: 'borrowing base of ten parts', work: () => calculate(parts), times: noTimes() },
      ...(['none', 'plain', 'wholeGroups'] as const).map((as) => ({
        name: COMPARED[as],
        work: () => calculate([published], comparedRules(as)),
        times: noTimes(),
      })),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { work, times } of contenders) await measure(work, times);
    }
    connection.closeSync();
    instance.closeSync();
    for (const { name, times } of contenders) {
      const rounds = times.elapsedMs.map((ms) => ms.toFixed(0)).join(', ');
      say(`${name}: ${median(times.elapsedMs).toFixed(0)} ms, ${median(times.cpuMs).toFixed(0)} ms of CPU (${rounds})`);
    }
    const [floor, ofFile, , withoutRules, ofRules, ofGroups] = contenders.map(({ times }) => times);
    // The least times: other programs on the machine only ever add to them.
    const added = (times: Times | undefined) =>
      (Math.min(...times!.cpuMs) - Math.min(...withoutRules!.cpuMs)) / COMPARED_RULES;
    say(
      `a plain rule costs ${added(ofRules).toFixed(1)} ms of CPU, the same condition over whole groups ${added(ofGroups).toFixed(1)} ms: ${(added(ofGroups) / added(ofRules)).toFixed(2)} times as much (at most 3)`,
    );
    if (option('peer') === 'polars') {
      const { pools, excess, netBB } = totals;
      const found = { pool: pools.eligibleOrPerforming.count, excess: Number(excess.sum), net: Number(netBB.sum) };
      const peer = await runPolars(published, found);
      if (peer !== null) {
        const [elapsedMs, cpuMs] = [median(peer.elapsedMs), median(peer.cpuMs)];
        const times = (of: number, own: readonly number[]) => (of / median(own)).toFixed(2);
        say(
          `polars: ${elapsedMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU; ${times(elapsedMs, ofFile!.elapsedMs)} times the elapsed time of ours, ${times(cpuMs, ofFile!.cpuMs)} times its processor time`,
        );
      }
    }
    const ratio = (read: (times: Times) => number[]) => (median(read(ofFile!)) / median(read(floor!))).toFixed(2);
    say(`by processor time ${ratio(({ cpuMs }) => cpuMs)}; ${rangeOf(ofFile!.cpuMs, floor!.cpuMs)}`);
    say(`by elapsed time ${ratio(({ elapsedMs }) => elapsedMs)}; ${rangeOf(ofFile!.elapsedMs, floor!.elapsedMs)}`);
    say(
      `ratio borrowing-base ${ratio(({ elapsedMs }) => elapsedMs)} (${ASSETS} assets, 50 rules, 5 scopes: the whole calculation over one published file against a warm bare DuckDB scan of the columns it needs, medians of ${ROUNDS})`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await runBorrowingBaseBench();

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { DuckDBInstance } from '@duckdb/node-api';
import { checkContractAgainstFields, prepareContract } from '@tapeline/domain/borrowing-base/prepare.ts';
import { waterfallTies } from '@tapeline/domain/borrowing-base/waterfall.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { calculateBorrowingBase } from '@tapeline/workers/borrowing-base/engine.ts';
import { BENCH_CONTRACT } from './contract.ts';
import { neededColumns } from './needed-columns.ts';
import { writeBenchTape } from './tape.ts';

const ASSETS = Number(process.env.BENCH_ASSETS ?? 1_000_000);
const ROUNDS = 5;
const TAPE = { cutOffDate: '2026-10-31', mainCurrency: 'USD', exchangeRates: {} };

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A borrowing base of a million assets, 50 rules and 5 scopes, against a bare scan of the columns it needs. */
export async function runBorrowingBaseBench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'borrowing-base-bench-'));
  try {
    const parquetFiles = await writeBenchTape(folder, ASSETS);
    const catalog = assetCatalog();
    const faults = checkContractAgainstFields(BENCH_CONTRACT, catalog);
    if (faults.length > 0) throw new Error(faults.map((fault) => fault.message).join('\n'));
    const columns = neededColumns(prepareContract(BENCH_CONTRACT, catalog, TAPE.cutOffDate));

    const instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
    const connection = await instance.connect();
    const list = parquetFiles.map((file) => `'${file}'`).join(', ');
    const maxima = columns.map((column) => `max("${column}")`).join(', ');
    const scan = () => connection.run(`SELECT ${maxima} FROM read_parquet([${list}])`);
    const calculate = () => calculateBorrowingBase({ parquetFiles, tape: TAPE, contract: BENCH_CONTRACT, catalog });

    await scan();
    const warm = await calculate();
    if (!waterfallTies(warm.result)) throw new Error('the waterfall does not tie');
    const { totals, excessBreachDistribution } = warm.result;
    const breached = excessBreachDistribution.filter((rule) => rule.breached).length;
    console.log(
      `${ASSETS} assets, pool ${totals.pools.eligibleOrPerforming.count}, excess ${totals.excess.sum} by ${breached} rules, net ${totals.netBB.sum} ${totals.netBB.currency}`,
    );
    const [scans, calculations]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      scans.push(await timed(scan));
      calculations.push(await timed(calculate));
    }
    connection.closeSync();
    instance.closeSync();
    const [scanMs, calculationMs] = [median(scans), median(calculations)];
    console.log(
      `bare scan of ${columns.length} columns ${scanMs.toFixed(0)} ms, borrowing base ${calculationMs.toFixed(0)} ms`,
    );
    console.log(
      `ratio borrowing-base ${(calculationMs / scanMs).toFixed(2)} (${ASSETS} assets, 50 rules, 5 scopes: the whole calculation against a warm bare DuckDB scan of the columns it needs, medians of ${ROUNDS})`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await runBorrowingBaseBench();

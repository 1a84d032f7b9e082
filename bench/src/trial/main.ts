import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { TransactionContract } from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { joinParquet } from '@tapeline/parquet';
import { calculateBorrowingBase } from '@tapeline/workers/borrowing-base/engine.ts';
import { BENCH_CONTRACT } from '../borrowing-base/contract.ts';
import { writeBenchTape } from '../borrowing-base/tape.ts';
import { median, numberOption, printLoad, say } from '../measuring/rounds.ts';
import { openTrial } from './product.ts';

const ASSETS = numberOption('rows', 100_000);
const ROUNDS = numberOption('rounds', 9);
const WARM_UPS = numberOption('warm-ups', 3);
const TAPE = { cutOffDate: '2026-06-30', mainCurrency: 'USD', exchangeRates: { USD: '1' } };

/** The contract is written for a million assets: a borrower is a larger share of fewer. */
const active: TransactionContract = {
  ...BENCH_CONTRACT,
  concentrationRules: BENCH_CONTRACT.concentrationRules.map((rule) =>
    rule.groupBy === 'borrowerId'
      ? { ...rule, equator: { ...rule.equator, value: (rule.equator.value * 1_000_000) / ASSETS } }
      : rule,
  ),
};
const draft: TransactionContract = {
  ...active,
  advanceRate: { ...active.advanceRate, defaultRate: 70 },
  eligibilityRules: active.eligibilityRules.slice(1),
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Trying a draft contract, from the request of the page to its answer, against its calculation alone. */
const folder = await mkdtemp(join(tmpdir(), 'trial-bench-'));
try {
  const parts = await writeBenchTape(folder, ASSETS);
  const published = join(folder, 'assets.parquet');
  await joinParquet(
    published,
    parts.map((part) => [part]),
  );
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet('${published}')`);
  const columns = described.getRowsJS().map(([name]) => String(name));
  connection.closeSync();
  instance.closeSync();
  const product = await openTrial(published, { rows: ASSETS, columns }, { active, draft });
  try {
    const calculate = () =>
      calculateBorrowingBase({ parquetFiles: [published], tape: TAPE, contract: draft, catalog: assetCatalog() });
    printLoad();
    const first = await timed(product.tryDraft);
    // The first calculation of this process: neither side has compiled the code for this contract.
    const firstBare = await timed(calculate);
    const [{ result }, tried] = [await calculate(), await product.tryDraft()];
    const { pools, netBB } = result.totals;
    if (tried.pool !== pools.relevant.count || !tried.figures.some(({ draft }) => draft === netBB.sum)) {
      throw new Error(`the trial differs from the calculation: ${JSON.stringify(tried.figures)}, net ${netBB.sum}`);
    }
    // Both sides run warm, as for a person who changes a draft several times.
    for (let round = 0; round < WARM_UPS; round += 1) {
      await calculate();
      await product.tryDraft();
    }
    const [bare, trials]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await timed(calculate));
      trials.push(await timed(product.tryDraft));
    }
    const list = (times: readonly number[]) => times.map((ms) => ms.toFixed(0)).join(', ');
    say(`the calculation alone: ${median(bare).toFixed(0)} ms (${list(bare)})`);
    say(`the trial: ${median(trials).toFixed(0)} ms (${list(trials)})`);
    say(`the very first: the calculation alone ${firstBare.toFixed(0)} ms, the trial ${first.toFixed(0)} ms`);
    say(
      `ratio trial-first ${(first / firstBare).toFixed(2)} (the first trial after the product has started against the first calculation of a process)`,
    );
    const ratio = median(trials.map((ms, round) => ms / bare[round]!));
    say(
      `ratio trial ${ratio.toFixed(2)} (${ASSETS} assets, 50 rules, 5 scopes: a trial from the request to the answer against the calculation alone, median of ${ROUNDS} pairs)`,
    );
  } finally {
    await product.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

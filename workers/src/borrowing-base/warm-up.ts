import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import {
  type TransactionContractInput,
  transactionContractSchema,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog, codeColumn, SEQUENCE_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { quoteName, quoteText } from '@tapeline/lake/lake.ts';
import type { WorkerContext } from '../context.ts';
import { withScratchFolder } from '../scratch.ts';
import { calculateBorrowingBase } from './engine.ts';

const ASSETS = 30_000;
/** After this many, V8 has compiled the loops over assets. */
const CALCULATIONS = 3;
const TERMS = { cutOffDate: '2026-01-31', mainCurrency: 'USD', exchangeRates: {} };

/** Invented columns of every kind, with few and with many distinct values, complete and not. */
const COLUMNS: readonly [name: string, sql: string][] = [
  [SEQUENCE_COLUMN, 'CAST(i AS INTEGER)'],
  ['borrowerId', `concat('B', hash(i) % 9000)`],
  [codeColumn('borrowerId'), 'CAST(hash(i) % 9000 AS INTEGER)'],
  ['address.state', `CASE WHEN i % 50 > 0 THEN ['CA', 'NY', 'TX'][CAST(hash(i * 3) % 3 AS INTEGER) + 1] END`],
  [codeColumn('address.state'), 'CASE WHEN i % 50 > 0 THEN CAST(hash(i * 3) % 3 AS INTEGER) END'],
  ['sums.outstandingSum', 'CAST(hash(i * 5) % 5000000 / 100 AS DECIMAL(18,4))'],
  ['sums.outstandingSum.currency', `'USD'`],
  ['interestRate', 'CAST(hash(i * 7) % 2500 / 100 AS DECIMAL(18,8))'],
  ['creditScores.origination', 'CASE WHEN i % 40 > 0 THEN CAST(500 + hash(i * 11) % 350 AS DOUBLE) END'],
  ['daysPastDue', 'CAST(hash(i * 13) % 60 AS DOUBLE)'],
  ['dateFinanced', `DATE '2020-01-01' + CAST(hash(i * 17) % 2000 AS INTEGER)`],
  ['isDelinquent', 'hash(i * 19) % 30 = 0'],
];

const rule = (title: string, filter: Record<string, unknown>) => ({ title, filter });
const limit = (title: string, groupBy: string | null, value: number) => ({
  title,
  groupBy,
  equator: { operand: 'lte' as const, unit: 'percentage' as const, value },
});

const CONTRACT: TransactionContractInput = {
  cutOffDate: '2026-01-01',
  assetsETL: '64b000000000000000000001',
  scopes: [
    rule('High scores', { 'creditScores.origination': { gte: 700 } }),
    rule('Others', { 'creditScores.origination': { exists: true } }),
  ],
  eligibilityRules: [
    rule('Score', { 'creditScores.origination': { gte: 520 } }),
    rule('Balance', { outstandingSum: { gte: 500 } }),
    rule('Rate', { interestRate: { lte: 24 } }),
    rule('Date', { dateFinanced: { gte: '2020-03-01' } }),
    rule('State', { state: { in: ['CA', 'NY', 'TX'] } }),
    rule('Borrower', { borrowerId: { neq: 'B7' } }),
  ],
  performanceRules: [
    rule('Days past due', { daysPastDue: { lte: 45 } }),
    rule('Not delinquent', { isDelinquent: false }),
  ],
  concentrationRules: [
    limit('States', 'state', 30),
    limit('Borrowers', 'borrowerId', 0.02),
    { ...limit('Largest borrowers', 'borrowerId', 0.1), topN: 10 },
    { ...limit('Low scores', null, 5), filter: { 'creditScores.origination': { lt: 600 } } },
    {
      title: 'Weighted score',
      accumulator: '$wAvg',
      accumulatorField: 'creditScores.origination',
      equator: { operand: 'gte', unit: 'number', value: 660 },
    },
  ],
  advanceRate: { cases: [{ ...rule('California', { state: 'CA' }), rate: 85 }], defaultRate: 75 },
};

/**
 * Calculates borrowing bases of an invented tape, so that the code is compiled before a person waits for the trial of a
 * contract. The first calculation of a process otherwise takes three times as long as later ones.
 * @returns the result of the last one
 */
export async function warmUp(context: Pick<WorkerContext, 'scratchFolder'>): Promise<BorrowingBaseResult> {
  return withScratchFolder(context, async (folder) => {
    const file = join(folder, 'tape.parquet');
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    try {
      const columns = COLUMNS.map(([name, sql]) => `${sql} AS ${quoteName(name)}`).join(', ');
      await connection.run(
        `COPY (SELECT ${columns} FROM range(${ASSETS}) t(i) ORDER BY i) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd)`,
      );
      const contract = transactionContractSchema.parse(CONTRACT);
      const input = { parquetFiles: [file], tape: TERMS, contract, catalog: assetCatalog() };
      for (let time = 1; time < CALCULATIONS; time += 1) await calculateBorrowingBase(input, connection);
      return (await calculateBorrowingBase(input, connection)).result;
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });
}

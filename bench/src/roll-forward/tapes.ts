import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLake, quoteName, quoteText } from '@tapeline/lake/lake.ts';
import type { TapePair } from '@tapeline/lake/movements.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';

export const CUT_OFFS = ['2026-09-30', '2026-10-31'] as const;

/** Loans that are new on the later tape, one in 20; as many are no longer listed. */
const NEW = 20;

const COLUMNS = [
  ...['assetId', 'assetStatus', 'daysPastDue', 'dateFinanced', 'dates.chargeOffDate', 'sums.outstandingSum'],
  'sums.outstandingSum.currency',
];

/** The columns that a roll-forward reads, for a join of the same columns. */
export const READ = COLUMNS.map(quoteName);

/**
 * Two tapes of a borrower, a month apart, of `rows` loans each: most pay, some are paid off or written off, some are
 * gone and as many new. Made once and cached.
 */
export async function makeTapes(rows: number): Promise<TapePair> {
  const folder = join(DATA_FOLDER, `roll-forward-${rows}`);
  if (!existsSync(folder)) {
    const making = `${folder}.part`;
    await rm(making, { recursive: true, force: true });
    await mkdir(making, { recursive: true });
    const lake = await openLake({ spillFolder: join(making, 'spill'), memoryLimit: '1GB' });
    for (const tape of [0, 1]) {
      await lake.connected((connection) =>
        connection.run(`COPY (${tapeOf(tape, rows)}) TO ${quoteText(join(making, `${tape}.parquet`))}
          (FORMAT parquet, COMPRESSION lz4)`),
      );
    }
    lake.close();
    await rename(making, folder);
  }
  const source = (tape: 0 | 1) => ({
    tapeId: String(tape).padStart(24, '0'),
    managerId: '0'.repeat(24),
    companyId: 'c'.repeat(24),
    cutOffDate: CUT_OFFS[tape],
    assetPrefix: String(tape).padStart(16, '0'),
    mappingVersion: 1,
    paths: [join(folder, `${tape}.parquet`)],
    columns: COLUMNS,
    customFields: [],
    borrowingBase: null,
  });
  return { before: source(0), after: source(1) };
}

function tapeOf(tape: number, rows: number): string {
  const shift = tape * Math.floor(rows / NEW);
  const draw = (salt: number, below: number) => `(hash(concat(i, '/', ${salt})) % ${below})`;
  const isOver = `${tape} = 1 AND ${draw(1, 100)} < 3`;
  return `SELECT (row_number() OVER ())::INTEGER + 1 AS "row", (row_number() OVER ())::INTEGER - 1 AS "sequenceIndex",
      concat('LOAN-', printf('%09d', i)) AS "assetId",
      CASE WHEN ${isOver} THEN CASE WHEN ${draw(2, 3)} = 0 THEN 'chargedOff' ELSE 'paid' END ELSE 'current' END AS "assetStatus",
      CASE WHEN ${draw(3 + tape, 10)} = 0 THEN ${draw(5, 150)} ELSE 0 END::DOUBLE AS "daysPastDue",
      DATE '2022-01-01' + (${draw(6, 1700)})::INTEGER AS "dateFinanced", NULL::DATE AS "dates.chargeOffDate",
      CASE WHEN ${isOver} THEN 0 ELSE 1000 + ${draw(7, 9_000_000)} / 100.0 - ${tape} * ${draw(8, 40_000)} / 100.0 END::DECIMAL(18,4) AS "sums.outstandingSum",
      'USD' AS "sums.outstandingSum.currency"
    FROM range(${shift}, ${shift + rows}) AS t(i) ORDER BY hash(i + ${tape})`;
}

import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { LakeColumn } from '@tapeline/domain/tapes/target-schema.ts';
import { openLake, quoteName, quoteText, readParquet } from '@tapeline/lake/lake.ts';
import { publishedTape } from '../tape/published-tape.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { compileTapeMapping } from '../transform/staged-parts.ts';

/** A pseudo-random number below `below`, always the same for the same row. */
const any = (seed: number, below: number): string => `CAST(hash("row" + ${seed}) % ${below} AS INTEGER)`;
const oneOf = (seed: number, texts: string[]): string =>
  `[${texts.map(quoteText).join(', ')}][${any(seed, texts.length)} + 1]`;
const DECIMAL = (type: LakeColumn['type'], seed: number, below: number, cents: number): string =>
  `CAST(CAST(${any(seed, below)} AS DECIMAL(18,4)) / ${cents} AS ${type})`;

/** Columns that the generated tape's mapping does not produce: with these an export has 42 columns. */
const FURTHER: readonly (LakeColumn & { sql: string })[] = [
  { name: 'borrowerId', type: 'VARCHAR', sql: `concat('BR-', lpad(CAST(${any(1, 700_000)} AS VARCHAR), 7, '0'))` },
  { name: 'assetType', type: 'VARCHAR', sql: `'loan'` },
  { name: 'currency', type: 'VARCHAR', sql: `'USD'` },
  { name: 'dates.firstPaymentDate', type: 'DATE', sql: `"dateFinanced" + 30` },
  { name: 'dates.lastPaymentDate', type: 'DATE', sql: `"dateFinanced" + ${any(2, 3000)}` },
  {
    name: 'dates.defaultDate',
    type: 'DATE',
    sql: `CASE WHEN ${any(3, 4)} = 0 THEN "dateFinanced" + ${any(4, 3000)} END`,
  },
  { name: 'daysPastDue', type: 'DOUBLE', sql: any(5, 120) },
  ...['outstandingPrincipal', 'arrears', 'collateralValue'].flatMap((sum, index) => [
    { name: `sums.${sum}`, type: 'DECIMAL(18,4)' as const, sql: DECIMAL('DECIMAL(18,4)', 6 + index, 9_000_000, 100) },
    { name: `sums.${sum}.currency`, type: 'VARCHAR' as const, sql: `'USD'` },
  ]),
  { name: 'currentLtv', type: 'DECIMAL(18,8)', sql: DECIMAL('DECIMAL(18,8)', 10, 9_000_000, 100_000) },
  { name: 'product', type: 'VARCHAR', sql: oneOf(11, ['Term loan', 'Line of credit', 'Invoice & factoring', 'Lease']) },
  { name: 'address.city', type: 'VARCHAR', sql: `concat('City of ', ${any(12, 20_000)})` },
  { name: 'address.zip', type: 'VARCHAR', sql: `lpad(CAST(${any(13, 42_000)} AS VARCHAR), 5, '0')` },
];

/** The generated tape as published, with more of the target schema's columns; generated once and cached. */
export async function wideTape(rows: number): Promise<{ assetsFile: string; columns: LakeColumn[] }> {
  const assetsFile = join(DATA_FOLDER, `wide-${rows}-1.parquet`);
  if (!existsSync(assetsFile)) {
    const published = await publishedTape(rows);
    const lake = await openLake();
    const made = `${assetsFile}.made`;
    const more = FURTHER.map(({ name, type, sql }) => `CAST(${sql} AS ${type}) AS ${quoteName(name)}`).join(', ');
    await lake.connected((connection) =>
      connection.run(
        `COPY (SELECT *, ${more} FROM ${readParquet([published])} ORDER BY "sequenceIndex") TO ${quoteText(made)}
          (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 100000)`,
      ),
    );
    lake.close();
    await rename(made, assetsFile);
  }
  const columns = [...compileTapeMapping().columns, ...FURTHER].map(({ name, type }) => ({ name, type }));
  return { assetsFile, columns };
}

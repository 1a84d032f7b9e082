import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const PARTS = 10;

/** A number in [0, 1) that depends only on the row and a salt. */
const chance = (salt: number): string => `((hash(i * 64 + ${salt}) % 1000003) / 1000003.0)`;
const pick = (salt: number, texts: readonly string[]): string =>
  `[${texts.map((text) => `'${text}'`).join(', ')}][1 + CAST(floor(pow(${chance(salt)}, 1.6) * ${texts.length}) AS INTEGER)]`;
const money = (salt: number, least: number, most: number): string =>
  `CAST(${least} + pow(${chance(salt)}, 2) * ${most - least} AS DECIMAL(18,2))::DECIMAL(18,4)`;
const percent = (salt: number, least: number, most: number): string =>
  `CAST(${least} + ${chance(salt)} * ${most - least} AS DECIMAL(18,2))::DECIMAL(18,8)`;

const STATES =
  'CA NY TX FL IL PA OH GA NC MI NJ VA WA AZ TN MA IN MO MD WI CO MN SC AL LA KY OR OK CT UT IA NV AR MS KS NM NE ID WV HI NH ME MT RI DE SD ND AK VT WY'.split(
    ' ',
  );
const SECTORS = ['Retail', 'Health', 'Education', 'Transport', 'Food', 'Construction', 'Media', 'Energy', 'Gambling'];

/** Columns of a published tape as in the lake; about one value in fifty is missing in columns that allow it. */
const COLUMNS: readonly [string, string][] = [
  ['row', 'CAST(i + 2 AS INTEGER)'],
  ['sequenceIndex', 'CAST(i AS INTEGER)'],
  ['assetId', "'L' || lpad(i::VARCHAR, 8, '0')"],
  [
    'borrowerId',
    `CASE WHEN ${chance(1)} < 0.995 THEN 'B' || CAST(CAST(floor(pow(${chance(2)}, 2) * 300000) AS INTEGER) AS VARCHAR) END`,
  ],
  ['assetType', "'loan'"],
  ['assetStatus', pick(3, ['current', 'current', 'current', 'pastDue', 'slowPayment', 'delinquent', 'chargedOff'])],
  ['dateFinanced', `DATE '2020-10-01' + CAST(floor(${chance(4)} * 2150) AS INTEGER)`],
  ['dates.maturityDate', `DATE '2026-12-01' + CAST(floor(${chance(5)} * 2600) AS INTEGER)`],
  ['term.days', `CAST(365.25 * (1 + floor(${chance(6)} * 6)) AS DOUBLE)`],
  ['remainingTerm.days', `CAST(floor(30.4375 * 60 * ${chance(7)}) AS DOUBLE)`],
  ['monthsOnBook', `CAST(floor(${chance(8)} * 62) AS DOUBLE)`],
  ['daysPastDue', `CAST(CASE WHEN ${chance(9)} < 0.93 THEN 0 ELSE floor(${chance(10)} * 90) END AS DOUBLE)`],
  ['isDelinquent', `${chance(11)} < 0.03`],
  ['sums.sum', money(12, 1000, 50_000)],
  ['sums.sum.currency', "'USD'"],
  ['sums.outstandingSum', `CASE WHEN ${chance(13)} < 0.999 THEN ${money(14, 100, 50_000)} END`],
  ['sums.outstandingSum.currency', "'USD'"],
  ['sums.arrears', money(15, 0, 1100)],
  ['sums.arrears.currency', "'USD'"],
  ['sums.paidPrincipal', money(16, 0, 20_000)],
  ['sums.paidPrincipal.currency', "'USD'"],
  ['interestRate', percent(17, 4.5, 29.5)],
  ['interestRate.kind', pick(18, [...Array<string>(19).fill('fix'), 'variable'])],
  ['originalLtv', percent(19, 40, 99)],
  ['currentLtv', percent(20, 20, 112)],
  [
    'creditScores.origination',
    `CASE WHEN ${chance(21)} < 0.98 THEN CAST(590 + floor(${chance(22)} * 250) AS DOUBLE) END`,
  ],
  ['creditScores.current', `CAST(550 + floor(${chance(23)} * 300) AS DOUBLE)`],
  ['creditScores.grade', pick(24, ['A', 'B', 'C', 'D', 'E', 'F', 'G'])],
  ['sector', pick(25, SECTORS)],
  ['product', pick(26, ['Consumer', 'Auto', 'Home'])],
  ['address.country', "'US'"],
  ['address.state', `CASE WHEN ${chance(27)} < 0.995 THEN ${pick(28, STATES)} END`],
];

/** Texts that rules group by; each has a column of integer codes, as publishing writes them. */
const CODED = ['borrowerId', 'creditScores.grade', 'sector', 'product', 'address.state'];

/** Writes a generated tape of `assets` rows as published Parquet parts. @returns the parts' paths */
export async function writeBenchTape(folder: string, assets: number): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const columns = COLUMNS.map(([name, sql]) => `${sql} AS "${name}"`).join(',\n');
  await connection.run(`CREATE TABLE tape AS SELECT ${columns} FROM range(${assets}) t(i)`);
  for (const [at, name] of CODED.entries()) {
    await connection.run(
      `CREATE TABLE code${at} AS SELECT "${name}" AS text, CAST(row_number() OVER (ORDER BY min("sequenceIndex")) - 1 AS INTEGER) AS code
       FROM tape WHERE "${name}" IS NOT NULL GROUP BY 1`,
    );
  }
  const joins = CODED.map((name, at) => `LEFT JOIN code${at} ON code${at}.text = tape."${name}"`).join(' ');
  const codes = CODED.map((name, at) => `code${at}.code AS "code:${name}"`).join(', ');
  await connection.run(`CREATE TABLE coded AS SELECT tape.*, ${codes} FROM tape ${joins}`);
  const files: string[] = [];
  const perPart = Math.ceil(assets / PARTS);
  for (let part = 0; part < PARTS; part += 1) {
    const file = path.join(folder, `assets-${part}.parquet`);
    const rows = `"sequenceIndex" >= ${part * perPart} AND "sequenceIndex" < ${(part + 1) * perPart}`;
    await connection.run(
      `COPY (SELECT * FROM coded WHERE ${rows} ORDER BY "sequenceIndex") TO '${file}' (FORMAT parquet, COMPRESSION zstd)`,
    );
    files.push(file);
  }
  connection.closeSync();
  instance.closeSync();
  return files;
}

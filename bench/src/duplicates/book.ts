import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TapeSource } from '@tapeline/lake/asset-relation.ts';
import { openLake, quoteName, quoteText } from '@tapeline/lake/lake.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';

/** Tapes of the book, one of each borrower. */
const TAPES = 4;
const listed = (texts: readonly string[]): string => `[${texts.map(quoteText).join(', ')}]`;
const GIVEN = listed(
  'Ana,André,Bea,Carl,Chloé,Dora,Emil,Fay,Georg,Hana,Ida,Jon,José,Karin,Lena,Luis,Mara,Nils,Olga,Paul,Rosa,Sam,Tom,Uwe,Vera'.split(
    ',',
  ),
);
const SYLLABLES = listed(
  'ba,cor,den,el,fer,gan,hol,in,jar,kel,lo,mar,nor,os,par,quin,ros,sten,tor,ul,ver,wes,yor,zan'.split(','),
);
const TRADES = listed('Bakery,Catering,Dental,Freight,Hauling,Joinery,Paving,Plumbing,Roofing,Tacos'.split(','));

/** A number below `most` from the loan's number, always the same one. */
const draw = (salt: number, most: number): string => `(hash(concat(i, ${quoteText(`/${salt}`)})) % ${most})::INTEGER`;
const pick = (list: string, salt: number, length: number): string => `${list}[1 + ${draw(salt, length)}]`;
const SURNAME = `concat(upper(${pick(SYLLABLES, 1, 24)}[1]), ${pick(SYLLABLES, 1, 24)}[2:], ${pick(SYLLABLES, 2, 24)}, ${pick(SYLLABLES, 3, 24)})`;

/** What a second lender writes of the same name. */
const MANGLED = `CASE i % 4 WHEN 0 THEN concat(upper(strip_accents(name)), ' L.L.C.')
  WHEN 1 THEN regexp_replace(name, '^(\\S+) (.*)$', '\\2, \\1') WHEN 2 THEN replace(strip_accents(name), ' ', '  ')
  ELSE concat('The ', lower(name), ' & Co') END`;

/**
 * A book of loans with planted duplicates: each has another id on another tape, a rounded amount, a mangled name, a
 * date up to three days away, and every third one another rate. The ids of both begin with the same number.
 * @returns the tapes as the lake reads them, made once and cached
 */
export async function makeBook(rows: number, planted: number): Promise<TapeSource[]> {
  const folder = join(DATA_FOLDER, `duplicates-${rows}-${planted}`);
  if (!existsSync(folder)) {
    const making = `${folder}.part`;
    await rm(making, { recursive: true, force: true });
    await mkdir(making, { recursive: true });
    const lake = await openLake({ spillFolder: join(making, 'spill'), memoryLimit: '1GB' });
    for (let tape = 0; tape < TAPES; tape += 1) {
      await lake.connected((connection) =>
        connection.run(`COPY (${tapeOf(tape, rows - planted, planted)}) TO ${quoteText(join(making, `${tape}.parquet`))}
          (FORMAT parquet, COMPRESSION lz4)`),
      );
    }
    lake.close();
    await rename(making, folder);
  }
  return Array.from({ length: TAPES }, (_, tape) => sourceOf(join(folder, `${tape}.parquet`), tape));
}

function tapeOf(tape: number, rows: number, planted: number): string {
  const loans = `SELECT i, i % ${TAPES} AS tape,
      CASE WHEN i % 5 < 2 THEN concat(${SURNAME}, ' ', ${pick(TRADES, 4, 10)}, ' LLC') ELSE concat(${pick(GIVEN, 5, 25)}, ' ', ${SURNAME}) END AS name,
      (10000 * exp(${draw(6, 3_000_000)} / 1000000.0))::DECIMAL(18,4) AS amount,
      DATE '2021-01-01' + ${draw(7, 2000)} AS financed, (5 + ${draw(8, 900)} / 100.0)::DECIMAL(18,8) AS rate,
      12 * (1 + ${draw(9, 6)}) AS term
    FROM range(${rows}) AS t(i)`;
  const second = `SELECT i, (i + 1 + i % ${TAPES - 1}) % ${TAPES} AS tape, ${MANGLED} AS name, round(amount, -2) AS amount,
      financed + (${draw(10, 7)} - 3) AS financed, CASE WHEN i % 3 = 0 THEN rate + 0.25 ELSE rate END AS rate, term, true AS planted
    FROM (${loans}) WHERE i % ${Math.floor(rows / planted)} = 0 AND i < ${Math.floor(rows / planted) * planted}`;
  return `SELECT (row_number() OVER ())::INTEGER + 1 AS "row", (row_number() OVER ())::INTEGER - 1 AS "sequenceIndex",
      concat(i, CASE WHEN planted THEN '-second' ELSE '-first' END) AS "assetId", concat('B', ${tape}, '-', i) AS "borrowerId",
      name AS "customFields.borrowerName", amount::DECIMAL(18,4) AS "sums.sum", 'USD' AS "sums.sum.currency",
      (amount * 0.7)::DECIMAL(18,4) AS "sums.outstandingSum", 'USD' AS "sums.outstandingSum.currency",
      financed::DATE AS "dateFinanced", rate::DECIMAL(18,8) AS "interestRate", term::DOUBLE AS "term", 'months' AS "term.unit",
      (term * 30)::DOUBLE AS "term.days"
    FROM (SELECT *, false AS planted FROM (${loans}) UNION ALL ${second}) WHERE tape = ${tape}`;
}

const COLUMNS = [
  ...['assetId', 'borrowerId', 'customFields.borrowerName', 'sums.sum', 'sums.sum.currency', 'sums.outstandingSum'],
  ...['sums.outstandingSum.currency', 'dateFinanced', 'interestRate', 'term', 'term.unit', 'term.days'],
];

const sourceOf = (path: string, tape: number): TapeSource => ({
  tapeId: String(tape).padStart(24, '0'),
  managerId: '0'.repeat(24),
  companyId: String(tape).padStart(24, 'c'),
  cutOffDate: '2026-10-31',
  assetPrefix: String(tape).padStart(16, '0'),
  mappingVersion: 1,
  paths: [path],
  columns: COLUMNS,
  customFields: [{ path: 'borrowerName', kind: 'text' }],
  borrowingBase: null,
});

/** The columns that decide whether two loans are one, for a join of the same columns. */
export const COMPARED = COLUMNS.filter((name) => !/outstanding|unit|assetId|borrowerId/.test(name)).map(quoteName);

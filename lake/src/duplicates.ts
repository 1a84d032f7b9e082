import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DuplicateLoan } from '@tapeline/domain/duplicates/duplicate.schema.ts';
import {
  CERTAINTIES,
  type Certainty,
  isNameField,
  LEGAL_FORMS,
  MAX_BLOCK,
  MAX_PAIRS,
  NEAR_AMOUNT_PERCENT,
  NEAR_DAYS,
} from '@tapeline/domain/duplicates/rules.ts';
import { customTargetField } from '@tapeline/domain/tapes/target-schema.ts';
import type { TapeSource } from './asset-relation.ts';
import { DERIVED_FILE, type Lake, quoteName, quoteText, readParquet } from './lake.ts';
import { currencyOf, tapeColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

/** Two loans that may be one. The first is that of the earlier source, then of the earlier row. */
export interface FoundPair {
  readonly certainty: Certainty;
  readonly loans: readonly [FoundLoan, FoundLoan];
}

/** A loan with the index of its source. */
export interface FoundLoan extends DuplicateLoan {
  readonly source: number;
}

export interface FoundDuplicates {
  /**
   * At most as many as were asked for: those of two latest tapes first, then the most certain ones, then those with the
   * largest balance in both.
   */
  readonly pairs: readonly FoundPair[];
  /** All pairs that were found. */
  readonly found: number;
  /** Loans of the latest tapes. */
  readonly loans: number;
  /** Loans that share their values with more than `MAX_BLOCK` others, and were not compared by them. */
  readonly notCompared: number;
}

/** A tape of the book. Of an earlier tape of a borrower, only the loans are compared that have left since. */
export type BookTape = TapeSource & { readonly isEarlier?: boolean };

/** Loans that are compared at once: their joins fit into the memory of a job. */
const LOANS_AT_ONCE = 1_000_000;

/**
 * What is found of the loans of these tapes: the latest ones of each borrower, and earlier ones. A loan that has left is
 * compared with the loans of other borrowers that have not.
 * @param onStep called with the share that is done
 * @param most the most pairs to name
 */
export async function findDuplicates(
  lake: Lake,
  sources: readonly BookTape[],
  onStep: (share: number) => Promise<void> = async () => undefined,
  most: number = MAX_PAIRS,
): Promise<FoundDuplicates> {
  if (sources.length === 0) return { pairs: [], found: 0, loans: 0, notCompared: 0 };
  const path = join(lake.spillFolder, `${DERIVED_FILE}duplicates-${randomUUID()}.parquet`);
  try {
    return await lake.connected(async (connection) => {
      await connection.run('CREATE TEMP TABLE left_loans (source INTEGER, "row" INTEGER)');
      for (const sql of leftLoans(sources)) await connection.run(sql);
      await connection.run(`COPY (${comparedLoans(sources)}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION lz4)`);
      await connection.run(`CREATE TEMP VIEW loans AS FROM ${readParquet([path])}`);
      await connection.run('CREATE TEMP TABLE candidates (a BIGINT, b BIGINT)');
      await connection.run('CREATE TEMP TABLE too_common (n BIGINT)');
      const compared = await count(connection, 'loans');
      await onStep(0.3);
      const passes = [SAME_ID, ...['name', 'borrower'].flatMap((obligor) => [nearDate(obligor), sameTerms(obligor)])];
      const parts = Math.ceil(Math.max(compared, 1) / LOANS_AT_ONCE);
      for (const [index, pass] of passes.entries()) {
        for (let part = 0; part < parts; part += 1) await compare(connection, pass, `${pass.of} % ${parts} = ${part}`);
        await onStep(0.3 + (0.6 * (index + 1)) / passes.length);
      }
      await connection.run(PAIRS);
      return {
        loans: await count(connection, 'loans WHERE book > 0'),
        found: await count(connection, 'pairs'),
        notCompared: await count(connection, '(SELECT DISTINCT n FROM too_common)'),
        pairs: await readPairs(connection, sources, most),
      };
    });
  } finally {
    await rm(path, { force: true });
  }
}

/** The widths of the blocks. Near values are in the same block or the next one. */
const AMOUNT_WIDTH = -Math.log(1 - NEAR_AMOUNT_PERCENT / 100) * 1.000_001;
const DATE_WIDTH = NEAR_DAYS + 1;

/** SQL of a name as it is compared: its words without accents, signs and legal forms, in one order. */
const normalizedName = (text: string): string =>
  `nullif(array_to_string(list_sort(string_split_regex(trim(regexp_replace(regexp_replace(
     regexp_replace(strip_accents(upper(${text})), '[.''’]', '', 'g'),
     '[^\\p{L}\\p{N}]+', ' ', 'g'), '\\b(${LEGAL_FORMS.join('|')})\\b', '', 'g')), ' +')), ' '), '')`;

/** SQL of an id as it is compared: its signs tell ids apart, and only spaces around it and capitals do not. */
const normalizedId = (text: string): string => `nullif(upper(trim(${text})), '')`;

const nameColumn = (source: TapeSource): string | null => {
  const field = source.customFields
    .map((custom) => customTargetField(custom))
    .find(({ kind, path }) => kind === 'text' && isNameField(path) && source.columns.includes(path));
  return field ? quoteName(field.path) : null;
};

/** Values in two currencies are never the same. A missing value has no hash: NULL would have one. */
const hashed = (value: string): string => `CASE WHEN ${value} IS NOT NULL THEN hash(${value}, currency) END`;

/** Borrowers as numbers from 1 on, by the index of a source. */
function booksOf(sources: readonly BookTape[]): number[] {
  const companies = [...new Set(sources.map(({ companyId }) => companyId))];
  return sources.map(({ companyId }) => companies.indexOf(companyId) + 1);
}

/** The last rows of the loans that no latest tape of their borrower has, a statement for each borrower. */
function leftLoans(sources: readonly BookTape[]): string[] {
  const idsOf = (chosen: readonly BookTape[]) =>
    chosen.map(
      (source) => `SELECT ${sources.indexOf(source)} AS source, "row", DATE ${quoteText(source.cutOffDate)} AS day,
          hash(${normalizedId(tapeColumn(source, 'assetId'))}) AS id
        FROM ${readParquet(source.paths)} WHERE ${normalizedId(tapeColumn(source, 'assetId'))} IS NOT NULL`,
    );
  return Object.values(Object.groupBy(sources, ({ companyId }) => companyId)).flatMap((tapes = []) => {
    const earlier = tapes.filter(({ isEarlier }) => isEarlier);
    const latest = tapes.filter(({ isEarlier }) => !isEarlier);
    if (earlier.length === 0 || latest.length === 0) return [];
    return `INSERT INTO left_loans SELECT source, "row" FROM (${idsOf(earlier).join('\nUNION ALL ')}) e
      ANTI JOIN (${idsOf(latest).join('\nUNION ALL ')}) l ON e.id = l.id
      QUALIFY row_number() OVER (PARTITION BY e.id ORDER BY day DESC, source DESC, "row" DESC) = 1`;
  });
}

/** What is compared of each loan. Texts are compared by hashes of 64 bits, which keeps five million loans within memory. */
function comparedLoans(sources: readonly BookTape[]): string {
  const books = booksOf(sources);
  const each = sources.map((source, index) => {
    return `SELECT ${index}::INTEGER AS source, ${source.isEarlier ? -books[index]! : books[index]}::INTEGER AS book, "row", ${tapeColumn(source, 'assetId')} AS id,
        ${nameColumn(source) ?? 'NULL::VARCHAR'} AS called, ${tapeColumn(source, 'borrowerId')} AS borrower,
        ${tapeColumn(source, 'sums.sum')} AS amount, ${currencyOf(source, 'sums.sum')} AS currency,
        ${tapeColumn(source, 'dateFinanced')} AS financed, ${tapeColumn(source, 'interestRate')} AS rate,
        ${tapeColumn(source, 'term.days')} AS term,
        coalesce(${tapeColumn(source, 'sums.outstandingSum')}, 0) AS balance
      FROM ${readParquet(source.paths)}
      ${source.isEarlier ? `WHERE "row" IN (SELECT "row" FROM left_loans WHERE source = ${index})` : ''}`;
  });
  return `SELECT (source::BIGINT << 32) + "row" AS n, source, book, ${hashed(normalizedId('id'))} AS id, ${hashed('name')} AS name,
      ${hashed(normalizedId('borrower'))} AS borrower,
      amount, floor(ln(amount::DOUBLE) / ${AMOUNT_WIDTH})::INTEGER AS amount_block,
      date_diff('day', DATE '1900-01-01', financed)::INTEGER AS financed, rate, term, balance
    FROM (SELECT *, ${normalizedName('called')} AS name
      FROM (${each.join('\nUNION ALL ')}) WHERE amount > 0 AND currency IS NOT NULL)`;
}

/** A way to find pairs: the block that a loan is in, the blocks whose loans it is compared with, and what must hold. */
interface Pass {
  /** What both loans share exactly: loans that share it with no other are not compared. */
  readonly of: string;
  readonly where: string;
  readonly key: (dateStep: number, amountStep: number) => string;
  /** The block itself, then half of its neighbours, so that a pair is found once. */
  readonly steps: readonly (readonly [dateStep: number, amountStep: number])[];
  readonly holds: string;
}

/** The borrower of a loan is below zero if the loan has left its tapes. */
const COMPARABLE = '(l.book > 0 AND r.book > 0 OR (l.book > 0) <> (r.book > 0) AND l.book <> -r.book)';
const NEAR_AMOUNT = `abs(l.amount - r.amount) * 1000 <= greatest(l.amount, r.amount) * ${NEAR_AMOUNT_PERCENT * 10}`;
const NEAR_DATE = `abs(l.financed - r.financed) <= ${NEAR_DAYS}`;
const SAME_ID: Pass = {
  of: 'id',
  where: 'id IS NOT NULL',
  key: () => 'hash(id, amount)',
  steps: [[0, 0]],
  holds: 'l.source <> r.source',
};

const nearDate = (obligor: string): Pass => ({
  of: obligor,
  where: `${obligor} IS NOT NULL AND financed IS NOT NULL`,
  key: (date, amount) => `hash(${obligor}, financed // ${DATE_WIDTH} + ${date}, amount_block + ${amount})`,
  steps: [
    [0, 0],
    [0, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ],
  holds: `${NEAR_DATE} AND ${NEAR_AMOUNT}`,
});

const sameTerms = (obligor: string): Pass => ({
  of: obligor,
  where: `${obligor} IS NOT NULL AND rate IS NOT NULL AND term IS NOT NULL`,
  key: (_, amount) => `hash(${obligor}, rate, term, amount_block + ${amount})`,
  steps: [
    [0, 0],
    [0, 1],
  ],
  holds: NEAR_AMOUNT,
});

/**
 * Compares the loans of a part within blocks and with those of the neighbouring ones, in one join of the loans that
 * share what the pass compares exactly. Blocks with too many loans are left out.
 */
async function compare(connection: DuckDBConnection, pass: Pass, isInPart: string): Promise<void> {
  const { of, key, steps, holds } = pass;
  const where = `${pass.where} AND ${isInPart}`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE repeated AS SELECT ${of} AS value FROM loans WHERE ${where}
    GROUP BY 1 HAVING count(*) > 1`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE compared AS SELECT * FROM loans
    WHERE ${where} AND ${of} IN (FROM repeated)`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE crowded AS SELECT ${key(0, 0)} AS key FROM compared
    GROUP BY 1 HAVING count(*) > ${MAX_BLOCK}`);
  await connection.run(`INSERT INTO too_common SELECT n FROM compared WHERE ${key(0, 0)} IN (FROM crowded)`);
  const values = 'n, source, book, amount, financed';
  const probes = steps.map(
    ([date, amount], index) => `SELECT ${values}, ${key(date, amount)} AS key, ${index > 0} AS is_beside FROM compared
      WHERE ${key(0, 0)} NOT IN (FROM crowded)`,
  );
  await connection.run(
    `INSERT INTO candidates SELECT least(l.n, r.n), greatest(l.n, r.n)
     FROM (${probes.join(' UNION ALL ')}) l JOIN (SELECT ${values}, ${key(0, 0)} AS key FROM compared) r ON l.key = r.key
     WHERE (l.is_beside OR l.n < r.n) AND ${holds} AND ${COMPARABLE} AND r.key NOT IN (FROM crowded)`,
  );
}

/**
 * The candidates by certainty. Two rows of one tape with the same id are not a pair: the checks of its mapping say what
 * to do about them.
 */
const PAIRS = `CREATE TEMP TABLE pairs AS
  SELECT a, b, least(l.balance, r.balance) AS twice, l.book < 0 OR r.book < 0 AS has_left,
    CASE WHEN l.source <> r.source AND l.id = r.id AND l.amount = r.amount THEN 0
      WHEN ${NEAR_DATE} AND (l.rate = r.rate OR l.term = r.term) THEN 1 ELSE 2 END AS rank
  FROM (SELECT DISTINCT a, b FROM candidates) JOIN loans l ON l.n = a JOIN loans r ON r.n = b
  WHERE NOT coalesce(l.source = r.source AND l.id = r.id, false)`;

async function count(connection: DuckDBConnection, of: string): Promise<number> {
  const read = await connection.runAndReadAll(`SELECT count(*) FROM ${of}`);
  return Number(read.getRows()[0]?.[0]);
}

async function readPairs(
  connection: DuckDBConnection,
  sources: readonly BookTape[],
  most: number,
): Promise<FoundPair[]> {
  await connection.run(
    `CREATE TEMP TABLE kept AS SELECT row_number() OVER () AS place, a, b, rank
     FROM (FROM pairs ORDER BY has_left, rank, twice DESC, a, b LIMIT ${most})`,
  );
  const read = await connection.runAndReadAll(
    `SELECT ${EVIDENCE.join(', ')} FROM (${sources.map(evidenceOf).join('\nUNION ALL ')})
     WHERE n IN (SELECT a FROM kept UNION SELECT b FROM kept)`,
  );
  const loans = new Map(read.getRows().map((row) => [String(row[0]), toLoan(row.map((value) => fromLake(value)))]));
  const kept = await connection.runAndReadAll('SELECT a, b, rank FROM kept ORDER BY place');
  return kept.getRows().map(([a, b, rank]): FoundPair => {
    const [first, second] = [loans.get(String(a)), loans.get(String(b))];
    const certainty = CERTAINTIES[Number(rank)];
    if (!first || !second || !certainty) throw new Error('a pair was found whose loans are on no tape');
    return { certainty, loans: [first, second] };
  });
}

const EVIDENCE = [
  ...['n', 'source', '"row"', 'id', 'obligor', 'borrower', 'amount', 'currency', 'financed', 'rate', 'term'],
  ...['unit', 'product', 'state', 'status', 'balance', 'balance_currency', 'left_after'],
];

function evidenceOf(source: BookTape, index: number): string {
  const column = (path: string) => tapeColumn(source, path);
  return `SELECT (${index}::BIGINT << 32) + "row" AS n, ${index} AS source, "row", ${column('assetId')} AS id,
      ${nameColumn(source) ?? 'NULL::VARCHAR'} AS obligor, ${column('borrowerId')} AS borrower,
      ${column('sums.sum')} AS amount, ${currencyOf(source, 'sums.sum')} AS currency,
      ${column('dateFinanced')}::VARCHAR AS financed, ${column('interestRate')} AS rate, ${column('term')} AS term,
      ${column('term.unit')} AS unit, ${column('product')} AS product, ${column('address.state')} AS state,
      ${column('assetStatus')} AS status, ${column('sums.outstandingSum')} AS balance,
      ${currencyOf(source, 'sums.outstandingSum')} AS balance_currency,
      ${source.isEarlier ? quoteText(source.cutOffDate) : 'NULL::VARCHAR'} AS left_after
    FROM ${readParquet(source.paths)}`;
}

function toLoan(values: readonly ReturnType<typeof fromLake>[]): FoundLoan {
  const [, source, row, ...facts] = values;
  const texts = facts.map((value) => (value === null || value === undefined ? null : String(value)));
  const [assetId, obligor, borrowerId, amount, currency, financedOn, ratePercent, term, ...others] = texts;
  const [termUnit, product, state, status, balance, balanceCurrency, leftAfter] = others;
  return {
    source: Number(source),
    row: Number(row),
    assetId: assetId ?? null,
    obligor: obligor ?? null,
    borrowerId: borrowerId ?? null,
    originalAmount: amount ?? null,
    currency: currency ?? null,
    financedOn: financedOn ?? null,
    ratePercent: ratePercent ?? null,
    term: term ?? null,
    termUnit: termUnit ?? null,
    product: product ?? null,
    state: state ?? null,
    status: status ?? null,
    balance: balance ?? null,
    balanceCurrency: balanceCurrency ?? null,
    leftAfter: leftAfter ?? null,
  };
}

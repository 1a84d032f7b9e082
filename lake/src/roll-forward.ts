import type { DuckDBConnection } from '@duckdb/node-api';
import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { CHANGE_FIELDS, CHANGE_KINDS, type FoundChanges, type LoanChange } from '@tapeline/domain/pools/changes.ts';
import {
  DEPARTURES,
  type Departed,
  FOLLOWED_LINES,
  type PoolPart,
  type RollCell,
  type RollLine,
} from '@tapeline/domain/pools/roll-forward.ts';
import type { TapeFiles } from './asset-relation.ts';
import { type Lake, quoteText, readParquet } from './lake.ts';
import type { TapePair } from './movements.ts';
import { bucketColumn, currencyOf, cutOffOf, holdsColumn, tapeColumn } from './tape-columns.ts';
import { fromLake } from './values.ts';

const BALANCE = 'sums.outstandingSum';

/** Two tapes, and whether an id is listed more than once on either: such ids are not followed. */
export interface PairedTapes<Tape extends TapeFiles = TapeFiles> extends TapePair<Tape> {
  readonly hasRepeatedIds: boolean;
  /** What was said of loans of the earlier tape that left; of one that is named twice, the first counts. */
  readonly departed: readonly Departed[];
}

const canFollow = ({ before, after }: TapePair): boolean =>
  [before, after].every((source) => holdsColumn(source, 'assetId') && holdsColumn(source, BALANCE));

const idsOf = (source: TapeFiles): string =>
  `SELECT ${tapeColumn(source, 'assetId')} AS id FROM ${readParquet(source.paths)} WHERE ${tapeColumn(source, 'assetId')} IS NOT NULL`;

/** Ids that are listed more than once on a tape. */
const repeatedOf = (source: TapeFiles): string => `SELECT id FROM (${idsOf(source)}) GROUP BY id HAVING count(*) > 1`;

/** Whether an id of a tape is listed more than once. Numbers are grouped faster than texts, and seldom collide. */
async function hasRepeated(connection: DuckDBConnection, source: TapeFiles): Promise<boolean> {
  const read = await connection.runAndReadAll(
    `SELECT count(*) <> count(DISTINCT id) FROM (SELECT hash(id) AS id FROM (${idsOf(source)}))`,
  );
  return read.getRows()[0]?.[0] === true;
}

/** Null if a tape has no ids or no balances, so that its assets cannot be followed. */
export const pairedTapes = async <Tape extends TapeFiles>(
  lake: Lake,
  pair: TapePair<Tape>,
  departed: readonly Departed[] = [],
): Promise<PairedTapes<Tape> | null> =>
  canFollow(pair)
    ? lake.connected(async (connection) => ({
        ...pair,
        departed,
        hasRepeatedIds: (await hasRepeated(connection, pair.before)) || (await hasRepeated(connection, pair.after)),
      }))
    : null;

/** SQL of the part of the pool that an asset is in. */
const partColumn = (source: TapeFiles): string =>
  `CASE ${bucketColumn(source)} WHEN 'current' THEN 'current' WHEN 'chargedOff' THEN 'chargedOff'
     WHEN 'paidOff' THEN 'paidOff' WHEN 'unknown' THEN 'unknown' ELSE 'pastDue' END`;

/**
 * The rows of a tape. `key` matches them with the other tape, and is NULL for a row that cannot be matched. A balance
 * without a currency is unknown.
 */
function rowsOf(source: TapeFiles, hasRepeatedIds: boolean, pair: TapePair, facts: readonly string[]): string {
  const id = tapeColumn(source, 'assetId');
  const currency = currencyOf(source, BALANCE);
  const key = hasRepeatedIds
    ? `CASE WHEN ${id} NOT IN (${repeatedOf(pair.before)} UNION ${repeatedOf(pair.after)}) THEN ${id} END`
    : id;
  return `(SELECT "row", ${id} AS id, ${key} AS key, CASE WHEN ${currency} IS NOT NULL THEN ${tapeColumn(source, BALANCE)} END AS balance,
      ${currency} AS currency, ${partColumn(source)} AS part, ${tapeColumn(source, 'dateFinanced')} AS financed
      ${facts.map((fact) => `, ${fact}`).join('')} FROM ${readParquet(source.paths)})`;
}

const saidOf = ({ kind, assetIds }: Departed): string =>
  `WHEN b.id IN (${assetIds.map(quoteText).join(', ')}) THEN ${quoteText(kind)}`;

/** SQL of the line that a matched pair of rows, or a row of one tape, is in. */
export const rollLineColumn = ({ before, departed }: PairedTapes): string =>
  `CASE WHEN b."row" IS NULL THEN
      CASE WHEN a.id IS NULL THEN 'withoutId' WHEN a.key IS NULL THEN 'repeated'
        WHEN a.financed IS NULL THEN 'undated' WHEN a.financed > ${cutOffOf(before)} THEN 'originated' ELSE 'addedLate' END
    WHEN a."row" IS NULL THEN
      CASE WHEN b.id IS NULL THEN 'withoutId' WHEN b.key IS NULL THEN 'repeated'
        WHEN b.balance = 0 AND b.part IN ('paidOff', 'chargedOff') THEN 'closed' ${departed.map(saidOf).join(' ')} ELSE 'left' END
    WHEN b.balance IS NULL AND a.balance IS NULL THEN 'unchanged'
    WHEN b.balance IS NULL OR a.balance IS NULL THEN 'balanceUnknown'
    WHEN b.currency <> a.currency THEN 'currencyChanged'
    WHEN a.balance = b.balance THEN 'unchanged'
    WHEN a.balance > b.balance THEN 'increased'
    WHEN a.part = 'chargedOff' AND b.part <> 'chargedOff' THEN 'writtenOff'
    WHEN a.balance = 0 OR (a.part = 'paidOff' AND b.part <> 'paidOff') THEN 'paidOff'
    ELSE 'collected' END`;

/** Every row of both tapes once: matched rows together, the others alone. `join` may leave out one tape's others. */
export const joined = (
  pair: PairedTapes,
  join: 'FULL' | 'INNER' = 'FULL',
  facts: (source: TapeFiles) => readonly string[] = () => [],
): string =>
  `${rowsOf(pair.before, pair.hasRepeatedIds, pair, facts(pair.before))} b
   ${join} JOIN ${rowsOf(pair.after, pair.hasRepeatedIds, pair, facts(pair.after))} a ON a.key = b.key`;

/** What happened to the assets of two tapes, by line, part and currency. Each row of each tape is counted once. */
export async function rollCells(lake: Lake, pair: PairedTapes): Promise<RollCell[]> {
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT ${rollLineColumn(pair)}, b.part, a.part, b.currency, a.currency, count(b."row"), count(b.balance),
         coalesce(sum(b.balance), 0), count(a."row"), count(a.balance), coalesce(sum(a.balance), 0)
       FROM ${joined(pair)} GROUP BY ALL ORDER BY ALL`,
    );
    return read.getRows().map((row): RollCell => {
      const [line, from, to, currencyBefore, currencyAfter, ...sizes] = row.map((value) => fromLake(value));
      const [before, knownBefore, balanceBefore, after, knownAfter, balanceAfter] = sizes;
      return {
        line: line as RollLine,
        from: from as PoolPart | null,
        to: to as PoolPart | null,
        currencyBefore: currencyBefore as string | null,
        currencyAfter: currencyAfter as string | null,
        before: { count: Number(before), known: Number(knownBefore), balance: String(balanceBefore) },
        after: { count: Number(after), known: Number(knownAfter), balance: String(balanceAfter) },
      };
    });
  });
}

/** An asset on one tape; null if it is not on it, and values that are unknown are null. */
export interface RolledSide {
  readonly row: number;
  readonly part: PoolPart;
  readonly balance: DecimalText | null;
  readonly currency: string | null;
}

/** An asset of a line of the roll-forward, or with a change that should not happen. */
export interface RolledAsset {
  readonly assetId: string | null;
  readonly line: RollLine;
  readonly before: RolledSide | null;
  readonly after: RolledSide | null;
  /** The values that were compared, as text; null if the assets were not asked for by what changed. */
  readonly was: string | null;
  readonly is: string | null;
}

/** Which assets of a roll-forward to list. */
export interface RolledChoice {
  /** Every line whose assets are followed if omitted: these move between parts. */
  readonly line?: RollLine | undefined;
  /** The currency of either tape. */
  readonly currency?: string | undefined;
  /** The part on the earlier tape, and on the later one. */
  readonly from?: PoolPart | undefined;
  readonly to?: PoolPart | undefined;
}

interface Page {
  readonly skip: number;
  readonly limit: number;
}

interface RolledPage {
  readonly assets: readonly RolledAsset[];
  readonly total: number;
}

const SIDES = 'b."row", b.part, b.balance, b.currency, a."row", a.part, a.balance, a.currency';

/** The largest change first; assets without a known balance last. */
const LARGEST_FIRST = `abs(coalesce(a.balance, 0) - coalesce(b.balance, 0)) DESC, b."row" NULLS LAST, a."row"`;

function toAsset(values: readonly ReturnType<typeof fromLake>[]): RolledAsset {
  const [, assetId, line, was, is, ...sides] = values;
  const sideOf = ([row, part, balance, currency]: typeof sides): RolledSide | null =>
    row === null || row === undefined
      ? null
      : {
          row: Number(row),
          part: part as PoolPart,
          balance: balance === null || balance === undefined ? null : String(balance),
          currency: (currency ?? null) as string | null,
        };
  return {
    assetId: (assetId ?? null) as string | null,
    line: line as RollLine,
    before: sideOf(sides.slice(0, 4)),
    after: sideOf(sides.slice(4)),
    was: (was ?? null) as string | null,
    is: (is ?? null) as string | null,
  };
}

async function pageOf(
  lake: Lake,
  relation: string,
  where: string,
  compared: { was: string; is: string },
  pair: PairedTapes,
  { skip, limit }: Page,
  values: readonly string[],
): Promise<RolledPage> {
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT count(*) OVER (), coalesce(b.id, a.id), ${rollLineColumn(pair)}, ${compared.was}, ${compared.is}, ${SIDES}
       FROM ${relation} WHERE ${where}
       ORDER BY ${LARGEST_FIRST} LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(skip)}`,
      [...values],
    );
    const rows = read.getRows().map((row) => row.map((value) => fromLake(value)));
    const total = rows[0]?.[0];
    if (total !== undefined || skip === 0) return { assets: rows.map(toAsset), total: Number(total ?? 0) };
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation} WHERE ${where}`, [...values]);
    return { assets: [], total: Number(counted.getRows()[0]?.[0]) };
  });
}

/** The assets of a line, those whose balance changed most first; `total` counts all of them. */
export function assetsOfRoll(
  lake: Lake,
  pair: PairedTapes,
  { line, currency, from, to }: RolledChoice,
  page: Page,
): Promise<RolledPage> {
  const values: string[] = [];
  const given = (condition: (mark: string) => string, value: string | undefined): string[] =>
    value === undefined ? [] : [condition(`$${values.push(value)}`)];
  const where = [
    line === undefined
      ? `${rollLineColumn(pair)} IN (${FOLLOWED_LINES.map(quoteText).join(', ')})`
      : `${rollLineColumn(pair)} = ${quoteText(line)}`,
    ...given((mark) => `${mark} IN (b.currency, a.currency)`, currency),
    ...given((mark) => `b.part = ${mark}`, from),
    ...given((mark) => `a.part = ${mark}`, to),
  ].join(' AND ');
  return pageOf(lake, joined(pair), where, { was: 'NULL', is: 'NULL' }, pair, page, values);
}

/** Those of these ids that are of loans which left after the earlier tape with a balance, explained or not. */
export async function departedAmong(lake: Lake, pair: PairedTapes, assetIds: readonly string[]): Promise<string[]> {
  const lines = ['left', ...DEPARTURES].map(quoteText).join(', ');
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT b.id FROM ${joined(pair)} WHERE b.id IN (${assetIds.map(quoteText).join(', ')}) AND ${rollLineColumn(pair)} IN (${lines})`,
    );
    return read.getRows().map(([id]) => String(id));
  });
}

/** What the checks compare in addition to what a roll-forward reads. */
export const factsOf = (source: TapeFiles): string[] => [
  `${tapeColumn(source, 'sums.sum')} AS original`,
  `${currencyOf(source, 'sums.sum')} AS original_currency`,
  `${tapeColumn(source, 'term.days')} AS term_days`,
  `${tapeColumn(source, 'term')} AS term`,
  `${tapeColumn(source, 'term.unit')} AS term_unit`,
  `${tapeColumn(source, 'borrowerId')} AS borrower`,
  `${tapeColumn(source, 'dates.maturityDate')} AS maturity`,
  `CASE WHEN isfinite(${tapeColumn(source, 'daysPastDue')}) THEN ${tapeColumn(source, 'daysPastDue')} END AS days`,
];

const ORIGINAL_CHANGED = '(b.original_currency = a.original_currency AND b.original <> a.original)';
const IS_OTHER = `coalesce(${ORIGINAL_CHANGED} AND b.financed <> a.financed, false)`;

interface ChangeRule {
  /** SQL of whether both values are known. */
  readonly known: string;
  /** SQL of whether the two known values differ in a way that should not happen. */
  readonly changed: string;
  /** SQL of the value of one side, `b` or `a`, as text. */
  readonly shown: (side: 'b' | 'a') => string;
}

const bothKnown = (column: string): string => `b.${column} IS NOT NULL AND a.${column} IS NOT NULL`;
const differs = (column: string): string => `b.${column} <> a.${column} AND NOT ${IS_OTHER}`;
/** Without the zeros that only pad the column's scale. */
const money = (side: string, column: string, currency: string): string =>
  `concat(rtrim(rtrim(${side}.${column}::VARCHAR, '0'), '.'), ' ', ${side}.${currency})`;
const whole = (column: string): string => `regexp_replace(${column}::VARCHAR, '\\.0$', '')`;

/** How each kind is found among matched assets. */
export function ruleOf(kind: LoanChange, { before, after }: TapePair): ChangeRule {
  const balance = (side: string) => money(side, 'balance', 'currency');
  switch (kind) {
    case 'otherLoan':
      return {
        known: `${bothKnown('original')} AND ${bothKnown('financed')}`,
        changed: IS_OTHER,
        shown: (side) => `concat(${money(side, 'original', 'original_currency')}, ', ', ${side}.financed::VARCHAR)`,
      };
    case 'originalPrincipal':
      return {
        known: bothKnown('original'),
        changed: `${ORIGINAL_CHANGED} AND NOT ${IS_OTHER}`,
        shown: (side) => money(side, 'original', 'original_currency'),
      };
    case 'originationDate':
      return {
        known: bothKnown('financed'),
        changed: differs('financed'),
        shown: (side) => `${side}.financed::VARCHAR`,
      };
    case 'term':
      return {
        known: bothKnown('term_days'),
        changed: differs('term_days'),
        shown: (side) => `concat(${whole(`${side}.term`)}, ' ', ${side}.term_unit)`,
      };
    case 'borrower':
      return { known: bothKnown('borrower'), changed: differs('borrower'), shown: (side) => `${side}.borrower` };
    case 'currency':
      return { known: bothKnown('currency'), changed: 'b.currency <> a.currency', shown: balance };
    case 'maturity':
      return {
        known: bothKnown('maturity'),
        changed: differs('maturity'),
        shown: (side) => `${side}.maturity::VARCHAR`,
      };
    case 'grew':
      return {
        known: `${bothKnown('balance')} AND b.currency = a.currency`,
        changed: `a.balance > b.balance AND NOT ${IS_OTHER} AND NOT coalesce(b.original_currency = a.original_currency
          AND a.original - b.original >= a.balance - b.balance, false)`,
        shown: balance,
      };
    case 'jumped':
      return {
        known: bothKnown('days'),
        changed: `a.days - b.days > ${daysBetween(before.cutOffDate, after.cutOffDate)} AND NOT ${IS_OTHER}`,
        shown: (side) => `concat(${whole(`${side}.days`)}, ' days')`,
      };
    case 'reopened':
      return {
        known: `b.part <> 'unknown' AND a.balance IS NOT NULL`,
        changed: `b.part IN ('paidOff', 'chargedOff') AND a.part NOT IN ('paidOff', 'chargedOff') AND a.balance > 0 AND NOT ${IS_OTHER}`,
        shown: balance,
      };
  }
}

const canCheck = (kind: LoanChange, { before, after }: TapePair): boolean =>
  CHANGE_FIELDS[kind].every((path) => [before, after].every((source) => holdsColumn(source, path)));

/** How many assets have a change that should not happen between the two tapes, by kind. */
export async function foundChanges(lake: Lake, pair: PairedTapes): Promise<FoundChanges> {
  const counts = CHANGE_KINDS.flatMap((kind) => {
    const { known, changed } = ruleOf(kind, pair);
    return [`count(*) FILTER (WHERE ${known})`, `count(*) FILTER (WHERE ${known} AND ${changed})`];
  });
  const isChanged = CHANGE_KINDS.map((kind) => {
    const { known, changed } = ruleOf(kind, pair);
    return `coalesce(${known} AND ${changed}, false)`;
  }).join(' OR ');
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT count(*), count(*) FILTER (WHERE ${isChanged}), ${counts.join(', ')} FROM ${joined(pair, 'INNER', factsOf)}`,
    );
    const [matched, withChange, ...found] = (read.getRows()[0] ?? []).map(Number);
    return {
      matched: matched ?? 0,
      changed: withChange ?? 0,
      changes: CHANGE_KINDS.map((kind, index) =>
        canCheck(kind, pair)
          ? { kind, compared: found[2 * index] ?? 0, count: found[2 * index + 1] ?? 0 }
          : { kind, compared: null, count: null },
      ),
    };
  });
}

/** The assets of one kind with both values, those whose balance changed most first; `total` counts all of them. */
export function changedAssets(lake: Lake, pair: PairedTapes, kind: LoanChange, page: Page): Promise<RolledPage> {
  if (!canCheck(kind, pair)) return Promise.resolve({ assets: [], total: 0 });
  const { known, changed, shown } = ruleOf(kind, pair);
  const compared = { was: shown('b'), is: shown('a') };
  return pageOf(lake, joined(pair, 'INNER', factsOf), `${known} AND ${changed}`, compared, pair, page, []);
}

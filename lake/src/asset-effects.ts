import { stepsOf } from '@tapeline/domain/borrowing-base/causes/base-comparison.ts';
import { type AssetCause, CAUSE_LABELS } from '@tapeline/domain/borrowing-base/causes/causes.ts';
import { STATUS_IN_BASE_LABELS } from '@tapeline/domain/facilities/pools.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { amountColumn, type ExportColumn, type ExportTable, sliceRowsOf, textColumn } from './exports/export-table.ts';
import { type Lake, quoteName, quoteText, readParquet } from './lake.ts';
import { fromLake } from './values.ts';

/** What each step of a comparison says of an asset: columns of its results, without `borrowingBase.`. */
export const STEP_VALUES = ['status', 'scope', 'firstFailed', 'amount', 'remaining', 'rate', 'advanced'] as const;

/** The columns of the file of a comparison. */
export const stepColumn = (step: number, name: (typeof STEP_VALUES)[number]): string => quoteName(`s${step}.${name}`);
export const effectColumn = (name: EffectName): string => quoteName(`effect.${name}`);
export const ownColumn = (name: EffectName): string => quoteName(`own.${name}`);

/** What has an effect on assets: a cause of a comparison, or a whole scenario. */
type EffectName = AssetCause | 'scenario';

/** The steps before and after it. */
const stepsOfEffect = (name: EffectName) => (name === 'scenario' ? ([0, 1] as const) : stepsOf(name));

/** Whether an asset is behind a cause: its own value differs, which may have no effect, or it is advanced another amount. */
export const isAffected = (name: EffectName): string => `(${ownColumn(name)} OR ${effectColumn(name)} <> 0)`;

/** An asset in a step. Amounts are in the currency of the certificates, at scale 12. */
export interface AssetInStep {
  readonly row: number;
  readonly status: string;
  /** The key of the first rule that it fails; null if it fails none. */
  readonly firstFailed: string | null;
  readonly amount: DecimalText | null;
  readonly remaining: DecimalText;
  /** In percent; null if nothing is advanced against it. */
  readonly rate: DecimalText | null;
  readonly advanced: DecimalText;
}

/** An asset that a cause affects, as it is before and after the step of the cause. */
export interface AffectedAsset {
  readonly assetId: string | null;
  /** Null if it is on one tape only, and not in the pool of the step. */
  readonly before: AssetInStep | null;
  readonly after: AssetInStep | null;
  /** Whether its own value differs; otherwise it is affected because limits measure another pool. */
  readonly isOwn: boolean;
  /** On what is advanced against it. */
  readonly effect: DecimalText;
}

const SHOWN = ['status', 'firstFailed', 'amount', 'remaining', 'rate', 'advanced'] as const;

/** The largest effect first. */
const orderOf = (name: EffectName): string => `abs(${effectColumn(name)}) DESC, later_row NULLS LAST, earlier_row, id`;

/** The sheet row of the tape whose assets the pool of a step has. */
const rowOfStep = (step: number): string => (step === 0 ? 'earlier_row' : 'later_row');

/**
 * The assets that a cause affects, those with the largest effect first; `total` counts all of them.
 * @param path of the comparison's file
 */
export function affectedAssets(
  lake: Lake,
  path: string,
  cause: EffectName,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ assets: AffectedAsset[]; total: number }> {
  const steps = stepsOfEffect(cause);
  const sides = steps.flatMap((step) => [rowOfStep(step), ...SHOWN.map((name) => stepColumn(step, name))]);
  const from = `FROM ${readParquet([path])} WHERE ${isAffected(cause)}`;
  return lake.connected(async (connection) => {
    const read = await connection.runAndReadAll(
      `SELECT id, ${ownColumn(cause)}, ${effectColumn(cause)}, ${sides.join(', ')} ${from}
       ORDER BY ${orderOf(cause)} LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(skip)}`,
    );
    const counted = await connection.runAndReadAll(`SELECT count(*) ${from}`);
    const width = SHOWN.length + 1;
    const assets = read.getRows().map((row): AffectedAsset => {
      const [id, isOwn, effect, ...rest] = row.map((value) => fromLake(value));
      return {
        assetId: (id ?? null) as string | null,
        isOwn: isOwn === true,
        effect: String(effect),
        before: sideOf(rest.slice(0, width)),
        after: sideOf(rest.slice(width)),
      };
    });
    return { assets, total: Number(counted.getRows()[0]?.[0] ?? 0) };
  });
}

function sideOf(values: readonly ReturnType<typeof fromLake>[]): AssetInStep | null {
  const [row, status, firstFailed, amount, remaining, rate, advanced] = values;
  if (status === null || status === undefined) return null;
  const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
  return {
    row: Number(row),
    status: String(status),
    firstFailed: text(firstFailed),
    amount: text(amount),
    remaining: text(remaining) ?? '0',
    rate: text(rate),
    advanced: text(advanced) ?? '0',
  };
}

const casesOf = (labels: Iterable<readonly [value: string, label: string]>): string =>
  [...labels].map(([value, label]) => `WHEN ${quoteText(value)} THEN ${quoteText(label)}`).join(' ');

const labelColumn = (column: string, labels: Readonly<Record<string, string>>): string =>
  `CASE ${column} ${casesOf(Object.entries(labels))} ELSE ${column} END`;

/** The title of a failed rule. Limits and offsets, which cut an asset that fails no rule, have none. */
const titleColumn = (column: string, titles: ReadonlyMap<string, string>): string =>
  titles.size === 0 ? 'NULL::VARCHAR' : `CASE ${column} ${casesOf(titles)} END`;

const exact = (name: string, label: string, sql: string): ExportColumn => ({
  ...amountColumn(name, label, sql),
  type: 'DECIMAL(38,12)',
});

/** A cause to export, with the titles of the rules before and after its step, by key. */
interface ExportedCause {
  readonly cause: AssetCause;
  readonly count: number;
  readonly titles: { readonly before: ReadonlyMap<string, string>; readonly after: ReadonlyMap<string, string> };
}

/**
 * The assets behind causes, each with both values and its effect: one row for each cause that affects the asset.
 * @param causes with the titles of the rules of each, by key
 * @param heads what the two sides are called
 */
export function affectedExport(
  path: string,
  causes: readonly ExportedCause[],
  heads: { readonly before: string; readonly after: string },
): ExportTable {
  const status = (side: 'before' | 'after') => labelColumn(`${side}_status`, STATUS_IN_BASE_LABELS);
  const side = (name: 'before' | 'after'): ExportColumn[] => [
    { name: `${name}Row`, label: `Sheet row ${heads[name]}`, kind: 'number', type: 'INTEGER', sql: `${name}_row` },
    textColumn(`${name}Status`, `Status ${heads[name]}`, status(name), 18),
    textColumn(`${name}Rule`, `First failed rule ${heads[name]}`, `${name}_rule`, 30),
    exact(`${name}Amount`, `Amount ${heads[name]}`, `${name}_amount`),
    exact(`${name}Remaining`, `Remaining ${heads[name]}`, `${name}_remaining`),
    {
      name: `${name}Rate`,
      label: `Rate ${heads[name]} (%)`,
      kind: 'number',
      type: 'DECIMAL(11,8)',
      sql: `${name}_rate`,
    },
    exact(`${name}Advanced`, `Advanced ${heads[name]}`, `${name}_advanced`),
  ];
  const columns = [
    textColumn('cause', 'Cause', labelColumn('cause', CAUSE_LABELS), 18),
    textColumn('assetId', 'Asset id', 'id'),
    textColumn('own', 'Affected', `CASE WHEN own THEN 'Itself' ELSE 'Through limits' END`, 16),
    ...side('before'),
    ...side('after'),
    exact('effect', 'Effect on the net borrowing base', 'effect'),
  ];
  const rowsAtOnce = sliceRowsOf(columns.length);
  const queries = causes.flatMap(({ cause, count, titles }) => {
    const [before, after] = stepsOf(cause);
    const of = (step: number, name: 'before' | 'after') =>
      [
        `${rowOfStep(step)} AS ${name}_row`,
        `${stepColumn(step, 'status')} AS ${name}_status`,
        `${titleColumn(stepColumn(step, 'firstFailed'), titles[name])} AS ${name}_rule`,
        ...(['amount', 'remaining', 'rate', 'advanced'] as const).map(
          (value) => `${stepColumn(step, value)} AS ${name}_${value}`,
        ),
      ].join(', ');
    return Array.from({ length: Math.ceil(count / rowsAtOnce) }, (_, slice) => ({
      from: `FROM (SELECT ${quoteText(cause)} AS cause, id, ${ownColumn(cause)} AS own, ${effectColumn(cause)} AS effect,
          ${of(before, 'before')}, ${of(after, 'after')}
        FROM ${readParquet([path])} WHERE ${isAffected(cause)}
        ORDER BY ${orderOf(cause)} LIMIT ${rowsAtOnce} OFFSET ${slice * rowsAtOnce})`,
      values: [],
    }));
  });
  return { columns, rows: causes.reduce((total, { count }) => total + count, 0), queries };
}

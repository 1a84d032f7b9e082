import { BUCKET_DAYS, CHARGED_OFF_STATUS, PAID_STATUSES } from '@tapeline/domain/pools/delinquency.ts';
import { DEFAULTED_STATUSES } from '@tapeline/domain/pools/loan-fate.ts';
import { type ColumnType, TARGET_FIELDS } from '@tapeline/domain/tapes/target-schema.ts';
import type { TapeFiles } from './asset-relation.ts';
import { quoteName, quoteText } from './lake.ts';

const TYPES: ReadonlyMap<string, ColumnType> = new Map(
  TARGET_FIELDS.flatMap((field) => field.columns.map(({ name, type }) => [name, type] as const)),
);

export const holdsColumn = (source: TapeFiles, name: string): boolean => source.columns.includes(name);

/** A column of the target schema as SQL over a tape's parts; a typed NULL if the tape does not have it. */
export function tapeColumn(source: TapeFiles, name: string): string {
  const type = TYPES.get(name);
  if (!type) throw new Error(`${name} is not a column of the target schema`);
  return holdsColumn(source, name) ? quoteName(name) : `CAST(NULL AS ${type})`;
}

/** The currency of an amount column if the amount is known, else NULL. */
export const currencyOf = (source: TapeFiles, path: string): string =>
  `CASE WHEN ${tapeColumn(source, path)} IS NOT NULL THEN ${tapeColumn(source, `${path}.currency`)} END`;

export const cutOffOf = (source: TapeFiles): string => `DATE ${quoteText(source.cutOffDate)}`;

const listed = (texts: readonly string[]): string => `(${texts.map(quoteText).join(', ')})`;

/** SQL of an asset's delinquency bucket, as `bucketOf` beside the domain's tests finds it. */
export function bucketColumn(source: TapeFiles): string {
  const status = tapeColumn(source, 'assetStatus');
  const days = tapeColumn(source, 'daysPastDue');
  return `CASE WHEN ${status} IN ${listed(PAID_STATUSES)} THEN 'paidOff'
    WHEN ${status} = ${quoteText(CHARGED_OFF_STATUS)}
      OR ${tapeColumn(source, 'dates.chargeOffDate')} <= ${cutOffOf(source)} THEN 'chargedOff'
    WHEN ${days} IS NULL OR NOT isfinite(${days}) THEN 'unknown'
    ${BUCKET_DAYS.map(({ bucket, below }) => `WHEN ${days} < ${below} THEN ${quoteText(bucket)}`).join('\n    ')}
    ELSE '120+' END`;
}

/** SQL of a loan's fate and its date, as `fateOf` beside the domain's tests finds them. */
export function fateColumns(source: TapeFiles): { fate: string; date: string } {
  const status = tapeColumn(source, 'assetStatus');
  const cutOff = cutOffOf(source);
  const come = (name: string) => {
    const column = tapeColumn(source, name);
    return `CASE WHEN ${column} <= ${cutOff} THEN ${column} END`;
  };
  const defaultDate = `least(${come('dates.defaultDate')}, ${come('dates.chargeOffDate')})`;
  const defaulted = `(coalesce(${status} IN ${listed(DEFAULTED_STATUSES)}, false) OR ${defaultDate} IS NOT NULL)`;
  const paidDate = come('dates.lastPaymentDate');
  const isEarly = `date_trunc('month', coalesce(${paidDate}, ${cutOff})) < date_trunc('month', ${tapeColumn(source, 'dates.maturityDate')})`;
  const isPaid = `coalesce(${status} IN ${listed(PAID_STATUSES)}, false)`;
  return {
    fate: `CASE WHEN ${defaulted} THEN 'default' WHEN NOT ${isPaid} THEN NULL
      WHEN ${status} = 'prePaid' OR coalesce(${isEarly}, false) THEN 'prepaid' ELSE 'repaid' END`,
    date: `CASE WHEN ${defaulted} THEN ${defaultDate} WHEN ${isPaid} THEN ${paidDate} END`,
  };
}

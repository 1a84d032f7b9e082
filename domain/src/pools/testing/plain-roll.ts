import type { CalendarDate } from '../../dates/calendar-date.ts';
import { daysBetween } from '../../dates/calendar-date.ts';
import type { Amount } from '../../money/amount.schema.ts';
import { compare, subtract } from '../../money/decimal.ts';
import type { LoanChange } from '../changes.ts';
import type { Departed, PoolPart, RollLine } from '../roll-forward.ts';
import { bucketOf, type DelinquencyFacts } from './bucket-of.ts';

/** An asset as one tape shows it; what is null is unknown. */
export interface PlainAsset extends DelinquencyFacts {
  readonly assetId: string | null;
  readonly balance: Amount | null;
  readonly dateFinanced: CalendarDate | null;
  readonly original: Amount | null;
  readonly termDays: number | null;
  readonly borrowerId: string | null;
  readonly maturityDate: CalendarDate | null;
}

export interface PlainTape {
  readonly cutOffDate: CalendarDate;
  readonly assets: readonly PlainAsset[];
}

/** What happened to one asset: one side is null if it is not on that tape. */
export interface PlainRoll {
  readonly line: RollLine;
  readonly before: PlainAsset | null;
  readonly after: PlainAsset | null;
  readonly from: PoolPart | null;
  readonly to: PoolPart | null;
}

function partOf(asset: PlainAsset, cutOffDate: CalendarDate): PoolPart {
  const bucket = bucketOf(asset, cutOffDate);
  return bucket === 'current' || bucket === 'chargedOff' || bucket === 'paidOff' || bucket === 'unknown'
    ? bucket
    : 'pastDue';
}

const byId = (assets: readonly PlainAsset[]): Map<string, PlainAsset[]> => {
  const found = new Map<string, PlainAsset[]>();
  for (const asset of assets) {
    if (asset.assetId !== null) found.set(asset.assetId, [...(found.get(asset.assetId) ?? []), asset]);
  }
  return found;
};

/**
 * Every row of both tapes once: matched rows together, the others alone.
 * @param departed what was said of loans that left; of one that is named twice, the first counts
 */
export function plainRoll(earlier: PlainTape, later: PlainTape, departed: readonly Departed[] = []): PlainRoll[] {
  const [ids, others] = [byId(earlier.assets), byId(later.assets)];
  const isRepeated = (id: string) => (ids.get(id)?.length ?? 0) > 1 || (others.get(id)?.length ?? 0) > 1;
  const partBefore = (asset: PlainAsset) => partOf(asset, earlier.cutOffDate);
  const partAfter = (asset: PlainAsset) => partOf(asset, later.cutOffDate);
  const alone = ({ assetId }: PlainAsset): RollLine | null => {
    if (assetId === null) return 'withoutId';
    return isRepeated(assetId) ? 'repeated' : null;
  };
  const rolls = earlier.assets.map((before): PlainRoll => {
    const after = alone(before) === null ? (others.get(before.assetId!)?.[0] ?? null) : null;
    const from = partBefore(before);
    const to = after && partAfter(after);
    const line = alone(before) ?? lineOf(before, after, from, to);
    const said = departed.find(({ assetIds }) => assetIds.includes(before.assetId!))?.kind;
    return { line: line === 'left' ? (said ?? line) : line, before, after, from, to };
  });
  for (const after of later.assets) {
    const line = alone(after);
    if (line === null && ids.has(after.assetId!)) continue;
    rolls.push({
      line: line ?? newLine(after, earlier.cutOffDate),
      before: null,
      after,
      from: null,
      to: partAfter(after),
    });
  }
  return rolls;
}

function newLine({ dateFinanced }: PlainAsset, cutOffDate: CalendarDate): RollLine {
  if (dateFinanced === null) return 'undated';
  return dateFinanced > cutOffDate ? 'originated' : 'addedLate';
}

function lineOf(before: PlainAsset, after: PlainAsset | null, from: PoolPart, to: PoolPart | null): RollLine {
  if (!after) {
    const isClosed = from === 'paidOff' || from === 'chargedOff';
    return isClosed && before.balance !== null && compare(before.balance.sum, '0') === 0 ? 'closed' : 'left';
  }
  if (!before.balance && !after.balance) return 'unchanged';
  if (!before.balance || !after.balance) return 'balanceUnknown';
  if (before.balance.currency !== after.balance.currency) return 'currencyChanged';
  const order = compare(after.balance.sum, before.balance.sum);
  if (order === 0) return 'unchanged';
  if (order > 0) return 'increased';
  if (to === 'chargedOff' && from !== 'chargedOff') return 'writtenOff';
  if (compare(after.balance.sum, '0') === 0 || (to === 'paidOff' && from !== 'paidOff')) return 'paidOff';
  return 'collected';
}

/** What cannot be of an asset that is on both tapes. */
export function plainChanges(
  { before, after, from, to }: PlainRoll,
  earlier: PlainTape,
  later: PlainTape,
): LoanChange[] {
  if (!before || !after) return [];
  const differ = (one: unknown, other: unknown) => one !== null && other !== null && one !== other;
  const isOriginalOther =
    before.original !== null &&
    after.original !== null &&
    before.original.currency === after.original.currency &&
    compare(before.original.sum, after.original.sum) !== 0;
  const isCurrencyOther = before.balance && after.balance && before.balance.currency !== after.balance.currency;
  const currency: LoanChange[] = isCurrencyOther ? ['currency'] : [];
  if (isOriginalOther && differ(before.dateFinanced, after.dateFinanced)) return ['otherLoan', ...currency];
  const found = new Set<LoanChange>(currency);
  if (isOriginalOther) found.add('originalPrincipal');
  if (differ(before.dateFinanced, after.dateFinanced)) found.add('originationDate');
  if (differ(before.termDays, after.termDays)) found.add('term');
  if (differ(before.borrowerId, after.borrowerId)) found.add('borrower');
  if (differ(before.maturityDate, after.maturityDate)) found.add('maturity');
  if (hasGrown(before, after)) found.add('grew');
  const days = daysBetween(earlier.cutOffDate, later.cutOffDate);
  if (before.daysPastDue !== null && after.daysPastDue !== null && after.daysPastDue - before.daysPastDue > days) {
    found.add('jumped');
  }
  const isClosed = (part: PoolPart | null) => part === 'paidOff' || part === 'chargedOff';
  if (isClosed(from) && !isClosed(to) && after.balance && compare(after.balance.sum, '0') > 0) found.add('reopened');
  return [...found];
}

function hasGrown(before: PlainAsset, after: PlainAsset): boolean {
  if (!before.balance || !after.balance || before.balance.currency !== after.balance.currency) return false;
  const growth = subtract(after.balance.sum, before.balance.sum);
  if (compare(growth, '0') <= 0) return false;
  if (!before.original || !after.original || before.original.currency !== after.original.currency) return true;
  return compare(subtract(after.original.sum, before.original.sum), growth) < 0;
}

import { activeCommitmentAt, type CommitmentTerms } from '../commitments/active-commitment.ts';
import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, compare, type DecimalText, divide, isNegative, isZero, negate, subtract, sum } from '../money/decimal.ts';
import { type DatedFlow, internalRateOfReturn, NO_NAV, type RateOfReturn } from '../returns/irr.ts';
import type { CALL_PURPOSE_KINDS } from './contribution.schema.ts';
import { type DistributionComponent, type DistributionTotals, distributionTotals } from './distribution-totals.ts';
import type { LineBasis, WaterfallTrace } from './line-basis.ts';

/**
 * What happened between one investor and a fund, in the currency of the fund: documents that are Active or Closed. Each
 * amount is the investor's own part.
 */
export interface CapitalLedger {
  readonly commitment: CommitmentTerms;
  readonly calls: readonly LedgerCall[];
  readonly distributions: readonly LedgerDistribution[];
  readonly writeOffs: readonly LedgerWriteOff[];
  readonly navs: readonly LedgerNav[];
  /** From when principal that the fund pays back can no longer be called again. */
  readonly nonRecyclable?: { readonly declerationDate: CalendarDate; readonly fromBeginning: boolean } | null;
  /** Whether it counts documents that its reader must not see: then no message states amounts of it. */
  readonly isPartlyHidden?: boolean;
}

/**
 * What a transfer of the interest changes: its part of an earlier document, which the new holder adds and the former one
 * subtracts. It counts from the day of the transfer, and was paid on the day of the document.
 */
interface Transferable {
  /** The document. Parts of it have the same one. */
  readonly id?: string;
  /** Of a transferred part: the day on which the document itself was paid. */
  readonly paidOn?: CalendarDate;
  /** Of a transferred part: the transfer. */
  readonly transfer?: string;
}

export interface LedgerCall extends Transferable {
  /** Issued: reduces what is unfunded from this day on. */
  readonly cutOffDate: CalendarDate;
  /** Due: counts as called from this day on. */
  readonly dueDate: CalendarDate;
  readonly callNumber?: string;
  readonly purposes: readonly {
    /** Of one of kind investments: the investment. */
    readonly title?: string | undefined;
    readonly kind: (typeof CALL_PURPOSE_KINDS)[number];
    readonly amount: DecimalText;
    /** For having closed later: paid on top of what is committed, so it is not called capital. */
    readonly interest?: DecimalText | undefined;
  }[];
}

/** What later waterfalls need of a line by the waterfall: what it is, and the income outside the success fee. */
export type LedgerBasis = Pick<LineBasis, 'tier' | 'investment'> & {
  readonly waterfall?: Pick<WaterfallTrace, 'outside'> | undefined;
};

export interface LedgerDistribution extends Transferable {
  readonly cutOffDate: CalendarDate;
  readonly callNumber?: string;
  readonly principal: DecimalText;
  readonly components: readonly DistributionComponent[];
  /** Whether the principal can be called again. */
  readonly recallable: boolean;
  /** Of one by the waterfall: of the principal and each component. */
  readonly basis?: readonly LedgerBasis[] | null;
}

export interface LedgerWriteOff extends Transferable {
  readonly cutOffDate: CalendarDate;
  readonly amount: DecimalText;
}

export interface LedgerNav {
  readonly cutOffDate: CalendarDate;
  /** Null after a transfer of an interest whose value was unknown. */
  readonly gross: DecimalText | null;
  readonly net: DecimalText | null;
  /** What a transfer of the interest left, and not a NAV that was recorded. Those of one day are in their order. */
  readonly transfer?: LedgerTransfer;
}

/** One side of a transfer of the interest. What is given away is negative; an unknown value is null. */
export interface LedgerTransfer {
  readonly id: string;
  readonly gross: DecimalText | null;
  readonly net: DecimalText | null;
  /** What the new holder paid for it; null if it is not recorded. */
  readonly price: DecimalText | null;
  /** The earliest date of the NAVs that the value follows from. */
  readonly navDate: CalendarDate | null;
}

/** Capital figures as of a date. An unknown figure is null, never zero. */
export interface CapitalFigures {
  activeCommitment: DecimalText;
  /** Calls due. */
  called: DecimalText;
  unfunded: DecimalText;
  recallableCapital: DecimalText;
  writtenOff: DecimalText;
  netCapitalCalled: DecimalText;
  distributed: DecimalText;
  /** Net asset value, rolled forward from the latest one recorded. */
  nav: DecimalText | null;
  grossNav: DecimalText | null;
  /** The earliest date of the NAVs used. */
  navDate: CalendarDate | null;
}

/** Distributed to paid-in, residual value to paid-in, and total value to paid-in, with six decimals. */
export interface Multiples {
  dpi: DecimalText | null;
  rvpi: DecimalText | null;
  tvpi: DecimalText | null;
}

export const callAmount = ({ purposes }: Pick<LedgerCall, 'purposes'>): DecimalText =>
  sum(purposes.map(({ amount }) => amount));
/** The interest that comes on top of the purposes of a call. */
export const interestOf = (purposes: readonly { readonly interest?: DecimalText | undefined }[]): DecimalText =>
  sum(purposes.map(({ interest }) => interest ?? '0'));
/** Figures of many days need the totals of the same documents, which never change. */
const knownTotals = new WeakMap<LedgerDistribution, DistributionTotals>();
function totalsOf(distribution: LedgerDistribution): DistributionTotals {
  const known = knownTotals.get(distribution);
  if (known) return known;
  const totals = distributionTotals(distribution.principal, distribution.components);
  knownTotals.set(distribution, totals);
  return totals;
}
/** What a distribution pays out, after fees and taxes. */
export const distributedBy = (distribution: LedgerDistribution): DecimalText => totalsOf(distribution).totalDistributed;

/** Whether the principal of a distribution can be called again on a day. */
export function isRecallableAt(
  { nonRecyclable }: Pick<CapitalLedger, 'nonRecyclable'>,
  { cutOffDate, paidOn = cutOffDate, recallable }: LedgerDistribution,
  at: CalendarDate,
): boolean {
  if (!recallable || cutOffDate > at) return false;
  if (!nonRecyclable) return true;
  return (
    paidOn < nonRecyclable.declerationDate && !(nonRecyclable.fromBeginning && nonRecyclable.declerationDate <= at)
  );
}

/** Principal paid back up to a day that can be called again. */
export const recallableCapitalAt = (ledger: CapitalLedger, at: CalendarDate): DecimalText =>
  sum(
    ledger.distributions
      .filter((distribution) => isRecallableAt(ledger, distribution, at))
      .map(({ principal }) => principal),
  );

/** The active commitment less the calls issued, plus recallable capital, up to a day. */
export function unfundedAt(ledger: CapitalLedger, at: CalendarDate): DecimalText {
  const issued = ledger.calls.filter(({ cutOffDate }) => cutOffDate <= at).map(callAmount);
  return add(subtract(activeCommitmentAt(ledger.commitment, at), sum(issued)), recallableCapitalAt(ledger, at));
}

/** The least that is unfunded on any day from a day on, with its first day: what can still be called on that day. */
export function leastUnfundedFrom(
  ledger: CapitalLedger,
  from: CalendarDate,
): { day: CalendarDate; amount: DecimalText } {
  const { commitment, calls, distributions, nonRecyclable } = ledger;
  const changes = [
    ...commitment.deltas.map(({ date }) => date),
    ...calls.map(({ cutOffDate }) => cutOffDate),
    ...distributions.map(({ cutOffDate }) => cutOffDate),
    ...(nonRecyclable ? [nonRecyclable.declerationDate] : []),
  ];
  return [...new Set(changes)]
    .filter((date) => date > from)
    .sort()
    .map((day) => ({ day, amount: unfundedAt(ledger, day) }))
    .reduce((least, one) => (compare(one.amount, least.amount) < 0 ? one : least), {
      day: from,
      amount: unfundedAt(ledger, from),
    });
}

/** What was transferred before anything was called or valued says nothing of what is called later. */
const isValue = ({ net, transfer }: LedgerNav): boolean => !transfer || net === null || transfer.navDate !== null;

/**
 * The latest NAV at or before a day, plus calls due since, less distributions and write-offs since. Null if no NAV is
 * recorded by then.
 */
function rolledForward(
  ledger: CapitalLedger,
  at: CalendarDate,
): { net: DecimalText; gross: DecimalText; date: CalendarDate | null } | null {
  const latest = ledger.navs
    .filter((nav) => nav.cutOffDate <= at && isValue(nav))
    .reduce<LedgerNav | null>((last, nav) => (last === null || nav.cutOffDate >= last.cutOffDate ? nav : last), null);
  if (latest === null || latest.net === null || latest.gross === null) return null;
  const since = (date: CalendarDate): boolean => date > latest.cutOffDate && date <= at;
  const moved = subtract(
    sum(ledger.calls.filter(({ dueDate }) => since(dueDate)).map(callAmount)),
    add(
      sum(ledger.distributions.filter(({ cutOffDate }) => since(cutOffDate)).map(distributedBy)),
      sum(ledger.writeOffs.filter(({ cutOffDate }) => since(cutOffDate)).map(({ amount }) => amount)),
    ),
  );
  const { net, gross, cutOffDate, transfer } = latest;
  return { net: add(net, moved), gross: add(gross, moved), date: transfer ? transfer.navDate : cutOffDate };
}

/** The capital figures of one investor in a fund as of a date. */
export function capitalFigures(ledger: CapitalLedger, at: CalendarDate): CapitalFigures {
  const called = sum(ledger.calls.filter(({ dueDate }) => dueDate <= at).map(callAmount));
  const recallableCapital = recallableCapitalAt(ledger, at);
  const writtenOff = sum(ledger.writeOffs.filter(({ cutOffDate }) => cutOffDate <= at).map(({ amount }) => amount));
  // What nothing was paid into is worth nothing, which nobody records.
  const nav = rolledForward(ledger, at) ?? (isZero(called) ? { net: '0', gross: '0', date: null } : null);
  return {
    activeCommitment: activeCommitmentAt(ledger.commitment, at),
    called,
    unfunded: unfundedAt(ledger, at),
    recallableCapital,
    writtenOff,
    netCapitalCalled: subtract(subtract(called, recallableCapital), writtenOff),
    distributed: sum(ledger.distributions.filter(({ cutOffDate }) => cutOffDate <= at).map(distributedBy)),
    nav: nav?.net ?? null,
    grossNav: nav?.gross ?? null,
    navDate: nav?.date ?? null,
  };
}

const addKnown = (values: readonly (DecimalText | null)[]): DecimalText | null =>
  values.every((value) => value !== null) ? sum(values) : null;

/**
 * The figures of several investors together, in one currency. An investor without a NAV makes the total NAV unknown,
 * not smaller.
 */
export function totalFigures(figures: readonly CapitalFigures[]): CapitalFigures {
  const total = (
    name: 'activeCommitment' | 'called' | 'unfunded' | 'recallableCapital' | 'writtenOff' | 'distributed',
  ) => sum(figures.map((one) => one[name]));
  const dates = figures.flatMap(({ navDate }) => navDate ?? []);
  const nav = figures.length === 0 ? null : addKnown(figures.map((one) => one.nav));
  return {
    activeCommitment: total('activeCommitment'),
    called: total('called'),
    unfunded: total('unfunded'),
    recallableCapital: total('recallableCapital'),
    writtenOff: total('writtenOff'),
    netCapitalCalled: sum(figures.map((one) => one.netCapitalCalled)),
    distributed: total('distributed'),
    nav,
    grossNav: nav === null ? null : addKnown(figures.map((one) => one.grossNav)),
    navDate: nav === null ? null : (dates.sort()[0] ?? null),
  };
}

const MULTIPLE_DIGITS = 6;

/** The multiples of paid-in capital (calls due); null where nothing was paid in, or no NAV is known. */
export function multiples({ called, distributed, nav }: CapitalFigures): Multiples {
  const of = (value: DecimalText | null): DecimalText | null =>
    value === null || isZero(called) ? null : divide(value, called, MULTIPLE_DIGITS);
  return { dpi: of(distributed), rvpi: of(nav), tvpi: of(nav === null ? null : add(distributed, nav)) };
}

/** Purposes that are fees of the manager: gross returns leave them out. */
const MANAGER_FEES: readonly LedgerCall['purposes'][number]['kind'][] = ['managementFee', 'successFee'];

/**
 * The dated flows of an investor up to a day, without its NAV: before or after the manager's fees. Interest for having
 * closed later is among them, although it is no called capital: the investor paid it.
 */
export function capitalFlows(ledger: CapitalLedger, at: CalendarDate, side: 'gross' | 'net'): DatedFlow[] {
  const calls = ledger.calls
    .filter(({ dueDate }) => dueDate <= at)
    .map(({ dueDate, paidOn = dueDate, purposes }): DatedFlow => {
      const counted = side === 'net' ? purposes : purposes.filter(({ kind }) => !MANAGER_FEES.includes(kind));
      return { when: paidOn, amount: negate(add(callAmount({ purposes: counted }), interestOf(counted))) };
    });
  const distributions = ledger.distributions
    .filter(({ cutOffDate }) => cutOffDate <= at)
    .map((distribution): DatedFlow => {
      const { totalDistributed, totalIncome, totalCg } = totalsOf(distribution);
      const amount = side === 'net' ? totalDistributed : sum([distribution.principal, totalIncome, totalCg]);
      return { when: distribution.paidOn ?? distribution.cutOffDate, amount };
    });
  const hasParts = [...ledger.calls, ...ledger.distributions].some(({ paidOn }) => paidOn !== undefined);
  return hasParts ? [...ofEachDay(calls), ...ofEachDay(distributions)] : [...calls, ...distributions];
}

/** What was given away is no flow of the other direction: flows of a day with what is left of them. */
const ofEachDay = (flows: readonly DatedFlow[]): DatedFlow[] =>
  [...Map.groupBy(flows, ({ when }) => when)]
    .map(([when, own]) => ({ when, amount: sum(own.map(({ amount }) => amount)) }))
    .filter(({ amount }) => !isZero(amount));

/**
 * The rate of return on what was paid for an interest: what the investor itself paid and received, the prices of its
 * transfers, and the NAV. Null unless it bought an interest and every price is known.
 */
export function returnOnPrices(ledger: CapitalLedger, at: CalendarDate): RateOfReturn | null {
  const transfers = ledger.navs.flatMap(({ transfer, cutOffDate }) =>
    transfer && cutOffDate <= at ? [{ ...transfer, when: cutOffDate }] : [],
  );
  if (!transfers.some(({ price }) => price !== null && !isNegative(price))) return null;
  if (transfers.some(({ price }) => price === null)) return null;
  const { nav } = capitalFigures(ledger, at);
  if (nav === null) return { rate: null, reason: NO_NAV };
  const own = {
    ...ledger,
    calls: ledger.calls.filter((call) => !isPartPaidBefore(call)),
    distributions: ledger.distributions.filter((distribution) => !isPartPaidBefore(distribution)),
  };
  return internalRateOfReturn([
    ...capitalFlows(own, at, 'net'),
    ...transfers.map(({ when, price }) => ({ when, amount: negate(price ?? '0') })),
    { when: at, amount: nav },
  ]);
}

/** Whether it is a part of what was paid before the interest was transferred. */
export const isPartPaidBefore = (
  line: Transferable & { readonly cutOffDate: CalendarDate; readonly dueDate?: CalendarDate },
): boolean => line.paidOn !== undefined && line.paidOn < (line.dueDate ?? line.cutOffDate);

/**
 * The internal rate of return of several investors together as of a day: calls at their due date, distributions at
 * their cut-off date, and the NAV at the day.
 */
export function returnOf(ledgers: readonly CapitalLedger[], at: CalendarDate, side: 'gross' | 'net'): RateOfReturn {
  const figures = totalFigures(ledgers.map((ledger) => capitalFigures(ledger, at)));
  const nav = side === 'net' ? figures.nav : figures.grossNav;
  if (nav === null) return { rate: null, reason: NO_NAV };
  return internalRateOfReturn([
    ...ledgers.flatMap((ledger) => capitalFlows(ledger, at, side)),
    { when: at, amount: nav },
  ]);
}

/** A figure from each day on which it changes, in the order of the days. */
export type FigureSeries = { readonly date: CalendarDate; readonly amount: DecimalText }[];

/** Net capital called and recallable capital of one investor on every day on which one of them changes, up to a day. */
export function capitalSeries(
  ledger: CapitalLedger,
  until: CalendarDate,
): { netCapitalCalled: FigureSeries; recallableCapital: FigureSeries } {
  const { calls, distributions, writeOffs, nonRecyclable } = ledger;
  const days = new Set([
    ...calls.map(({ dueDate }) => dueDate),
    ...[...distributions, ...writeOffs].map(({ cutOffDate }) => cutOffDate),
    ...(nonRecyclable ? [nonRecyclable.declerationDate] : []),
  ]);
  const seriesOf = (name: 'netCapitalCalled' | 'recallableCapital'): FigureSeries => {
    let last: DecimalText = '0';
    return [...days]
      .filter((day) => day <= until)
      .sort()
      .flatMap((date) => {
        const amount = capitalFigures(ledger, date)[name];
        if (compare(amount, last) === 0) return [];
        last = amount;
        return [{ date, amount }];
      });
  };
  return { netCapitalCalled: seriesOf('netCapitalCalled'), recallableCapital: seriesOf('recallableCapital') };
}

/**
 * Called, and not due yet. What is unfunded is the commitment, less everything issued, plus what can be called again.
 */
export const calledNotDue = ({
  activeCommitment,
  unfunded,
  recallableCapital,
  called,
}: Pick<CapitalFigures, 'activeCommitment' | 'unfunded' | 'recallableCapital' | 'called'>): DecimalText =>
  subtract(add(subtract(activeCommitment, unfunded), recallableCapital), called);

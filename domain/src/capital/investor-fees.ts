import { activeCommitmentAt } from '../commitments/active-commitment.ts';
import { addDays, type CalendarDate, formatCalendarDate } from '../dates/calendar-date.ts';
import { type AgreedTerms, always } from '../funds/fee-terms.ts';
import type { CommitmentFees, FeeTerms } from '../funds/fees.schema.ts';
import {
  compare,
  type DecimalText,
  decimalOf,
  divide,
  isNegative,
  isZero,
  max,
  min,
  multiply,
  round,
  subtract,
  sum,
} from '../money/decimal.ts';
import { formatFigure } from '../money/format-figure.ts';
import type { DatedFlow } from '../returns/irr.ts';
import {
  type CapitalLedger,
  callAmount,
  capitalFigures,
  isPartPaidBefore,
  type LedgerDistribution,
} from './capital-figures.ts';
import { distributionTotals } from './distribution-totals.ts';
import { addedCall, addedDistribution, wholeDocuments } from './document-parts.ts';
import { type FeeStretch, feeStretches, interestFee, managementFee } from './management-fee.ts';
import { type Compounding, compounding, type Waterfall, waterfallWithLast } from './waterfall.ts';

/** What a management fee can be charged on, in the order in which it is listed. */
export const FEE_BASES = ['committed', 'invested', 'assets', 'interestIncome'] as const;
/** What a line is charged on: `assets` is the gross NAV, `netAssets` the net NAV, which the terms name. */
type ChargedBasis = (typeof FEE_BASES)[number] | 'netAssets';
/** What a line is: a charge on a basis, what is missing to the minimum, or what is taken off. */
export type FeeBasis = ChargedBasis | 'minimum' | 'waiver' | 'offset';

/** The first day counts, the last does not. */
export interface FeePeriod {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

/** One part of a fee: an amount that was the basis for some days, and where it comes from. */
export interface FeePart {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** Null for a fee without time. */
  readonly days: number | null;
  readonly basis: DecimalText;
  readonly explanation: string;
}

export interface FeeLine {
  readonly basis: FeeBasis;
  /** The days that its terms hold for. The first day counts, the last does not. */
  readonly period: FeePeriod;
  /** Null for a line without a rate. */
  readonly ratePercent: DecimalText | null;
  /** Null if the basis of a day is unknown. */
  readonly amount: DecimalText | null;
  /** Which days and which rate, or why the amount is unknown. */
  readonly explanation: string;
  readonly parts: readonly FeePart[];
}

export interface ManagementFees {
  readonly lines: readonly FeeLine[];
  /** The lines added up; null if one of them is unknown. */
  readonly uncapped: DecimalText | null;
  /** What the investor pays: at most the overall cap. */
  readonly amount: DecimalText | null;
  /** The overall cap, if it limits the amount. */
  readonly cappedAt: DecimalText | null;
}

const day = formatCalendarDate;
const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Changes that an explanation lists; more are added up. */
const MAX_LISTED = 3;

function committedText({ commitment }: CapitalLedger, at: CalendarDate, money: (value: DecimalText) => string): string {
  if (at < commitment.closingDate) return `Not committed before the closing on ${day(commitment.closingDate)}`;
  const changes = commitment.deltas.filter(({ date }) => date <= at);
  const closing = `${money(commitment.activeCommitment)} from the closing on ${day(commitment.closingDate)}`;
  if (changes.length > MAX_LISTED) {
    const total = sum(changes.map(({ amount }) => amount));
    return `${closing}, changed ${changes.length} times by ${money(total)} in total`;
  }
  return [closing, ...changes.map(({ date, amount }) => `changed by ${money(amount)} on ${day(date)}`)].join(', ');
}

function investedText(ledger: CapitalLedger, at: CalendarDate, money: (value: DecimalText) => string): string {
  const { called, recallableCapital, writtenOff, netCapitalCalled } = capitalFigures(ledger, at);
  const due = ledger.calls.filter(({ dueDate }) => dueDate <= at);
  if (due.length === 0) return 'No call was due yet';
  const last = due
    .map(({ dueDate }) => dueDate)
    .sort()
    .at(-1)!;
  return [
    `${money(called)} called (${counted(due.length, 'call')}, the last due on ${day(last)})`,
    ...(isZero(recallableCapital) ? [] : [`less ${money(recallableCapital)} recallable`]),
    ...(isZero(writtenOff) ? [] : [`less ${money(writtenOff)} written off`]),
    ...(isNegative(netCapitalCalled) ? ['which is below zero and counts as zero'] : []),
  ].join(', ');
}

const NAVS = { assets: ['grossNav', 'Gross'], netAssets: ['nav', 'Net'] } as const;

const assetsText =
  (basis: keyof typeof NAVS) =>
  (ledger: CapitalLedger, at: CalendarDate, money: (value: DecimalText) => string): string => {
    const [side, name] = NAVS[basis];
    const { [side]: value, navDate } = capitalFigures(ledger, at);
    if (value === null || navDate === null) return 'Nothing was paid in yet';
    const recorded = capitalFigures(ledger, navDate)[side] ?? '0';
    const moved = subtract(value, recorded);
    const nav = `${name} NAV of ${money(recorded)} on ${day(navDate)}`;
    return isZero(moved) ? nav : `${nav}, changed by ${money(moved)} since by calls, distributions and write-offs`;
  };

/** NAV of a day; zero before anything was paid in, null if no NAV is recorded by then. */
const assetsAt =
  (basis: keyof typeof NAVS) =>
  (ledger: CapitalLedger, at: CalendarDate): DecimalText | null => {
    const figures = capitalFigures(ledger, at);
    return figures[NAVS[basis][0]] ?? (isZero(figures.called) ? '0' : null);
  };

const BASIS = {
  committed: {
    at: ({ commitment }: CapitalLedger, at: CalendarDate): DecimalText | null => activeCommitmentAt(commitment, at),
    text: committedText,
  },
  // Write-offs and recallable principal can exceed what is called: a fee on it is not paid back.
  invested: {
    at: (ledger: CapitalLedger, at: CalendarDate): DecimalText | null =>
      max('0', capitalFigures(ledger, at).netCapitalCalled),
    text: investedText,
  },
  assets: { at: assetsAt('assets'), text: assetsText('assets') },
  netAssets: { at: assetsAt('netAssets'), text: assetsText('netAssets') },
} as const;

/** Every day on which something of the investor changes. */
const changesOf = ({ commitment, calls, distributions, writeOffs, navs, nonRecyclable }: CapitalLedger) => [
  commitment.closingDate,
  ...commitment.deltas.map(({ date }) => date),
  ...calls.map(({ dueDate }) => dueDate),
  ...[...distributions, ...writeOffs, ...navs].map(({ cutOffDate }) => cutOffDate),
  ...(nonRecyclable ? [nonRecyclable.declerationDate] : []),
];

/** Stretches of the same basis next to each other are one. */
function merged(stretches: readonly FeeStretch[]): FeeStretch[] {
  const all: FeeStretch[] = [];
  for (const stretch of stretches) {
    const last = all.at(-1);
    if (last && compare(last.basis, stretch.basis) === 0) {
      all[all.length - 1] = { ...last, to: stretch.to, days: last.days + stretch.days };
    } else all.push(stretch);
  }
  return all;
}

interface Charged {
  readonly ledger: CapitalLedger;
  readonly period: FeePeriod;
  readonly digits: number;
}

const daysOf = (from: CalendarDate, to: CalendarDate): string => `from ${day(from)} to ${day(addDays(to, -1))}`;

function dailyLine(basis: keyof typeof BASIS, ratePercent: DecimalText, charged: Charged): FeeLine {
  const { ledger, period, digits } = charged;
  const money = (value: DecimalText) => formatFigure(value, digits);
  const { at, text } = BASIS[basis];
  const changes = changesOf(ledger).filter((date) => date > period.from && date < period.to);
  const known = new Map([period.from, ...changes].sort().map((date) => [date, at(ledger, date)]));
  const unknown = [...known.keys()].find((date) => known.get(date) === null);
  if (unknown !== undefined) {
    const explanation = `No NAV is recorded on or before ${day(unknown)}`;
    return { basis, period, ratePercent, amount: null, explanation, parts: [] };
  }
  const stretches = merged(feeStretches(period, changes, (date) => known.get(date) ?? '0'));
  const days = stretches.reduce((total, stretch) => total + stretch.days, 0);
  return {
    basis,
    period,
    ratePercent,
    amount: managementFee(stretches, ratePercent, digits).amount,
    explanation: `${ratePercent}% a year for ${counted(days, 'day')}, ${daysOf(period.from, period.to)}: basis × rate ÷ 365 for each day`,
    parts: stretches.map((stretch) => ({ ...stretch, explanation: text(ledger, stretch.from, money) })),
  };
}

function interestLine(ratePercent: DecimalText, { ledger, period, digits }: Charged): FeeLine {
  const parts = ledger.distributions
    .filter((one) => one.cutOffDate >= period.from && one.cutOffDate < period.to && !isPartPaidBefore(one))
    .map(({ cutOffDate, principal, components }) => ({
      date: cutOffDate,
      interest: distributionTotals(principal, components).totalIncome,
    }))
    .filter(({ interest }) => !isZero(interest))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
  const interest = sum(parts.map((part) => part.interest));
  return {
    basis: 'interestIncome',
    period,
    ratePercent,
    amount: interestFee(interest, ratePercent, digits),
    explanation: `${ratePercent}% of the interest of ${counted(parts.length, 'distribution')} ${daysOf(period.from, period.to)}, without time`,
    parts: parts.map(({ date, interest: basis }) => ({
      from: date,
      to: date,
      days: null,
      basis,
      explanation: `Interest of the distribution of ${day(date)}`,
    })),
  };
}

type ManagementTerms = NonNullable<FeeTerms['management']>;

/** What reaches an investor of the fees that borrowers paid on a day, by its commitment of the day. */
export interface BorrowersFee {
  readonly date: CalendarDate;
  readonly amount: DecimalText;
}

/** The days of a period in stretches of the same terms of the management fee. */
function termStretches(agreed: AgreedTerms, { from, to }: FeePeriod): { period: FeePeriod; terms: ManagementTerms }[] {
  const starts = [from, ...agreed.changes.filter((date) => date > from && date < to)];
  const stretches: { period: FeePeriod; terms: ManagementTerms; key: string }[] = [];
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to;
    const { committed, invested, interestIncome, assets, assetsBasis, minimum, offset, waiver } =
      agreed.on(start).management ?? {};
    const terms = { committed, invested, interestIncome, assets, assetsBasis, minimum, offset, waiver };
    const key = JSON.stringify(Object.values(terms).map((value) => value ?? null));
    const last = stretches.at(-1);
    if (last?.key === key) stretches[stretches.length - 1] = { ...last, period: { from: last.period.from, to: end } };
    else stretches.push({ period: { from: start, to: end }, terms, key });
  }
  return stretches;
}

/** What is missing to the minimum of a year, day by day, from the closing on. Null if nothing is. */
function minimumLine(
  minimum: DecimalText,
  lines: readonly FeeLine[],
  { ledger, period, digits }: Charged,
): FeeLine | null {
  const { closingDate } = ledger.commitment;
  const [, from = closingDate] = [period.from, closingDate].sort();
  const daily = lines.filter(({ basis }) => basis !== 'interestIncome');
  if (from >= period.to || daily.some(({ amount }) => amount === null)) return null;
  const money = (value: DecimalText) => formatFigure(value, digits);
  const ofYear = (at: CalendarDate) =>
    sum(
      daily.map(({ parts, ratePercent }) =>
        multiply(parts.find((part) => part.from <= at && at < part.to)?.basis ?? '0', ratePercent ?? '0'),
      ),
    );
  const least = multiply(minimum, '100');
  const starts = daily.flatMap(({ parts }) => parts.map((part) => part.from));
  const stretches = merged(feeStretches({ from, to: period.to }, starts, ofYear));
  const below = stretches.filter(({ basis }) => compare(basis, least) < 0);
  if (below.length === 0) return null;
  // The fee with the minimum is exact to the cent: the line is what the others, as rounded, are short of it.
  const charged = (one: (basis: DecimalText) => DecimalText) =>
    managementFee(
      stretches.map((stretch) => ({ ...stretch, basis: one(stretch.basis) })),
      '1',
      digits,
    ).amount;
  return {
    basis: 'minimum',
    period,
    ratePercent: null,
    amount: max(
      '0',
      subtract(
        charged((basis) => max(basis, least)),
        sum(daily.flatMap(({ amount }) => amount ?? [])),
      ),
    ),
    explanation: `At least ${money(minimum)} a year, a 365th of it each day`,
    parts: below.map(({ basis, ...stretch }) => ({
      ...stretch,
      basis: divide(subtract(least, basis), '100', digits),
      explanation: `${money(minimum)} less the ${money(divide(basis, '100', digits))} a year that the rates come to`,
    })),
  };
}

/** The lines of some days with the same terms. */
function linesOf(terms: ManagementTerms, charged: Charged): FeeLine[] {
  const lines = FEE_BASES.flatMap((basis): FeeLine[] => {
    const rate = terms[basis];
    if (rate == null || rate === 0) return [];
    const ratePercent = decimalOf(rate);
    if (basis === 'interestIncome') return [interestLine(ratePercent, charged)];
    return [dailyLine(basis === 'assets' && terms.assetsBasis === 'net' ? 'netAssets' : basis, ratePercent, charged)];
  });
  const missing = terms.minimum == null ? null : minimumLine(terms.minimum, lines, charged);
  const owed = missing ? [...lines, missing] : lines;
  if (!terms.waiver || owed.some(({ amount }) => amount === null)) return owed;
  const { period, digits } = charged;
  const whole = sum(owed.flatMap(({ amount }) => amount ?? []));
  if (isZero(whole)) return owed;
  const waived = divide(multiply(whole, decimalOf(terms.waiver)), '100', digits);
  return [
    ...owed,
    {
      basis: 'waiver',
      period,
      ratePercent: decimalOf(terms.waiver),
      amount: subtract('0', waived),
      explanation: `${terms.waiver}% of ${formatFigure(whole, digits)} is waived, ${daysOf(period.from, period.to)}`,
      parts: [],
    },
  ];
}

/** What borrowers' fees take off the management fee of a period, at most all of it. Null if nothing. */
function offsetLine(
  stretches: ReturnType<typeof termStretches>,
  owed: DecimalText,
  borrowersFees: readonly BorrowersFee[],
  period: FeePeriod,
  digits: number,
): FeeLine | null {
  const parts = stretches.flatMap(({ period: { from, to }, terms: { offset } }) =>
    borrowersFees
      .filter(({ date }) => offset && date >= from && date < to)
      .map(({ date, amount }) => ({ date, amount, percent: decimalOf(offset ?? 0) })),
  );
  if (parts.length === 0) return null;
  const whole = divide(sum(parts.map(({ amount, percent }) => multiply(amount, percent))), '100', digits);
  const taken = min(whole, owed);
  const beyond =
    compare(whole, taken) > 0 ? `. Of ${formatFigure(whole, digits)}, no more than the fee itself is taken off` : '';
  return {
    basis: 'offset',
    period,
    ratePercent: null,
    amount: subtract('0', taken),
    explanation: `Fees of borrowers, by the investor’s share, reduce the management fee${beyond}`,
    parts: parts.map(({ date, amount, percent }) => ({
      from: date,
      to: date,
      days: null,
      basis: amount,
      explanation: `${percent}% of its share of the fees that borrowers paid on ${day(date)}`,
    })),
  };
}

/**
 * The management fee of one investor for a period. Each line is rounded, so that the lines add up.
 * @param agreed its terms on each day, or fees that always hold
 * @param borrowersFees its share of what borrowers paid, which can reduce the fee
 */
export function managementFeesOf(
  ledger: CapitalLedger,
  agreed: AgreedTerms | CommitmentFees,
  period: FeePeriod,
  digits: number,
  borrowersFees: readonly BorrowersFee[] = [],
): ManagementFees {
  const own = 'on' in agreed ? agreed : always(agreed);
  const stretches = termStretches(own, period);
  const owed = stretches.flatMap(({ period: days, terms }) => linesOf(terms, { ledger, period: days, digits }));
  const isKnown = owed.every(({ amount }) => amount !== null);
  const offset = isKnown
    ? offsetLine(stretches, sum(owed.flatMap(({ amount }) => amount ?? [])), borrowersFees, period, digits)
    : null;
  const lines = offset ? [...owed, offset] : owed;
  const uncapped = isKnown ? sum(lines.flatMap(({ amount }) => amount ?? [])) : null;
  const { overallCap } = own.on(addDays(period.to, -1));
  const amount = uncapped === null || overallCap == null ? uncapped : min(uncapped, overallCap);
  const isCapped = uncapped !== null && amount !== null && compare(amount, uncapped) < 0;
  return { lines, uncapped, amount, cappedAt: isCapped ? amount : null };
}

/** What reaches an investor of the fees that borrowers paid, with the cap that limits it. */
export interface TransactionFees {
  readonly share: DecimalText;
  /** Null: no cap is agreed. */
  readonly cap: DecimalText | null;
  readonly amount: DecimalText;
}

/**
 * The part of borrowers' fees that reaches an investor: at most `cap` percent of the active commitment on the last day
 * of the period. Null if it is not agreed.
 * @param share the investor's share of the fees of the period
 */
export function transactionFeesOf(
  { commitment }: Pick<CapitalLedger, 'commitment'>,
  { transaction }: CommitmentFees,
  share: DecimalText,
  { to }: FeePeriod,
  digits: number,
): TransactionFees | null {
  if (!transaction?.applied) return null;
  const committed = activeCommitmentAt(commitment, addDays(to, -1));
  const cap =
    transaction.cap == null ? null : divide(multiply(committed, decimalOf(transaction.cap)), '100', digits, 'down');
  return { share, cap, amount: cap === null ? share : min(share, cap) };
}

/** The success fee of one investor: of what was distributed, and of the NAV as if it were distributed on the day. */
export interface SuccessFee {
  readonly ratePercent: DecimalText;
  readonly hurdlePercent: DecimalText;
  readonly catchUpPercent: DecimalText;
  readonly paid: Waterfall;
  /** Interest that does not enter the fee and is the investor's alone. */
  readonly outside: DecimalText;
  /** With the gross NAV distributed on the day; null with the reason. */
  readonly accrued: Waterfall | null;
  readonly reason: string | null;
}

/** What of a distribution enters the success fee; the rest of its interest is the investor's alone. */
function enteringOf(
  { principal, components, basis }: LedgerDistribution,
  interestPercent: DecimalText,
  digits: number,
): { entering: DecimalText; outside: DecimalText } {
  const trace = basis?.[0]?.waterfall;
  if (trace) {
    // Its carry was paid out of what entered, and its taxes and other costs are the investor's own.
    const { totalIncome, totalCg } = distributionTotals(principal, components);
    return { entering: subtract(sum([principal, totalIncome, totalCg]), trace.outside), outside: trace.outside };
  }
  const { netInterestAfterExpensesAndTaxes: interest, netCgAfterExpensesAndTaxes: gains } = distributionTotals(
    principal,
    components,
  );
  // A loss is shared in full: expenses that exceed the interest reduce what enters.
  const inside = isNegative(interest) ? interest : divide(multiply(interest, interestPercent), '100', digits);
  return { entering: sum([principal, inside, gains]), outside: subtract(interest, inside) };
}

/** Carry that the manager received of an investor up to a day: of distributions by the waterfall, and called. */
export function carryReceived({ calls, distributions }: CapitalLedger, at: CalendarDate): DecimalText {
  const called = calls
    .filter(({ dueDate }) => dueDate <= at)
    .flatMap(({ purposes }) => purposes.filter(({ kind }) => kind === 'successFee').map(({ amount }) => amount));
  const paid = distributions
    .filter(({ cutOffDate }) => cutOffDate <= at)
    // The principal comes before the components.
    .flatMap(({ components, basis }) => components.filter((_, index) => basis?.[index + 1]?.tier === 'carry'))
    .map(({ amount }) => amount);
  return sum([...called, ...paid]);
}

/**
 * The dated flows of an investor that its success fee is calculated on. A document of which a transfer moved a part is one
 * flow, so that what was given away is neither paid in nor paid out again.
 */
export function successFlows(ledger: CapitalLedger, at: CalendarDate, interestPercent: DecimalText, digits: number) {
  const calls = wholeDocuments(
    ledger.calls.filter(({ dueDate }) => dueDate <= at),
    addedCall,
  ).map(({ dueDate, paidOn = dueDate, purposes }): DatedFlow => {
    // A success fee that is called is the manager's part already, not capital to be returned.
    const capital = callAmount({ purposes: purposes.filter(({ kind }) => kind !== 'successFee') });
    return { when: paidOn, amount: subtract('0', capital) };
  });
  const distributions = wholeDocuments(
    ledger.distributions.filter(({ cutOffDate }) => cutOffDate <= at),
    addedDistribution,
  ).map((one) => ({ when: one.paidOn ?? one.cutOffDate, ...enteringOf(one, interestPercent, digits) }));
  return {
    flows: [...calls, ...distributions.map(({ when, entering }): DatedFlow => ({ when, amount: entering }))].filter(
      ({ amount }) => !isZero(amount),
    ),
    outside: sum(distributions.map(({ outside }) => outside)),
  };
}

const NO_NAV_YET = 'No NAV is recorded';
const NAV_IS_MIXED = 'Only part of the interest enters the fee, and a NAV does not say how much of it is interest';

/** The terms of a success fee, with the part of the interest that enters it. Null if none are agreed. */
export const successTermsOf = ({ success }: CommitmentFees) =>
  success?.rate == null
    ? null
    : {
        ratePercent: decimalOf(success.rate),
        hurdlePercent: decimalOf(success.hurdle ?? 0),
        catchUpPercent: decimalOf(success.catchUp ?? 0),
        interestPercent: success.equityOnly ? '0' : decimalOf(success.interestShare ?? 100),
      };

/** The success fee of one investor as of a day. Null if none is agreed. */
export function successFeeOf(
  ledger: CapitalLedger,
  fees: CommitmentFees,
  at: CalendarDate,
  digits: number,
  growthOf: Compounding = compounding(),
): SuccessFee | null {
  const agreed = successTermsOf(fees);
  if (agreed === null || isZero(agreed.ratePercent)) return null;
  const { interestPercent, ...terms } = agreed;
  const { flows, outside } = successFlows(ledger, at, interestPercent, digits);
  const nav = assetsAt('assets')(ledger, at);
  const isMixed = compare(interestPercent, '100') < 0;
  const atNav = isMixed || nav === null ? null : max('0', round(nav, digits));
  const whole = waterfallWithLast(flows, atNav === null ? null : { when: at, amount: atNav }, terms, digits, growthOf);
  return {
    ...terms,
    paid: whole.paid,
    accrued: whole.accrued,
    outside,
    reason: atNav !== null ? null : isMixed ? NAV_IS_MIXED : NO_NAV_YET,
  };
}

/** Tiers of several investors added up, tier by tier. */
export function totalTiers(tiers: readonly Waterfall['tiers'][]): Waterfall['tiers'] {
  const total = (name: keyof Waterfall['tiers']) => sum(tiers.map((one) => one[name]));
  return {
    returnOfCapital: total('returnOfCapital'),
    preferredReturn: total('preferredReturn'),
    catchUp: total('catchUp'),
    catchUpLp: total('catchUpLp'),
    splitLp: total('splitLp'),
    splitGp: total('splitGp'),
    lp: total('lp'),
    gp: total('gp'),
  };
}

/** Borrowers' fees of each day, split over investors by their commitments of the day. */
export function sharesOfFees(
  days: readonly { date: CalendarDate; split: ReadonlyMap<string, DecimalText[]> }[],
): Map<string, BorrowersFee[]> {
  const shares = new Map<string, BorrowersFee[]>();
  for (const { date, split } of days) {
    for (const [id, [amount = '0']] of split) shares.set(id, [...(shares.get(id) ?? []), { date, amount }]);
  }
  return shares;
}

import { versionsOf } from '../amendments/terms-by-day.ts';
import { noteAsOf } from '../amendments/versions.ts';
import { addDays, type CalendarDate } from '../dates/calendar-day.ts';
import { termsInForce, timelineInForce } from '../facilities/in-force.ts';
import type { NoteLedger } from '../facilities/ledger.ts';
import { BASE_RATES } from '../facilities/terms-labels.ts';
import type { Fixings } from '../interest/accrual.ts';
import type { Fixing } from '../interest/rates.ts';
import { nextBoundary, sumOn } from '../invoices/fee-lines.ts';
import { type Billed, interestOfNote } from '../invoices/interest-of-note.ts';
import { feeBasisOf, interestLines, nextPeriod } from '../invoices/invoice-lines.ts';
import { type InvoiceLine, paidInKind } from '../invoices/lines.ts';
import { chargedFee, feesByDay } from '../invoices/note-fees.ts';
import {
  add,
  type DecimalText,
  decimalOf,
  isZero,
  max,
  min,
  multiply,
  round,
  subtract,
  sum,
} from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { paidInKindParts } from '../repayments/in-kind.ts';
import type { CurvePoint } from './forecast.schema.ts';

/** Periods of one forecast: forty years of months. */
const MAX_PERIODS = 480;

/** The base rates of the days after today, as a person chose them. */
export interface ForecastCurve {
  readonly points: readonly CurvePoint[];
  /** Basis points. */
  readonly shift: number;
}

/** What is unknown in a period, and why. */
export interface ForecastUnknown extends NonNullable<InvoiceLine['unknown']> {
  readonly title: string;
}

/** The interest and fees of one invoice period, as they are expected. */
export interface ForecastPeriod {
  readonly from: CalendarDate;
  /** The day after the last one. */
  readonly to: CalendarDate;
  /** On the last day. Null if nothing was ever recorded. */
  readonly balance: DecimalText | null;
  /** Null without interest. */
  readonly rates: { readonly lowest: DecimalText; readonly highest: DecimalText } | null;
  /** Null if it is unknown. */
  readonly interest: DecimalText | null;
  /** What of the interest is added to the principal at the end of the period instead of being paid. */
  readonly inKind: DecimalText | null;
  readonly fees: DecimalText | null;
  /** What is to be paid. */
  readonly total: DecimalText | null;
  readonly unknown: readonly ForecastUnknown[];
}

export interface NoteForecast {
  readonly baseRate: (typeof BASE_RATES)[number] | null;
  /** Null where the terms have none: there is no rest of the term. */
  readonly maturity: CalendarDate | null;
  readonly periods: readonly ForecastPeriod[];
  /** Null if a part of it is unknown. */
  readonly interest: DecimalText | null;
  readonly inKind: DecimalText | null;
  readonly fees: DecimalText | null;
  readonly total: DecimalText | null;
}

/**
 * The fixings until today, and after it those of the curve. The points are of one base rate: the others stay at their latest
 * fixing. The shift is added to all of them.
 */
export function forecastFixings(
  fixings: Fixings,
  { points, shift }: ForecastCurve,
  { today, baseRate }: { today: CalendarDate; baseRate: (typeof BASE_RATES)[number] | null },
): Fixings {
  const tomorrow = addDays(today, 1);
  const shifted = (rate: DecimalText) => add(rate, multiply(decimalOf(shift), '0.01'));
  const later = (known: readonly Fixing[], own: readonly CurvePoint[]): Fixing[] => {
    const past = known.filter(({ date }) => date <= today);
    // A fixing that is known for a later day counts until a rate of the curve does.
    const ahead = own.length > 0 ? [] : known.filter(({ date }) => date > today);
    const first = own.findLast(({ date }) => date <= tomorrow) ?? past.at(-1);
    const next = [
      ...(first ? [{ date: tomorrow, rate: first.rate }] : []),
      ...own.filter(({ date }) => date > tomorrow),
      ...ahead.filter(({ date }) => date > tomorrow || !first),
    ];
    return [...past, ...next.map(({ date, rate }) => ({ date, rate: shifted(rate) }))];
  };
  return Object.fromEntries(
    BASE_RATES.map((name) => [name, later(fixings[name] ?? [], name === baseRate ? points : [])]),
  );
}

/** The periods of the invoices to come: the first one is not invoiced yet, the last one ends with the maturity. */
function periodsUntil(billed: Billed, currency: string, maturity: CalendarDate): { from: string; to: string }[] {
  const last = (billed.issued ?? [])
    .filter((invoice) => invoice.currency === currency)
    .map(({ to }) => to)
    .sort()
    .at(-1);
  const first = nextPeriod(billed, currency, last ?? null);
  const periods: { from: string; to: string }[] = [];
  if (!first) return periods;
  const months = (termsInForce(billed.note).fees ?? []).some(({ frequency }) => frequency === 'Monthly') ? 1 : 3;
  for (let { from } = first; from < maturity && periods.length < MAX_PERIODS; ) {
    const boundary = nextBoundary(from, months);
    const to = boundary < maturity ? boundary : maturity;
    periods.push({ from, to });
    from = to;
  }
  return periods;
}

const total = (sums: readonly (DecimalText | null)[]): DecimalText | null =>
  sums.some((one) => one === null) ? null : sum(sums.map((one) => one ?? '0'));

/** What of the interest of each period is paid in kind, by the end of the period, with the balance that grows by it. */
function inKindOf(
  billed: Billed,
  currency: string,
  periods: readonly { from: string; to: string }[],
): { ledger: NoteLedger; inKind: ReadonlyMap<string, DecimalText> } {
  const inKind = new Map<string, DecimalText>();
  let { ledger } = billed;
  if (!versionsOf(billed).some(({ note }) => termsInForce(note).interest?.paidInKind)) return { ledger, inKind };
  for (const period of periods) {
    const added = paidInKind(interestLines({ ...billed, ledger }, currency, period));
    if (isZero(added)) continue;
    inKind.set(period.to, added);
    const entry = { cutOffDate: period.to, isScheduled: true, repayments: paidInKindParts(added, currency) };
    ledger = { ...ledger, repayments: [...ledger.repayments, entry] };
  }
  return { ledger, inKind };
}

/**
 * What a note is expected to owe as interest and fees until its maturity: on today's balance with the approved draws that are
 * not due yet, by the terms of each day, also those that are agreed for a later day. No other draw or repayment is assumed, and
 * an event of default without an end goes on. Corrections of issued invoices are left out.
 */
export function forecastNote(
  billed: Billed,
  { currency, curve, today }: { currency: string; curve: ForecastCurve; today: CalendarDate },
): NoteForecast {
  const { note, amendments = [] } = billed;
  const latest = versionsOf(billed).at(-1)!.note;
  const terms = timelineInForce(latest);
  const [maturity = null] = [terms?.maturity, terms?.termination].flatMap((day) => day ?? []).sort();
  const interestToday = termsInForce(noteAsOf(note, amendments, today)).interest;
  const baseRate = interestToday?.kind === 'variable' ? interestToday.baseRate : null;
  const nothing = { baseRate, maturity, periods: [], interest: null, inKind: null, fees: null, total: null };
  if (maturity === null) return nothing;
  const known: Billed = { ...billed, fixings: forecastFixings(billed.fixings, curve, { today, baseRate }) };
  const dates = periodsUntil(known, currency, maturity);
  const { ledger, inKind } = inKindOf(known, currency, dates);
  const future: Billed = { ...known, ledger };
  const digits = minorUnitDigits(currency);
  const basis = feeBasisOf(future, currency);
  const fees = feesByDay(future);
  const interest = interestOfNote(future, currency, maturity);
  const bears = versionsOf(future).some((version) => termsInForce(version.note).interest);
  const periods = dates.map(({ from, to }): ForecastPeriod => {
    const lines = fees.flatMap(({ steps }) => chargedFee(steps, { period: { from, to }, basis }));
    const missing = interest?.missingFrom;
    const why: NonNullable<InvoiceLine['unknown']> | null =
      bears && basis.balance === null
        ? { why: 'noBalance', of: null }
        : missing != null && missing < to
          ? { why: 'noFixing', of: missing }
          : null;
    const rates = why || !interest ? [] : interest.piecesOf(from, to).map(({ rate }) => rate);
    const accrues = why
      ? null
      : interest
        ? round(subtract(interest.accruedTo(to), interest.accruedTo(from)), digits)
        : round('0', digits);
    const added = round(inKind.get(to) ?? '0', digits);
    const charged = total(lines.map(({ amount }) => amount));
    return {
      from,
      to,
      balance: basis.balance && round(sumOn(basis.balance, addDays(to, -1)), digits),
      rates: rates.length === 0 ? null : { lowest: rates.reduce(min), highest: rates.reduce(max) },
      interest: accrues,
      inKind: accrues && added,
      fees: charged && round(charged, digits),
      total: accrues === null || charged === null ? null : round(add(subtract(accrues, added), charged), digits),
      unknown: [
        ...(why ? [{ ...why, title: 'Interest' }] : []),
        ...lines.flatMap(({ unknown, title }) => (unknown ? [{ ...unknown, title }] : [])),
      ],
    };
  });
  const totalOf = (part: 'interest' | 'inKind' | 'fees' | 'total') => {
    const all = total(periods.map((period) => period[part]));
    return all && round(all, digits);
  };
  return {
    ...{ baseRate, maturity, periods },
    ...{ interest: totalOf('interest'), inKind: totalOf('inKind'), fees: totalOf('fees'), total: totalOf('total') },
  };
}

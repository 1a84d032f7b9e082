import type { CovenantBound, CovenantUnit } from '../covenants/covenant-labels.ts';
import { type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import { timelineInForce } from '../facilities/in-force.ts';
import {
  currencyLimits,
  type DrawType,
  type NoteLedger,
  type NotePosition,
  outstandingByType,
} from '../facilities/ledger.ts';
import { DEFAULT_MAX_BASE_AGE_DAYS, type DrawLimits, type TransactionTerms } from '../facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import type { Amount } from '../money/amount.schema.ts';
import { add, type DecimalText, decimalOf, divide, multiply, round, subtract } from '../money/decimal.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import type { CurrencyRates } from '../money/rates.ts';
import { type CalendarPeriod, type DrawFrequency, isWithin, periodOf } from './periods.ts';
import { countsAsDraw, type DrawStatus } from './states.ts';

/** What a row of a check measures. With draw type and currency, it identifies the row. */
export const CHECK_RULES = [
  'borrowingBase',
  'reserves',
  'baseAge',
  'commitments',
  'rate',
  'currencyCommitment',
  'totalCommitment',
  'frequency',
  'minimum',
  'maximum',
  'percentage',
  'maxAmount',
  'collectionAccount',
  'deficit',
  'minDays',
  'maxDays',
  'availabilityPeriod',
  'covenant',
] as const;

export type CheckRule = (typeof CHECK_RULES)[number];

/** The amounts of one draw type of a request. */
export interface TypedAmounts {
  type: DrawType;
  amounts: readonly Amount[];
}

export interface DrawToCheck {
  cutOffDate: CalendarDate;
  dueDate: CalendarDate;
  draws: readonly TypedAmounts[];
}

/** Another draw request of the note, in any status. */
export interface OtherDraw {
  status: DrawStatus;
  cutOffDate: CalendarDate;
  /** The types that have amounts. */
  types: readonly DrawType[];
}

/** The net borrowing base that a draw is measured against. */
export interface BaseForDraw {
  id: string;
  cutOffDate: CalendarDate;
  currency: string;
  netBB: DecimalText;
  /** Less reserves; null if a reserve is unknown. */
  availableBase: DecimalText | null;
}

/** A covenant of the note that has a consequence for draws today. */
export interface CovenantForDraw {
  id: string;
  title: string;
  /** The test that was breached, or whose figures are not there. */
  testDate: CalendarDate;
  unit: CovenantUnit;
  currency: string | null;
  bound: CovenantBound;
  /** Null for a test that is unknown. */
  value: DecimalText | null;
  limit: DecimalText | null;
  consequence: 'reason' | 'drawStop' | 'amortisation';
  /** The day on which the breach was found. */
  foundOn: CalendarDate;
}

/** What was drawn and repaid on the note, without the request that is checked. */
export interface DrawLedger {
  note: NoteLedger;
  others: readonly OtherDraw[];
  /** The latest borrowing base at or before the request's cutOffDate. */
  base: BaseForDraw | null;
  /** Those that are breached or unknown, and neither waived nor cured. */
  covenants: readonly CovenantForDraw[];
  rates: CurrencyRates['rates'];
  /** The day to which the balance is counted. */
  today: CalendarDate;
}

/** One figure of a check with its limit. A figure that cannot be measured is null, and so is its margin. */
export interface CheckRow {
  rule: CheckRule;
  drawType: DrawType | null;
  unit: 'money' | 'count' | 'days' | 'present' | Exclude<CovenantUnit, 'money'>;
  currency: string | null;
  /** Whether the limit is the most or the least that is allowed. */
  bound: 'most' | 'least';
  limit: DecimalText | null;
  /** With the request included. */
  measured: DecimalText | null;
  /** How far the limit is; negative beyond it. */
  margin: DecimalText | null;
  /** Of a frequency: its interval, and the calendar period that is counted. */
  interval?: DrawFrequency;
  period?: CalendarPeriod;
  /** Of the age of a base: its cut-off date. Of the availability period: its last day. */
  on?: CalendarDate;
  /** Of a covenant: which one, and the date of its test. */
  covenant?: CheckedCovenant;
}

/** The covenant that an exception is about. */
export interface CheckedCovenant {
  id: string;
  title: string;
  testDate: CalendarDate;
  /** Whether it stops draws: only who may waive covenants can skip the exception. */
  stops: boolean;
}

/** Converts amounts to one currency, rounded to its minor unit; null if a rate is missing. */
export type Convert = (amounts: readonly Amount[], currency: string | null) => DecimalText | null;

export interface CheckInput {
  request: DrawToCheck;
  note: NoteWithoutContracts;
  /** The types of the request that have amounts. */
  filled: readonly TypedAmounts[];
  ledger: DrawLedger;
  terms: Partial<TransactionTerms>;
  commitments: TransactionTerms['commitments'];
  mainCurrency: string | null;
  position: NotePosition;
  /** Balance and approved draws that are not yet due: what is drawn already when the request is due. */
  drawn: readonly Amount[];
  /** What the request adds to the balance. */
  added: Amount[];
  /** The only type that adds to the balance; null if there are several, or none. */
  soleType: DrawType | null;
  to: Convert;
}

type RowInput = Omit<CheckRow, 'margin'>;

const row = (input: RowInput): CheckRow => {
  const { limit, measured, bound } = input;
  const margin =
    limit === null || measured === null
      ? null
      : bound === 'most'
        ? subtract(limit, measured)
        : subtract(measured, limit);
  return { ...input, margin };
};

/**
 * One row for each piece of data that the other checks need: 1 of 1 if it is there. A borrowing base that is too old on
 * the due date counts as missing, with its age.
 */
export function missingData({
  request,
  ledger,
  terms,
  commitments,
  mainCurrency,
  drawn,
  filled,
}: CheckInput): CheckRow[] {
  const present = (rule: CheckRule, currency: string | null, isThere: boolean): CheckRow =>
    row({ rule, drawType: null, unit: 'present', currency, bound: 'least', limit: '1', measured: isThere ? '1' : '0' });
  const currencies = new Set([
    ...filled.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)),
    ...commitments.map(({ amount }) => amount.currency),
    ...drawn.map(({ currency }) => currency),
    ...(mainCurrency === null ? [] : [mainCurrency]),
    ...(ledger.base ? [ledger.base.currency] : []),
  ]);
  return [
    present('borrowingBase', null, ledger.base !== null),
    ...(ledger.base && ledger.base.availableBase !== ledger.base.netBB
      ? [present('reserves', null, ledger.base.availableBase !== null)]
      : []),
    ...(ledger.base
      ? [
          row({
            rule: 'baseAge',
            drawType: null,
            unit: 'days',
            currency: null,
            bound: 'most',
            limit: decimalOf(terms.maxBaseAgeDays ?? DEFAULT_MAX_BASE_AGE_DAYS),
            measured: decimalOf(daysBetween(ledger.base.cutOffDate, request.dueDate)),
            on: ledger.base.cutOffDate,
          }),
        ]
      : []),
    ...ledger.covenants
      .filter(({ value, consequence }) => value === null && consequence !== 'amortisation')
      .map((covenant) => ({ ...present('covenant', null, false), covenant: checkedCovenant(covenant) })),
    present('commitments', null, commitments.length > 0),
    ...[...currencies]
      .sort()
      .map((currency) => present('rate', currency, currency === 'USD' || ledger.rates[currency] !== undefined)),
  ];
}

/**
 * In each currency that the request draws: the balance in it, with approved draws that are not yet due, against the
 * commitments that it may be drawn from.
 */
export function currencyCommitment({ note, added, drawn, ledger }: CheckInput): CheckRow[] {
  const before = new Map(drawn.map(({ currency, sum }) => [currency, sum]));
  const limits = new Map(currencyLimits(note, ledger.rates).map((limit) => [limit.currency, limit]));
  return added.map(({ currency, sum }) => {
    const limit = limits.get(currency);
    return row({
      rule: 'currencyCommitment',
      drawType: null,
      unit: 'money',
      currency,
      bound: 'most',
      limit: limit === undefined ? '0' : limit.missing.length > 0 ? null : limit.amount.sum,
      measured: round(add(before.get(currency) ?? '0', sum), minorUnitDigits(currency)),
    });
  });
}

export function totalCommitment({ added, drawn, commitments, mainCurrency, to, soleType }: CheckInput): CheckRow[] {
  if (added.length === 0) return [];
  return [
    row({
      rule: 'totalCommitment',
      drawType: soleType,
      unit: 'money',
      currency: mainCurrency,
      bound: 'most',
      limit: to(
        commitments.map(({ amount }) => amount),
        mainCurrency,
      ),
      measured: to([...drawn, ...added], mainCurrency),
    }),
  ];
}

const GROUPS = { Regular: 'draw', Prefunding: 'prefunding', Recycling: 'recycling' } as const;

type Limits = NonNullable<DrawLimits['draw']> &
  Partial<
    Omit<
      NonNullable<DrawLimits['prefunding']> & NonNullable<DrawLimits['recycling']>,
      keyof NonNullable<DrawLimits['draw']>
    >
  >;

/** The limits of a draw type in the terms in force. Only some types have all of them. */
export const limitsOf = (terms: Partial<TransactionTerms>, type: DrawType): Limits | null =>
  terms.drawLimits?.[GROUPS[type]] ?? null;

export function frequency({ request, filled, ledger, terms }: CheckInput): CheckRow[] {
  return filled.flatMap(({ type }) => {
    const limit = limitsOf(terms, type)?.frequency;
    if (!limit) return [];
    const period = periodOf(request.cutOffDate, limit.interval);
    const others = ledger.others.filter(
      ({ status, cutOffDate, types }) => countsAsDraw(status) && isWithin(cutOffDate, period) && types.includes(type),
    );
    return [
      row({
        rule: 'frequency',
        drawType: type,
        unit: 'count',
        currency: null,
        bound: 'most',
        limit: decimalOf(limit.limit),
        measured: decimalOf(others.length + 1),
        interval: limit.interval,
        period,
      }),
    ];
  });
}

export function drawLimits({ filled, ledger, terms, commitments, mainCurrency, to }: CheckInput): CheckRow[] {
  const outstanding = outstandingByType(ledger.note);
  return filled.flatMap(({ type, amounts }) => {
    const limits = limitsOf(terms, type);
    if (!limits) return [];
    const rows: CheckRow[] = [];
    const bounds = (
      rule: CheckRule,
      bound: CheckRow['bound'],
      limit: DecimalText | null,
      currency: string | null,
      of: readonly Amount[],
    ) => rows.push(row({ rule, drawType: type, unit: 'money', currency, bound, limit, measured: to(of, currency) }));
    const { amountRange } = limits;
    if (amountRange) {
      bounds('minimum', 'least', amountRange.min, amountRange.currency, amounts);
      bounds('maximum', 'most', amountRange.max, amountRange.currency, amounts);
    }
    const total = [...outstanding[type], ...amounts];
    if (limits.maxPercentage != null) {
      const committed = to(
        commitments.map(({ amount }) => amount),
        mainCurrency,
      );
      const share =
        committed === null || mainCurrency === null
          ? null
          : divide(multiply(committed, decimalOf(limits.maxPercentage)), '100', minorUnitDigits(mainCurrency));
      bounds('percentage', 'most', share, mainCurrency, total);
    }
    if (limits.maxAmount) {
      bounds('maxAmount', 'most', limits.maxAmount.sum, limits.maxAmount.currency, total);
    }
    if (limits.maxCollectionAccount) {
      const { sum, currency } = limits.maxCollectionAccount;
      bounds('collectionAccount', 'most', sum, currency, amounts);
    }
    return rows;
  });
}

export function deficit({ ledger: { base }, drawn, added, mainCurrency, to, soleType }: CheckInput): CheckRow[] {
  const currency = mainCurrency ?? base?.currency ?? null;
  return [
    row({
      rule: 'deficit',
      drawType: soleType,
      unit: 'money',
      currency,
      bound: 'most',
      limit: base?.availableBase ? to([{ sum: base.availableBase, currency: base.currency }], currency) : null,
      measured: to([...drawn, ...added], currency),
    }),
  ];
}

export function dueDate({ request, filled, terms }: CheckInput): CheckRow[] {
  const days = decimalOf(daysBetween(request.cutOffDate, request.dueDate));
  return filled.flatMap(({ type }) => {
    const limit = limitsOf(terms, type)?.dueDateLimit;
    if (!limit) return [];
    const shared = { drawType: type, unit: 'days', currency: null, measured: days } as const;
    return [
      row({ ...shared, rule: 'minDays', bound: 'least', limit: decimalOf(limit.min) }),
      row({ ...shared, rule: 'maxDays', bound: 'most', limit: decimalOf(limit.max) }),
    ];
  });
}

const checkedCovenant = ({ id, title, testDate, consequence }: CovenantForDraw): CheckedCovenant => ({
  id,
  title,
  testDate,
  stops: consequence === 'drawStop',
});

/** The tests that are breached, whose agreement stops draws or wants a reason for them. */
export function breachedCovenants({ ledger }: CheckInput): CheckRow[] {
  return ledger.covenants.flatMap((covenant) => {
    const { unit, currency, bound, value, limit, consequence } = covenant;
    if (value === null || consequence === 'amortisation') return [];
    return [
      row({
        rule: 'covenant',
        drawType: null,
        unit,
        currency,
        bound: bound === 'atMost' ? 'most' : 'least',
        limit,
        measured: value,
        covenant: checkedCovenant(covenant),
      }),
    ];
  });
}

/** The end of the revolving period, or an earlier day on which a breached covenant began the amortisation. */
function availabilityEnd({ note, ledger }: CheckInput): CalendarDate | undefined {
  const begun = ledger.covenants.flatMap(({ consequence, value, foundOn }) =>
    consequence === 'amortisation' && value !== null ? [foundOn] : [],
  );
  const end = timelineInForce(note)?.revolvingEnd;
  return [...begun, ...(end ? [end] : [])].sort()[0];
}

/** The days from the cut-off date to the due date, against those to the end of the availability period. */
export function availabilityPeriod(given: CheckInput): CheckRow[] {
  const { request } = given;
  const end = availabilityEnd(given);
  if (!end) return [];
  return [
    row({
      rule: 'availabilityPeriod',
      drawType: null,
      unit: 'days',
      currency: null,
      bound: 'most',
      limit: decimalOf(daysBetween(request.cutOffDate, end)),
      measured: decimalOf(daysBetween(request.cutOffDate, request.dueDate)),
      on: end,
    }),
  ];
}

/** The day after which nothing can be drawn: maturity or termination, whichever is earlier. */
export function lastDueDate(note: NoteWithoutContracts): { date: CalendarDate; of: 'maturity' | 'termination' } | null {
  const { maturity, termination } = timelineInForce(note) ?? {};
  if (termination && (!maturity || termination < maturity)) return { date: termination, of: 'termination' };
  return maturity ? { date: maturity, of: 'maturity' } : null;
}

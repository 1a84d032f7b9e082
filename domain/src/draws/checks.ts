import { type CalendarDate, daysBetween } from '../dates/calendar-date.ts';
import {
  availabilityOf,
  currencyLimits,
  type DrawType,
  isFunded,
  type NoteLedger,
  type NotePosition,
  notePosition,
  outstandingByType,
  totalIn,
} from '../facilities/ledger.ts';
import { DEFAULT_MAX_BASE_AGE_DAYS, type DrawLimits, type TransactionTerms } from '../facilities/terms.schema.ts';
import {
  commitmentsInForce,
  commitmentTermsInForce,
  type NoteWithoutContracts,
  termsInForce,
  timelineInForce,
} from '../facilities/transaction.schema.ts';
import type { Amount } from '../money/amount.schema.ts';
import { minorUnitDigits } from '../money/currencies.ts';
import {
  add,
  compare,
  type DecimalText,
  decimalOf,
  divide,
  isNegative,
  multiply,
  negate,
  round,
  subtract,
} from '../money/decimal.ts';
import type { CurrencyRates } from '../money/rates.ts';
import { totalByCurrency } from '../money/totals.ts';
import type { DRAW_EXCEPTION_MESSAGES, DRAW_STAGES, StoredDraw } from './draw.schema.ts';
import { type CalendarPeriod, type DrawFrequency, isWithin, periodOf } from './periods.ts';
import { countsAsDraw, type DrawStatus } from './states.ts';

export type DrawStage = (typeof DRAW_STAGES)[number];
export type DrawMessage = (typeof DRAW_EXCEPTION_MESSAGES)[number];

/** What a row of a check measures. With draw type and currency, it identifies the row. */
export const CHECK_RULES = [
  'borrowingBase',
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
}

/** What was drawn and repaid on the note, without the request that is checked. */
export interface DrawLedger {
  note: NoteLedger;
  others: readonly OtherDraw[];
  /** The latest borrowing base at or before the request's cutOffDate. */
  base: BaseForDraw | null;
  rates: CurrencyRates['rates'];
  /** The day to which the balance is counted. */
  today: CalendarDate;
}

/** One figure of a check with its limit. A figure that cannot be measured is null, and so is its margin. */
export interface CheckRow {
  rule: CheckRule;
  drawType: DrawType | null;
  unit: 'money' | 'count' | 'days' | 'present';
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
}

export interface FoundException {
  message: DrawMessage;
  stage: DrawStage;
  rule: CheckRule;
  drawType: DrawType | null;
  amount: DecimalText | null;
  exceededBy: DecimalText | null;
  currency: string | null;
}

/** One check with all its figures, also those within their limits. */
export interface DrawCheck {
  message: DrawMessage;
  rows: CheckRow[];
  exceptions: FoundException[];
}

/**
 * The figures of the note today, without the request and with it, in its main currency. Null where something is unknown.
 */
export interface DrawFigures {
  mainCurrency: string | null;
  commitments: Amount | null;
  /** What the request adds to the balance. */
  added: Amount | null;
  /** Balance and approved draws that are not yet due; with the request in `after`. */
  balance: { before: Amount | null; after: Amount | null };
  /** What `balance.before` consists of. Absent in checks that earlier versions stored. */
  position?: { balance: Amount | null; approved: Amount | null };
  netBB: Amount | null;
  /** The net borrowing base or the commitments, whichever is less, less the balance and approved draws. */
  availability: { before: Amount | null; after: Amount | null };
  base: BaseForDraw | null;
}

export interface CheckedDraw {
  /** In the order of the specification. */
  checks: DrawCheck[];
  exceptions: FoundException[];
  figures: DrawFigures;
}

/** What a request is worth at given rates. Null where a rate is missing. */
export interface DrawValue {
  draws: StoredDraw[];
  valueInUsd: DecimalText | null;
  amountInMainCurrency: Amount | null;
}

/** Converts amounts to one currency, rounded to its minor unit; null if a rate is missing. */
type Convert = (amounts: readonly Amount[], currency: string | null) => DecimalText | null;

const converter =
  (rates: CurrencyRates['rates']): Convert =>
  (amounts, currency) => {
    if (currency === null) return null;
    const { amount, missing } = totalIn(currency, amounts, rates);
    return missing.length > 0 ? null : amount.sum;
  };

interface Given {
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

/** Whether the row is beyond its limit. */
export const isExceeded = ({ margin }: Pick<CheckRow, 'margin'>): boolean => margin !== null && isNegative(margin);

/**
 * One row for each piece of data that the other checks need: 1 of 1 if it is there. A borrowing base that is too old on
 * the due date counts as missing, with its age.
 */
function missingData({ request, ledger, terms, commitments, mainCurrency, drawn, filled }: Given): CheckRow[] {
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
function currencyCommitment({ note, added, drawn, ledger }: Given): CheckRow[] {
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

function totalCommitment({ added, drawn, commitments, mainCurrency, to, soleType }: Given): CheckRow[] {
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

function frequency({ request, filled, ledger, terms }: Given): CheckRow[] {
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

function drawLimits({ filled, ledger, terms, commitments, mainCurrency, to }: Given): CheckRow[] {
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

function deficit({ ledger: { base }, drawn, added, mainCurrency, to, soleType }: Given): CheckRow[] {
  const currency = mainCurrency ?? base?.currency ?? null;
  return [
    row({
      rule: 'deficit',
      drawType: soleType,
      unit: 'money',
      currency,
      bound: 'most',
      limit: base ? to([{ sum: base.netBB, currency: base.currency }], currency) : null,
      measured: to([...drawn, ...added], currency),
    }),
  ];
}

function dueDate({ request, filled, terms }: Given): CheckRow[] {
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

/** The days from the cut-off date to the due date, against those to the end of the revolving period. */
function availabilityPeriod({ request, note }: Given): CheckRow[] {
  const end = timelineInForce(note)?.revolvingEnd;
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

/** The seven checks in the order of the specification, and the end of the availability period. */
const CHECKS: readonly (readonly [DrawMessage, (given: Given) => CheckRow[]])[] = [
  ['Missing data', missingData],
  ['Currency commitment exceeded', currencyCommitment],
  ['Total commitment exceeded', totalCommitment],
  ['Draw frequency exceeded', frequency],
  ['Draw limits exceeded', drawLimits],
  ['Draw in deficit', deficit],
  ['Due Date limits exceeded', dueDate],
  ['Availability period ended', availabilityPeriod],
];

const exceptionOf = (message: DrawMessage, stage: DrawStage, exceeded: CheckRow): FoundException => ({
  message,
  stage,
  rule: exceeded.rule,
  drawType: exceeded.drawType,
  // What is missing has no limit.
  amount: exceeded.unit === 'present' ? null : exceeded.limit,
  exceededBy: exceeded.unit === 'present' || exceeded.margin === null ? null : negate(exceeded.margin),
  currency: exceeded.currency,
});

const inCurrency = (sum: DecimalText | null, currency: string | null): Amount | null =>
  sum === null || currency === null ? null : { sum, currency };

/** Runs the checks of a draw request, and values it. */
export function checkDraw(
  request: DrawToCheck,
  note: NoteWithoutContracts,
  ledger: DrawLedger,
  stage: DrawStage,
): CheckedDraw {
  const to = converter(ledger.rates);
  const filled = request.draws.filter(({ amounts }) => amounts.length > 0);
  const addingTypes = filled.filter(({ type }) => isFunded(type));
  const position = notePosition(ledger.note, ledger.today);
  const given: Given = {
    request,
    note,
    filled,
    ledger,
    terms: termsInForce(note),
    commitments: commitmentTermsInForce(note),
    mainCurrency: commitmentsInForce(note)?.currency ?? null,
    position,
    drawn: totalByCurrency([...(position.balance ?? []), ...position.approved]),
    added: totalByCurrency(addingTypes.flatMap(({ amounts }) => amounts)),
    soleType: addingTypes.length === 1 ? (addingTypes[0]?.type ?? null) : null,
    to,
  };
  const checks = CHECKS.map(([message, run]): DrawCheck => {
    const rows = run(given);
    return { message, rows, exceptions: rows.filter(isExceeded).map((each) => exceptionOf(message, stage, each)) };
  });
  return {
    checks,
    exceptions: checks.flatMap(({ exceptions }) => exceptions),
    figures: figuresOf(given),
  };
}

/** The value of a request in US dollars and in the note's main currency. */
export function valueDraw(
  draws: readonly TypedAmounts[],
  note: NoteWithoutContracts,
  rates: CurrencyRates['rates'],
): DrawValue {
  const to = converter(rates);
  const mainCurrency = commitmentsInForce(note)?.currency ?? null;
  const requested = draws.flatMap(({ amounts }) => amounts);
  return {
    draws: draws.map(({ type, amounts }) => ({
      type,
      amounts: [...amounts],
      valueInUSD: to(amounts, 'USD'),
      amountInMainCurrency: inCurrency(to(amounts, mainCurrency), mainCurrency),
    })),
    valueInUsd: to(requested, 'USD'),
    amountInMainCurrency: inCurrency(to(requested, mainCurrency), mainCurrency),
  };
}

function figuresOf({ position, drawn, added, mainCurrency, commitments, ledger: { base }, to }: Given): DrawFigures {
  const main = (amounts: readonly Amount[]): Amount | null => inCurrency(to(amounts, mainCurrency), mainCurrency);
  const figures = {
    netBB: base ? main([{ sum: base.netBB, currency: base.currency }]) : null,
    commitments: commitments.length > 0 ? main(commitments.map(({ amount }) => amount)) : null,
  };
  // A note on which nothing was drawn yet has a balance of zero here: this request is its first draw.
  const balance = main(position.balance ?? []);
  const approved = main(position.approved);
  const after = main([...drawn, ...added]);
  return {
    mainCurrency,
    ...figures,
    added: main(added),
    balance: { before: main(drawn), after },
    position: { balance, approved },
    availability: {
      before: availabilityOf({ ...figures, balance, approved }),
      after: availabilityOf({ ...figures, balance: after }),
    },
    base,
  };
}

/** Whether `a` exceeds its limit by more than `b` does. */
export const grewBeyond = (a: DecimalText | null, b: DecimalText | null): boolean =>
  a !== null && (b === null || compare(a, b) > 0);

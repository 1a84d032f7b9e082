import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { isImplausible, plausibleRangeOf, rangeInWords } from '../plausible-ranges.ts';
import { isMissingWord } from './column-shape.ts';
import type { FigureForm, SampleCell } from './column-summary.ts';
import { dayNumbers } from './day-number.ts';
import { readFigure } from './figures.ts';
import { statusMeant } from './statuses.ts';
import type { ValueReading } from './steps.ts';

/** A column that is suggested for a field, with what is needed to judge its values. */
export interface JudgedField {
  readonly path: string;
  /** How sure the suggestion is. Of two suggestions that contradict each other, the less sure one gives way. */
  readonly score: number;
  readonly cells: readonly SampleCell[];
  /** The result of `rowValues`. */
  readonly values: RowValues;
}

/** Each row's value as a figure that is comparable with other fields; null if it is missing or not a figure. */
export type RowValues = readonly (number | null)[];

export interface Contradiction {
  readonly path: string;
  /** `above the financed sum in 112 of 240 rows`. */
  readonly words: string;
}

/** With fewer rows, nothing can be concluded. */
const MIN_ROWS = 5;
/** Real tapes have a few rows that contradict themselves. */
const TOLERATED_SHARE = 0.1;
/** Allows for interest and fees that are added to a balance, and for rounded figures. */
const SLACK = 1.1;

/** From this difference on, one suggestion is clearly surer than another. */
const MUCH_SURER = 0.1;

/** Pairs of fields of which one is never above the other. */
const ORDERS: readonly { readonly low: string; readonly high: string }[] = [
  { low: 'sums.outstandingSum', high: 'sums.sum' },
  { low: 'sums.outstandingPrincipal', high: 'sums.sum' },
  { low: 'sums.paidPrincipal', high: 'sums.sum' },
  { low: 'sums.scheduledPayment', high: 'sums.sum' },
  { low: 'sums.outstandingInterest', high: 'sums.sum' },
  { low: 'sums.arrears', high: 'sums.outstandingSum' },
  { low: 'sums.arrears', high: 'sums.outstandingPrincipal' },
  { low: 'remainingTerm', high: 'term' },
  { low: 'dateFinanced', high: 'dates.maturityDate' },
  { low: 'dateFinanced', high: 'dates.firstPaymentDate' },
  { low: 'dates.firstPaymentDate', high: 'dates.maturityDate' },
  { low: 'dates.firstPaymentDate', high: 'dates.nextPaymentDate' },
  { low: 'dateFinanced', high: 'dates.lastPaymentDate' },
  { low: 'dateFinanced', high: 'dates.nextPaymentDate' },
  { low: 'dateFinanced', high: 'dates.defaultDate' },
  { low: 'dateFinanced', high: 'dates.chargeOffDate' },
  { low: 'dates.lastPaymentDate', high: 'dates.nextPaymentDate' },
  { low: 'dates.lastPaymentDate', high: 'dates.maturityDate' },
];

const NAMES: Readonly<Record<string, string>> = {
  'sums.sum': 'the original principal',
  'sums.outstandingSum': 'the current balance',
  'sums.outstandingPrincipal': 'the outstanding principal',
  term: 'the term',
  remainingTerm: 'the remaining term',
  dateFinanced: 'the origination date',
  'dates.maturityDate': 'the maturity date',
  'dates.firstPaymentDate': 'the first payment date',
  'dates.lastPaymentDate': 'the last payment date',
  'dates.nextPaymentDate': 'the next payment date',
  'dates.defaultDate': 'the default date',
  'dates.chargeOffDate': 'the charge-off date',
};
const nameOf = (path: string): string => NAMES[path] ?? `“${path}”`;

/** Fields that almost every asset has. */
const MOSTLY_FILLED: ReadonlySet<string> = new Set([
  'sums.sum',
  'sums.outstandingSum',
  'sums.outstandingPrincipal',
  'dateFinanced',
  'dates.maturityDate',
]);
/** Fields that are zero for few assets. */
const MOSTLY_POSITIVE: ReadonlySet<string> = new Set([
  'sums.sum',
  'sums.collateralValue',
  'sums.scheduledPayment',
  'term',
]);

/** The contradictions of the suggestions: each on its own, and each compared with the others in the same rows. */
export function contradictionsOf(fields: readonly JudgedField[]): Contradiction[] {
  const values = new Map(fields.map((field) => [field.path, field.values]));
  const scores = new Map(fields.map(({ path, score }) => [path, score]));
  return [
    ...fields.flatMap(alone),
    ...ORDERS.flatMap(({ low, high }) => inOrder(low, high, values, scores)),
    ...arrearsOfCurrent(fields, values),
    ...remainingForTerm(values),
    ...paymentOfOneMonth(values),
  ];
}

/** Dates that differ from loan to loan. */
const VARIED: ReadonlySet<string> = new Set(['dateFinanced', 'dates.maturityDate', 'dates.firstPaymentDate']);

/** From this score on, the header says days past due, and the pool may be one of delinquent loans. */
const CLEAR_NAME = 0.9;
/** With fewer rows, all loans of a healthy pool may be late, and dates agree by chance. */
const MIN_COMPARED_ROWS = 10;

function alone({ path, score, cells, values }: JudgedField): Contradiction[] {
  const known = values.filter((value) => value !== null);
  if (known.length < MIN_ROWS) return [];
  const found: Contradiction[] = [];
  const range = plausibleRangeOf(path);
  if (range && typeof range.min === 'number') {
    // Terms are in months here.
    const scale = range.unit === 'days' ? DAYS_A_MONTH : 1;
    const outside = known.filter((value) => isImplausible(range, value * scale)).length;
    if (outside > known.length * 0.5) {
      found.push({ path, words: `${outside} of ${known.length} values are outside ${rangeInWords(range)}` });
    }
  }
  if (MOSTLY_FILLED.has(path) && known.length < cells.length * 0.5) {
    found.push({ path, words: `only ${known.length} of ${cells.length} rows have a value` });
  }
  const zeros = known.filter((value) => value === 0).length;
  if (path === 'daysPastDue' && score < CLEAR_NAME && known.length >= MIN_COMPARED_ROWS && zeros === 0) {
    found.push({ path, words: `no loan of ${known.length} has 0 days` });
  }
  if (VARIED.has(path) && score < CLEAR_NAME && known.length >= MIN_COMPARED_ROWS && new Set(known).size === 1) {
    found.push({ path, words: `all ${known.length} rows have the same date, as a report date` });
  }
  if (MOSTLY_POSITIVE.has(path) && zeros > known.length * 0.5) {
    found.push({ path, words: `${zeros} of ${known.length} values are zero` });
  }
  return found;
}

function inOrder(
  low: string,
  high: string,
  values: ReadonlyMap<string, RowValues>,
  scores: ReadonlyMap<string, number>,
): Contradiction[] {
  const [lows, highs] = [values.get(low), values.get(high)];
  if (!lows || !highs) return [];
  const slack = low.startsWith('sums.') ? SLACK : 1;
  let [rows, broken] = [0, 0];
  for (const [row, value] of lows.entries()) {
    const limit = highs[row];
    // A paid loan has nothing outstanding, so its arrears and balances say nothing.
    if (value === null || limit === null || limit === undefined || value <= 0 || limit === 0) continue;
    rows += 1;
    if (value > limit * slack) broken += 1;
  }
  if (rows < MIN_ROWS || broken <= rows * TOLERATED_SHARE) return [];
  // An original amount is easier to recognize by its name than a balance.
  const isLowUnsure = scores.get(low)! <= scores.get(high)! + MUCH_SURER;
  const isDate = low.toLowerCase().includes('date');
  const [after, before] = isDate ? ['after', 'before'] : ['above', 'below'];
  return [
    isLowUnsure
      ? { path: low, words: `${after} ${nameOf(high)} in ${broken} of ${rows} rows` }
      : { path: high, words: `${before} ${nameOf(low)} in ${broken} of ${rows} rows` },
  ];
}

/**
 * If the loans with arrears are current, the arrears belong to other loans, such as those in the borrower's credit
 * bureau file.
 */
function arrearsOfCurrent(fields: readonly JudgedField[], values: ReadonlyMap<string, RowValues>): Contradiction[] {
  const arrears = values.get('sums.arrears');
  if (!arrears) return [];
  const days = values.get('daysPastDue');
  const status = fields.find(({ path }) => path === 'assetStatus');
  const isCurrent = (row: number): boolean | null => {
    const text = status?.cells[row]?.value.trim();
    const meant = text ? statusMeant(text, /^\d{1,2}$/.test(text)) : null;
    if (meant !== null) return meant === 'current' || meant === 'performingAsset' || meant === 'paid';
    const past = days?.[row];
    return past === null || past === undefined ? null : past <= 0;
  };
  const owed = arrears.flatMap((value, row) => (value !== null && value > 0 ? (isCurrent(row) ?? []) : []));
  const ofCurrent = owed.filter(Boolean).length;
  if (owed.length < MIN_ROWS || ofCurrent <= owed.length * 0.5) return [];
  return [{ path: 'sums.arrears', words: `${ofCurrent} of the ${owed.length} loans with an amount are not past due` }];
}

const MONTH_DAYS = 30.44;
/** Days by which a date and a whole number of months differ. */
const MONTH_SLACK_DAYS = 45;

/**
 * Maturity minus term is the day on which a loan starts. If that is the same day for all loans, it is the day of the report,
 * and the term is the remaining term. If maturity minus remaining term is the day of origination, it is the whole term.
 */
function remainingForTerm(values: ReadonlyMap<string, RowValues>): Contradiction[] {
  const [maturities, made] = [values.get('dates.maturityDate'), values.get('dateFinanced')];
  if (!maturities) return [];
  const startsBy = (path: string): (number | null)[] =>
    (values.get(path) ?? []).map((months, row) => {
      const end = maturities[row];
      return months === null || months === 0 || end === null || end === undefined ? null : end - months * MONTH_DAYS;
    });
  const found: Contradiction[] = [];
  const starts = startsBy('term').filter((day) => day !== null);
  const middle = [...starts].sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;
  const same = starts.filter((day) => Math.abs(day - middle) <= MONTH_SLACK_DAYS).length;
  const days = maturities.filter((day) => day !== null);
  const isSpread = days.length > 0 && Math.max(...days) - Math.min(...days) > 4 * MONTH_SLACK_DAYS;
  const madeDays = made?.filter((day) => day !== null) ?? [];
  const isMadeSpread = madeDays.length === 0 || Math.max(...madeDays) - Math.min(...madeDays) > 4 * MONTH_SLACK_DAYS;
  if (starts.length >= MIN_COMPARED_ROWS && isSpread && isMadeSpread && same >= starts.length * MOSTLY) {
    found.push({
      path: 'term',
      words: `${same} of ${starts.length} terms end at the maturity date if they start on the same day`,
    });
  }
  const remaining = startsBy('remainingTerm');
  const compared = remaining.flatMap((day, row) => {
    const start = made?.[row];
    return day === null || start === null || start === undefined ? [] : [Math.abs(day - start) <= MONTH_SLACK_DAYS];
  });
  const whole = compared.filter(Boolean).length;
  if (compared.length >= MIN_COMPARED_ROWS && isMadeSpread && whole >= compared.length * MOSTLY) {
    const words = `${whole} of ${compared.length} are the time from the origination date to the maturity date`;
    found.push({ path: 'remainingTerm', words });
  }
  return found;
}

const MOSTLY = 0.8;
/** Principal paid since origination is most of the difference between the original and the current balance. */
const MIN_PAID_SHARE = 0.2;

/** The principal of one month is far less than the principal paid since origination. */
function paymentOfOneMonth(values: ReadonlyMap<string, RowValues>): Contradiction[] {
  const [paid, sums] = [values.get('sums.paidPrincipal'), values.get('sums.sum')];
  const balances = values.get('sums.outstandingPrincipal') ?? values.get('sums.outstandingSum');
  if (!paid || !sums || !balances) return [];
  const shares = paid.flatMap((value, row) => {
    const [sum, balance] = [sums[row], balances[row]];
    const gone = sum !== null && sum !== undefined && balance !== null && balance !== undefined ? sum - balance : 0;
    return value === null || gone <= 0 || balance === 0 ? [] : [value / gone];
  });
  const few = shares.filter((share) => share < MIN_PAID_SHARE).length;
  if (shares.length < MIN_COMPARED_ROWS || few <= shares.length * 0.5) return [];
  const words = `far below what was repaid since origination in ${few} of ${shares.length} rows`;
  return [{ path: 'sums.paidPrincipal', words }];
}

const DAYS_A_MONTH = 30;
const MONTHS_OF: Readonly<Record<string, number>> = {
  days: 1 / DAYS_A_MONTH,
  weeks: 7 / DAYS_A_MONTH,
  months: 1,
  quarters: 3,
  years: 12,
};

/** The values of a column in the units of its field: rates in points, terms in months, dates as days. */
export function rowValues(
  path: string,
  cells: readonly SampleCell[],
  form: FigureForm,
  reading: Pick<ValueReading, 'steps' | 'missing'>,
): RowValues {
  const last = reading.steps.at(-1);
  const missing = new Set(reading.missing);
  const divided = reading.steps.some((step) => step.type === 'divide' && step.value === 100) ? 100 : 1;
  const isShare = last !== undefined && 'scale' in last && last.scale === 'zeroTo1';
  const unit = last?.type === 'SerializedTerm' ? last.unit : undefined;
  if (path.toLowerCase().includes('date')) return dayNumbers(cells);
  return cells.map((cell) => {
    const text = cell.value.trim();
    if (text === '' || cell.tag === CellTag.error || missing.has(text) || isMissingWord(text)) return null;
    if (last?.type === 'SerializedTerm') {
      const [, figure, word] = /^([\d.,]+)\s*(\p{L}+)?/u.exec(text) ?? [];
      const value = figure === undefined ? null : readFigure(figure, form);
      const stated = word && /^(day|week|month|quarter|year)/i.exec(word)?.[1]?.toLowerCase();
      return value === null ? null : value * (MONTHS_OF[stated ? `${stated}s` : (unit ?? 'months')] ?? 1);
    }
    if (isShare && text.includes('%')) return null;
    const value = readFigure(text, form);
    return value === null ? null : (value / divided) * (isShare ? 100 : 1);
  });
}

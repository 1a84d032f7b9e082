import { CUT_OFF, cents, type Loan } from './loan.ts';

/** A value as a sheet would hold it; a `Date` is a cell with a date style. */
export type CorpusValue = string | number | boolean | Date | null;
type Value = (loan: Loan) => CorpusValue;

const STATES = ['CA', 'TX', 'FL', 'NY', 'IL', 'OH', 'GA', 'WA'] as const;
const CITIES = ['Austin', 'Dayton', 'Tampa', 'Reno', 'Macon', 'Yonkers', 'Tacoma', 'Fresno'] as const;
const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Gum', 'Hazel', 'Ivy', 'Juniper'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const DAY_MS = 86_400_000;

/** What a loan of the generator says of itself, by the words that a tape of the corpus uses. */
const FACTS: Readonly<Record<string, Value>> = {
  amount: (loan) => loan.amount,
  balance: (loan) => loan.balance,
  payment: (loan) => loan.payment,
  rate: (loan) => loan.rate,
  term: (loan) => loan.termMonths,
  termDays: (loan) => loan.termDays,
  age: (loan) => loan.ageMonths,
  remaining: (loan) => Math.max(0, loan.termMonths - loan.ageMonths),
  dpd: (loan) => loan.daysPastDue,
  /** Blank for the loans that are not late. */
  lateDays: (loan) => loan.daysPastDue || null,
  /** The payments past due, as the mortgage agencies write them. */
  monthsLate: (loan) => String(Math.ceil(loan.daysPastDue / 30)).padStart(2, '0'),
  arrears: (loan) => loan.arrears,
  paidPrincipal: (loan) => loan.paidPrincipal,
  paidInterest: (loan) => loan.paidInterest,
  accrued: (loan) => cents((loan.balance * loan.rate) / 2_400),
  score: (loan) => loan.score,
  value: (loan) => loan.value,
  ltv: (loan) => Math.round((loan.amount / loan.value) * 100),
  currentLtv: (loan) => Math.round((loan.balance / loan.value) * 90),
  row: (loan) => loan.row + 1,
  state: (loan) => loan.pick(...STATES),
  city: (loan) => loan.pick(...CITIES),
  zip: (loan) => String(loan.whole(10_001, 99_950)),
  zip3: (loan) => String(loan.whole(100, 999)),
  name: (loan) => `${loan.pick(...NAMES)} ${loan.pick('Trading', 'Foods', 'Motors', 'Partners')} ${loan.whole(1, 900)}`,
  made: (loan) => loan.made,
  maturity: (loan) => loan.maturity,
  firstPayment: (loan) => loan.month(1),
  lastPayment: () => new Date(CUT_OFF - 20 * DAY_MS),
  nextPayment: (loan) => (loan.balance > 0 ? new Date(CUT_OFF + 11 * DAY_MS) : null),
  cutOff: () => new Date(CUT_OFF),
  defaulted: (loan) => (loan.isChargedOff ? loan.month(Math.ceil(loan.ageMonths / 2)) : null),
  overdueSince: (loan) => (loan.daysPastDue > 0 ? new Date(CUT_OFF - loan.daysPastDue * DAY_MS) : null),
  closed: (loan) => (loan.isPaid ? loan.month(loan.ageMonths) : null),
  blank: () => null,
};

/** The state of a loan as its servicer's word for it: `status:current=OK,late=30 days,paid=Closed,off=Loss`. */
function statusOf(words: ReadonlyMap<string, string>, loan: Loan): string {
  if (loan.daysPastDue > 30 && words.has('late30')) return words.get('late30')!;
  const state = loan.isChargedOff ? 'off' : loan.isPaid ? 'paid' : loan.daysPastDue > 0 ? 'late' : 'current';
  return words.get(state) ?? words.get('current') ?? '';
}

const numbersOf = (text: string): number[] => text.split(',').map(Number);

/** The value of a column before it is written: `amount`, `id:L-`, `pick:A,B,B`, `int:0,5`, `status:current=C,paid=P`. */
function sourceOf(source: string): Value {
  const [word = '', ...rest] = source.split(':');
  const argument = rest.join(':');
  const known = FACTS[word];
  if (known && argument === '') return known;
  const [from = 0, to = 0] = numbersOf(argument);
  const options = argument.split(',');
  switch (word) {
    case 'id':
      return (loan) => `${argument}${String(loan.row * 7 + 1_003).padStart(6, '0')}`;
    case 'number':
      return (loan) => from + loan.row * 3;
    case 'key':
      return (loan) =>
        `${argument}${(0x10_21_a3 + loan.row * 7_919).toString(16)}${(loan.row * 31 + 4_096).toString(16)}`;
    case 'owner':
      return (loan) => `${argument}${Math.floor(loan.row / 1.4) + 7_100}`;
    case 'pick':
      return (loan) => loan.pick(...options);
    case 'code':
      return (loan) => loan.pick(...numbersOf(argument));
    case 'flag':
      return (loan) => loan.chance(from);
    case 'int':
      return (loan) => loan.whole(from, to);
    case 'money':
      return (loan) => loan.money(from, to);
    case 'rare':
      return (loan) => (loan.chance(0.2) ? loan.money(from, to) : 0);
    case 'day':
      return (loan) => new Date(CUT_OFF - loan.whole(from, to) * DAY_MS);
    case 'month':
      return (loan) => loan.month(from);
    case 'all':
      return () => argument;
    case 'whole':
      return () => from;
    case 'status': {
      const words = new Map(options.map((each) => each.split('=') as [string, string]));
      return (loan) => statusOf(words, loan);
    }
    default:
      throw new Error(`No value of the corpus is called "${source}"`);
  }
}

const two = (value: number): string => String(value).padStart(2, '0');

/** How a date is written. */
function dateText(date: Date, form: string): CorpusValue {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  switch (form) {
    case 'iso':
      return date.toISOString().slice(0, 10);
    case 'stamp':
      return `${date.toISOString().slice(0, 10)} 00:00:00`;
    case 'american':
      return `${month}/${day}/${year}`;
    case 'dotted':
      return `${two(day)}.${two(month)}.${year}`;
    case 'slashed':
      return `${two(day)}/${two(month)}/${year}`;
    case 'compact':
      return year * 10_000 + month * 100 + day;
    case 'yearMonth':
      return year * 100 + month;
    case 'monthYear':
      return `${two(month)}${year}`;
    case 'month/year':
      return `${two(month)}/${year}`;
    case 'year':
      return year;
    case 'monthName':
      return `${MONTHS[month - 1]}-${year}`;
    case 'serial':
      return Math.round(date.getTime() / DAY_MS) + 25_569;
    default:
      throw new Error(`No date of the corpus is written "${form}"`);
  }
}

const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const AMERICAN = new Intl.NumberFormat('en-US', CENTS);
const GERMAN = new Intl.NumberFormat('de-DE', CENTS);

function numberText(value: number, form: string): CorpusValue {
  switch (form) {
    case 'text':
      return String(value);
    case 'percent':
      return `${value.toFixed(2)}%`;
    case 'negative':
      return -value;
    case 'rounded':
      return Math.round(value);
    case 'grouped':
      return AMERICAN.format(value);
    case 'dollars':
      return `$${AMERICAN.format(value)}`;
    case 'comma':
      return value.toFixed(2).replace('.', ',');
    case 'german':
      return GERMAN.format(value);
    default:
      throw new Error(`No number of the corpus is written "${form}"`);
  }
}

/** One step of how a value is written: a factor, the share of rows that have it, what follows it, or a form. */
function written(value: CorpusValue, step: string, loan: Loan): CorpusValue {
  const [word, argument = ''] = [step.slice(0, 1), step.slice(1)];
  if (word === '?') return loan.chance(Number(argument)) ? value : null;
  if (value === null) return null;
  if (word === '+') return `${String(value)}${argument}`;
  if (word === '*' && typeof value === 'number') return Math.round(value * Number(argument) * 1e6) / 1e6;
  if (value instanceof Date) return dateText(value, step);
  if (typeof value === 'number') return numberText(value, step);
  return step === 'text' ? String(value) : value;
}

/** The values of a column from its description: a source and the steps to write it, such as `rate | *0.01 | ?0.9`. */
export function valuesFrom(description: string): Value {
  const [source = '', ...steps] = description.split(' | ');
  const value = sourceOf(source);
  return (loan) => steps.reduce((result: CorpusValue, step) => written(result, step, loan), value(loan));
}

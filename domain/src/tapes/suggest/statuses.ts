import { firstFew } from '../../errors/first-few.ts';
import type { SerializationInput } from '../serialization.schema.ts';
import { ASSET_STATUS_LABELS, type AssetStatus, assetStatusOf } from '../statuses.ts';
import type { ColumnSummary } from './column-summary.ts';
import { foreignStatus } from './foreign-words.ts';

/** Words that servicers write; the first match wins. */
const STATUS_WORDS: readonly (readonly [RegExp, AssetStatus])[] = [
  [
    /\bcharged? ?-?offs?\b|\bco\b|\bchg ?-?off\b|\bcharge ?d ?off\b|\bwrit(e|ten)[- ]?offs?\b|\bwo\b|abgeschrieben/i,
    'chargedOff',
  ],
  [/non[- ]?(perform|accrual)|\bnpl\b/i, 'nonPerformingAsset'],
  [/\bnot? (in |yet )?(default|delinq|late|past)/i, 'current'],
  [
    /default|foreclos|^fc?$|^fcl$|\breo\b|\brepo|bankrupt|^bk$|^bky$|collections?\b|liquidat|litigation|\blegal\b|claim|gekündigt/i,
    'default',
  ],
  [/pre[- ]?paid|pre[- ]?pay|early (pay|settle)/i, 'prePaid'],
  [/(?<!un)paid|\bpif\b|\bclosed|\bsettled|\bmatured|\bcompleted?\b|redeemed|\brepaid|beendet|abgelöst/i, 'paid'],
  // "Cancelado" is paid to a lender in Latin America, and cancelled to others.
  [/cancel(?!ad[oa]\b)|cancld|\bvoid(ed)?\b/i, 'canceled'],
  [/grace|past[- ]?due|overdue|mahnung/i, 'pastDue'],
  [/^0+([ -]*(days?|dpd))?$|^0+ *- *(29|30)\b|up to date|\bon[- ]time\b/i, 'current'],
  [/\blate\b|delinq|arrears|\bdpd\b|\d\s*(-|to|\+)|\bdays\b|\bdown\b|^(30|60|90|120|150|180)$/i, 'delinquent'],
  [/\bslow/i, 'slowPayment'],
  [/^perform/i, 'performingAsset'],
  [/pending|\bcommit(ted)?\b|approved|undisbursed/i, 'pending'],
  [
    /^(c|cur)$|\bcurrent|(?<!in)active|\bopen\b|\bgood\b|\bregular\b|\bissued\b|^exempt$|in ?progress|aktiv|laufend|repay(ment|ing)?$/i,
    'current',
  ],
];

/** The codes of account statuses in the templates of European securitisations. */
const SECURITISATION_CODES: Readonly<Record<string, AssetStatus>> = {
  PERF: 'current',
  RNAR: 'current',
  ARRE: 'delinquent',
  RARR: 'delinquent',
  DFLT: 'default',
  NDFT: 'default',
  DTCR: 'default',
  DADB: 'default',
  RDMD: 'paid',
};

/**
 * Words that belong to one well-known list. If a column has some words of a list, it may have the others in rows that
 * were not read, so all of them are proposed.
 */
const STATUS_LISTS: readonly (readonly string[])[] = [
  ['PIF', 'CHGOFF', 'EXEMPT', 'CANCLD', 'COMMIT'],
  ['Current', 'In Grace Period', 'Late (16-30 days)', 'Late (31-120 days)', 'Default', 'Charged Off', 'Fully Paid'],
  ['30-59 days', '60-89 days', '90-119 days', '120+ days'],
  ['30-59 DPD', '60-89 DPD', '90-119 DPD', '120+ DPD'],
  ['30', '60', '90', '120', '150', '180', 'FC', 'REO', 'BK', 'PIF'],
  Object.keys(SECURITISATION_CODES),
];
const MIN_OF_LIST = 2;
/** A switch takes 200 cases; a column with more words is not a status. */
const MAX_WORDS = 120;

/** Codes that count months or payments past due: 0, 1, 2 or 00, 01, 02. */
const isMonthsCode = (text: string): boolean => /^\d{1,2}$/.test(text);
const LAST_MONTHS_CODE = 60;

export interface StatusReading {
  readonly steps: readonly SerializationInput[];
  /** Share of the rows whose words are recognized. */
  readonly share: number;
  readonly words: string;
  readonly doubt: string | null;
  /** The column counts months past due. */
  readonly isMonthsPastDue: boolean;
}

/** Whether the codes of a column named for delinquency count months past due. */
function countsMonths({ distinct, filled }: ColumnSummary, header: string): boolean {
  if (!/delinq|dlq|dq|arrears|past[ _]?due|missed|behind/i.test(header)) return false;
  const coded = distinct.filter(({ value }) => isMonthsCode(value));
  const rows = coded.reduce((sum, { count }) => sum + count, 0);
  // 30, 60 and 90 are days.
  return rows >= filled.length * 0.6 && !coded.some(({ value }) => Number(value) >= 30);
}

/**
 * Whether the words are letters of a list of the tape's own, such as A to D: some mean nothing to us, so those that happen to
 * mean something to others are no evidence either.
 */
const areOwnCodes = (words: ColumnSummary['words']): boolean =>
  words.length > 1 &&
  words.every(({ value }) => /^\p{L}$/u.test(value.trim())) &&
  words.some(({ value }) => statusMeant(value, false) === null);

export const statusMeant = (value: string, isMonths: boolean): AssetStatus | null => {
  if (isMonths && isMonthsCode(value)) return Number(value) === 0 ? 'current' : 'delinquent';
  const known =
    assetStatusOf(value) ??
    SECURITISATION_CODES[value.trim()] ??
    STATUS_WORDS.find(([pattern]) => pattern.test(value.trim()))?.[1];
  return known ?? foreignStatus(value);
};

/** The statuses that the tape's own words mean. An unrecognized word stays an error that the analyst sees. */
export function readStatuses(summary: ColumnSummary, header: string): StatusReading {
  const { words, filled } = summary;
  const isMonths = countsMonths(summary, header);
  const cases = new Map<AssetStatus, string[]>();
  const known = new Set<string>();
  const add = (value: string): void => {
    const status = statusMeant(value, isMonths);
    if (status === null || known.has(value.toLowerCase())) return;
    known.add(value.toLowerCase());
    if (assetStatusOf(value) === null) cases.set(status, [...(cases.get(status) ?? []), value]);
  };
  if (isMonths) {
    const isPadded = words.some(({ value }) => /^0\d$/.test(value));
    for (let months = 0; months <= LAST_MONTHS_CODE; months += 1)
      add(isPadded ? String(months).padStart(2, '0') : String(months));
  }
  if (!areOwnCodes(words)) for (const { value } of words.slice(0, MAX_WORDS)) add(value);
  for (const list of isMonths ? [] : STATUS_LISTS) {
    if (list.filter((word) => known.has(word.toLowerCase())).length >= MIN_OF_LIST) list.forEach(add);
  }
  const steps: SerializationInput[] = [{ type: 'assetStatus' }];
  if (cases.size > 0) {
    // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited
    const listed = [...cases].map(([status, equals]) => ({ equals, then: status }));
    steps.unshift({ type: 'switchCase', cases: listed, default: { previous: true } });
  }
  const isGuess = !isMonths && areOwnCodes(words);
  const understood = isGuess ? [] : words.filter(({ value }) => statusMeant(value, isMonths) !== null);
  const unknown = isGuess ? words : words.filter(({ value }) => statusMeant(value, isMonths) === null);
  const rowsOf = (some: ColumnSummary['words']): number => some.reduce((sum, { count }) => sum + count, 0);
  return {
    steps,
    share: filled.length === 0 ? 0 : rowsOf(understood) / rowsOf(words),
    words: inWords(understood, isMonths),
    doubt: unknown.length > 0 ? leftOver(unknown) : null,
    isMonthsPastDue: isMonths,
  };
}

const SHOWN = 6;

function inWords(understood: ColumnSummary['words'], isMonths: boolean): string {
  const listed = understood.map(({ value, count }) => {
    const status = statusMeant(value, isMonths)!;
    return `${value} (${count}) is ${ASSET_STATUS_LABELS[status].toLowerCase()}`;
  });
  return firstFew(listed, { most: SHOWN });
}

function leftOver(unknown: ColumnSummary['words']): string {
  const left = unknown.map(({ value, count }) => `${value} (${count})`);
  return `not recognized until you add them to the cases: ${firstFew(left, { most: SHOWN })}`;
}

import type { CalendarDate } from '../dates/calendar-date.ts';
import { daysBetween } from '../dates/calendar-date.ts';
import { valuesOf } from '../documents/labels.ts';
import { absolute, compare, type DecimalText, divide, isZero, max, multiply, subtract, sum } from '../money/decimal.ts';
import { dueDateOf } from '../tapes/tape-due.ts';
import type { ConvertedRoll, RollLine } from './roll-forward.ts';

/** What a borrower's reporting is scored by. Each part has at most 20 points, and together 100. */
export const SCORE_PART_LABELS = {
  errors: 'Errors',
  restatements: 'Restatements',
  lateness: 'Lateness',
  unexplained: 'Unexplained',
  changes: 'Changes',
} as const;
export type ScorePart = keyof typeof SCORE_PART_LABELS;
export const SCORE_PARTS = valuesOf(SCORE_PART_LABELS);

const MAX_POINTS = '20';
/** Decimal places of a share of 1, and of points. */
const SHARE_DIGITS = 6;
const POINT_DIGITS = 1;

/** The value of each part at which no points are left. */
export const NO_POINTS_AT: Readonly<Record<ScorePart, DecimalText>> = {
  errors: '0.05',
  restatements: '2',
  lateness: '10',
  unexplained: '0.02',
  changes: '0.01',
};

/** Lines that explain nothing: what became of their assets is not known from the tapes. */
const UNEXPLAINED: ReadonlySet<RollLine> = new Set([
  'undated',
  'left',
  'currencyChanged',
  'balanceUnknown',
  'withoutId',
  'repeated',
]);

/** What a tape and its comparison with the one before say. */
export interface ReportedTape {
  readonly cutOffDate: CalendarDate;
  /** The day of the upload. */
  readonly uploadedOn: CalendarDate;
  readonly rows: { readonly assets: number; readonly errored: number };
  /** How often its assets were published again, after a correction or with another mapping. */
  readonly restatements: number;
  /** Null: there is no tape before it, or the two cannot be compared. */
  readonly since: {
    readonly total: ConvertedRoll;
    readonly matched: number;
    readonly changed: number;
  } | null;
}

/** The value of each part, from which its points follow; null if it is unknown. */
export type ScoreValues = Readonly<Record<ScorePart, DecimalText | null>>;

export interface ReportingScore {
  readonly values: ScoreValues;
  readonly points: ScoreValues;
  /** Null if a part is unknown. */
  readonly total: DecimalText | null;
}

const shareOf = (part: DecimalText, whole: DecimalText): DecimalText | null =>
  compare(whole, '0') <= 0 ? null : divide(part, whole, SHARE_DIGITS);

/** The share of the opening balance whose change the tapes do not explain; unknown if a currency has no rate. */
function unexplainedOf({ opening, changes, leftOut }: ConvertedRoll): DecimalText | null {
  if (leftOut.length > 0) return null;
  const amounts = changes.filter(({ line }) => UNEXPLAINED.has(line)).map(({ change }) => absolute(change));
  return shareOf(sum(amounts), opening);
}

function measured({ rows, restatements, since, cutOffDate, uploadedOn }: ReportedTape): ScoreValues {
  const read = rows.assets + rows.errored;
  return {
    errors: shareOf(String(rows.errored), String(read)),
    restatements: String(restatements),
    lateness: String(Math.max(0, daysBetween(dueDateOf(cutOffDate), uploadedOn))),
    unexplained: since && unexplainedOf(since.total),
    changes: since && shareOf(String(since.changed), String(since.matched)),
  };
}

/** All points at 0, none from the limit on, and in proportion between them. */
function pointsOf(part: ScorePart, value: DecimalText | null): DecimalText | null {
  if (value === null) return null;
  if (isZero(value)) return MAX_POINTS;
  const lost = divide(multiply(MAX_POINTS, value), NO_POINTS_AT[part], SHARE_DIGITS);
  return divide(max('0', subtract(MAX_POINTS, lost)), '1', POINT_DIGITS);
}

/** The score of a month, of which every part and its points are shown. */
export function reportingScore(tape: ReportedTape): ReportingScore {
  const values = measured(tape);
  const points = Object.fromEntries(SCORE_PARTS.map((part) => [part, pointsOf(part, values[part])])) as ScoreValues;
  const known = SCORE_PARTS.flatMap((part) => points[part] ?? []);
  return { values, points, total: known.length === SCORE_PARTS.length ? sum(known) : null };
}

import type { CovenantView, ResultView } from '@tapeline/db/operations/covenants/covenants.ts';
import { COVENANT_STATES, type CovenantState } from '@tapeline/domain/covenants/covenant-labels.ts';
import { expectedTest, reportedBy } from '@tapeline/domain/covenants/covenant-state.ts';
import { bareFigure, covenantFigure } from '@tapeline/domain/covenants/covenant-words.ts';
import { limitOn } from '@tapeline/domain/covenants/test-covenant.ts';
import { latestTestDate } from '@tapeline/domain/covenants/test-dates.ts';
import { type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { formatShort } from '@tapeline/domain/money/format-figure.ts';

type Unit = Pick<CovenantView, 'unit' | 'currency'>;

/** A figure of a test as a list shows it: amounts are short. */
export const shortFigure = (of: Unit, value: DecimalText): string =>
  of.unit === 'money' ? formatShort(value, 2) : covenantFigure(of, value);

const shortDistance = (of: Unit, value: DecimalText): string =>
  of.unit === 'money' ? formatShort(value, 2) : of.unit === 'times' ? covenantFigure(of, value) : bareFigure(of, value);

const SIGNS = { atMost: '≤', atLeast: '≥' } as const;

/** "≤ 5.00%". */
export const limitText = (of: Unit & Pick<CovenantView, 'bound'>, limit: DecimalText): string =>
  `${SIGNS[of.bound]} ${shortFigure(of, limit)}`;

/** "Aug to Oct 2026" for the average of several periods; a day for one. */
export function periodText(periods: ResultView['periods']): string {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) return '';
  const to = formatCalendarDate(last.to);
  if (periods.length === 1) return to;
  const from = formatCalendarDate(first.to);
  const [, month, year] = from.split(' ');
  return `${month}${year === to.split(' ')[2] ? '' : ` ${year}`} to ${to.split(' ').slice(1).join(' ')}`;
}

/** Whether the latest result says how the covenant stands. */
const counts = (state: CovenantState): boolean => state !== 'unknown' && state !== 'notTested';

/** The first later limit: "4.75% from 30 Apr 2027". */
function nextStep(covenant: CovenantView, on: CalendarDate): string | null {
  const step = covenant.steps.find(({ from }) => from > on);
  return step ? `${shortFigure(covenant, step.limit)} from ${formatCalendarDate(step.from)}` : null;
}

const dayAfter = (words: string, date: CalendarDate | null): string | null =>
  date === null ? null : `${words} ${formatCalendarDate(date)}`;

/** What a list says under the state of a covenant. */
function stateNote(covenant: CovenantView, today: CalendarDate): string | null {
  const [latest] = covenant.results;
  const { warningDistance } = covenant;
  switch (covenant.state) {
    case 'breached':
      if (latest?.requestedWaiver) return 'waiver to decide';
      if (!latest?.cureUntil) return dayAfter('since', latest?.testedAt.slice(0, 10) ?? null);
      return dayAfter(latest.cureUntil < today ? 'days to cure ended' : 'cure until', latest.cureUntil);
    case 'unknown': {
      const expected = expectedTest(covenant, today);
      return expected && dayAfter('figures were due by', reportedBy(expected, covenant));
    }
    case 'warning':
      return warningDistance == null ? null : `less than ${shortDistance(covenant, warningDistance)} left`;
    case 'waived':
      return dayAfter('until', latest?.waivedUntil ?? null);
    case 'cured':
      return dayAfter('on', latest?.curedOn ?? null);
    case 'notApplicable':
      return 'its condition is not met';
    case 'met':
    case 'notTested': {
      const due = latestTestDate(covenant, today);
      if (covenant.state === 'met' && (due === null || due === latest?.testDate)) return null;
      return dayAfter('figures due by', reportedBy(due ?? covenant.firstTest, covenant));
    }
  }
}

/** What its value is, out of its limit: 0.1 if a tenth of the limit is left, negative beyond it. Null if unknown. */
function headroomShare({ headroom, limitValue }: Pick<ResultView, 'headroom' | 'limitValue'>): number | null {
  if (headroom === null || limitValue === null) return null;
  const limit = Math.abs(Number(limitValue));
  return limit === 0 ? Math.sign(Number(headroom)) : Number(headroom) / limit;
}

const TREND_RESULTS = 6;

/** A covenant as a line of a list. */
export function shownCovenant(covenant: CovenantView, today: CalendarDate) {
  const { id, title, companyName, transactionTitle, noteTitle, state, nextTest, results } = covenant;
  const [latest] = results;
  const expected = expectedTest(covenant, today);
  const isKnown = counts(state) && state !== 'notApplicable' && latest !== undefined;
  const on = isKnown ? latest.testDate : (expected ?? nextTest);
  const limit = isKnown ? latest.limitValue : limitOn(covenant.steps, on);
  const period = isKnown ? periodText(latest.periods) : formatCalendarDate(on);
  const tested = results.filter(({ outcome }) => outcome !== 'notApplicable').slice(0, TREND_RESULTS);
  return {
    id,
    title,
    company: companyName,
    transaction: transactionTitle,
    note: noteTitle,
    state,
    stateNote: stateNote(covenant, today),
    now: isKnown ? shortFigure(covenant, latest.value) : null,
    period: covenant.unit === 'money' && covenant.currency ? `${period}, ${covenant.currency}` : period,
    limit: limit === null ? null : limitText(covenant, limit),
    limitValue: limit === null ? null : Number(limit),
    nextLimit: nextStep(covenant, on),
    headroom: isKnown && latest.headroom !== null ? shortDistance(covenant, latest.headroom) : null,
    headroomShare: isKnown ? headroomShare(latest) : null,
    /** The last values, the earliest first. */
    trend: tested.map(({ value }) => Number(value)).reverse(),
    nextTest,
  };
}
export type ShownCovenant = ReturnType<typeof shownCovenant>;

/** The most urgent first: by state, then by the share of the limit that is left. */
export const byCovenantUrgency = (one: ShownCovenant, other: ShownCovenant): number =>
  COVENANT_STATES.indexOf(one.state) - COVENANT_STATES.indexOf(other.state) ||
  (one.headroomShare ?? 0) - (other.headroomShare ?? 0) ||
  one.company.localeCompare(other.company) ||
  one.title.localeCompare(other.title);

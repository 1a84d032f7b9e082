import { CONSEQUENCE_LABELS, COVENANT_BOUND_LABELS } from '@tapeline/domain/covenants/covenant-labels.ts';
import { formatCalendarDate, isCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { FREQUENCY_LABELS } from '@tapeline/domain/dates/reporting-periods.ts';

/** The fields of the form as they are entered. */
export interface EnteredTest {
  readonly title?: string | undefined;
  readonly formula?: string | undefined;
  readonly unit?: string | undefined;
  readonly currency?: string | undefined;
  readonly bound?: string | undefined;
  readonly steps?: readonly ({ from?: string | undefined; limit?: string | undefined } | undefined)[] | undefined;
  readonly frequency?: string | undefined;
  readonly firstTest?: string | undefined;
  readonly periods?: string | undefined;
  readonly cureDays?: string | undefined;
  readonly consequence?: string | undefined;
}

const labelOf = (labels: Readonly<Record<string, string>>, value: string | undefined): string | undefined =>
  value !== undefined && Object.hasOwn(labels, value) ? labels[value] : undefined;

const PERIODS: Readonly<Record<string, string>> = {
  monthly: 'months',
  quarterly: 'quarters',
  halfYearly: 'half-years',
  yearly: 'years',
};

function withUnit(limit: string, unit: string | undefined, currency: string | undefined): string {
  if (unit === 'percent') return `${limit.replace(/\s*%$/, '')}%`;
  if (unit === 'times') return `${limit.replace(/\s*x$/i, '')}x`;
  return unit === 'money' && currency ? `${limit} ${currency}` : limit;
}

const day = (date: string): string => (isCalendarDate(date) ? formatCalendarDate(date) : date);

/** What a test says, in one sentence and one about its breach. Null until its figure and its first limit are entered. */
export function testInWords(test: EnteredTest): string | null {
  const formula = test.formula?.trim();
  const steps = (test.steps ?? []).flatMap((step) =>
    step?.limit?.trim() ? [{ ...step, limit: step.limit.trim() }] : [],
  );
  const [first, ...later] = steps;
  const bound = labelOf(COVENANT_BOUND_LABELS, test.bound)?.toLowerCase();
  if (!formula || !first || !bound) return null;
  const count = Number(test.periods);
  const frequency = labelOf(FREQUENCY_LABELS, test.frequency);
  const what = formula.replaceAll(/[[\]]/g, '').replaceAll('*', '×');
  const subject =
    Number.isInteger(count) && count > 1
      ? `the average of ${count} ${PERIODS[test.frequency ?? ''] ?? 'periods'} of ${what}`
      : what;
  const limits = [
    `${bound} ${withUnit(first.limit, test.unit, test.currency)}`,
    ...later.map(
      ({ from, limit }) => `${withUnit(limit, test.unit, test.currency)}${from ? ` from ${day(from)}` : ''}`,
    ),
  ].join(', then ');
  const since = test.firstTest ? ` from ${day(test.firstTest)}` : '';
  const cure = Number(test.cureDays);
  const follows = labelOf(CONSEQUENCE_LABELS, test.consequence);
  const breach = [
    ...(follows ? [`If it is breached: ${follows.charAt(0).toLowerCase()}${follows.slice(1)}`] : []),
    ...(Number.isInteger(cure) && cure > 0 ? [`${cure} business ${cure === 1 ? 'day' : 'days'} to cure`] : []),
  ].join(', ');
  return `${frequency ?? 'On each test date'}${since}: ${subject} must be ${limits}.${breach ? ` ${breach}.` : ''}`;
}

import { formatCalendarDate, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { LineChart } from '../../components/charts/line-chart.tsx';
import { Section } from '../../components/page/section.tsx';

/** Figures at month ends, and on the last day. Floating point is used for drawing only. */
interface Course {
  readonly currency: string;
  readonly ratesDate: string | null;
  readonly points: readonly {
    readonly day: string;
    readonly called: DecimalText;
    readonly distributed: DecimalText;
    readonly nav: DecimalText | null;
  }[];
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const CHART_HEIGHT_PX = 124;

/** "Oct 2026"; the last point is a day of its own. */
const labelsOf = (points: Course['points']): string[] =>
  points.map(({ day }, index) =>
    index === points.length - 1 ? formatCalendarDate(day) : MONTH.format(toEpochDay(day) * 86_400_000),
  );

const number = (value: DecimalText | null): number | null => (value === null ? null : Number(value));

/** Called, distributed and NAV over time. */
export function CapitalChart({ course: { points, currency, ratesDate } }: { course: Course }) {
  const title = 'Called, distributed and NAV';
  if (points.length < 2) {
    return (
      <Section title={title}>
        <p className="text-sm text-ink-2">The chart starts at the second month-end after the first closing.</p>
      </Section>
    );
  }
  return (
    <LineChart
      title={title}
      note={[
        `month ends, ${currency}`,
        ...(ratesDate ? [`at rates of ${formatCalendarDate(ratesDate)}`] : []),
        ...(points.some(({ nav }) => nav === null) ? ['gaps: NAV incomplete'] : []),
      ].join(', ')}
      heightPx={CHART_HEIGHT_PX}
      points={labelsOf(points)}
      series={[
        { label: 'Called', colour: 1, values: points.map(({ called }) => number(called)) },
        { label: 'NAV', colour: 3, values: points.map(({ nav }) => number(nav)) },
        { label: 'Distributed', colour: 2, values: points.map(({ distributed }) => number(distributed)) },
      ]}
      named
    />
  );
}

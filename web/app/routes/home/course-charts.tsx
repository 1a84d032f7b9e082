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
const TALL_PX = 240;

/** "Oct 2026"; the last point is a day of its own. */
const labelsOf = (points: Course['points']): string[] =>
  points.map(({ day }, index) =>
    index === points.length - 1 ? formatCalendarDate(day) : MONTH.format(toEpochDay(day) * 86_400_000),
  );

/**
 * What the chart says where the line of the NAV breaks, because a fund has no NAV for that day: "NAV from Mar 2024",
 * "no complete NAV from Apr 2026 to Jun 2026".
 */
export function navGapWords(points: Course['points']): string[] {
  const labels = labelsOf(points);
  const known = points.flatMap(({ nav }, index) => (nav === null ? [] : [index]));
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return ['no complete NAV'];
  const gaps = points.flatMap(({ nav }, index) => (nav === null && index > first ? [index] : []));
  const [from, to] = [gaps[0], gaps.at(-1)];
  return [
    ...(first > 0 ? [`NAV from ${labels[first]}`] : []),
    ...(from === undefined || to === undefined
      ? []
      : gaps.length !== to - from + 1
        ? [`no complete NAV for ${gaps.length} of ${points.length - first} dates`]
        : from === to
          ? [`no complete NAV for ${labels[from]}`]
          : [`no complete NAV from ${labels[from]} to ${labels[to]}`]),
  ];
}

const number = (value: DecimalText | null): number | null => (value === null ? null : Number(value));

/** Called, distributed and NAV over time. @param isTall on the page of a fund, whose chart comes first */
export function CapitalChart({
  course: { points, currency, ratesDate },
  isTall = false,
}: {
  course: Course;
  isTall?: boolean;
}) {
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
        ...navGapWords(points),
      ].join(', ')}
      heightPx={isTall ? TALL_PX : CHART_HEIGHT_PX}
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

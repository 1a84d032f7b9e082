import { formatCalendarDate, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { LineChart } from '../../components/charts/line-chart.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PanelSection } from '../../components/page/section.tsx';

/** Figures at month ends, and on the last day. Floating point is used for drawing only. */
interface Course {
  readonly currency: string;
  readonly ratesDate: string | null;
  readonly points: readonly {
    readonly day: string;
    readonly committed: DecimalText;
    readonly called: DecimalText;
    readonly distributed: DecimalText;
    readonly nav: DecimalText | null;
    readonly netIrr: { readonly percent: DecimalText | null };
  }[];
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "Oct 2026"; the last point is a day of its own. */
const labelsOf = (points: Course['points']): string[] =>
  points.map(({ day }, index) =>
    index === points.length - 1 ? formatCalendarDate(day) : MONTH.format(toEpochDay(day) * 86_400_000),
  );

const number = (value: DecimalText | null): number | null => (value === null ? null : Number(value));

function NoCourse({ title }: { title: string }) {
  return (
    <PanelSection title={title}>
      <EmptyState title="Nothing to draw yet">
        The chart starts at the second month-end after the first closing.
      </EmptyState>
    </PanelSection>
  );
}

/** Called, distributed and NAV over time, and what is committed. */
export function CapitalChart({ course: { points, currency, ratesDate } }: { course: Course }) {
  const title = 'Called, distributed and NAV';
  if (points.length < 2) return <NoCourse title={title} />;
  return (
    <LineChart
      title={title}
      note={[
        `cumulative, ${currency}, month ends to ${formatCalendarDate(points.at(-1)!.day)}`,
        ...(ratesDate ? [`at rates of ${formatCalendarDate(ratesDate)}`] : []),
      ].join(', ')}
      points={labelsOf(points)}
      series={[
        { label: 'Called', values: points.map(({ called }) => number(called)) },
        { label: 'NAV', values: points.map(({ nav }) => number(nav)) },
        { label: 'Distributed', values: points.map(({ distributed }) => number(distributed)) },
        { label: 'Committed', values: points.map(({ committed }) => number(committed)) },
      ]}
    />
  );
}

/** The net IRR over time, from the day that it is shown. */
export function ReturnChart({ course: { points } }: { course: Course }) {
  const title = 'Net IRR over time';
  const shown = points.slice(points.findIndex(({ netIrr }) => netIrr.percent !== null));
  if (shown.length < 2 || shown[0]?.netIrr.percent == null) return <NoCourse title={title} />;
  return (
    <LineChart
      title={title}
      note={`% a year, since the first call, to ${formatCalendarDate(points.at(-1)!.day)}`}
      points={labelsOf(shown)}
      series={[{ label: 'Net IRR (%)', values: shown.map(({ netIrr }) => number(netIrr.percent)) }]}
      format={(value) => `${value.toFixed(2)}%`}
    />
  );
}

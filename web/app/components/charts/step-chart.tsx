import { calendarDateOf, formatCalendarDate, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { ShortNumber, Unknown } from '../figures/figures.tsx';
import { tickLabel, ValueAxis } from './axes.tsx';
import { ChartFigure, type ChartFigureProps, Legend, type NamedSeries, seriesColour } from './chart-figure.tsx';
import { linePath, valueScale } from './scales.ts';
import { useMeasuredWidth } from './use-measured-width.ts';

export interface StepSeries extends NamedSeries {
  /** The value from each date until the next, the earliest first. Floating point is used for drawing only. */
  steps: readonly { date: string; value: number }[];
}

const HEIGHT = 200;
const MARGINS = { top: 14, right: 16, bottom: 30, left: 52 };
const DASHES = [undefined, '6 3', '2 3', '8 3 2 3'];
const LABEL_PX = 90;

/** Up to `most` first days of months between two days, evenly spaced. */
function monthsBetween(from: number, to: number, most: number): number[] {
  const first = new Date(`${fromEpochDay(from).slice(0, 7)}-01T00:00:00Z`);
  const days: number[] = [];
  for (let month = 1; ; month += 1) {
    const day = toEpochDay(calendarDateOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1))));
    if (day > to) break;
    days.push(day);
  }
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, most)));
  return days.filter((_, index) => index % every === 0);
}

const monthLabel = (day: number): string => formatCalendarDate(fromEpochDay(day)).slice(2);

/**
 * Values that change on certain days and stay until the next change, over time.
 * @param until the last day drawn, to which the last values stay
 * @param zero whether the axis starts at zero
 */
export function StepChart({
  series,
  until,
  format,
  zero = true,
  ...figure
}: ChartFigureProps & {
  series: readonly StepSeries[];
  until: string;
  format?: (value: number) => string;
  zero?: boolean;
}) {
  const [box, widthPx] = useMeasuredWidth(700);
  const all = series.flatMap(({ steps }) => steps);
  const last = toEpochDay(until);
  const first = Math.min(last - 1, ...all.map(({ date }) => toEpochDay(date)));
  const values = all.map(({ value }) => value);
  const x = valueScale([first, last], [MARGINS.left, widthPx - MARGINS.right]);
  const y = valueScale(
    [zero ? Math.min(0, ...values) : Math.min(...values), Math.max(...values, zero ? 0 : -Infinity) || 1],
    [HEIGHT - MARGINS.bottom, MARGINS.top],
    { nice: 4 },
  );
  const path = (points: readonly { day: number; value: number }[]) =>
    linePath(
      points.map(({ day, value }) => [x(day), y(value)]),
      true,
    );
  const pointsOf = ({ steps }: StepSeries) => {
    const points = steps.map(({ date, value }) => ({ day: toEpochDay(date), value }));
    const end = points.at(-1);
    return end ? [...points, { day: last, value: end.value }] : [];
  };
  const dates = [...new Set(all.map(({ date }) => date))].sort().reverse();
  const valueOn = ({ steps }: StepSeries, date: string) => steps.findLast((step) => step.date <= date)?.value;
  return (
    <ChartFigure
      {...figure}
      description={`Steps of ${series.map(({ label }) => label).join(', ')} until ${formatCalendarDate(until)}.`}
      table={{
        heads: ['From', ...series.map(({ label }) => label)],
        rows: dates.map((date) => ({
          key: date,
          cells: [
            formatCalendarDate(date),
            ...series.map((entry) => {
              const value = valueOn(entry, date);
              return value === undefined ? (
                <Unknown key={entry.label} reason="No value yet" />
              ) : format ? (
                format(value)
              ) : (
                <ShortNumber key={entry.label} value={value} zero="figure" />
              );
            }),
          ],
        })),
      }}
    >
      <Legend series={series} />
      <div ref={box} className="overflow-hidden">
        <svg viewBox={`0 0 ${widthPx} ${HEIGHT}`} className="block w-full" aria-hidden="true">
          <ValueAxis scale={y} widthPx={widthPx} margins={MARGINS} format={format ?? tickLabel} />
          {monthsBetween(first, last, Math.floor((widthPx - MARGINS.left) / LABEL_PX)).map((day) => (
            <text key={day} x={x(day)} y={HEIGHT - 10} textAnchor="middle" className="fill-ink-3 text-2xs">
              {monthLabel(day)}
            </text>
          ))}
          {series.map((entry, index) => {
            const points = pointsOf(entry);
            const end = points.at(-1);
            return (
              <g key={entry.label}>
                <path
                  d={path(points)}
                  fill="none"
                  stroke={seriesColour(entry, index)}
                  strokeWidth="1.75"
                  strokeLinejoin="round"
                  strokeDasharray={DASHES[index]}
                />
                {end ? <circle cx={x(end.day)} cy={y(end.value)} r="3" fill={seriesColour(entry, index)} /> : null}
              </g>
            );
          })}
        </svg>
      </div>
    </ChartFigure>
  );
}

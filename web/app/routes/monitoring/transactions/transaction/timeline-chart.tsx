import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { DATE_RANGE_LABELS } from '@tapeline/domain/facilities/terms.schema.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import type { TransactionPage } from '../transaction-page.server.ts';
import { partsBetween, placeDates, yearMarks } from './timeline-places.ts';

const WIDTH = 1000;
const SIDE = 8;
/** Half the width of the word "Today", which stays inside the chart. */
const TODAY_HALF = 18;
/** Width of a character of a label, generously, so that the line of today keeps clear of it. */
const CHARACTER_PX = 6.8;
const YEAR_PX = 30;
const ROW = 22;
const TOP = 26;

/** The dates of the terms in force on a line, with today and the revolving period. Drawn on the server. */
export function TimelineChart({ page }: { page: TransactionPage }) {
  const { timeline, today } = page;
  const entries = Object.entries(timeline ?? {})
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .sort(([, a], [, b]) => a.localeCompare(b));
  if (!timeline || entries.length < 2) return null;
  const { xOf, first, last } = placeDates(
    entries.map(([, day]) => day),
    today,
    WIDTH,
    SIDE,
  );
  const height = TOP + entries.length * ROW + 8;
  const { revolvingStart, revolvingEnd, maturity, gracePeriod } = timeline;
  const band = (from: string | null | undefined, to: string | null | undefined, colour: string, label: string) =>
    from && to && from < to ? (
      <rect
        x={xOf(from)}
        y={TOP - 6}
        width={Math.max(1, xOf(to) - xOf(from))}
        height={height - TOP}
        fill={colour}
        opacity={0.14}
      >
        <title>{label}</title>
      </rect>
    ) : null;
  const todayX = xOf(today);
  const rows = entries.map(([date, day], index) => {
    const [x, y] = [xOf(day), TOP + index * ROW + 8];
    const isLate = x > WIDTH * 0.62;
    const label = labelOf(DATE_RANGE_LABELS, date);
    const labelPx = 13 + `${label} ${formatCalendarDate(day)}`.length * CHARACTER_PX;
    const [left, right] = isLate ? [x - labelPx, x + 6] : [x - 6, x + labelPx];
    return { date, day, label, x, y, isLate, isOnToday: left < todayX && todayX < right };
  });
  const labelsOnToday = rows.filter(({ isOnToday }) => isOnToday).map(({ y }) => ({ top: y - 8, bottom: y + 8 }));
  const spoken = entries
    .map(([date, day]) => `${labelOf(DATE_RANGE_LABELS, date)} ${formatCalendarDate(day)}`)
    .join(', ');
  return (
    <PanelSection title="Timeline" note={`terms in force, today ${formatCalendarDate(today)}`} padded>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label="Timeline, scrolls sideways" tabIndex={0} className="relative overflow-x-auto">
        <svg
          role="img"
          aria-label={`Timeline: ${spoken}`}
          viewBox={`0 0 ${WIDTH} ${height}`}
          className="w-full min-w-[60rem]"
        >
          {band(revolvingStart, revolvingEnd, 'var(--chart-1)', 'Revolving period')}
          {band(revolvingEnd, gracePeriod, 'var(--chart-3)', 'Grace period')}
          {yearMarks(first, last).map((year) => (
            <g key={year}>
              <line x1={xOf(year)} x2={xOf(year)} y1={TOP - 6} y2={height} stroke="var(--line)" strokeWidth={1} />
              {xOf(year) + YEAR_PX > todayX - TODAY_HALF && xOf(year) < todayX + TODAY_HALF ? null : (
                <text x={xOf(year) + 3} y={12} fontSize={11} fill="var(--ink-3)">
                  {year.slice(0, 4)}
                </text>
              )}
            </g>
          ))}
          {rows.map(({ date, day, label, x, y, isLate }) => {
            const isMain = date === 'maturity' || date === 'contractSigning';
            return (
              <g key={date}>
                <line x1={SIDE} x2={WIDTH - SIDE} y1={y} y2={y} stroke="var(--line)" strokeWidth={0.5} />
                <circle
                  cx={x}
                  cy={y}
                  r={isMain ? 5 : 4}
                  fill={day === maturity ? 'var(--chart-2)' : 'var(--chart-1)'}
                  stroke="var(--paper)"
                  strokeWidth={1.5}
                />
                <text
                  x={isLate ? x - 9 : x + 9}
                  y={y + 4}
                  textAnchor={isLate ? 'end' : 'start'}
                  fontSize={12}
                  fill="var(--ink)"
                  fontWeight={isMain ? 600 : 400}
                >
                  {label}
                  <tspan fill="var(--ink-2)" fontWeight={400}>
                    {` ${formatCalendarDate(day)}`}
                  </tspan>
                </text>
              </g>
            );
          })}
          {partsBetween([TOP - 8, height], labelsOnToday).map(([from, to]) => (
            <line
              key={from}
              x1={todayX}
              x2={todayX}
              y1={from}
              y2={to}
              stroke="var(--danger)"
              strokeWidth={1.5}
              strokeDasharray="4 3"
            />
          ))}
          <text
            x={Math.min(Math.max(todayX, TODAY_HALF), WIDTH - TODAY_HALF)}
            y={TOP - 12}
            textAnchor="middle"
            fontSize={11}
            fontWeight={600}
            fill="var(--danger)"
          >
            Today
          </text>
        </svg>
      </section>
    </PanelSection>
  );
}

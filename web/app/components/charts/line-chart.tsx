import { scaleLinear, scalePoint } from 'd3-scale';
import { line } from 'd3-shape';
import { type PointerEvent, useState } from 'react';
import { formatShort } from '../../figures/format.ts';
import { ShortNumber, Unknown } from '../figures/figures.tsx';
import { tickLabel, ValueAxis } from './axes.tsx';
import { ChartFigure, type ChartFigureProps, colourAt, Legend } from './chart-figure.tsx';
import { useMeasuredWidth } from './use-measured-width.ts';

export interface LineSeries {
  label: string;
  /** One value a point of `points`; null is unknown and breaks the line. Floating point is for drawing only. */
  values: readonly (number | null)[];
  /** Which of the four chart colours; the series' place where left out. */
  colour?: 1 | 2 | 3 | 4;
}

const HEIGHT = 218;
const MARGINS = { top: 14, right: 20, bottom: 30, left: 52 };
const DASHES = [undefined, undefined, undefined, '5 3'];

/**
 * Up to four series over the same points, oldest first. With script a crosshair names the values under the pointer.
 * @param points labels along the bottom ("Nov", "31 Oct 2026")
 */
export function LineChart({
  points,
  series,
  format = (value) => formatShort(value),
  ...figure
}: ChartFigureProps & {
  points: readonly string[];
  series: readonly LineSeries[];
  format?: (value: number) => string;
}) {
  const [box, widthPx] = useMeasuredWidth(700);
  const [hovered, setHovered] = useState<number | null>(null);
  const known = series.flatMap((entry) => entry.values.filter((value) => value !== null));
  const x = scalePoint<number>()
    .domain(points.map((_, index) => index))
    .range([MARGINS.left, widthPx - MARGINS.right]);
  const y = scaleLinear()
    .domain([Math.min(0, ...known), Math.max(0, ...known) || 1])
    .nice(4)
    .range([HEIGHT - MARGINS.bottom, MARGINS.top]);
  const at = (index: number) => x(index) ?? MARGINS.left;
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => at(index))
    .y((value) => y(value ?? 0));
  const colour = (entry: LineSeries, index: number) =>
    entry.colour ? `var(--chart-${entry.colour})` : colourAt(index);
  const every = Math.max(1, Math.ceil(points.length / Math.max(2, Math.floor(widthPx / 44))));
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const offset = ((event.clientX - bounds.left) / bounds.width) * widthPx;
    const step = x.step() || 1;
    setHovered(Math.max(0, Math.min(points.length - 1, Math.round((offset - MARGINS.left) / step))));
  };
  return (
    <ChartFigure
      {...figure}
      description={`Lines of ${series.map((entry) => entry.label).join(', ')} from ${points[0] ?? ''} to ${points.at(-1) ?? ''}.`}
      table={{
        heads: ['', ...series.map((entry) => entry.label)],
        rows: points.map((point, index) => ({
          key: `${index}-${point}`,
          cells: [
            point,
            ...series.map((entry) => <ShortNumber key={entry.label} value={entry.values[index] ?? null} />),
          ],
        })),
      }}
    >
      {series.length > 1 ? (
        <Legend items={series.map((entry, index) => ({ label: entry.label, colour: colour(entry, index) }))} />
      ) : null}
      <div ref={box} className="relative overflow-hidden">
        <svg
          viewBox={`0 0 ${widthPx} ${HEIGHT}`}
          className="block w-full"
          aria-hidden="true"
          onPointerMove={follow}
          onPointerLeave={() => setHovered(null)}
        >
          <ValueAxis scale={y} widthPx={widthPx} margins={MARGINS} format={tickLabel} />
          {points.map((point, index) =>
            (points.length - 1 - index) % every === 0 ? (
              <text
                // biome-ignore lint/suspicious/noArrayIndexKey: two points may have one label, and none ever moves
                key={`${index}-${point}`}
                x={at(index)}
                y={HEIGHT - 10}
                textAnchor="middle"
                className="fill-ink-3 text-2xs"
              >
                {point}
              </text>
            ) : null,
          )}
          {hovered === null ? null : (
            <line
              x1={at(hovered)}
              x2={at(hovered)}
              y1={MARGINS.top}
              y2={HEIGHT - MARGINS.bottom}
              stroke="var(--line-strong)"
            />
          )}
          {series.map((entry, index) => {
            const end = entry.values.findLastIndex((value) => value !== null);
            const shown = hovered ?? end;
            const value = entry.values[shown] ?? null;
            return (
              <g key={entry.label}>
                <path
                  d={path(entry.values as (number | null)[]) ?? ''}
                  fill="none"
                  stroke={colour(entry, index)}
                  strokeWidth="1.75"
                  strokeLinejoin="round"
                  strokeDasharray={DASHES[index]}
                />
                {value === null ? null : <circle cx={at(shown)} cy={y(value)} r="3" fill={colour(entry, index)} />}
              </g>
            );
          })}
        </svg>
        {hovered === null ? null : (
          <div
            className="pointer-events-none absolute top-2 rounded-md border border-line bg-paper px-2.5 py-1.5 text-xs shadow-float"
            style={at(hovered) > widthPx / 2 ? { right: widthPx - at(hovered) + 10 } : { left: at(hovered) + 10 }}
          >
            <p className="font-medium">{points[hovered]}</p>
            {series.map((entry, index) => {
              const value = entry.values[hovered] ?? null;
              return (
                <p key={entry.label} className="figures flex items-center gap-1.5 text-ink-2">
                  <span className="h-[3px] w-2.5 rounded-full" style={{ background: colour(entry, index) }} />
                  {entry.label}
                  <span className="ml-auto pl-3 font-medium text-ink">
                    {value === null ? <Unknown /> : format(value)}
                  </span>
                </p>
              );
            })}
          </div>
        )}
      </div>
    </ChartFigure>
  );
}

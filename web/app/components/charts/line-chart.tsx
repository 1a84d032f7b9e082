import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { type PointerEvent, useState } from 'react';
import { ShortNumber, Unknown } from '../figures/figures.tsx';
import { formatShort } from '../figures/format.ts';
import { tickLabel, ValueAxis } from './axes.tsx';
import { ChartFigure, type ChartFigureProps, Legend, type NamedSeries, seriesColour } from './chart-figure.tsx';
import { type Point, placeNames } from './line-names.ts';
import { linePath, pointScale, valueScale } from './scales.ts';
import { useMeasuredWidth } from './use-measured-width.ts';

export interface LineSeries extends NamedSeries {
  /** One value per point of `points`. Null is unknown and breaks the line. Floating point is used for drawing only. */
  values: readonly (number | null)[];
  /** The reference line that the others are compared with. */
  strong?: boolean;
}

const HEIGHT = 218;
const MARGINS = { top: 14, right: 20, bottom: 30, left: 52 };
const DASHES = [undefined, undefined, undefined, '5 3'];
/** Width for the names at the ends of the lines. */
const NAMES_PX = 76;

/**
 * Shades of one colour, from the first series (lightest) to the last (darkest; in the dark theme the other way round),
 * so that they differ also in greyscale. All of them stand out from the paper.
 */
const shadeAt = (index: number, count: number): string =>
  `color-mix(in oklab, var(--ink) ${Math.round((85 * index) / Math.max(1, count - 1))}%, color-mix(in oklab, var(--chart-1) 65%, var(--paper)))`;

/**
 * Up to four series over the same points, oldest first. With JavaScript, a crosshair shows the values under the
 * pointer.
 * @param points labels along the bottom ("Nov", "31 Oct 2026")
 * @param named shows names at the ends of the lines instead of a legend; an ordered set of series (vintages) can then
 *   have more than four, in shades of one colour
 * @param axis what the points are ("months on book"); they are then numbers, and only multiples of `axisStep` are
 *   labelled
 */
export function LineChart({
  points,
  series,
  format = (value) => formatShort(value),
  named = false,
  axis,
  axisStep,
  heightPx = HEIGHT,
  ...figure
}: ChartFigureProps & {
  points: readonly string[];
  series: readonly LineSeries[];
  format?: (value: number) => string;
  named?: boolean;
  axis?: string;
  axisStep?: number;
  heightPx?: number;
}) {
  const [box, widthPx] = useMeasuredWidth(700);
  const [hovered, setHovered] = useState<number | null>(null);
  const known = series.flatMap((entry) => entry.values.filter((value) => value !== null));
  const at = pointScale(points.length, [MARGINS.left, widthPx - (named ? NAMES_PX : MARGINS.right)]);
  const y = valueScale([Math.min(0, ...known), Math.max(0, ...known) || 1], [heightPx - MARGINS.bottom, MARGINS.top], {
    nice: 4,
  });
  const pointsOf = (values: LineSeries['values']): (Point | null)[] =>
    values.map((value, index) => (value === null ? null : [at(index), y(value)]));
  const shades = series.filter((entry) => !entry.colour);
  const colour = (entry: LineSeries, index: number) => {
    if (named && !entry.colour) return shadeAt(shades.indexOf(entry), shades.length);
    return seriesColour(entry, index);
  };
  const names = named
    ? placeNames(
        series.map(({ label, values }) => ({ name: label, points: pointsOf(values) })),
        { widthPx, heightPx: heightPx - MARGINS.bottom },
      )
    : [];
  const isLabelled = (point: string, index: number) =>
    axisStep ? Number(point) % axisStep === 0 : (points.length - 1 - index) % every === 0;
  const longest = Math.max(0, ...points.map((point) => point.length));
  // The last label ends at its point where it is long, so that it takes half as much again.
  const labelPx = longest > 5 ? longest * 9 + 12 : 44;
  const every = Math.max(
    1,
    Math.ceil(
      points.length / Math.max(2, Math.floor((widthPx - MARGINS.left - (named ? NAMES_PX : MARGINS.right)) / labelPx)),
    ),
  );
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const offset = ((event.clientX - bounds.left) / bounds.width) * widthPx;
    const step = at.stepPx || 1;
    setHovered(Math.max(0, Math.min(points.length - 1, Math.round((offset - MARGINS.left) / step))));
  };
  return (
    <ChartFigure
      {...figure}
      description={`Lines of ${series.map((entry) => entry.label).join(', ')} from ${points[0] ?? ''} to ${points.at(-1) ?? ''}.`}
      table={{
        heads: [axis ? codeLabel(axis) : '', ...series.map((entry) => entry.label)],
        rows: points.map((point, index) => ({
          key: `${index}-${point}`,
          cells: [
            point,
            ...series.map((entry) => <ShortNumber key={entry.label} value={entry.values[index] ?? null} />),
          ],
        })),
      }}
    >
      {named ? null : <Legend series={series} />}
      <div ref={box} className="relative overflow-hidden">
        <svg
          viewBox={`0 0 ${widthPx} ${heightPx}`}
          height={heightPx}
          className="block w-full"
          aria-hidden="true"
          onPointerMove={follow}
          onPointerLeave={() => setHovered(null)}
        >
          <ValueAxis scale={y} widthPx={widthPx} margins={MARGINS} format={tickLabel} />
          {points.map((point, index) =>
            isLabelled(point, index) ? (
              <text
                // biome-ignore lint/suspicious/noArrayIndexKey: labels can repeat, and the order never changes
                key={`${index}-${point}`}
                x={at(index)}
                y={heightPx - 10}
                textAnchor={index === points.length - 1 && index > 0 && point.length > 6 ? 'end' : 'middle'}
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
              y2={heightPx - MARGINS.bottom}
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
                  d={linePath(pointsOf(entry.values))}
                  fill="none"
                  stroke={colour(entry, index)}
                  strokeLinejoin="round"
                  strokeDasharray={named ? undefined : DASHES[index]}
                  strokeWidth={entry.strong ? 2.5 : 1.75}
                />
                {value === null ? null : <circle cx={at(shown)} cy={y(value)} r="3" fill={colour(entry, index)} />}
              </g>
            );
          })}
          {names.map((name, index) =>
            name ? (
              <text
                key={series[index]?.label}
                x={name.x}
                y={name.y}
                dy="0.32em"
                textAnchor={name.anchor}
                className="fill-ink-2 text-2xs"
              >
                {series[index]?.label}
              </text>
            ) : null,
          )}
        </svg>
        {hovered === null ? null : (
          <div
            className="pointer-events-none absolute top-2 rounded-md border border-line bg-paper px-2.5 py-1.5 text-xs shadow-float"
            style={at(hovered) > widthPx / 2 ? { right: widthPx - at(hovered) + 10 } : { left: at(hovered) + 10 }}
          >
            <p className="font-medium">{axis ? `${points[hovered]} ${axis}` : points[hovered]}</p>
            {series.map((entry, index) => {
              const value = entry.values[hovered] ?? null;
              // With many lines, list only those that have a value at this point.
              if (named && value === null) return null;
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

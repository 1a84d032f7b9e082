import { ShortNumber } from '../figures/figures.tsx';
import { formatShort } from '../figures/format.ts';
import { BandLabel, bandLabelsPx, ValueAxis } from './axes.tsx';
import { ChartFigure, type ChartFigureProps, Legend, type NamedSeries, seriesColour } from './chart-figure.tsx';
import { bandScale, valueScale } from './scales.ts';
import { useMeasuredWidth } from './use-measured-width.ts';

/** Height of the plot and the space above it. The labels under the axis are added to it. */
const PLOT_PX = 190;
/** Limits the width of bars when there are only a few. */
const MAX_BAR_PX = 72;
/** Width of a total or of a date on two lines. Narrower bands are not all labelled. */
const LEAST_LABEL_PX = 44;
const SIDES = { top: 22, right: 16, left: 52 };

/** One bar per label. A null value is unknown: it leaves a gap that says n/a. */
export function BarChart({
  bars,
  colour = 1,
  ...figure
}: ChartFigureProps & { bars: readonly { label: string; value: number | null }[]; colour?: 1 | 2 | 3 | 4 }) {
  return (
    <StackedBarChart
      {...figure}
      labels={bars.map((bar) => bar.label)}
      series={[{ label: 'Value', values: bars.map((bar) => bar.value), colour }]}
    />
  );
}

export interface StackSeries extends NamedSeries {
  /** One value per label, none negative. Null is unknown. */
  values: readonly (number | null)[];
}

/**
 * Up to four series stacked per label, the first at the bottom, with the total above each stack.
 * @param above what stands above each stack instead of its total; null is unknown
 * @param mark a line across the chart, such as a limit
 */
export function StackedBarChart({
  labels,
  series,
  above,
  mark,
  ...figure
}: ChartFigureProps & {
  labels: readonly string[];
  series: readonly StackSeries[];
  above?: readonly (number | null)[];
  mark?: { readonly label: string; readonly value: number };
}) {
  const [box, widthPx] = useMeasuredWidth(700);
  const totals = labels.map((_, index) => series.reduce((total, entry) => total + (entry.values[index] ?? 0), 0));
  const bandPx = (widthPx - SIDES.left - SIDES.right) / Math.max(1, labels.length);
  const labelledEvery = Math.ceil(LEAST_LABEL_PX / bandPx);
  /** Counted from the end, because the last band is the latest. */
  const isLabelled = (index: number) => (labels.length - 1 - index) % labelledEvery === 0;
  const labelPx = bandPx * labelledEvery;
  const margins = {
    ...SIDES,
    bottom: bandLabelsPx(
      labels.filter((_, index) => isLabelled(index)),
      labelPx,
    ),
  };
  const heightPx = PLOT_PX + margins.bottom;
  const x = bandScale(labels.length, [margins.left, widthPx - margins.right], { inner: 0.36, outer: 0.12 });
  const y = valueScale(
    [Math.min(0, ...totals), Math.max(0, ...totals, mark?.value ?? 0) || 1],
    [heightPx - margins.bottom, margins.top],
    { nice: 4 },
  );
  const isUnknown = (index: number) => series.every((entry) => entry.values[index] == null);
  const textAbove = (index: number): string => {
    if (above) return above[index] == null ? 'n/a' : formatShort(above[index]);
    return isUnknown(index) ? 'n/a' : formatShort(totals[index] ?? 0);
  };
  return (
    <ChartFigure
      {...figure}
      description={`Bars of ${series.map((entry) => entry.label).join(', ')} for ${labels.length} groups.`}
      table={{
        heads: ['', ...series.map((entry) => entry.label), ...(series.length > 1 ? ['Total'] : [])],
        rows: labels.map((label, index) => ({
          key: `${index}-${label}`,
          cells: [
            label,
            ...series.map((entry) => <ShortNumber key={entry.label} value={entry.values[index] ?? null} />),
            ...(series.length > 1
              ? [<ShortNumber key="total" value={isUnknown(index) ? null : (totals[index] ?? null)} />]
              : []),
          ],
        })),
      }}
    >
      <Legend series={series} />
      <div ref={box} className="overflow-hidden">
        <svg viewBox={`0 0 ${widthPx} ${heightPx}`} height={heightPx} className="block w-full" aria-hidden="true">
          <ValueAxis scale={y} widthPx={widthPx} margins={margins} />
          {labels.map((label, index) => {
            const barPx = Math.min(x.bandPx, MAX_BAR_PX);
            const left = x(index) + (x.bandPx - barPx) / 2;
            let reached = 0;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: labels can repeat, and the order never changes
              <g key={`${index}-${label}`}>
                {series.map((entry, place) => {
                  const value = entry.values[index] ?? 0;
                  const from = y(reached);
                  reached += value;
                  const to = y(reached);
                  return (
                    <rect
                      key={entry.label}
                      x={left}
                      y={Math.min(from, to)}
                      width={barPx}
                      height={Math.abs(from - to)}
                      rx={series.length === 1 ? 2 : 0}
                      fill={seriesColour(entry, place)}
                    />
                  );
                })}
                {isLabelled(index) ? (
                  <>
                    <text
                      x={left + barPx / 2}
                      y={y(Math.max(0, totals[index] ?? 0)) - 7}
                      textAnchor="middle"
                      className="fill-ink text-xs font-semibold"
                    >
                      {textAbove(index)}
                    </text>
                    <BandLabel
                      endPx={widthPx}
                      x={left + barPx / 2}
                      y={heightPx - margins.bottom + 18}
                      label={label}
                      bandPx={labelPx}
                    />
                  </>
                ) : null}
              </g>
            );
          })}
          {mark ? (
            <g transform={`translate(0 ${y(mark.value)})`}>
              <line x1={margins.left} x2={widthPx - margins.right} stroke="var(--ink-3)" strokeDasharray="4 3" />
              <text
                x={margins.left + 4}
                dy={14}
                // Hides the part of a bar that passes under the text.
                stroke="var(--paper)"
                strokeWidth="4"
                paintOrder="stroke"
                strokeLinejoin="round"
                className="fill-ink-2 text-2xs"
              >
                {mark.label}
              </text>
            </g>
          ) : null}
        </svg>
      </div>
    </ChartFigure>
  );
}

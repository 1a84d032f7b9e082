import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { toNumber } from '@tapeline/domain/money/decimal.ts';
import { Money } from '../figures/figures.tsx';
import { formatFigure, formatShort } from '../figures/format.ts';
import { BandLabel, bandLabelsPx, ValueAxis } from './axes.tsx';
import { ChartFigure, type ChartFigureProps } from './chart-figure.tsx';
import { bandScale, valueScale } from './scales.ts';
import { useMeasuredWidth } from './use-measured-width.ts';

export interface WaterfallStep {
  label: string;
  /** The height of a level, or the change from the previous level (negative for a decrease). */
  value: DecimalText;
  kind: 'level' | 'change';
  /** By default, levels use chart-1 and changes use chart-2. */
  tone?: 'result' | 'quiet';
  /** Where a click leads: the assets behind the value. */
  to?: string;
}

/** Height of the plot and the space above it. The labels under the axis are added to it. */
const PLOT_PX = 196;
const SIDES = { top: 26, right: 16, left: 56 };

function fillOf(step: WaterfallStep): string {
  if (step.tone === 'quiet') return 'var(--chart-4)';
  if (step.tone === 'result') return step.value.startsWith('-') ? 'var(--danger)' : 'var(--chart-good)';
  return step.kind === 'level' ? 'var(--chart-1)' : 'var(--chart-2)';
}

/**
 * Draws a first level, changes and a last level: gross pool to availability. Heights are computed from exact decimals.
 */
export function Waterfall({
  steps,
  currency,
  ...figure
}: ChartFigureProps & { steps: readonly WaterfallStep[]; currency?: string }) {
  const [box, widthPx] = useMeasuredWidth(1176);
  let level = 0;
  const bars = steps.map((step) => {
    const value = toNumber(step.value);
    const from = step.kind === 'level' ? 0 : level;
    level = step.kind === 'level' ? value : level + value;
    return { step, from, to: level };
  });
  const heights = bars.flatMap((bar) => [bar.from, bar.to]);
  const margins = {
    ...SIDES,
    bottom: bandLabelsPx(
      steps.map(({ label }) => label),
      (widthPx - SIDES.left - SIDES.right) / Math.max(1, steps.length),
    ),
  };
  const heightPx = PLOT_PX + margins.bottom;
  const x = bandScale(bars.length, [margins.left, widthPx - margins.right], { inner: 0.36 });
  const y = valueScale(
    [Math.min(0, ...heights), Math.max(0, ...heights) || 1],
    [heightPx - margins.bottom, margins.top],
  );
  // On a narrow screen, scroll the drawing sideways instead of overlapping the labels.
  const minimumPx = steps.length * 74 + 80;
  return (
    <ChartFigure
      {...figure}
      description={steps.map((step) => `${step.label} ${formatShort(step.value)}`).join(', ')}
      table={{
        heads: ['Step', currency ? `Amount (${currency})` : 'Amount'],
        rows: steps.map((step) => ({
          key: step.label,
          cells: [
            step.to ? (
              <a key="link" href={step.to} className="text-accent hover:underline">
                {step.label}
              </a>
            ) : (
              step.label
            ),
            <Money key="amount" value={step.value} />,
          ],
        })),
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className="relative overflow-x-auto" aria-label={`${figure.title}, scrolls horizontally`} tabIndex={0}>
        <div ref={box} style={{ minWidth: minimumPx }}>
          <svg viewBox={`0 0 ${widthPx} ${heightPx}`} className="block w-full" role="presentation">
            <ValueAxis scale={y} widthPx={widthPx} margins={margins} />
            {bars.map((bar, index) => {
              const left = x(index);
              const middle = left + x.bandPx / 2;
              const top = Math.min(y(bar.from), y(bar.to));
              const drawing = (
                <>
                  <title>{`${bar.step.label}: ${formatFigure(bar.step.value)}${currency ? ` ${currency}` : ''}`}</title>
                  <rect
                    x={left}
                    y={top}
                    width={x.bandPx}
                    height={Math.max(Math.abs(y(bar.from) - y(bar.to)), 1)}
                    rx="2"
                    fill={fillOf(bar.step)}
                  />
                  <text x={middle} y={top - 7} textAnchor="middle" className="fill-ink text-xs font-semibold">
                    {formatShort(bar.step.value)}
                  </text>
                </>
              );
              return (
                <g key={bar.step.label}>
                  {index + 1 < bars.length ? (
                    <line
                      x1={left + x.bandPx}
                      x2={x(index + 1)}
                      y1={y(bar.to)}
                      y2={y(bar.to)}
                      stroke="var(--line-strong)"
                      strokeDasharray="2 3"
                    />
                  ) : null}
                  {bar.step.to ? (
                    <a
                      href={bar.step.to}
                      className="hover:opacity-85"
                      aria-label={`${bar.step.label} ${formatShort(bar.step.value)}`}
                    >
                      {drawing}
                    </a>
                  ) : (
                    <g>{drawing}</g>
                  )}
                  <BandLabel
                    endPx={widthPx}
                    x={middle}
                    y={heightPx - margins.bottom + 18}
                    label={bar.step.label}
                    bandPx={x.stepPx}
                  />
                </g>
              );
            })}
          </svg>
        </div>
      </section>
    </ChartFigure>
  );
}

import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface KeyFigure {
  label: string;
  /** Beside the label: the last digits of an account. */
  aside?: string;
  /** The figure itself, usually <ShortNumber> or <Money>. */
  value: ReactNode;
  /** Currency, % or another unit, in small print after the figure. */
  unit?: string | null;
  /** Shown below the figure: change, as-of date, or what it is a share of. */
  note?: ReactNode;
  tone?: 'good' | 'danger';
  /** Link to the page that shows how the figure is composed. */
  to?: string;
  /** Recent values, oldest first, drawn as a sparkline. */
  trend?: readonly number[];
}

const NOTE_TONES = { good: 'text-good', danger: 'text-danger' } as const;

function Trend({ values }: { values: readonly number[] }) {
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const points = values.map((value, index) => {
    const x = (index / Math.max(values.length - 1, 1)) * 46 + 1;
    const y = 15 - ((value - low) / span) * 14;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg aria-hidden="true" viewBox="0 0 48 16" className="h-4 w-12 flex-none">
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--chart-1)"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** The strip of two to six figures at the top of a page. */
export function KeyFigures({ figures, label = 'Key figures' }: { figures: readonly KeyFigure[]; label?: string }) {
  return (
    <section aria-label={label} className="@container mb-6">
      <dl className="flex flex-wrap overflow-hidden rounded-lg border border-line bg-line gap-px">
        {figures.map((figure) => (
          <div
            key={`${figure.label} ${figure.aside}`}
            className="relative min-w-[9.5rem] flex-auto bg-paper px-[18px] pt-[13px] pb-3.5 max-sm:min-w-min max-sm:basis-2/5 max-sm:px-3.5"
          >
            <dt className="text-xs text-ink-2">
              {figure.to ? (
                <Link to={figure.to} className="after:absolute after:inset-0 hover:text-accent">
                  {figure.label}
                </Link>
              ) : (
                figure.label
              )}
              {figure.aside ? <span className="float-right ml-4 font-mono text-2xs">{figure.aside}</span> : null}
            </dt>
            <dd className="figures text-2xl font-semibold tracking-[-0.02em] whitespace-nowrap">
              {figure.value}
              {figure.unit ? (
                <small className="ml-1 text-sm font-medium tracking-normal text-ink-3">{figure.unit}</small>
              ) : null}
            </dd>
            {figure.note || figure.trend ? (
              <dd
                className={classNames(
                  'flex items-end justify-between gap-2 text-xs',
                  // In a long strip, the figures alone decide how many fit side by side; a long note wraps.
                  figures.length > 4 && 'w-0 min-w-full',
                  figure.tone ? NOTE_TONES[figure.tone] : 'text-ink-3',
                )}
              >
                <span>{figure.note}</span>
                {figure.trend && figure.trend.length > 1 ? <Trend values={figure.trend} /> : null}
              </dd>
            ) : null}
          </div>
        ))}
      </dl>
    </section>
  );
}

import { type ReactNode, useId } from 'react';
import { Panel } from '../page/section.tsx';

/** The figures of a chart as rows. The first cell of each row is its header. */
export interface ChartTable {
  heads: readonly ReactNode[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

export interface ChartFigureProps {
  title: string;
  /** Unit, period and as-of date, in small print next to the title. */
  note?: ReactNode;
  /** A control that selects what is drawn, to the right of the title. */
  control?: ReactNode;
}

/**
 * Frames a chart with a title, a note and the switch "View as table". The switch is a checkbox and CSS, so it works
 * without JavaScript. The drawing is hidden from screen readers, which get the table through the same switch and a
 * one-line description.
 */
export function ChartFigure({
  title,
  note,
  control,
  description,
  table,
  children,
}: ChartFigureProps & { description: string; table: ChartTable; children: ReactNode }) {
  const id = useId();
  return (
    <figure aria-labelledby={id} className="chart-figure mb-[26px] min-w-0">
      <figcaption className="mb-2.5 flex items-baseline gap-x-2.5 gap-y-1 max-sm:flex-wrap">
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2.5">
          <h2 id={id} className="text-base font-semibold tracking-[-0.005em]">
            {title}
          </h2>
          {note ? <span className="text-xs text-ink-3">{note}</span> : null}
        </span>
        {control ? (
          <div className="no-print -my-1.5 ml-auto max-sm:order-last max-sm:my-0 max-sm:w-full">{control}</div>
        ) : null}
        <label className="tap-text no-print ml-auto flex-none rounded-sm sm:[div+&]:ml-1.5 text-xs font-medium text-accent hover:underline has-focus-visible:outline-2 has-focus-visible:outline-accent">
          <input type="checkbox" className="chart-switch sr-only" aria-label={`${title} as a table`} />
          <span aria-hidden="true">
            <span className="when-drawing">View as table</span>
            <span className="when-table">View as chart</span>
          </span>
        </label>
      </figcaption>
      <Panel>
        <div className="chart-drawing">
          <p className="sr-only">{description}</p>
          {children}
        </div>
        <div className="chart-table relative overflow-x-auto">
          <table className="w-full border-collapse text-sm">
            <caption className="sr-only">{title}</caption>
            <thead>
              <tr className="border-b border-line">
                {table.heads.map((head, index) => (
                  <th
                    // biome-ignore lint/suspicious/noArrayIndexKey: the order of the headers never changes
                    key={index}
                    scope="col"
                    className={`h-8 px-3 text-xs font-medium whitespace-nowrap text-ink-3 ${index === 0 ? 'text-left' : 'text-right'}`}
                  >
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={row.key} className="border-b border-line last:border-b-0">
                  {row.cells.map((cell, index) =>
                    index === 0 ? (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the order of the cells never changes
                      <th key={index} scope="row" className="h-8 px-3 text-left font-normal whitespace-nowrap">
                        {cell}
                      </th>
                    ) : (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the order of the cells never changes
                      <td key={index} className="figures h-8 px-3 text-right whitespace-nowrap">
                        {cell}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
    </figure>
  );
}

/** Colors of the series in order. A fifth series repeats the first colour, so use at most four. */
export const CHART_COLOURS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)'] as const;

export const colourAt = (index: number): string => CHART_COLOURS[index % CHART_COLOURS.length] ?? CHART_COLOURS[0];

/** What a legend says of a series. */
export interface NamedSeries {
  label: string;
  /** One of the four chart colours. If omitted, the position of the series. */
  colour?: 1 | 2 | 3 | 4;
}

export const seriesColour = ({ colour }: NamedSeries, index: number): string =>
  colour ? `var(--chart-${colour})` : colourAt(index);

/** Names of the series with their colours, if there are several. A dash pattern or the order distinguishes them in greyscale. */
export function Legend({ series }: { series: readonly NamedSeries[] }) {
  if (series.length < 2) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 pt-3 text-xs text-ink-2">
      {series.map((entry, index) => (
        <li key={entry.label} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="h-[3px] w-2.5 rounded-full"
            style={{ background: seriesColour(entry, index) }}
          />
          {entry.label}
        </li>
      ))}
    </ul>
  );
}

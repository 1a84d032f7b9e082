import type { ReactNode } from 'react';
import { Section } from '../page/section.tsx';

export interface HeatMapProps {
  title: string;
  note?: ReactNode;
  more?: ReactNode;
  /** What the rows and the columns are: "30 Sep \ 31 Oct". */
  corner: string;
  columns: readonly string[];
  rows: readonly {
    label: string;
    /** A share in points 0 to 100 a column; null is unknown. `to` makes the cell a link to what it counts. */
    cells: readonly { points: number | null; to?: string }[];
  }[];
  /**
   * What a cell means, for its colour: staying is grey, better is teal, worse is amber. By default the columns stand from best to worst.
   */
  meaning?: (row: number, column: number) => 'same' | 'better' | 'worse' | 'none';
  digits?: number;
}

const COLOURS = {
  same: 'var(--chart-4)',
  better: 'var(--chart-1)',
  worse: 'var(--chart-2)',
  none: 'transparent',
} as const;

const byPlace = (row: number, column: number) => (row === column ? 'same' : column < row ? 'better' : 'worse');

/** A migration table whose cells are shaded by their share. It is a table already, so it needs no second form. */
export function HeatMap({ title, note, more, corner, columns, rows, meaning = byPlace, digits = 1 }: HeatMapProps) {
  return (
    <Section title={title} note={note} more={more}>
      <section
        className="relative overflow-x-auto rounded-lg border border-line bg-paper"
        aria-label={`${title}, scrolls sideways`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className="h-8 px-3 text-left text-xs font-medium whitespace-nowrap text-ink-3">
                {corner}
              </th>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className="h-8 px-3 text-right text-xs font-medium whitespace-nowrap text-ink-3"
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <tr key={row.label} className="border-b border-line last:border-b-0">
                <th scope="row" className="h-8 px-3 text-left font-normal whitespace-nowrap">
                  {row.label}
                </th>
                {row.cells.map((cell, columnIndex) => {
                  const points = cell.points ?? 0;
                  const colour = COLOURS[meaning(rowIndex, columnIndex)];
                  const strength = points > 0 ? Math.round(4 + Math.min(points, 100) * 0.4) : 0;
                  const text = cell.points === null ? 'n/a' : points === 0 ? '\u2013' : points.toFixed(digits);
                  return (
                    <td
                      key={columns[columnIndex]}
                      className="figures h-8 px-3 text-right"
                      style={{ background: `color-mix(in srgb, ${colour} ${strength}%, transparent)` }}
                    >
                      {cell.to && points > 0 ? (
                        <a href={cell.to} className="hover:underline">
                          {text}
                        </a>
                      ) : (
                        <span className={points === 0 ? 'text-ink-3' : undefined}>{text}</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}

import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Section } from '../page/section.tsx';

/** A share in percentage points, 0 to 100. Null is unknown. */
export interface HeatMapCell {
  points: number | null;
  /** Makes the cell a link to the items it counts. */
  to?: string;
  /** What the cell counts, in words. Shown on hover. */
  title?: string;
  /** The cell contains nothing. A share that only rounds to zero is not empty. If omitted, a zero share is empty. */
  isEmpty?: boolean;
  /** Marks the cell whose content is shown next to the map. */
  isChosen?: boolean;
}

export interface HeatMapProps {
  title: string;
  note?: ReactNode;
  more?: ReactNode;
  /** Describes the rows and the columns: "30 Sep \ 31 Oct". */
  corner: string;
  columns: readonly (string | { label: string; to?: string })[];
  rows: readonly {
    label: string;
    to?: string;
    cells: readonly HeatMapCell[];
    /** One entry per header of `totals`. */
    totals?: readonly ReactNode[];
  }[];
  /** Headers of plain columns after the shares, for the totals that the rows are shares of. */
  totals?: readonly ReactNode[];
  /**
   * What a cell means, for its colour: unchanged is grey, better is teal, worse is amber. By default the columns are
   * ordered from best to worst.
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

/** Room for ten columns in the wide half of a page of 1,280 px. */
const PAD = 'px-1.5 2xl:px-3';
const HEAD = `h-8 max-sm:h-10 ${PAD} text-xs font-medium whitespace-nowrap text-ink-3`;

/** A header, as a link if it has an address. */
function Name({ label, to }: { label: string; to?: string | undefined }) {
  return to ? (
    <Link to={to} className="hover:text-accent hover:underline">
      {label}
    </Link>
  ) : (
    label
  );
}

/** A migration table whose cells are shaded by their share. It is already a table, so it needs no table view. */
export function HeatMap({
  title,
  note,
  more,
  corner,
  columns,
  rows,
  totals = [],
  meaning = byPlace,
  digits = 1,
}: HeatMapProps) {
  const heads = columns.map((column) => (typeof column === 'string' ? { label: column } : column));
  return (
    <Section title={title} note={note} more={more}>
      <section
        className="relative overflow-x-auto rounded-lg border border-line bg-paper"
        aria-label={`${title}, scrolls horizontally`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
      >
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className={`${HEAD} text-left`}>
                {corner}
              </th>
              {heads.map((head) => (
                <th key={head.label} scope="col" className={`${HEAD} text-right`}>
                  <Name {...head} />
                </th>
              ))}
              {totals.map((head, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the order of the headers never changes
                <th key={index} scope="col" className={`${HEAD} text-right`}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <tr key={row.label} className="border-b border-line last:border-b-0">
                <th
                  scope="row"
                  className={`h-8 bg-paper ${PAD} text-left font-normal whitespace-nowrap max-sm:sticky max-sm:left-0 max-sm:z-[1]`}
                >
                  <Name label={row.label} to={row.to} />
                </th>
                {row.cells.map((cell, columnIndex) => (
                  <ShareCell
                    key={heads[columnIndex]?.label}
                    cell={cell}
                    colour={COLOURS[meaning(rowIndex, columnIndex)]}
                    digits={digits}
                  />
                ))}
                {row.totals?.map((figure, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the order of the columns never changes
                  <td key={index} className={`figures h-8 ${PAD} text-right whitespace-nowrap text-ink-2`}>
                    {figure}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}

function ShareCell({ cell, colour, digits }: { cell: HeatMapCell; colour: string; digits: number }) {
  const points = cell.points ?? 0;
  const isEmpty = cell.isEmpty ?? points === 0;
  const strength = points > 0 ? Math.round(4 + Math.min(points, 100) * 0.4) : 0;
  const text = cell.points === null ? 'n/a' : isEmpty ? '\u2013' : points.toFixed(digits).replace('-', '\u2212');
  return (
    <td
      className={`figures h-8 ${PAD} text-right ${cell.isChosen ? 'outline-2 -outline-offset-2 outline-accent' : ''}`}
      style={{ background: `color-mix(in srgb, ${colour} ${strength}%, transparent)` }}
      title={cell.title}
    >
      {cell.to && !isEmpty ? (
        <Link
          to={cell.to}
          preventScrollReset
          aria-current={cell.isChosen ? 'true' : undefined}
          className="-mx-1.5 block px-1.5 hover:underline max-sm:py-2.5 2xl:-mx-3 2xl:px-3"
        >
          {text}
        </Link>
      ) : (
        <span className={isEmpty ? 'text-ink-3' : undefined}>{text}</span>
      )}
    </td>
  );
}

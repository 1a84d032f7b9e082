import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';

/**
 * How a column of a batch is staged. `raw` is good for any cells: tag, number and text of each. Where all cells that
 * are not blank are of one tag, one column says everything: `numbers` (numbers, dates, or true and false as 1 and 0) or
 * `texts`, NULL where blank. `codes` is the place of a row's cell among the column's distinct ones, which stand in a
 * small table of their own in the raw layout. `nothing`: all blank.
 */
export type CellLayout = 'raw' | 'numbers' | 'texts' | 'codes' | 'nothing';

/** What is known of all cells of a column before they are mapped. Whatever is not known is as if it did not hold. */
export interface CellFacts {
  readonly layout: CellLayout;
  /** Tags that may occur. */
  readonly tags: readonly CellTag[];
  /** Every number (and date) is less than this, without its sign; infinite where nothing is known. */
  readonly below: number;
  /** No number has digits behind its point. */
  readonly whole: boolean;
  /** No number is less than zero. */
  readonly unsigned: boolean;
  /** Every number is a day of the Excel calendar in either epoch, beyond the false leap day. */
  readonly serials: boolean;
  /** No text is blank or has spaces around it. */
  readonly trimmed: boolean;
}

const ALL_TAGS: readonly CellTag[] = Object.values(CellTag);

/** Nothing is known: cells as any sheet may have them. */
export const ANY_CELLS: CellFacts = {
  layout: 'raw',
  tags: ALL_TAGS,
  below: Number.POSITIVE_INFINITY,
  whole: false,
  unsigned: false,
  serials: false,
  trimmed: false,
};

/** Bounds of numbers that conversions ask for; a column has the least of them that holds. */
const BOUNDS = [10, 1e3, 1e7, 1e9, 1e11, 1e13, Number.MAX_VALUE] as const;
export const boundOf = (largest: number): number => BOUNDS.find((bound) => largest < bound) ?? Number.POSITIVE_INFINITY;

/** One text for all columns that the same SQL is good for. */
export const factsKey = (facts: ReadonlyMap<number, CellFacts>): string =>
  [...facts]
    .map(([place, { layout, tags, below, whole, unsigned, serials, trimmed }]) =>
      [place, layout, tags.join(''), below, [whole, unsigned, serials, trimmed].map(Number).join('')].join(':'),
    )
    .join(' ');

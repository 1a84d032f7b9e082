import { CellTag } from '@tapeline/sheets/cell-tag.ts';

/**
 * How a column of a batch is staged. `raw` works for any cells: it stores the tag, number and text of each. If all
 * nonblank cells have the same tag, one column is enough: `numbers` (numbers, dates, or true and false as 1 and 0) or
 * `texts`, with NULL for blank cells. `codes` stores the index of each row's cell among the column's distinct cells,
 * which are in a small table of their own in the raw layout. `nothing` means that all cells are blank.
 */
export type CellLayout = 'raw' | 'numbers' | 'texts' | 'codes' | 'nothing';

/** What is known about all cells of a column before they are mapped. Facts that are unknown are treated as false. */
export interface CellFacts {
  readonly layout: CellLayout;
  readonly tags: readonly CellTag[];
  /** Every number (and date) has an absolute value below this. Infinite if no bound is known. */
  readonly below: number;
  /** No number has decimal places. */
  readonly whole: boolean;
  /** No number is less than zero. */
  readonly unsigned: boolean;
  /** Every number is a valid day in both Excel epochs, after the false leap day of 1900. */
  readonly serials: boolean;
  /** No text is blank or has spaces around it. */
  readonly trimmed: boolean;
  /** No text has more characters than `LONGEST_TEXT`. */
  readonly short: boolean;
}

const ALL_TAGS: readonly CellTag[] = Object.values(CellTag);

/** Nothing is known: the cells can be anything that a sheet can hold. */
export const ANY_CELLS: CellFacts = {
  layout: 'raw',
  tags: ALL_TAGS,
  below: Number.POSITIVE_INFINITY,
  whole: false,
  unsigned: false,
  serials: false,
  trimmed: false,
  short: false,
};

/** Upper bounds that conversions check against. A column gets the smallest bound that applies. */
const BOUNDS = [10, 1e3, 1e7, 1e9, 1e11, 1e13, Number.MAX_VALUE] as const;
export const boundOf = (largest: number): number => BOUNDS.find((bound) => largest < bound) ?? Number.POSITIVE_INFINITY;

/** A key that is equal for all columns that can share the same SQL. */
export const factsKey = (facts: ReadonlyMap<number, CellFacts>): string =>
  [...facts]
    .map(([index, { layout, tags, below, whole, unsigned, serials, trimmed, short }]) =>
      [index, layout, tags.join(''), below, [whole, unsigned, serials, trimmed, short].map(Number).join('')].join(':'),
    )
    .join(' ');

import { LONGEST_TEXT } from '@tapeline/domain/tapes/longest-text.ts';
import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { dayAndSecond } from '@tapeline/sheets/date-serial.ts';
import type { RawBatch, TextTable } from '@tapeline/sheets/raw-batch.ts';
import { boundOf, type CellFacts, type CellLayout } from './compile/cell-facts.ts';

/** The distinct cells of a column. */
export interface CodedCells {
  /** For each row, the index of its cell among the distinct cells. */
  readonly codes: Int32Array;
  /** For each distinct cell, a row that contains it. Ordered by first appearance. */
  readonly rows: readonly number[];
}

export interface BatchFacts {
  /** Keyed by column index. */
  readonly facts: ReadonlyMap<number, CellFacts>;
  /** Columns whose layout is `codes`. */
  readonly coded: ReadonlyMap<number, CodedCells>;
  /** Length in bytes of the longest text, by column index. 0 for columns without text. */
  readonly longest: ReadonlyMap<number, number>;
}

/** A column is only coded if its cells repeat this many times on average. */
const WORTH_CODING = 8;
/**
 * Days that are valid in both Excel epochs: from after the false leap day of 1900 to the last day of the 1904 calendar.
 */
const FIRST_SERIAL = 61;
const SERIALS_END = 2_957_004;

/**
 * Describes what the cells of each column in a batch have in common, so that the mapping skips checks that are already
 * known to pass.
 * @param mostDistinct the maximum number of distinct cells that a coded column can have
 */
export function describeBatch(
  batch: RawBatch,
  indexes: Iterable<number>,
  mostDistinct = Math.floor(batch.rowCount / WORTH_CODING),
): BatchFacts {
  const facts = new Map<number, CellFacts>();
  const coded = new Map<number, CodedCells>();
  const longest = new Map<number, number>();
  for (const index of indexes) {
    const tags = tagsIn(batch, index);
    const filled = tags.filter((tag) => tag !== CellTag.blank);
    const cells = filled.length > 0 && filled.every(isCodable) ? codeCells(batch, index, mostDistinct) : null;
    if (cells) coded.set(index, cells);
    const textBytes = longestText(batch, index, cells);
    longest.set(index, textBytes);
    facts.set(index, {
      tags,
      ...numbersOf(batch, index),
      trimmed: cells
        ? cells.rows.every((row) => isTrimmedCell(batch, index, row))
        : !tags.includes(CellTag.text) || isTrimmedColumn(batch, index),
      // The number of characters never exceeds the number of bytes.
      short: textBytes <= LONGEST_TEXT,
      layout: cells ? 'codes' : layoutOf(filled),
    });
  }
  return { facts, coded, longest };
}

/** Numbers and dates repeat less often than texts and are cheap to store as they are. */
const isCodable = (tag: CellTag): boolean => tag === CellTag.text || tag === CellTag.error || tag === CellTag.boolean;

function layoutOf(filled: readonly CellTag[]): CellLayout {
  const [only] = filled;
  if (only === undefined) return 'nothing';
  if (filled.length > 1 || only === CellTag.error) return 'raw';
  return only === CellTag.text ? 'texts' : 'numbers';
}

function tagsIn(batch: RawBatch, index: number): CellTag[] {
  const { tags } = batch.columns[index]!;
  let seen = 0;
  for (let row = 0; row < batch.rowCount; row += 1) seen |= 1 << tags[row]!;
  return Object.values(CellTag).filter((tag) => (seen & (1 << tag)) !== 0);
}

type NumberFacts = Pick<CellFacts, 'below' | 'whole' | 'unsigned' | 'serials'>;

function numbersOf(batch: RawBatch, index: number): NumberFacts {
  const { tags, values } = batch.columns[index]!;
  let largest = 0;
  let whole = true;
  let smallest = Number.POSITIVE_INFINITY;
  let finite = true;
  for (let row = 0; row < batch.rowCount; row += 1) {
    const tag = tags[row];
    if (tag !== CellTag.number && tag !== CellTag.date) continue;
    const value = values[row]!;
    const size = Math.abs(value);
    if (size > largest) largest = size;
    if (value < smallest) smallest = value;
    if (whole && value !== Math.trunc(value)) whole = false;
    // Written as a negation so that NaN is caught too.
    if (!(size < Number.POSITIVE_INFINITY)) finite = false;
  }
  if (!finite) return { below: Number.POSITIVE_INFINITY, whole: false, unsigned: false, serials: false };
  return {
    below: boundOf(largest),
    whole,
    unsigned: smallest >= 0,
    // The last day's last half second is rounded to the next day.
    serials: smallest >= FIRST_SERIAL && dayAndSecond(largest).day < SERIALS_END,
  };
}

/** The distinct cells of a column of texts, errors and booleans, or null if there are too many. */
function codeCells(batch: RawBatch, index: number, mostDistinct: number): CodedCells | null {
  const { tags, values } = batch.columns[index]!;
  const codes = new Int32Array(batch.rowCount);
  const rows: number[] = [];
  /** By tag, then by the cell's value: its code + 1. */
  const known = Object.values(CellTag).map(() => new Int32Array(64));
  for (let row = 0; row < batch.rowCount; row += 1) {
    const tag = tags[row]!;
    const value = tag === CellTag.blank ? 0 : values[row]!;
    let ofTag = known[tag]!;
    if (value >= ofTag.length) {
      const grown = new Int32Array(Math.max(value + 1, ofTag.length * 2));
      grown.set(ofTag);
      ofTag = grown;
      known[tag] = grown;
    }
    let code = ofTag[value]!;
    if (code === 0) {
      if (rows.length === mostDistinct) return null;
      rows.push(row);
      code = rows.length;
      ofTag[value] = code;
    }
    codes[row] = code - 1;
  }
  return { codes, rows };
}

function isTrimmedColumn(batch: RawBatch, index: number): boolean {
  const { tags, values } = batch.columns[index]!;
  for (let row = 0; row < batch.rowCount; row += 1) {
    if (tags[row] === CellTag.text && !isTrimmed(batch.texts, values[row]!)) return false;
  }
  return true;
}

function isTrimmedCell(batch: RawBatch, index: number, row: number): boolean {
  const { tags, values } = batch.columns[index]!;
  return tags[row] !== CellTag.text || isTrimmed(batch.texts, values[row]!);
}

/** Length in bytes of the longest text or error of a column. */
export function longestText(batch: RawBatch, index: number, cells: CodedCells | null = null): number {
  const { tags, values } = batch.columns[index]!;
  let longest = 0;
  const look = (row: number) => {
    const tag = tags[row];
    if (tag === CellTag.text || tag === CellTag.error) longest = Math.max(longest, batch.texts.length(values[row]!));
  };
  if (cells) for (const row of cells.rows) look(row);
  else for (let row = 0; row < batch.rowCount; row += 1) look(row);
  return longest;
}

/** Whether the text is not blank and has no surrounding spaces, meaning the spaces that `tape_trim` removes. */
function isTrimmed(texts: TextTable, code: number): boolean {
  const length = texts.length(code);
  if (length === 0) return false;
  const bytes = texts.bytes(code);
  const first = texts.start(code);
  const last = first + length - 1;
  const startsWithSpace = isSpace(bytes[first]!) || (bytes[first] === 0xc2 && bytes[first + 1] === 0xa0);
  const endsWithSpace = isSpace(bytes[last]!) || (length > 1 && bytes[last] === 0xa0 && bytes[last - 1] === 0xc2);
  return !startsWithSpace && !endsWithSpace;
}

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d;

import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import type { RawBatch, TextTable } from '../sheets/raw-batch.ts';
import { ANY_CELLS, boundOf, type CellFacts, type CellLayout } from './compile/cell-facts.ts';

/** The distinct cells of a column. */
export interface CodedCells {
  /** Of every row, the place of its cell among the distinct ones. */
  readonly codes: Int32Array;
  /** Of every distinct cell, a row that has it; in order of first appearance. */
  readonly rows: readonly number[];
}

export interface BatchFacts {
  /** By place of the column. */
  readonly facts: ReadonlyMap<number, CellFacts>;
  /** Columns whose layout is `codes`. */
  readonly coded: ReadonlyMap<number, CodedCells>;
}

/** A column is worth coding where its cells repeat so many times. */
const WORTH_CODING = 8;
/** Days of the Excel calendar in either epoch: from beyond the false leap day of 1900 to 1904's last. */
const FIRST_SERIAL = 61;
const SERIALS_END = 2_957_004;

/**
 * What the cells of a batch's columns have in common, so that mapping them asks nothing that is known.
 * @param mostDistinct distinct cells that a column may have to be coded
 */
export function describeBatch(
  batch: RawBatch,
  places: Iterable<number>,
  mostDistinct = Math.floor(batch.rowCount / WORTH_CODING),
): BatchFacts {
  const facts = new Map<number, CellFacts>();
  const coded = new Map<number, CodedCells>();
  for (const place of places) {
    const tags = tagsIn(batch, place);
    const filled = tags.filter((tag) => tag !== CellTag.blank);
    const cells = filled.length > 0 && filled.every(isCodable) ? codeCells(batch, place, mostDistinct) : null;
    if (cells) coded.set(place, cells);
    facts.set(place, {
      tags,
      ...numbersOf(batch, place),
      trimmed: cells
        ? cells.rows.every((row) => isTrimmedCell(batch, place, row))
        : !tags.includes(CellTag.text) || isTrimmedColumn(batch, place),
      layout: cells ? 'codes' : layoutOf(filled),
    });
  }
  return { facts, coded };
}

/** Numbers and dates seldom repeat as texts do, and cost little as they are. */
const isCodable = (tag: CellTag): boolean => tag === CellTag.text || tag === CellTag.error || tag === CellTag.boolean;

function layoutOf(filled: readonly CellTag[]): CellLayout {
  const [only] = filled;
  if (only === undefined) return 'nothing';
  if (filled.length > 1 || only === CellTag.error) return 'raw';
  return only === CellTag.text ? 'texts' : 'numbers';
}

function tagsIn(batch: RawBatch, place: number): CellTag[] {
  const { tags } = batch.columns[place]!;
  let seen = 0;
  for (let row = 0; row < batch.rowCount; row += 1) seen |= 1 << tags[row]!;
  return Object.values(CellTag).filter((tag) => (seen & (1 << tag)) !== 0);
}

type NumberFacts = Pick<CellFacts, 'below' | 'whole' | 'unsigned' | 'serials'>;

function numbersOf(batch: RawBatch, place: number): NumberFacts {
  const { tags, values } = batch.columns[place]!;
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
    // Also true of what is no number at all.
    if (!(size < Number.POSITIVE_INFINITY)) finite = false;
  }
  if (!finite) return { below: Number.POSITIVE_INFINITY, whole: false, unsigned: false, serials: false };
  return {
    below: boundOf(largest),
    whole,
    unsigned: smallest >= 0,
    serials: smallest >= FIRST_SERIAL && largest < SERIALS_END,
  };
}

/** The distinct cells of a column of texts, errors and truths; null where there are too many. */
function codeCells(batch: RawBatch, place: number, mostDistinct: number): CodedCells | null {
  const { tags, values } = batch.columns[place]!;
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

function isTrimmedColumn(batch: RawBatch, place: number): boolean {
  const { tags, values } = batch.columns[place]!;
  for (let row = 0; row < batch.rowCount; row += 1) {
    if (tags[row] === CellTag.text && !isTrimmed(batch.texts, values[row]!)) return false;
  }
  return true;
}

function isTrimmedCell(batch: RawBatch, place: number, row: number): boolean {
  const { tags, values } = batch.columns[place]!;
  return tags[row] !== CellTag.text || isTrimmed(batch.texts, values[row]!);
}

/** Says something, and no space stands around it; the spaces that `tape_trim` takes away. */
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

/** The same facts with all of a column's cells as any sheet may have them: good for the same rows. */
export const withoutFacts = (places: Iterable<number>): BatchFacts => ({
  facts: new Map([...places].map((place) => [place, ANY_CELLS])),
  coded: new Map(),
});

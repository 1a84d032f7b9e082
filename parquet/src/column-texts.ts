import { type ColumnPages, type DataPage, UnfamiliarParquet } from './column-pages.ts';
import { openPage, textLength } from './column-values.ts';

/**
 * The texts of some rows of a row group; null where a row has none.
 * @param rows ascending
 * @throws UnfamiliarParquet if the column does not contain texts
 */
export function textsAt({ type, isOptional, dictionary, pages }: ColumnPages, rows: readonly number[]) {
  if (type !== 'text') throw new UnfamiliarParquet('a column is of another physical type');
  const entries = dictionary === null ? null : new TextWalk(dictionary.bytes, 0);
  const starts = new Int32Array(dictionary?.values ?? 0);
  for (let entry = 0; entry < starts.length; entry += 1) {
    starts[entry] = entries!.at;
    entries!.skip(1);
  }
  const found: (string | null)[] = [];
  let first = 0;
  for (const page of pages) {
    const end = first + page.values;
    const from = found.length;
    let to = from;
    while (to < rows.length && rows[to]! < end) to += 1;
    const inPage = rows.slice(from, to).map((row) => row - first);
    if (inPage.length > 0) readPage(page, isOptional, inPage, dictionary && { bytes: dictionary.bytes, starts }, found);
    first = end;
  }
  if (found.length < rows.length) throw new Error('a Parquet column has fewer values than rows');
  return found;
}

interface TextDictionary {
  readonly bytes: Buffer;
  readonly starts: Int32Array;
}

function readPage(
  page: DataPage,
  isOptional: boolean,
  rows: readonly number[],
  dictionary: TextDictionary | null,
  found: (string | null)[],
): void {
  const { bytes, levels, runs, at } = openPage(page, isOptional);
  const count = rows.at(-1)! + 1;
  const present = new Uint8Array(count).fill(1);
  if (levels !== null && !levels.skipRunOf(1, count)) levels.read(present, 0, count);
  const indexes = new Int32Array(count);
  let there = 0;
  for (let row = 0; row < count; row += 1) there += present[row]!;
  if (runs !== null) runs.read(indexes, 0, there);
  if (runs !== null && dictionary === null) throw new Error('a Parquet page lacks its dictionary');
  const plain = new TextWalk(bytes, at);
  let [row, value, walked] = [0, 0, 0];
  for (const wanted of rows) {
    for (; row < wanted; row += 1) value += present[row]!;
    if (present[wanted] === 0) found.push(null);
    else if (runs !== null) found.push(new TextWalk(dictionary!.bytes, dictionary!.starts[indexes[value]!]!).text());
    else {
      plain.skip(value - walked);
      walked = value;
      found.push(plain.text());
    }
  }
}

/** Texts that follow each other, each after its length. */
class TextWalk {
  at: number;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  skip(count: number): void {
    for (let text = 0; text < count; text += 1) this.at += 4 + textLength(this.bytes, this.at);
  }

  /** The text here; does not move. */
  text(): string {
    return this.bytes.toString('utf8', this.at + 4, this.at + 4 + textLength(this.bytes, this.at));
  }
}

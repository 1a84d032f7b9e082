import { open } from 'node:fs/promises';
import { IncompleteFile } from '@tapeline/sheets/faults.ts';
import { CHUNK, CHUNK_METADATA, FILE, GROUP, SCHEMA } from './field-ids.ts';
import { footerBytes, HEAD, listOf, numberOf, readFooter, setField, structsOf } from './footer.ts';
import { fieldOf, type ThriftList, type ThriftStruct, writeThriftStruct } from './thrift-compact.ts';

/** Fields of a column's metadata that are offsets in the file. */
const PLACES = [
  CHUNK_METADATA.dataPage,
  CHUNK_METADATA.indexPage,
  CHUNK_METADATA.dictionaryPage,
  CHUNK_METADATA.bloomFilter,
];
const COPY_BYTES = 2 ** 20;

/**
 * Joins Parquet files without decompressing them: their compressed pages are copied as they are, and one footer says
 * where each is.
 * @param parts one below the other, all with the same columns. A part is a list of files side by side, with the same
 *   rows in the same row groups and a share of the columns each.
 * @returns the number of rows
 */
export async function joinParquet(target: string, parts: readonly (readonly string[])[]): Promise<number> {
  const output = await open(target, 'w');
  try {
    const joined = new ParquetJoin();
    for (const files of parts) for await (const bytes of joined.add(files)) await output.writeFile(bytes);
    for (const bytes of joined.end()) await output.writeFile(bytes);
    return joined.rows;
  } finally {
    await output.close();
  }
}

/**
 * One Parquet file made of others, as the bytes to write one after the other: first those from `add`, then those from
 * `end`.
 */
export class ParquetJoin {
  #position = 0;
  #footer: ThriftStruct | null = null;
  #schema: Uint8Array = new Uint8Array();
  #rows = 0n;

  /** Rows of the parts added so far. */
  get rows(): number {
    return Number(this.#rows);
  }

  /** A part's bytes; its files may be removed afterwards. */
  async *add(files: readonly string[]): AsyncGenerator<Uint8Array, void, void> {
    if (this.#position === 0) yield this.#counted(HEAD);
    let beside: ThriftStruct | null = null;
    for (const file of files) {
      const footer: ThriftStruct = yield* this.#copyBody(file);
      beside = beside === null ? footer : sideBySide(beside, footer);
    }
    if (beside === null) return;
    const schema = writeThriftStruct({ fields: beside.fields.filter(({ id }) => id === FILE.schema) });
    this.#rows += numberOf(beside, FILE.rows);
    if (this.#footer === null) {
      this.#footer = beside;
      this.#schema = schema;
      return;
    }
    if (Buffer.compare(this.#schema, schema) !== 0)
      throw new Error('Parquet parts with different columns cannot be joined');
    listOf(this.#footer, FILE.rowGroups).items.push(...listOf(beside, FILE.rowGroups).items);
  }

  /** The footer. @throws Error if no part was added, since the columns are then unknown */
  *end(): Generator<Uint8Array, void, void> {
    const footer = this.#footer;
    if (footer === null) throw new Error('there is no Parquet part to join');
    setField(footer, FILE.rows, this.#rows);
    for (const [index, group] of structsOf(footer, FILE.rowGroups).entries()) {
      // The field is sixteen bits wide; readers count row groups themselves.
      const ordinal = fieldOf(group, GROUP.ordinal);
      if (ordinal) ordinal.value = BigInt(Math.min(index, 32_767));
    }
    yield this.#counted(footerBytes(footer));
  }

  /**
   * Copies everything between the file's first magic number and its footer.
   * @returns the footer with offsets into the copy
   */
  async *#copyBody(path: string): AsyncGenerator<Uint8Array, ThriftStruct, void> {
    const input = await open(path, 'r');
    try {
      const { footer, bodyEnd } = await readFooter(input, path);
      moveOffsets(footer, BigInt(this.#position - HEAD.length));
      for (let at = HEAD.length; at < bodyEnd; ) {
        // A new buffer each time: the consumer may keep the bytes.
        const buffer = Buffer.allocUnsafeSlow(Math.min(COPY_BYTES, bodyEnd - at));
        const { bytesRead } = await input.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) throw new IncompleteFile(`${path} is cut off`);
        yield this.#counted(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
      return footer;
    } finally {
      await input.close();
    }
  }

  #counted(bytes: Uint8Array): Uint8Array {
    this.#position += bytes.length;
    return bytes;
  }
}

/** Appends the columns of `right` to those of `left`, row group by row group. */
function sideBySide(left: ThriftStruct, right: ThriftStruct): ThriftStruct {
  const groups = [structsOf(left, FILE.rowGroups), structsOf(right, FILE.rowGroups)] as const;
  if (groups[0].length !== groups[1].length) throw new Error('Parquet files side by side have different row groups');
  for (const [index, group] of groups[0].entries()) {
    const other = groups[1][index]!;
    if (numberOf(group, GROUP.rows) !== numberOf(other, GROUP.rows)) {
      throw new Error('Parquet files side by side have different rows');
    }
    listOf(group, GROUP.columns).items.push(...listOf(other, GROUP.columns).items);
    setField(group, GROUP.bytes, numberOf(group, GROUP.bytes) + numberOf(other, GROUP.bytes));
    const compressed = [fieldOf(group, GROUP.compressedBytes), fieldOf(other, GROUP.compressedBytes)] as const;
    if (compressed[0] && compressed[1]) {
      compressed[0].value = (compressed[0].value as bigint) + (compressed[1].value as bigint);
    }
  }
  // A schema is its root, which counts its children, followed by its descendants in depth-first order.
  const [root, others] = [structsOf(left, FILE.schema)[0]!, structsOf(right, FILE.schema)];
  setField(root, SCHEMA.children, numberOf(root, SCHEMA.children) + numberOf(others[0]!, SCHEMA.children));
  listOf(left, FILE.schema).items.push(...others.slice(1));
  const orders = [fieldOf(left, FILE.columnOrders), fieldOf(right, FILE.columnOrders)] as const;
  if (orders[0] && orders[1]) {
    (orders[0].value as ThriftList).items.push(...(orders[1].value as ThriftList).items);
  }
  return left;
}

/** Shifts every offset in a footer. Writers use zero to say that there is none. */
function moveOffsets(footer: ThriftStruct, by: bigint): void {
  const move = (struct: ThriftStruct, ids: readonly number[]) => {
    for (const id of ids) {
      const field = fieldOf(struct, id);
      if (field && field.value !== 0n) field.value = (field.value as bigint) + by;
    }
  };
  for (const group of structsOf(footer, FILE.rowGroups)) {
    move(group, [GROUP.fileOffset]);
    for (const chunk of structsOf(group, GROUP.columns)) {
      const metadata = fieldOf(chunk, CHUNK.metadata)?.value;
      if (fieldOf(chunk, CHUNK.filePath) || metadata === undefined) {
        throw new Error('a Parquet column is in another file than its footer');
      }
      move(chunk, [CHUNK.fileOffset, CHUNK.offsetIndex, CHUNK.columnIndex]);
      move(metadata as ThriftStruct, PLACES);
    }
  }
}

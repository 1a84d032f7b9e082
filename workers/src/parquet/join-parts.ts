import { type FileHandle, open } from 'node:fs/promises';
import {
  CHUNK,
  CHUNK_METADATA,
  FILE,
  footerBytes,
  GROUP,
  HEAD,
  listOf,
  numberOf,
  readFooter,
  SCHEMA,
  setField,
  structsOf,
} from './footer.ts';
import { fieldOf, type ThriftList, type ThriftStruct, writeThriftStruct } from './thrift-compact.ts';

/** What of a column's metadata is a place in the file. */
const PLACES = [
  CHUNK_METADATA.dataPage,
  CHUNK_METADATA.indexPage,
  CHUNK_METADATA.dictionaryPage,
  CHUNK_METADATA.bloomFilter,
];
const COPY_BYTES = 4 * 2 ** 20;

/**
 * Joins Parquet files into one without opening what they hold: their compressed pages are copied as they stand, and one
 * footer tells where each has come to lie.
 * @param parts one below the other, all with the same columns; a part is a list of files that stand side by side, with
 *   the same rows in the same row groups and a share of the columns each.
 * @returns number of rows.
 */
export async function joinParquet(target: string, parts: readonly (readonly string[])[]): Promise<number> {
  const output = await open(target, 'w');
  try {
    const joined = new JoinedFile(output);
    await joined.begin();
    for (const files of parts) await joined.add(files);
    return await joined.end();
  } finally {
    await output.close();
  }
}

class JoinedFile {
  readonly #output: FileHandle;
  #position = 0;
  #footer: ThriftStruct | null = null;
  #schema: Uint8Array = new Uint8Array();
  #rows = 0n;

  constructor(output: FileHandle) {
    this.#output = output;
  }

  async begin(): Promise<void> {
    await this.#write(HEAD);
  }

  async add(files: readonly string[]): Promise<void> {
    let beside: ThriftStruct | null = null;
    for (const file of files) {
      const footer = await this.#copyBody(file);
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
    if (Buffer.compare(this.#schema, schema) !== 0) throw new Error('Parquet parts of different columns do not join');
    listOf(this.#footer, FILE.rowGroups).items.push(...listOf(beside, FILE.rowGroups).items);
  }

  async end(): Promise<number> {
    const footer = this.#footer;
    if (footer === null) throw new Error('there is no Parquet part to join');
    setField(footer, FILE.rows, this.#rows);
    for (const [place, group] of structsOf(footer, FILE.rowGroups).entries()) {
      // Sixteen bits wide; readers count row groups themselves.
      const ordinal = fieldOf(group, GROUP.ordinal);
      if (ordinal) ordinal.value = BigInt(Math.min(place, 32_767));
    }
    await this.#write(footerBytes(footer));
    return Number(this.#rows);
  }

  /** Copies all between the file's first magic and its footer; the footer as it is true of the copy. */
  async #copyBody(path: string): Promise<ThriftStruct> {
    const input = await open(path, 'r');
    try {
      const { footer, bodyEnd } = await readFooter(input, path);
      moveOffsets(footer, BigInt(this.#position - HEAD.length));
      const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, bodyEnd));
      for (let at = HEAD.length; at < bodyEnd; ) {
        const { bytesRead } = await input.read(buffer, 0, Math.min(buffer.length, bodyEnd - at), at);
        if (bytesRead === 0) throw new Error(`${path} is cut off`);
        await this.#write(buffer.subarray(0, bytesRead));
        at += bytesRead;
      }
      return footer;
    } finally {
      await input.close();
    }
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#output.write(bytes, at, bytes.length - at, this.#position);
      at += bytesWritten;
      this.#position += bytesWritten;
    }
  }
}

/** The columns of `right` after those of `left`, row group by row group. */
function sideBySide(left: ThriftStruct, right: ThriftStruct): ThriftStruct {
  const groups = [structsOf(left, FILE.rowGroups), structsOf(right, FILE.rowGroups)] as const;
  if (groups[0].length !== groups[1].length) throw new Error('Parquet files side by side have different row groups');
  for (const [place, group] of groups[0].entries()) {
    const other = groups[1][place]!;
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
  // A schema is its root, which counts its children, and what is below it in depth-first order.
  const [root, others] = [structsOf(left, FILE.schema)[0]!, structsOf(right, FILE.schema)];
  setField(root, SCHEMA.children, numberOf(root, SCHEMA.children) + numberOf(others[0]!, SCHEMA.children));
  listOf(left, FILE.schema).items.push(...others.slice(1));
  const orders = [fieldOf(left, FILE.columnOrders), fieldOf(right, FILE.columnOrders)] as const;
  if (orders[0] && orders[1]) {
    (orders[0].value as ThriftList).items.push(...(orders[1].value as ThriftList).items);
  }
  return left;
}

/** Every place in the file that a footer names, moved. Zero is how writers say that there is none. */
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
        throw new Error('a Parquet column lies in another file than the one that names it');
      }
      move(chunk, [CHUNK.fileOffset, CHUNK.offsetIndex, CHUNK.columnIndex]);
      move(metadata as ThriftStruct, PLACES);
    }
  }
}

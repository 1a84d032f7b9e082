import type { FileHandle } from 'node:fs/promises';
import { IncompleteFile } from '@tapeline/sheets/faults.ts';
import {
  fieldOf,
  readThriftStruct,
  type ThriftList,
  type ThriftStruct,
  type ThriftValue,
  writeThriftStruct,
} from './thrift-compact.ts';

const MAGIC = Buffer.from('PAR1');
/** The magic number before the first column. */
export const HEAD = MAGIC;
/** Bytes of the footer's length and the magic number after it. */
const TAIL_BYTES = 8;

export interface ParquetFooter {
  readonly footer: ThriftStruct;
  /** Where the columns end and the footer begins; they begin after the magic number. */
  readonly bodyEnd: number;
}

/** @throws Error if the file is not Parquet */
export async function readFooter(file: FileHandle, path: string): Promise<ParquetFooter> {
  const { size } = await file.stat();
  if (size < HEAD.length + TAIL_BYTES) throw new Error(`${path} is not a Parquet file`);
  const tail = await readBytes(file, size - TAIL_BYTES, TAIL_BYTES);
  const bodyEnd = size - TAIL_BYTES - tail.readUInt32LE(0);
  if (!tail.subarray(4).equals(MAGIC) || bodyEnd < HEAD.length) throw new Error(`${path} is not a Parquet file`);
  return { footer: readThriftStruct(await readBytes(file, bodyEnd, size - TAIL_BYTES - bodyEnd)), bodyEnd };
}

/** The footer, its length and the magic number that end a file. */
export function footerBytes(footer: ThriftStruct): Buffer {
  const bytes = writeThriftStruct(footer);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([bytes, length, MAGIC]);
}

export async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(buffer, at, length - at, from + at);
    if (bytesRead === 0) throw new IncompleteFile('a Parquet file is cut off');
    at += bytesRead;
  }
  return buffer;
}

function required(struct: ThriftStruct, id: number) {
  const field = fieldOf(struct, id);
  if (!field) throw new Error(`a Parquet footer lacks field ${id}`);
  return field;
}

export const numberOf = (struct: ThriftStruct, id: number): bigint => required(struct, id).value as bigint;
export const listOf = (struct: ThriftStruct, id: number): ThriftList => required(struct, id).value as ThriftList;
export const structsOf = (struct: ThriftStruct, id: number): ThriftStruct[] =>
  listOf(struct, id).items as ThriftStruct[];
export const structOf = (struct: ThriftStruct, id: number): ThriftStruct => required(struct, id).value as ThriftStruct;

/** Changes a field that is present. */
export function setField(struct: ThriftStruct, id: number, value: ThriftValue): void {
  required(struct, id).value = value;
}

export const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';

import { IncompleteFile } from '@tapeline/sheets/faults.ts';

/**
 * Apache Thrift's compact protocol, as far as Parquet's footers use it. It is read into plain values and written
 * without knowing what the fields mean: unchanged values are written back byte for byte.
 */

export const THRIFT_TYPE = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
} as const;

/** Integers of every width are bigints; doubles and single bytes stay raw bytes. */
export type ThriftValue = boolean | bigint | Uint8Array | ThriftList | ThriftStruct;

export interface ThriftList {
  readonly elementType: number;
  readonly items: ThriftValue[];
}

export interface ThriftField {
  readonly id: number;
  readonly type: number;
  value: ThriftValue;
}

export interface ThriftStruct {
  readonly fields: ThriftField[];
}

/** No valid footer nests structs this deep. */
const MAX_DEPTH = 32;

/** @throws Error if the bytes are truncated or not a struct of this protocol */
export function readThriftStruct(bytes: Uint8Array): ThriftStruct {
  return new Reader(bytes).struct(0);
}

/** The struct at the beginning of the bytes, and its length in bytes. */
export function readThriftHead(bytes: Uint8Array): { struct: ThriftStruct; length: number } {
  const reader = new Reader(bytes);
  return { struct: reader.struct(0), length: reader.position };
}

export function writeThriftStruct(struct: ThriftStruct): Uint8Array {
  const writer = new Writer();
  writer.struct(struct);
  return writer.bytes();
}

/** The value of the field with this id; undefined if it is omitted. */
export const fieldOf = (struct: ThriftStruct, id: number): ThriftField | undefined =>
  struct.fields.find((field) => field.id === id);

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#at;
  }

  struct(depth: number): ThriftStruct {
    if (depth > MAX_DEPTH) throw new Error('a Thrift struct is nested too deeply');
    const fields: ThriftField[] = [];
    for (let id = 0; ; ) {
      const head = this.#byte();
      if (head === 0) return { fields };
      const type = head & 15;
      id = head >> 4 === 0 ? Number(this.#zigzag()) : id + (head >> 4);
      fields.push({ id, type, value: this.#value(type, depth) });
    }
  }

  #value(type: number, depth: number): ThriftValue {
    switch (type) {
      case THRIFT_TYPE.true:
        return true;
      case THRIFT_TYPE.false:
        return false;
      case THRIFT_TYPE.byte:
        return this.#take(1);
      case THRIFT_TYPE.i16:
      case THRIFT_TYPE.i32:
      case THRIFT_TYPE.i64:
        return this.#zigzag();
      case THRIFT_TYPE.double:
        return this.#take(8);
      case THRIFT_TYPE.binary:
        return this.#take(Number(this.#varint()));
      case THRIFT_TYPE.list:
      case THRIFT_TYPE.set:
        return this.#list(depth);
      case THRIFT_TYPE.struct:
        return this.struct(depth + 1);
      default:
        throw new Error(`a Thrift field of type ${type} does not belong in a Parquet footer`);
    }
  }

  #list(depth: number): ThriftList {
    const head = this.#byte();
    const elementType = head & 15;
    const length = head >> 4 === 15 ? Number(this.#varint()) : head >> 4;
    const items: ThriftValue[] = [];
    for (let item = 0; item < length; item += 1) {
      // In lists a boolean takes a whole byte.
      const isBoolean = elementType === THRIFT_TYPE.true || elementType === THRIFT_TYPE.false;
      items.push(isBoolean ? this.#byte() === THRIFT_TYPE.true : this.#value(elementType, depth));
    }
    return { elementType, items };
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new IncompleteFile('a Thrift struct is cut off');
    this.#at += 1;
    return byte;
  }

  #take(length: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    if (taken.length !== length) throw new IncompleteFile('a Thrift struct is cut off');
    this.#at += length;
    return taken;
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (shift > 63n) throw new Error('a Thrift number is too long');
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  #zigzag(): bigint {
    const value = this.#varint();
    return (value >> 1n) ^ -(value & 1n);
  }
}

class Writer {
  #bytes = new Uint8Array(4096);
  #length = 0;

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  struct({ fields }: ThriftStruct): void {
    let previous = 0;
    for (const { id, type, value } of fields) {
      const written = typeof value === 'boolean' ? (value ? THRIFT_TYPE.true : THRIFT_TYPE.false) : type;
      const step = id - previous;
      if (step > 0 && step < 16) this.#byte((step << 4) | written);
      else {
        this.#byte(written);
        this.#zigzag(BigInt(id));
      }
      previous = id;
      if (typeof value !== 'boolean') this.#value(type, value);
    }
    this.#byte(0);
  }

  #value(type: number, value: Exclude<ThriftValue, boolean>): void {
    if (typeof value === 'bigint') this.#zigzag(value);
    else if (value instanceof Uint8Array) {
      if (type === THRIFT_TYPE.binary) this.#varint(BigInt(value.length));
      this.#append(value);
    } else if ('fields' in value) this.struct(value);
    else this.#list(value);
  }

  #list({ elementType, items }: ThriftList): void {
    if (items.length < 15) this.#byte((items.length << 4) | elementType);
    else {
      this.#byte(0xf0 | elementType);
      this.#varint(BigInt(items.length));
    }
    for (const item of items) {
      if (typeof item === 'boolean') this.#byte(item ? THRIFT_TYPE.true : THRIFT_TYPE.false);
      else this.#value(elementType, item);
    }
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + length));
    grown.set(this.bytes());
    this.#bytes = grown;
  }

  #varint(value: bigint): void {
    let left = value;
    while (left > 127n) {
      this.#byte(Number(left & 127n) | 128);
      left >>= 7n;
    }
    this.#byte(Number(left));
  }

  #zigzag(value: bigint): void {
    this.#varint(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
  }
}

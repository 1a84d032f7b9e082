/**
 * Texts crafted to share one hash could be compared with all before them: after this many probes, a text is stored
 * again.
 */
const MAX_PROBES = 64;

/**
 * Texts as UTF-8 bytes in one growing buffer, addressed by their index. With `distinct`, a known text gets its earlier
 * index (almost always: equal indexes mean equal texts, but equal texts may have different indexes).
 */
export class TextArena {
  bytes: Uint8Array;
  /** Text `i` is bytes[offsets[i], offsets[i + 1]). */
  offsets: Uint32Array;
  count = 0;
  private readonly distinct: boolean;
  /** Open addressing: index + 1 by hash, 0 if free. */
  private places = new Uint32Array(0);
  private readonly decoded: (string | undefined)[] = [];

  /** @param options initial capacity in `bytes` and `texts` */
  constructor(options: { bytes?: number; texts?: number; distinct?: boolean } = {}) {
    this.bytes = new Uint8Array(options.bytes ?? 1024);
    this.offsets = new Uint32Array((options.texts ?? 255) + 1);
    this.distinct = options.distinct ?? false;
  }

  /** An arena over existing texts: text `i` is bytes[offsets[i], offsets[i + 1]). */
  static over(bytes: Uint8Array, offsets: Uint32Array): TextArena {
    const arena = new TextArena();
    arena.bytes = bytes;
    arena.offsets = offsets;
    arena.count = offsets.length - 1;
    return arena;
  }

  get usedBytes(): number {
    return this.offsets[this.count]!;
  }

  /** Reserves space for `extraBytes` more, and for one more text. */
  reserve(extraBytes: number): void {
    const needed = this.usedBytes + extraBytes;
    if (needed > 0xffffffff) {
      throw new RangeError('a text arena holds at most 4 GB');
    }
    if (needed > this.bytes.length) {
      const grown = new Uint8Array(Math.min(0xffffffff, Math.max(needed, this.bytes.length * 2)));
      grown.set(this.bytes.subarray(0, this.usedBytes));
      this.bytes = grown;
    }
  }

  /** Adds the bytes already written at [usedBytes, end) as the next text. */
  commit(end: number): void {
    this.count += 1;
    if (this.count === this.offsets.length) {
      const grown = new Uint32Array(this.offsets.length * 2);
      grown.set(this.offsets);
      this.offsets = grown;
    }
    this.offsets[this.count] = end;
  }

  /** @returns the index of the text in source[start, end) */
  add(source: Uint8Array, start: number, end: number): number {
    const length = end - start;
    this.reserve(length);
    const target = this.bytes;
    const base = this.usedBytes;
    if (!this.distinct) {
      for (let index = 0; index < length; index += 1) {
        target[base + index] = source[start + index]!;
      }
      this.commit(base + length);
      return this.count - 1;
    }
    let hash = 0x811c9dc5;
    for (let index = 0; index < length; index += 1) {
      const byte = source[start + index]!;
      target[base + index] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    if (this.count * 2 >= this.places.length) {
      this.rehash();
    }
    const mask = this.places.length - 1;
    let slot = mix(hash) & mask;
    let probes = 0;
    for (let index = this.places[slot]!; index !== 0 && probes < MAX_PROBES; index = this.places[slot]!) {
      if (this.equals(index - 1, base, length)) {
        return index - 1;
      }
      slot = (slot + 1) & mask;
      probes += 1;
    }
    this.commit(base + length);
    if (probes < MAX_PROBES) {
      this.places[slot] = this.count;
    }
    return this.count - 1;
  }

  addText(text: string): number {
    const encoded = Buffer.from(text, 'utf8');
    return this.add(encoded, 0, encoded.length);
  }

  start(index: number): number {
    return this.offsets[index]!;
  }

  length(index: number): number {
    return this.offsets[index + 1]! - this.offsets[index]!;
  }

  text(index: number): string {
    const known = this.decoded[index];
    if (known !== undefined) {
      return known;
    }
    const start = this.offsets[index]!;
    const end = this.offsets[index + 1]!;
    const text = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + start, end - start).toString('utf8');
    this.decoded[index] = text;
    return text;
  }

  /** Whether the text is blank: no bytes, or only white space. */
  isBlank(index: number): boolean {
    return isBlankText(this.bytes, this.offsets[index]!, this.offsets[index + 1]!);
  }

  private equals(index: number, base: number, length: number): boolean {
    const start = this.offsets[index]!;
    if (this.offsets[index + 1]! - start !== length) {
      return false;
    }
    for (let index = 0; index < length; index += 1) {
      if (this.bytes[start + index] !== this.bytes[base + index]) {
        return false;
      }
    }
    return true;
  }

  private rehash(): void {
    const size = Math.max(1024, this.places.length * 2);
    const mask = size - 1;
    const indexes = new Uint32Array(size);
    for (let place = 0; place < this.count; place += 1) {
      let hash = 0x811c9dc5;
      for (let index = this.offsets[place]!; index < this.offsets[place + 1]!; index += 1) {
        hash = Math.imul(hash ^ this.bytes[index]!, 0x01000193);
      }
      let slot = mix(hash) & mask;
      let probes = 0;
      while (indexes[slot] !== 0 && probes < MAX_PROBES) {
        slot = (slot + 1) & mask;
        probes += 1;
      }
      if (probes < MAX_PROBES) {
        indexes[slot] = place + 1;
      }
    }
    this.places = indexes;
  }
}

/** Whether bytes[start, end) are blank. */
export function isBlankText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    if (bytes[index]! > 32) {
      // a no-break space is the only blank beyond ASCII that is common in sheets
      if (bytes[index] === 0xc2 && bytes[index + 1] === 0xa0) {
        index += 1;
        continue;
      }
      return false;
    }
  }
  return true;
}

function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return once ^ (once >>> 13);
}

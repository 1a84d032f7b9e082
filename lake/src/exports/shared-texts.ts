/** Limits of the table, in texts and in bytes; further texts are written inline into their cells. */
const MAX_TEXTS = 2 ** 16;
const MAX_BYTES = 8 * 2 ** 20;
/** Longer texts are unlikely to repeat. */
const LONGEST = 255;
/**
 * After this many texts, a column whose texts were mostly new stops using the table: it holds names rather than
 * categories.
 */
const TRIED = 4096;

/** Looks up a column's texts in the table as long as they repeat. */
export interface SharedColumn {
  /** The text's index in the table; -1 if it must be written inline. */
  indexOf(bytes: Uint8Array, from: number, to: number): number;
}

/** The table of texts that the cells of a workbook refer to by index. Its size is bounded. */
export interface SharedTexts {
  column(): SharedColumn;
  /** The texts in the order of their indexes. */
  texts(): Generator<Uint8Array>;
}

export function createSharedTexts(maxTexts = MAX_TEXTS, maxBytes = MAX_BYTES): SharedTexts {
  const slots = new Int32Array(2 * 2 ** Math.ceil(Math.log2(maxTexts + 1))).fill(-1);
  const ends = new Int32Array(maxTexts + 1);
  const hashes = new Int32Array(maxTexts);
  let arena = new Uint8Array(Math.min(maxBytes, 2 ** 16));
  let count = 0;

  function isAt(index: number, bytes: Uint8Array, from: number, length: number): boolean {
    const start = ends[index]!;
    if (ends[index + 1]! - start !== length) return false;
    for (let index = 0; index < length; index += 1) if (arena[start + index] !== bytes[from + index]) return false;
    return true;
  }

  /** The index of a new text; -1 if the table is full. */
  function add(slot: number, hash: number, bytes: Uint8Array, from: number, to: number): number {
    const start = ends[count]!;
    const end = start + to - from;
    if (count >= maxTexts || end > maxBytes) return -1;
    if (end > arena.length) {
      const grown = new Uint8Array(Math.min(maxBytes, Math.max(2 * arena.length, end)));
      grown.set(arena);
      arena = grown;
    }
    for (let index = from; index < to; index += 1) arena[start + index - from] = bytes[index]!;
    slots[slot] = count;
    hashes[count] = hash;
    count += 1;
    ends[count] = end;
    return count - 1;
  }

  return {
    column() {
      let [seen, added] = [0, 0];
      let isOpen = true;
      return {
        indexOf(bytes, from, to) {
          if (!isOpen || to - from > LONGEST || to === from) return -1;
          seen += 1;
          let hash = 0x811c9dc5 | 0;
          for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ bytes[index]!, 0x01000193);
          hash ^= hash >>> 15;
          let slot = hash & (slots.length - 1);
          for (let index = slots[slot]!; index >= 0; slot = (slot + 1) & (slots.length - 1), index = slots[slot]!) {
            if (hashes[index] === hash && isAt(index, bytes, from, to - from)) return index;
          }
          const index = add(slot, hash, bytes, from, to);
          added += 1;
          if (added > TRIED && 2 * added > seen) isOpen = false;
          return index;
        },
      };
    },
    *texts() {
      for (let index = 0; index < count; index += 1) yield arena.subarray(ends[index], ends[index + 1]);
    },
  };
}

/** What can say how much memory it holds. */
export interface Sized {
  readonly bytes: number;
  /** Called when it is kept no more; who has it at that moment may still use it. */
  dispose?(): void;
}

/** Results derived from parts that never change, kept while there is room. */
export interface Kept {
  /** What is kept under the key; made where it is not. Calls for the same key at the same time make it once. */
  get<T extends Sized>(key: string, make: () => Promise<T>): Promise<T>;
  /** What is kept under the key and made to the end. */
  peek<T extends Sized>(key: string): T | undefined;
  /** Keeps nothing any more. */
  clear(): void;
  readonly maxBytes: number;
  /** Bytes held at present. */
  readonly bytes: number;
}

interface Entry {
  readonly made: Promise<Sized>;
  /** Null while it is being made. */
  value: Sized | null;
  bytes: number;
}

/** What an entry takes besides what is kept and its key. */
const ENTRY_BYTES = 200;

/** Keeps at most `maxBytes`: what has not been asked for longest goes first. What fails is not kept. */
export function createKept(maxBytes: number): Kept {
  const entries = new Map<string, Entry>();
  let held = 0;

  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (held <= maxBytes) return;
      if (entry.value) drop(key, entry);
    }
  }

  function drop(key: string, { value, bytes }: Entry): void {
    entries.delete(key);
    held -= bytes;
    value?.dispose?.();
  }

  return {
    get bytes() {
      return held;
    },
    maxBytes,
    peek<T extends Sized>(key: string): T | undefined {
      const entry = entries.get(key);
      if (!entry?.value) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value as T;
    },
    clear() {
      for (const [key, entry] of entries) if (entry.value) drop(key, entry);
    },
    async get<T extends Sized>(key: string, make: () => Promise<T>): Promise<T> {
      const known = entries.get(key);
      if (known) {
        entries.delete(key);
        entries.set(key, known);
        return known.made as Promise<T>;
      }
      const entry: Entry = { made: make(), value: null, bytes: 0 };
      entries.set(key, entry);
      try {
        const made = (await entry.made) as T;
        entry.value = made;
        entry.bytes = made.bytes + ENTRY_BYTES + 2 * key.length;
        held += entry.bytes;
        makeRoom();
        return made;
      } catch (error) {
        entries.delete(key);
        throw error;
      }
    },
  };
}

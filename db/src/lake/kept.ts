/** What can say how much memory it holds. */
export interface Sized {
  readonly bytes: number;
}

/** Results derived from parts that never change, kept while there is room. */
export interface Kept {
  /** What is kept under the key; made where it is not. Calls for the same key at the same time make it once. */
  get<T extends Sized>(key: string, make: () => Promise<T>): Promise<T>;
  /** Bytes held at present. */
  readonly bytes: number;
}

interface Entry {
  readonly made: Promise<Sized>;
  /** Null while it is being made. */
  bytes: number | null;
}

/** What an entry takes besides what is kept and its key. */
const ENTRY_BYTES = 200;

/** Keeps at most `maxBytes`: what has not been asked for longest goes first. What fails is not kept. */
export function createKept(maxBytes: number): Kept {
  const entries = new Map<string, Entry>();
  let held = 0;

  function makeRoom(): void {
    for (const [key, { bytes }] of entries) {
      if (held <= maxBytes) return;
      if (bytes === null) continue;
      entries.delete(key);
      held -= bytes;
    }
  }

  return {
    get bytes() {
      return held;
    },
    async get<T extends Sized>(key: string, make: () => Promise<T>): Promise<T> {
      const known = entries.get(key);
      if (known) {
        entries.delete(key);
        entries.set(key, known);
        return known.made as Promise<T>;
      }
      const entry: Entry = { made: make(), bytes: null };
      entries.set(key, entry);
      try {
        const made = (await entry.made) as T;
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

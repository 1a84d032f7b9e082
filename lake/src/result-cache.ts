/** A result that knows how much memory it holds. */
export interface Sized {
  readonly bytes: number;
  /** Called on eviction; code that holds the result at that moment may still use it. */
  dispose?(): void;
}

/** Cached results derived from parts that never change. */
export interface ResultCache {
  /** Returns the cached result, or makes it. Concurrent calls for one key make it once. */
  get<T extends Sized>(key: string, make: () => Promise<T>): Promise<T>;
  /** The cached result, if it has been made already. */
  peek<T extends Sized>(key: string): T | undefined;
  /** Evicts everything. */
  clear(): void;
  readonly maxBytes: number;
  /** Bytes currently held. */
  readonly bytes: number;
}

interface Entry {
  readonly made: Promise<Sized>;
  /** Null while it is being made. */
  value: Sized | null;
  bytes: number;
}

/** Memory of an entry besides its result and key. */
const ENTRY_BYTES = 200;

/** A cache of at most `maxBytes` that evicts the least recently used first. Failures are not cached. */
export function createResultCache(maxBytes: number): ResultCache {
  const entries = new Map<string, Entry>();
  let held = 0;

  function evictOldest(): void {
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
        evictOldest();
        return made;
      } catch (error) {
        entries.delete(key);
        throw error;
      }
    },
  };
}

import type { InflateRaw, ZstdDecompress } from 'node:zlib';

/**
 * What is below the stream that node:zlib makes. The stream allocates a buffer for every chunk that it hands out, and
 * starts the next one only when the event loop of its thread gets to it; its handle inflates at once, to where one says.
 * npm's own unpacker of archives reaches for it too.
 */
export interface InflaterState {
  readonly handle: {
    onerror: (message: string, errorNumber: number, code: string) => void;
    /** Forgets what came before: the next bytes begin anew. */
    reset(): void;
    writeSync(
      flush: number,
      input: Uint8Array,
      inputStart: number,
      inputBytes: number,
      output: Uint8Array,
      outputStart: number,
      outputBytes: number,
    ): void;
  };
  /** After a write: room left in the output, and bytes left of the input. */
  readonly left: Uint32Array;
}

/** Undefined where this Node.js has nothing of the kind. */
export function inflaterState(inflater: InflateRaw | ZstdDecompress): InflaterState | undefined {
  const { _handle: handle, _writeState: left } = inflater as unknown as Record<string, unknown>;
  const canWrite = typeof (handle as InflaterState['handle'] | undefined)?.writeSync === 'function';
  return canWrite && left instanceof Uint32Array && left.length === 2
    ? { handle: handle as InflaterState['handle'], left }
    : undefined;
}

import { constants, createInflateRaw, deflateRawSync, type InflateRaw, type ZstdDecompress } from 'node:zlib';

/**
 * The handle beneath node:zlib's stream. The stream allocates a buffer for each chunk and only starts the next one when
 * the event loop gets to it; the handle inflates synchronously into a given buffer. npm's own archive unpacker uses it
 * too.
 */
export interface InflaterState {
  readonly handle: {
    onerror: (message: string, errorNumber: number, code: string) => void;
    /** Resets the inflater for new data. */
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
  /** After a write: space left in the output, and bytes left of the input. */
  readonly left: Uint32Array;
}

/** Set to `on`, it keeps to the public functions of node:zlib: somewhat slower, for a Node.js whose inner ones misbehave. */
const PUBLIC_ONLY = 'PUBLIC_ZLIB';

const SAMPLE = Buffer.from('a text that is packed and unpacked to see whether the way below the stream is there');
let isSound: boolean | undefined;

/**
 * Undefined where this Node.js has nothing of the kind, where it does not unpack a sample as it should, or where the environment variable
 * PUBLIC_ZLIB is `on`. Callers then do without, by the public functions.
 */
export function inflaterState(inflater: InflateRaw | ZstdDecompress): InflaterState | undefined {
  if (process.env[PUBLIC_ONLY] === 'on') return undefined;
  isSound ??= unpacksSample(createInflateRaw());
  return isSound ? stateOf(inflater) : undefined;
}

function stateOf(inflater: object): InflaterState | undefined {
  const { _handle: handle, _writeState: left } = inflater as Record<string, unknown>;
  const canWrite = typeof (handle as InflaterState['handle'] | undefined)?.writeSync === 'function';
  return canWrite && left instanceof Uint32Array && left.length === 2
    ? { handle: handle as InflaterState['handle'], left }
    : undefined;
}

/** Whether the inner functions of an unpacker, which no version of Node.js promises, do what is asked of them. Exported for its test. */
export function unpacksSample(inflater: object & { close(): void }): boolean {
  try {
    const state = stateOf(inflater);
    if (state === undefined) return false;
    const packed = deflateRawSync(SAMPLE);
    const output = Buffer.alloc(SAMPLE.length + 1);
    let failed = false;
    state.handle.onerror = () => {
      failed = true;
    };
    state.handle.writeSync(constants.Z_FINISH, packed, 0, packed.length, output, 0, output.length);
    const [roomLeft, packedLeft] = state.left;
    return !failed && roomLeft === 1 && packedLeft === 0 && output.subarray(0, SAMPLE.length).equals(SAMPLE);
  } catch {
    return false;
  } finally {
    inflater.close();
  }
}

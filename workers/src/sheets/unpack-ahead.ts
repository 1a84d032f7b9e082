import { Worker } from 'node:worker_threads';
import { createInflateRaw } from 'node:zlib';
import { inflaterState } from './inflater-state.ts';
import { refuseDamaged } from './limits.ts';
import type { UnpackingJob, UnpackingMessage } from './unpacking-thread.ts';

/** Two of them fill the cache of a core. */
const CHUNK_BYTES = 512 << 10;
/** How far the thread may run ahead: enough for it to go on while a batch is packed. */
const CHUNKS = 32;

/** The CRC-32 of a part, complete once all of it was handed out. */
export interface Checksum {
  crc: number;
}

let isAble: boolean | undefined;

/** Whether this Node.js lets a thread inflate without an event loop. */
export function canUnpackAhead(): boolean {
  if (isAble === undefined) {
    const inflater = createInflateRaw();
    isAble = inflaterState(inflater) !== undefined;
    inflater.close();
  }
  return isAble;
}

interface PackedPart {
  /** For messages. */
  readonly name: string;
  readonly fd: number;
  readonly start: number;
  readonly packedBytes: number;
}

/**
 * Inflates a part on a thread of its own, up to 16 MB ahead of the consumer. A chunk is good until the next one is asked
 * for: its memory is used again. The thread ends with the generator, however that ends.
 * @throws Refusal badRequest where the part is damaged or the file cut.
 */
export async function* unpackAhead(part: PackedPart, checksum: Checksum): AsyncGenerator<Buffer> {
  const returns = new Int32Array(new SharedArrayBuffer(4));
  const { fd, start, packedBytes } = part;
  const job: UnpackingJob = {
    fd,
    start,
    packedBytes,
    chunkBytes: CHUNK_BYTES,
    chunks: CHUNKS,
    returns: returns.buffer,
  };
  const thread = new Worker(new URL('unpacking-thread.ts', import.meta.url), { workerData: job, execArgv: [] });
  const told: UnpackingMessage[] = [];
  let end: { readonly error: Error } | undefined;
  let wake: () => void = () => {};
  thread.on('message', (message: UnpackingMessage) => {
    told.push(message);
    wake();
  });
  thread.on('error', (error) => {
    end ??= { error };
    wake();
  });
  thread.on('exit', () => {
    end ??= { error: new Error('the thread that unpacks ended before it was done') };
    wake();
  });
  // The process waits for the thread only while somebody waits for a chunk.
  thread.unref();
  try {
    for (;;) {
      const message = told.shift();
      if (message === undefined) {
        if (end !== undefined) {
          throw end.error;
        }
        thread.ref();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        thread.unref();
      } else if (message.kind === 'chunk') {
        const { buffer, bytes } = message;
        yield Buffer.from(buffer, 0, bytes);
        thread.postMessage(buffer, [buffer]);
        Atomics.add(returns, 0, 1);
        Atomics.notify(returns, 0);
      } else if (message.kind === 'ended') {
        checksum.crc = message.crc;
        return;
      } else if (message.why === 'cut') {
        throw refuseDamaged('it ends in the middle of a part');
      } else {
        throw refuseDamaged(`the part ${part.name} cannot be unpacked`, new Error(message.reason));
      }
    }
  } finally {
    await thread.terminate();
  }
}

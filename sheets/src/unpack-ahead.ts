import { Worker } from 'node:worker_threads';
import { createInflateRaw } from 'node:zlib';
import { ThreadEnded } from './faults.ts';
import { inflaterState } from './inflater-state.ts';
import { refuseDamaged } from './limits.ts';
import type { UnpackingJob, UnpackingMessage } from './unpacking-thread.ts';

/** Two of them fill the cache of a core. */
const CHUNK_BYTES = 512 << 10;
/** How far the thread may run ahead: enough to keep working while a batch is packed. */
const CHUNKS = 32;

/** The CRC-32 of a part, complete once all chunks were consumed. */
export interface Checksum {
  crc: number;
}

/** Whether this Node.js lets a thread inflate without an event loop. */
export function canUnpackAhead(): boolean {
  const inflater = createInflateRaw();
  try {
    return inflaterState(inflater) !== undefined;
  } finally {
    inflater.close();
  }
}

interface PackedPart {
  /** For error messages. */
  readonly name: string;
  readonly fd: number;
  readonly start: number;
  readonly packedBytes: number;
}

/**
 * Inflates a part on a separate thread, up to 16 MB ahead of the consumer. A chunk is valid until the next one is
 * requested, when its memory is reused. The thread ends with the generator, however that ends.
 * @throws SheetError if the part is damaged or the file truncated
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
  const messages: UnpackingMessage[] = [];
  let end: { readonly error: Error } | undefined;
  let wake: () => void = () => {};
  thread.on('message', (message: UnpackingMessage) => {
    messages.push(message);
    wake();
  });
  thread.on('error', (error) => {
    end ??= { error };
    wake();
  });
  thread.on('exit', () => {
    end ??= { error: new ThreadEnded('the thread that unpacks ended before it was done') };
    wake();
  });
  // The thread keeps the process alive only while a chunk is awaited.
  thread.unref();
  try {
    for (;;) {
      const message = messages.shift();
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

import { readSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { constants, crc32, createInflateRaw } from 'node:zlib';
import { type InflaterState, inflaterState } from './inflater-state.ts';

// The thread that unpacks a large part of a workbook ahead of its reader; started by unpack-ahead.ts. It only reads,
// inflates and computes the checksum, each while the bytes are still in the processor's cache.

export interface UnpackingJob {
  /** The open file; it stays open until the thread has ended. */
  readonly fd: number;
  readonly start: number;
  readonly packedBytes: number;
  readonly chunkBytes: number;
  /** Maximum chunks that are unpacked ahead. */
  readonly chunks: number;
  /** One 32-bit number: how often a chunk's buffer was returned to be reused. */
  readonly returns: SharedArrayBuffer;
}

export type UnpackingMessage =
  | { readonly kind: 'chunk'; readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly kind: 'ended'; readonly crc: number }
  | { readonly kind: 'failed'; readonly why: 'cut' | 'damaged'; readonly reason: string };

const PACKED_BYTES = 256 << 10;
/** Bytes inflated at a time, so that their checksum is computed while they are in the cache. */
const STEP_BYTES = 128 << 10;

if (parentPort === null) throw new Error('this is a thread of unpack-ahead.ts');
const port = parentPort;
const job = workerData as UnpackingJob;
const returns = new Int32Array(job.returns);
const idle: ArrayBuffer[] = [];
let made = 0;

const tell = (message: UnpackingMessage, ...transferred: ArrayBuffer[]): void => port.postMessage(message, transferred);

/** A free buffer: the one that was returned last, as it is the most likely to be in the cache. Waits for one. */
function takeBuffer(): ArrayBuffer {
  for (;;) {
    const seen = Atomics.load(returns, 0);
    for (let back = receiveMessageOnPort(port); back !== undefined; back = receiveMessageOnPort(port)) {
      idle.push(back.message);
    }
    const buffer = idle.pop();
    if (buffer !== undefined) return buffer;
    if (made < job.chunks) {
      made += 1;
      return new ArrayBuffer(job.chunkBytes);
    }
    Atomics.wait(returns, 0, seen);
  }
}

function unpack({ handle, left }: InflaterState): void {
  const { fd, start, packedBytes, chunkBytes } = job;
  const packed = new Uint8Array(PACKED_BYTES);
  let packedAt = 0;
  let packedLeft = 0;
  let read = 0;
  let output = new Uint8Array(takeBuffer());
  let filled = 0;
  let crc = 0;
  let failure: string | undefined;
  handle.onerror = (message) => {
    failure = message;
  };
  for (;;) {
    if (packedLeft === 0 && read < packedBytes) {
      packedLeft = readSync(fd, packed, 0, Math.min(PACKED_BYTES, packedBytes - read), start + read);
      packedAt = 0;
      read += packedLeft;
      if (packedLeft === 0) {
        tell({ kind: 'failed', why: 'cut', reason: 'the file ends' });
        return;
      }
    }
    const isLast = read === packedBytes;
    const space = Math.min(STEP_BYTES, chunkBytes - filled);
    const flush = isLast ? constants.Z_FINISH : constants.Z_NO_FLUSH;
    handle.writeSync(flush, packed, packedAt, packedLeft, output, filled, space);
    if (failure !== undefined) {
      tell({ kind: 'failed', why: 'damaged', reason: failure });
      return;
    }
    const [spaceLeft, packedLeftNow] = [left[0]!, left[1]!];
    packedAt += packedLeft - packedLeftNow;
    packedLeft = packedLeftNow;
    crc = crc32(output.subarray(filled, filled + space - spaceLeft), crc);
    filled += space - spaceLeft;
    // Output space is left and no input is wanted: the stream has ended, whatever follows it.
    const isEnded = spaceLeft > 0 && (isLast || packedLeft > 0);
    if (filled === chunkBytes || (isEnded && filled > 0)) {
      const { buffer } = output;
      tell({ kind: 'chunk', buffer, bytes: filled }, buffer);
      filled = 0;
      if (!isEnded) {
        output = new Uint8Array(takeBuffer());
      }
    }
    if (isEnded) {
      tell({ kind: 'ended', crc });
      return;
    }
  }
}

const inflater = createInflateRaw();
const state = inflaterState(inflater);
if (state === undefined) throw new Error('this Node.js has no inflater that can run step by step');
unpack(state);
inflater.close();

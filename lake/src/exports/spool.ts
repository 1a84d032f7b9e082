import { type FileHandle, open, rm } from 'node:fs/promises';

const SEGMENT_BYTES = 8 * 2 ** 20;
/** Bytes written ahead of a slow reader before the writer is asked to wait. */
export const AHEAD_BYTES = 16 * 2 ** 20;
const PIECE_BYTES = 256 * 1024;

interface Segment {
  readonly file: FileHandle;
  written: number;
}

/**
 * Bytes between a writer and a reader that may be slow, kept in files so that neither holds memory for the other. The
 * writer is never stopped within a slice; it awaits `capacity` before it begins the next.
 */
export class Spool {
  readonly #path: string;
  readonly #segments: Segment[] = [];
  #made = 0;
  #readAt = 0;
  #ahead = 0;
  #state: 'open' | 'ended' | { readonly error: unknown } = 'open';
  #wake: () => void = () => undefined;

  /** @param path prefix of its files' names; a number is appended */
  constructor(path: string) {
    this.#path = path;
  }

  /** Waits until the reader has caught up enough, or the spool has failed. */
  async capacity(): Promise<void> {
    while (this.#ahead > AHEAD_BYTES && this.#state === 'open') await this.#changed();
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#state !== 'open') return;
    let last = this.#segments.at(-1);
    if (!last || last.written >= SEGMENT_BYTES) {
      const path = `${this.#path}-${this.#made}`;
      this.#made += 1;
      last = { file: await open(path, 'wx+', 0o600), written: 0 };
      // An unlinked file can still be written and read while it is open: nothing is left behind however the process
      // ends.
      await rm(path);
      this.#segments.push(last);
    }
    const { file } = last;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at, last.written);
      at += bytesWritten;
      last.written += bytesWritten;
      this.#ahead += bytesWritten;
    }
    this.#wakeAll();
  }

  /** Marks the end of the data. */
  end(): void {
    this.#state = 'ended';
    this.#wakeAll();
  }

  /** The reader gets the error instead of the bytes it has not read yet; later writes are discarded. */
  fail(error: unknown): void {
    if (this.#state === 'open') this.#state = { error };
    this.#wakeAll();
  }

  /** The next bytes, in their own memory; null at the end. @throws the error that the writer failed with */
  async read(): Promise<Uint8Array<ArrayBuffer> | null> {
    for (;;) {
      if (typeof this.#state === 'object') throw this.#state.error;
      const [first, next] = this.#segments;
      if (first && this.#readAt < first.written) {
        const piece = new Uint8Array(Math.min(PIECE_BYTES, first.written - this.#readAt));
        const { bytesRead } = await first.file.read(piece, 0, piece.length, this.#readAt);
        this.#readAt += bytesRead;
        this.#ahead -= bytesRead;
        this.#wakeAll();
        return bytesRead === piece.length ? piece : piece.slice(0, bytesRead);
      }
      if (first && next) {
        this.#segments.shift();
        this.#readAt = 0;
        await first.file.close();
      } else if (this.#state === 'ended') return null;
      else await this.#changed();
    }
  }

  /** Releases the disk space once neither side uses it any more. */
  async dispose(): Promise<void> {
    await Promise.all(this.#segments.splice(0).map(({ file }) => file.close()));
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#wake;
      this.#wake = () => {
        before();
        resolve();
      };
    });
  }

  #wakeAll(): void {
    const wake = this.#wake;
    this.#wake = () => undefined;
    wake();
  }
}

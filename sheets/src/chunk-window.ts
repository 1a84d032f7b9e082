import { refuseSheet } from './limits.ts';

/** Bytes past a scan's limit that may still be read, so that a scanner can look ahead without a check at each byte. */
export const LOOKAHEAD_BYTES = 128;

const JOIN_BYTES = 64 << 10;

/**
 * Feeds a stream of chunks to a scanner that consumes complete pieces (a row, a string) and keeps no state within one.
 * The incomplete end of a chunk is joined with the start of the next one; all other bytes are scanned where the
 * inflater put them.
 */
export abstract class ChunkWindow {
  protected bytes: Uint8Array = new Uint8Array(0);
  protected position = 0;
  /** A scan stops at the first piece boundary at or after this position, where the next chunk takes over. */
  protected handover = Number.POSITIVE_INFINITY;
  /** Set by `scan` to stop early, with everything after the returned position still to be scanned. */
  protected paused = false;
  private limit = 0;
  private following: Uint8Array | undefined;
  private retryBytes = 0;
  private readonly maxPieceBytes: number;
  private readonly pieceName: string;

  constructor(pieceName: string, maxPieceBytes: number) {
    this.pieceName = pieceName;
    this.maxPieceBytes = maxPieceBytes;
  }

  /**
   * Consumes pieces from `start`; bytes up to `limit + LOOKAHEAD_BYTES` may be read. A piece that does not end before
   * `limit` is not consumed.
   * @returns the position after the last complete piece
   */
  protected abstract scan(bytes: Uint8Array, start: number, limit: number): number;

  feed(chunk: Uint8Array): void {
    const leftBytes = this.bytes.length - this.position;
    if (leftBytes === 0) {
      this.open(chunk, 0, undefined);
    } else {
      const left = this.bytes.subarray(this.position);
      const taken = Math.min(chunk.length, Math.max(JOIN_BYTES, leftBytes));
      const joined = new Uint8Array(leftBytes + taken);
      joined.set(left);
      joined.set(chunk.subarray(0, taken), leftBytes);
      this.open(joined, 0, taken === chunk.length ? undefined : chunk);
      this.handover = this.following === undefined ? Number.POSITIVE_INFINITY : leftBytes;
    }
    this.run();
  }

  /** Continues after a pause. */
  resume(): void {
    this.run();
  }

  /** The last chunk has arrived: the rest must be complete. */
  finish(): void {
    const left = this.bytes.subarray(this.position);
    const padded = new Uint8Array(left.length + LOOKAHEAD_BYTES);
    padded.set(left);
    this.bytes = padded;
    this.position = 0;
    this.limit = left.length;
    this.handover = Number.POSITIVE_INFINITY;
    this.retryBytes = 0;
    this.run();
  }

  get isPaused(): boolean {
    return this.paused;
  }

  /** The bytes not consumed yet (without the padding after the end). */
  protected get leftBytes(): number {
    return Math.max(0, this.limit - this.position);
  }

  private open(bytes: Uint8Array, position: number, following: Uint8Array | undefined): void {
    // Buffers are converted to plain Uint8Arrays: the scanners' machine code is specialized for one class.
    this.bytes = bytes instanceof Buffer ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : bytes;
    this.position = position;
    this.limit = bytes.length - LOOKAHEAD_BYTES;
    this.following = following;
    this.handover = Number.POSITIVE_INFINITY;
  }

  private run(): void {
    this.paused = false;
    while (this.limit - this.position > 0 && this.bytes.length - this.position >= this.retryBytes) {
      this.position = this.scan(this.bytes, this.position, this.limit);
      if (this.paused) {
        return;
      }
      this.retryBytes = 0;
      const next = this.following;
      if (next === undefined) {
        // A piece that fills much of a chunk is rescanned only once twice as much of it has arrived.
        const left = this.bytes.length - this.position;
        if (left > this.maxPieceBytes) {
          throw refuseSheet(
            `${this.pieceName} is larger than ${this.maxPieceBytes >> 20} MB, which no spreadsheet program writes. Save the file again and open the new one.`,
          );
        }
        this.retryBytes = left > JOIN_BYTES ? left * 2 : 0;
        return;
      }
      if (this.position >= this.handover) {
        this.open(next, this.position - this.handover, undefined);
      } else {
        // The piece continues beyond what was joined: join the whole chunk.
        const left = this.bytes.subarray(this.position, this.handover);
        const joined = new Uint8Array(left.length + next.length);
        joined.set(left);
        joined.set(next, left.length);
        this.open(joined, 0, undefined);
      }
    }
  }
}

/**
 * Parquet's small integers of one bit width: runs of one value, and bit-packed runs, in turn. Definition levels and
 * dictionary indexes are stored this way. They are read a few at a time, from where the last reading ended.
 */
export class HybridRuns {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly end: number;
  private readonly width: number;
  private at: number;
  /**
   * Remaining values of the current run, and the single value of a repeated run; packed values are read from `bit` on.
   */
  private left = 0;
  private isPacked = false;
  private value = 0;
  private bit = 0;

  /** @param width bits of a value, at most MAX_WIDTH */
  constructor(bytes: Uint8Array, from: number, end: number, width: number) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = from;
    this.end = end;
    this.width = width;
  }

  /** Skips `count` values if they all belong to one run of `value`; otherwise does nothing and returns false. */
  skipRunOf(value: number, count: number): boolean {
    if (this.left === 0) this.nextRun();
    if (this.isPacked || this.value !== value || this.left < count) return false;
    this.left -= count;
    return true;
  }

  /** Reads `count` values into `target`. @throws Error if the data is truncated */
  read(target: Int32Array | Uint8Array, from: number, count: number): void {
    for (let done = 0; done < count; ) {
      if (this.left === 0) this.nextRun();
      const taken = Math.min(this.left, count - done);
      if (this.isPacked) {
        if (target instanceof Int32Array) unpack(this.view, this.bit, this.width, target, from + done, taken);
        else unpackBytes(this.view, this.bit, this.width, target, from + done, taken);
        this.bit += taken * this.width;
      } else target.fill(this.value, from + done, from + done + taken);
      this.left -= taken;
      done += taken;
    }
  }

  private nextRun(): void {
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      if (this.at >= this.end || shift > 28) throw new Error('runs of a Parquet page are cut off');
      const byte = this.bytes[this.at]!;
      this.at += 1;
      head |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    head >>>= 0;
    this.isPacked = (head & 1) === 1;
    if (this.isPacked) {
      const groups = head >>> 1;
      this.left = groups * 8;
      if (this.width === 0) [this.isPacked, this.value] = [false, 0];
      this.bit = this.at * 8;
      this.at += groups * this.width;
    } else {
      this.left = head >>> 1;
      const width = (this.width + 7) >> 3;
      this.value = 0;
      for (let byte = 0; byte < width; byte += 1) this.value |= (this.bytes[this.at + byte] ?? 0) << (byte * 8);
      this.at += width;
    }
    if (this.left === 0 || this.at > this.end) throw new Error('runs of a Parquet page are cut off');
  }
}

/** Values with more bits could extend beyond the four bytes that are read. */
export const MAX_WIDTH = 25;

/** How many of `count` values can be read four bytes at once: as long as four are left. */
function countByFour(view: DataView, bit: number, width: number, count: number): number {
  return Math.min(count, Math.max(0, Math.floor(((view.byteLength - 4) * 8 + 7 - bit) / width) + 1));
}

function lastValue(view: DataView, bit: number, mask: number): number {
  let value = 0;
  for (let byte = 0; byte < 4; byte += 1) {
    const at = (bit >>> 3) + byte;
    if (at < view.byteLength) value |= view.getUint8(at) << (byte * 8);
  }
  return (value >>> (bit & 7)) & mask;
}

// One function for each type of array, so that the compiler can specialize it: half of the time to read a tape.
function unpack(view: DataView, start: number, width: number, target: Int32Array, from: number, count: number): void {
  const mask = (1 << width) - 1;
  const whole = countByFour(view, start, width, count);
  let bit = start;
  for (let at = 0; at < whole; at += 1) {
    target[from + at] = (view.getInt32(bit >>> 3, true) >>> (bit & 7)) & mask;
    bit += width;
  }
  for (let at = whole; at < count; at += 1) target[from + at] = lastValue(view, start + at * width, mask);
}

function unpackBytes(
  view: DataView,
  start: number,
  width: number,
  target: Uint8Array,
  from: number,
  count: number,
): void {
  const mask = (1 << width) - 1;
  const whole = countByFour(view, start, width, count);
  let bit = start;
  for (let at = 0; at < whole; at += 1) {
    target[from + at] = (view.getInt32(bit >>> 3, true) >>> (bit & 7)) & mask;
    bit += width;
  }
  for (let at = whole; at < count; at += 1) target[from + at] = lastValue(view, start + at * width, mask);
}

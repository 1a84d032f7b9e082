import type { TextTable } from './raw-batch.ts';
import type { TextArena } from './text-arena.ts';

/** The texts of a batch: first the workbook's shared strings, then the inline texts of its cells. */
export class BatchTexts implements TextTable {
  private readonly shared: TextArena;
  private readonly inline: TextArena;
  private readonly sharedCount: number;

  constructor(shared: TextArena, inline: TextArena) {
    this.shared = shared;
    this.inline = inline;
    this.sharedCount = shared.count;
  }

  get count(): number {
    return this.sharedCount + this.inline.count;
  }

  bytes(code: number): Uint8Array {
    return code < this.sharedCount ? this.shared.bytes : this.inline.bytes;
  }

  start(code: number): number {
    return code < this.sharedCount ? this.shared.start(code) : this.inline.start(code - this.sharedCount);
  }

  length(code: number): number {
    return code < this.sharedCount ? this.shared.length(code) : this.inline.length(code - this.sharedCount);
  }

  text(code: number): string {
    return code < this.sharedCount ? this.shared.text(code) : this.inline.text(code - this.sharedCount);
  }
}

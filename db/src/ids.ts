import { randomBytes } from 'node:crypto';
import { isId } from '@tapeline/domain/documents/id.schema.ts';

// ObjectId layout: 4 bytes of seconds, 5 random bytes of this process, 3 bytes of a counter.
const processPart = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

/** A new 24-hex id; ids of one process sort by creation time. */
export function newId(now: Date = new Date()): string {
  counter = (counter + 1) % 0x1000000;
  const seconds = Math.floor(now.getTime() / 1000) % 0x100000000;
  return seconds.toString(16).padStart(8, '0') + processPart + counter.toString(16).padStart(6, '0');
}

/** A new random 16-hex prefix for a tape: an asset's id is this prefix and the sheet's row number as 8 hex digits. */
export const newAssetPrefix = (): string => randomBytes(8).toString('hex');

/** The id of the asset on sheet row `row` (1-based) of the tape with this prefix. */
export const assetIdOf = (assetPrefix: string, row: number): string => assetPrefix + row.toString(16).padStart(8, '0');

/** Splits an asset's id into its tape's prefix and its sheet row; null if it is not an asset id. */
export function readAssetId(id: string): { assetPrefix: string; row: number } | null {
  if (!isId(id)) return null;
  return { assetPrefix: id.slice(0, 16), row: Number.parseInt(id.slice(16), 16) };
}

import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { SheetShape } from '@tapeline/domain/tapes/generation.ts';
import type { AttemptObjects } from './attempt-objects.ts';
import type { ObjectStore } from './object-store.ts';

const sheetKey = ({ objectPrefix }: AttemptObjects): string => `${objectPrefix}sheet.json`;

/** Stores the shape of an attempt's sheet next to the rows that it describes. */
export async function keepSheetShape(
  objects: Pick<ObjectStore, 'putStream'>,
  attempt: AttemptObjects,
  shape: SheetShape,
): Promise<void> {
  const content = Readable.from([JSON.stringify(shape)]);
  await objects.putStream(sheetKey(attempt), content, { type: 'application/json' });
}

/** @throws Refusal, see `missingObject` */
export const readSheetShape = async (
  objects: Pick<ObjectStore, 'getStream'>,
  attempt: AttemptObjects,
): Promise<SheetShape> => (await json(await objects.getStream(sheetKey(attempt)))) as SheetShape;

/** A sheet has at most 16,384 columns: this is 256 bytes for each. */
const MAX_SHAPE_BYTES = 4 * 2 ** 20;

/** The headers of an attempt's sheet. Null if its shape is not stored, or is larger than 4 MB. */
export async function readSheetColumns(
  objects: Pick<ObjectStore, 'getStream' | 'head'>,
  attempt: AttemptObjects,
): Promise<string[] | null> {
  const head = await objects.head(sheetKey(attempt));
  return head && head.size <= MAX_SHAPE_BYTES ? (await readSheetShape(objects, attempt)).columns : null;
}

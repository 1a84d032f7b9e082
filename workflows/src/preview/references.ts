/** A value that is too large for a Temporal message: JSON in an object with this key. The caller deletes the object. */
export interface Stored {
  readonly storedAs: string;
}

/** The input of a preview, as a value or by reference. */
export type Question<T> = T | Stored;
/** The output of a preview, as a value or by reference. */
export type Answer<T> = T | Stored;

export const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && typeof (value as { storedAs?: unknown }).storedAs === 'string';

/** Maximum characters of JSON in a message. A Temporal message can have 2 MB, and the history keeps every message. */
export const LONGEST_MESSAGE = 100_000;

const PREFIX = 'previews/';

/** The key of a question or an answer. It contains the creation time, so that objects left behind can be found. */
export const storedKey = (instance: string, id: string, now: number): string =>
  `${PREFIX}${instance}/${now}-${id}.json`;

/** The key prefix of an instance's questions and answers. */
export const storedPrefix = (instance: string): string => `${PREFIX}${instance}/`;

/** Creation time of the question or answer with this key, in epoch milliseconds; null for other keys. */
export function storedAt(key: string): number | null {
  const time = /^previews\/[^/]+\/(\d{1,16})-[^/]+\.json$/.exec(key)?.[1];
  return time === undefined ? null : Number(time);
}

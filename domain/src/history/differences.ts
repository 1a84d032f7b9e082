import { isDecimal } from '../money/decimal.ts';
import type { UpdatedField } from './history.schema.ts';

/** A step into a document: a field, or an entry of a list with its index. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'entry'; readonly index: number; readonly title: string | null };

/** One value that a change added, removed or replaced, at its path in the document. */
export interface Difference {
  readonly steps: readonly Step[];
  readonly kind: 'added' | 'removed' | 'changed';
  readonly old: unknown;
  readonly new: unknown;
}

type Values = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An amount of money: it is shown and compared as one value. */
export const isAmount = (value: unknown): value is { sum: string | number; currency: string } =>
  isRecord(value) &&
  Object.keys(value).length === 2 &&
  typeof value.currency === 'string' &&
  (typeof value.sum === 'number' || (typeof value.sum === 'string' && isDecimal(value.sum)));

/** A stored file: only its name means something to a reader. */
export const isFile = (value: unknown): value is { name: string } =>
  isRecord(value) && typeof value.name === 'string' && typeof value.key === 'string' && 'bucket' in value;

/** Documents are at most this deep; deeper values are compared as a whole. */
const MAX_DEPTH = 12;

/** Fields that identify an entry of a list, first choice first. */
const KEYS = ['id', 'uniqueKey', 'noteId', 'targetCol', 'key', 'date', 'title', 'name', 'currency'];
/** Fields that name an entry to a reader, first choice first. */
const TITLES = ['title', 'name', 'noteTitle', 'label', 'targetCol', 'currency', 'date'];

const isMissing = (value: unknown): boolean => value === null || value === undefined;

/** Whether two values are the same document; a missing field equals null. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isMissing(one) || isMissing(other)) return isMissing(one) && isMissing(other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => isSame(entry, other[index]));
  if (isRecord(one) && isRecord(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => isSame(one[key], other[key]));
  return one === other;
}

export function titleOf(entry: unknown): string | null {
  if (!isRecord(entry)) return null;
  for (const name of TITLES) {
    const value = entry[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** The field whose values identify the entries of both lists, if there is one. */
function keyOf(old: readonly unknown[], now: readonly unknown[]): string | null {
  const identifies = (key: string, list: readonly unknown[]): boolean => {
    const values = list.map((entry) => (isRecord(entry) ? entry[key] : null));
    return values.every((value) => typeof value === 'string') && new Set(values).size === values.length;
  };
  return KEYS.find((key) => identifies(key, old) && identifies(key, now)) ?? null;
}

type Pair = readonly [old: unknown, now: unknown, oldIndex: number, index: number];

/** The entries of two lists that belong together; -1 is the index of an entry that the other list does not have. */
function pairsOf(old: readonly unknown[], now: readonly unknown[]): Pair[] {
  const key = keyOf(old, now);
  if (key !== null) {
    const keyed = (entry: unknown) => (entry as Values)[key];
    const places = new Map(now.map((entry, index) => [keyed(entry), index]));
    const kept = new Set(old.map(keyed));
    return [
      ...old.map((entry, oldIndex): Pair => {
        const index = places.get(keyed(entry)) ?? -1;
        return [entry, index < 0 ? null : now[index], oldIndex, index];
      }),
      ...now.flatMap((entry, index): Pair[] => (kept.has(keyed(entry)) ? [] : [[null, entry, -1, index]])),
    ];
  }
  // Without keys, entries are matched by index between the equal ends of the lists.
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && isSame(old[start], now[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(old.at(-1 - end), now.at(-1 - end))) end += 1;
  const [oldMiddle, middle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  return Array.from({ length: Math.max(oldMiddle.length, middle.length) }, (_, at): Pair => {
    const [hadOne, hasOne] = [at < oldMiddle.length, at < middle.length];
    return [
      hadOne ? oldMiddle[at] : null,
      hasOne ? middle[at] : null,
      hadOne ? start + at : -1,
      hasOne ? start + at : -1,
    ];
  });
}

/** Texts and numbers that only one of the lists has, each as often as it occurs more. */
function scalarsOf(old: readonly unknown[], now: readonly unknown[], steps: readonly Step[]): Difference[] {
  const spare = new Map<unknown, number>();
  for (const value of now) spare.set(value, (spare.get(value) ?? 0) + 1);
  const removed = old.flatMap((value, index): Difference[] => {
    const count = spare.get(value) ?? 0;
    if (count > 0) {
      spare.set(value, count - 1);
      return [];
    }
    return [{ steps: [...steps, { kind: 'entry', index, title: null }], kind: 'removed', old: value, new: null }];
  });
  const added = now.flatMap((value, index): Difference[] => {
    const count = spare.get(value) ?? 0;
    if (count === 0) return [];
    spare.set(value, count - 1);
    return [{ steps: [...steps, { kind: 'entry', index, title: null }], kind: 'added', old: null, new: value }];
  });
  // The same entries in another order.
  return removed.length + added.length === 0 ? [{ steps, kind: 'changed', old, new: now }] : [...removed, ...added];
}

function* differencesWithin(old: unknown, now: unknown, steps: readonly Step[], depth: number): Generator<Difference> {
  if (isSame(old, now)) return;
  const isWhole = depth >= MAX_DEPTH || isAmount(old) || isAmount(now) || isFile(old) || isFile(now);
  if (!isWhole && isRecord(old) && isRecord(now)) {
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      yield* differencesWithin(old[name], now[name], [...steps, { kind: 'field', name }], depth + 1);
    }
    return;
  }
  if (!isWhole && Array.isArray(old) && Array.isArray(now)) {
    if ([...old, ...now].every((entry) => typeof entry !== 'object')) {
      yield* scalarsOf(old, now, steps);
      return;
    }
    const before = [...steps];
    let found = false;
    for (const [was, is, oldIndex, index] of pairsOf(old, now)) {
      const step: Step = { kind: 'entry', index: index < 0 ? oldIndex : index, title: titleOf(index < 0 ? was : is) };
      for (const difference of differencesWithin(was, is, [...before, step], depth + 1)) {
        found = true;
        yield difference;
      }
    }
    if (!found) yield { steps, kind: 'changed', old, new: now };
    return;
  }
  const isEmpty = (value: unknown): boolean => isMissing(value) || (Array.isArray(value) && value.length === 0);
  const kind = isEmpty(old) ? 'added' : isEmpty(now) ? 'removed' : 'changed';
  yield { steps, kind, old: old ?? null, new: now ?? null };
}

/** Values of JSON columns may be stored as JSON text. */
export function readValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** What a change changed, value by value. Values that were or became missing are given as a whole. */
export function* differencesOf(fields: readonly UpdatedField[]): Generator<Difference> {
  for (const { field, old, new: now } of fields) {
    yield* differencesWithin(readValue(old), readValue(now), [{ kind: 'field', name: field }], 0);
  }
}

/** The path in the form of the API: `banks[0].IBAN`. */
export const pathOf = (steps: readonly Step[]): string =>
  steps
    .map((step, index) => (step.kind === 'entry' ? `[${step.index}]` : `${index > 0 ? '.' : ''}${step.name}`))
    .join('');

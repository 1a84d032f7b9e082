import { type Refusal, refuseIssues } from '../errors/refusal.ts';

export const UNSTORABLE = 'has a character that is not allowed (U+0000, or half of a surrogate pair): remove it';

type Path = readonly (string | number)[];

/**
 * Whether a text can be stored and sent: PostgreSQL does not accept U+0000, and half of a surrogate pair is not a
 * character.
 */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);

/** A name, shortened for a message. */
export const shownName = (key: string): string => key.toWellFormed().replaceAll('\u0000', '').slice(0, 100);

interface Place {
  readonly value: unknown;
  readonly key: string | number | null;
  readonly within: Place | null;
}

/** Deeper than this, the path is not reported: it would be longer than the text. */
const MAX_REPORTED = 100;

function pathOf(place: Place): Path {
  const path: (string | number)[] = [];
  for (let at: Place | null = place; at !== null && at.key !== null; at = at.within) path.push(at.key);
  return path.length > MAX_REPORTED ? [] : path.reverse();
}

/** The path of a text (or a name) in a parsed JSON value that cannot be stored; null if all can. */
export function findUnstorable(value: unknown): Path | null {
  const left: Place[] = [{ value, key: null, within: null }];
  for (let place = left.pop(); place; place = left.pop()) {
    const here = place.value;
    if (typeof here === 'string') {
      if (!isStorable(here)) return pathOf(place);
    } else if (Array.isArray(here)) {
      for (let at = here.length - 1; at >= 0; at -= 1) left.push({ value: here[at], key: at, within: place });
    } else if (typeof here === 'object' && here !== null) {
      for (const [key, inner] of Object.entries(here)) {
        const named: Place = { value: inner, key: shownName(key), within: place };
        if (!isStorable(key)) return pathOf(named);
        left.push(named);
      }
    }
  }
  return null;
}

/** Escapes in JSON that may produce such a character; without one, the values need not be checked. */
const ESCAPES = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i;
export const mayHoldUnstorable = (json: string): boolean => ESCAPES.test(json) || !isStorable(json);

/** The path of a part of an external text, which may be JSON, that cannot be stored; empty for the text itself. */
export function findUnstorableText(text: string): Path | null {
  if (!isStorable(text)) return [];
  if (!ESCAPES.test(text)) return null;
  try {
    return findUnstorable(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The refusal that names the path of such a text. */
export const refuseUnstorable = (path: Path): Refusal =>
  refuseIssues([{ path, message: UNSTORABLE }], `${path.join('.') || 'The text'} ${UNSTORABLE}`);

import { ANYTHING, literalCharacter, type Pattern, PatternError } from './pattern.ts';

/** A parsed `like` pattern: literal characters, `%` for any text, `_` for any one character. */
export type LikePart = { readonly text: string } | 'any' | 'one';

/** A `like` pattern that matches any text containing this one. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

const LONGEST = 500;

/** Parses a `like` pattern; `\` makes the next character literal. Throws PatternError. */
export function readLike(source: string): LikePart[] {
  if (source.length > LONGEST) throw new PatternError(`is longer than ${LONGEST} characters`);
  const parts: LikePart[] = [];
  const addText = (character: string): void => {
    const last = parts.at(-1);
    if (last !== undefined && typeof last !== 'string') parts[parts.length - 1] = { text: last.text + character };
    else parts.push({ text: character });
  };
  const characters = [...source];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    if (character === '\\') {
      at += 1;
      const escaped = characters[at];
      if (escaped === undefined) throw new PatternError('ends with a lone \\; write \\\\ for the character');
      addText(escaped);
    } else if (character === '%') {
      if (parts.at(-1) !== 'any') parts.push('any');
    } else if (character === '_') {
      parts.push('one');
    } else {
      addText(character);
    }
  }
  // Without a wildcard it means "contains".
  return parts.some((part) => typeof part === 'string') ? parts : ['any', ...parts, 'any'];
}

/** The `like` as a pattern that ignores case; it is evaluated like a regex, so that it means the same everywhere. */
export function likePattern(source: string): Pattern {
  const parts = readLike(source);
  const opensFreely = parts[0] === 'any';
  const closesFreely = parts.at(-1) === 'any';
  const middle = parts.slice(opensFreely ? 1 : 0, closesFreely ? -1 : undefined).flatMap((part): Pattern[] => {
    if (part === 'any') return [{ kind: 'repeat', part: ANYTHING, min: 0, max: null }];
    if (part === 'one') return [ANYTHING];
    return [...part.text].map((character) => literalCharacter(character, true));
  });
  return {
    kind: 'sequence',
    parts: [
      ...(opensFreely ? [] : [{ kind: 'start' } as const]),
      ...middle,
      ...(closesFreely ? [] : [{ kind: 'end' } as const]),
    ],
  };
}

/** The text with `%`, `_` and `\` escaped, for use within a `like` pattern. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

import type { CodeRange } from './letter-case.ts';
import type { Pattern } from './pattern.ts';

export type PatternEngine = 'duckdb' | 'postgres';

/** The pattern as text for a database's engine: DuckDB's RE2 or PostgreSQL's advanced regular expressions. */
export function printPattern(pattern: Pattern, engine: PatternEngine): string {
  const printed = print(pattern, engine);
  return engine === 'duckdb' && !isPlain(pattern) ? `${EMPTY_MATCH}${printed}` : printed;
}

/**
 * Matches everywhere without consuming a character. DuckDB rewrites simple patterns to comparisons and is wrong if an
 * anchor is inside (`a^` becomes "ends with a") or a part is empty (`a(?:)` never matches): it does not rewrite
 * patterns that begin with this.
 */
const EMPTY_MATCH = '(?:\\b|\\B)';

/** Whether anchors are only first (`^`) and last (`$`) and no part is empty. */
function isPlain(pattern: Pattern): boolean {
  const parts = flatten(pattern);
  return parts.every((part, index) => {
    if (part.kind === 'start') return index === 0;
    if (part.kind === 'end') return index === parts.length - 1;
    return isSolid(part);
  });
}

/** Flattens sequences within sequences; an empty one stays visible. */
const flatten = (pattern: Pattern): Pattern[] =>
  pattern.kind === 'sequence' && pattern.parts.length > 0 ? pattern.parts.flatMap(flatten) : [pattern];

/** Neither an anchor nor empty, at any depth. */
function isSolid(pattern: Pattern): boolean {
  if (pattern.kind === 'repeat') return pattern.max !== 0 && isSolid(pattern.part);
  if (pattern.kind === 'sequence' || pattern.kind === 'choice') {
    return pattern.parts.length > 0 && pattern.parts.every(isSolid);
  }
  return pattern.kind === 'character';
}

function print(pattern: Pattern, engine: PatternEngine): string {
  switch (pattern.kind) {
    case 'start':
      return '^';
    case 'end':
      return '$';
    case 'character':
      return printCharacter(pattern.ranges, pattern.negated, engine);
    case 'sequence':
      return pattern.parts.map((part) => printWithin(part, engine)).join('');
    case 'choice':
      return `(?:${pattern.parts.map((part) => print(part, engine)).join('|')})`;
    case 'repeat':
      return `(?:${print(pattern.part, engine)})${printCounts(pattern.min, pattern.max)}`;
  }
}

const printWithin = (part: Pattern, engine: PatternEngine): string =>
  part.kind === 'sequence' ? `(?:${print(part, engine)})` : print(part, engine);

function printCounts(min: number, max: number | null): string {
  if (max === null) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function printCharacter(ranges: readonly CodeRange[], negated: boolean, engine: PatternEngine): string {
  // PostgreSQL's dot matches the newline as well, RE2's only with the s flag.
  if (ranges.length === 0) return engine === 'duckdb' ? '(?s:.)' : '.';
  const [first] = ranges;
  if (!negated && ranges.length === 1 && first && first[0] === first[1]) return printCode(first[0], engine);
  const inner = ranges.map(([from, to]) =>
    from === to ? printCode(from, engine) : `${printCode(from, engine)}-${printCode(to, engine)}`,
  );
  return `[${negated ? '^' : ''}${inner.join('')}]`;
}

function printCode(code: number, engine: PatternEngine): string {
  // PostgreSQL's texts have no NUL, so a class that begins there begins one later.
  if (code === 0) return engine === 'duckdb' ? '\\x00' : '\u0001';
  const character = String.fromCodePoint(code);
  return /^[!-/:-@[-`{-~]$/.test(character) ? `\\${character}` : character;
}

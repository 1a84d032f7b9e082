import type { CodeRange } from './letter-case.ts';
import type { Pattern } from './pattern.ts';

export type PatternEngine = 'duckdb' | 'postgres';

/** The pattern as text for a database's engine: DuckDB's RE2 or PostgreSQL's advanced regular expressions. */
export function printPattern(pattern: Pattern, engine: PatternEngine): string {
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
      return `(?:${pattern.parts.map((part) => printPattern(part, engine)).join('|')})`;
    case 'repeat':
      return `(?:${printPattern(pattern.part, engine)})${printCounts(pattern.min, pattern.max)}`;
  }
}

const printWithin = (part: Pattern, engine: PatternEngine): string =>
  part.kind === 'sequence' ? `(?:${printPattern(part, engine)})` : printPattern(part, engine);

function printCounts(min: number, max: number | null): string {
  if (max === null) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function printCharacter(ranges: readonly CodeRange[], negated: boolean, engine: PatternEngine): string {
  // PostgreSQL's dot takes the newline as well, RE2's only with the s flag.
  if (ranges.length === 0) return engine === 'duckdb' ? '(?s:.)' : '.';
  const [first] = ranges;
  if (!negated && ranges.length === 1 && first && first[0] === first[1]) return printCode(first[0], engine);
  const inner = ranges.map(([from, to]) =>
    from === to ? printCode(from, engine) : `${printCode(from, engine)}-${printCode(to, engine)}`,
  );
  return `[${negated ? '^' : ''}${inner.join('')}]`;
}

function printCode(code: number, engine: PatternEngine): string {
  // PostgreSQL's texts hold no NUL, so a class that begins there begins one later.
  if (code === 0) return engine === 'duckdb' ? '\\x00' : '\u0001';
  const character = String.fromCodePoint(code);
  return /^[!-/:-@[-`{-~]$/.test(character) ? `\\${character}` : character;
}

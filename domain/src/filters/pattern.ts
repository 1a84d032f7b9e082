import { type CodeRange, caseVariants } from './letter-case.ts';

/**
 * The patterns of `regex` and `like` as a syntax tree, so that DuckDB (RE2), PostgreSQL and memory agree on their
 * meaning: a character is a Unicode code point, `.` is any character but the newline, `^` and `$` are the ends of the
 * whole text, `\d \w \s` are ASCII, and ignoring case is expanded to classes rather than left to an engine's locale.
 */
export type Pattern =
  | { readonly kind: 'character'; readonly ranges: readonly CodeRange[]; readonly negated: boolean }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number | null };

const LAST_CODE_POINT = 0x10ffff;

/** Why a pattern is rejected, as a message for its author. */
export class PatternError extends Error {}

/**
 * Maximum length, maximum size once repeats are expanded, nesting depth of groups, and highest repeat. PostgreSQL
 * prepares nested optional repeats in time cubic in the size: a tenth of a second at 300, six seconds at 800.
 */
export const PATTERN_LIMITS = { length: 500, size: 300, depth: 16, repeat: 255 } as const;

const code = (character: string): number => character.codePointAt(0) as number;
const only = (character: string): CodeRange => [code(character), code(character)];

const DIGIT: readonly CodeRange[] = [[code('0'), code('9')]];
const WORD: readonly CodeRange[] = [...DIGIT, [code('A'), code('Z')], only('_'), [code('a'), code('z')]];
const SPACE: readonly CodeRange[] = [[code('\t'), code('\r')], only(' ')];
const NEWLINE: readonly CodeRange[] = [only('\n')];
const CLASS_ESCAPES: Record<string, readonly CodeRange[]> = { d: DIGIT, w: WORD, s: SPACE };
const CONTROL_ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };
const PUNCTUATION = /^[!-/:-@[-`{-~ ]$/;

/** Any character, including the newline. */
export const ANYTHING: Pattern = { kind: 'character', ranges: [], negated: true };

/** One literal character of a pattern, in either case if case is ignored. */
export function literalCharacter(character: string, ignoreCase: boolean): Pattern {
  return characters([only(character)], false, ignoreCase);
}

function characters(ranges: readonly CodeRange[], negated: boolean, ignoreCase: boolean): Pattern {
  return { kind: 'character', ranges: mergeRanges(ignoreCase ? caseVariants(ranges) : ranges), negated };
}

/** Sorted, without overlaps. */
function mergeRanges(ranges: readonly CodeRange[]): CodeRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

function complement(ranges: readonly CodeRange[]): CodeRange[] {
  const rest: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST_CODE_POINT) rest.push([next, LAST_CODE_POINT]);
  return rest;
}

/**
 * Parses the subset of regular expressions that every engine interprets alike: literals, `.`, classes, `^`, `$`,
 * groups, alternation, repeats up to 255. Throws PatternError on anything else.
 */
export function parsePattern(source: string, ignoreCase: boolean): Pattern {
  if (source.length > PATTERN_LIMITS.length) {
    throw new PatternError(`is longer than ${PATTERN_LIMITS.length} characters`);
  }
  const reader = new PatternReader(source, ignoreCase);
  const pattern = reader.readChoice(0);
  if (!reader.atEnd) throw new PatternError('has a ) without a (');
  if (sizeOf(pattern) > PATTERN_LIMITS.size) throw new PatternError('repeats too much: shorten it or lower its counts');
  if (nestsRepeats(pattern)) {
    throw new PatternError('nests one repeat in another, like (a+)+; remove one of the two');
  }
  return pattern;
}

/**
 * Whether an unbounded repeat is nested so that one text can be split over the two repeats in many ways: (a+)+,
 * (a|b*)*, (a+b?){2,}. Backtracking engines take exponential time, and the inner repeat adds nothing to the outer one.
 */
function nestsRepeats(pattern: Pattern): boolean {
  if (pattern.kind === 'sequence' || pattern.kind === 'choice') return pattern.parts.some(nestsRepeats);
  if (pattern.kind !== 'repeat') return false;
  const isMany = pattern.max === null || pattern.max > 1;
  return (isMany && canSplit(pattern.part, pattern.max === null)) || nestsRepeats(pattern.part);
}

/** Whether the repeated part can itself match several counts of a part. */
function canSplit(part: Pattern, isUnbounded: boolean): boolean {
  if (part.kind === 'repeat') {
    if (part.min !== part.max && (isUnbounded || part.max === null)) return true;
    return part.min === part.max && part.max === 1 && canSplit(part.part, isUnbounded);
  }
  if (part.kind === 'choice') return part.parts.some((each) => canSplit(each, isUnbounded));
  if (part.kind !== 'sequence') return false;
  return part.parts.some(
    (each, at) => canSplit(each, isUnbounded) && part.parts.every((other, index) => index === at || canBeEmpty(other)),
  );
}

function canBeEmpty(pattern: Pattern): boolean {
  if (pattern.kind === 'character') return false;
  if (pattern.kind === 'repeat') return pattern.min === 0 || canBeEmpty(pattern.part);
  if (pattern.kind === 'sequence') return pattern.parts.every(canBeEmpty);
  return pattern.kind === 'choice' ? pattern.parts.some(canBeEmpty) : true;
}

/** The size of the pattern once its repeats are expanded: what an engine has to build. */
export function sizeOf(pattern: Pattern): number {
  if (pattern.kind === 'repeat') {
    return Math.max(1, sizeOf(pattern.part)) * Math.max(1, pattern.max ?? pattern.min + 1);
  }
  if (pattern.kind === 'sequence' || pattern.kind === 'choice') {
    return pattern.parts.reduce((total, part) => total + sizeOf(part), 1);
  }
  return 1;
}

class PatternReader {
  private readonly characters: readonly string[];
  private readonly ignoreCase: boolean;
  private position = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.characters = [...source];
    this.ignoreCase = ignoreCase;
  }

  get atEnd(): boolean {
    return this.position >= this.characters.length;
  }

  private peek(ahead = 0): string | undefined {
    return this.characters[this.position + ahead];
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.position += 1;
    return true;
  }

  readChoice(depth: number): Pattern {
    if (depth > PATTERN_LIMITS.depth) throw new PatternError(`nests groups deeper than ${PATTERN_LIMITS.depth}`);
    const parts = [this.readSequence(depth)];
    while (this.take('|')) parts.push(this.readSequence(depth));
    return parts.length === 1 ? (parts[0] as Pattern) : { kind: 'choice', parts };
  }

  private readSequence(depth: number): Pattern {
    const parts: Pattern[] = [];
    while (!this.atEnd && this.peek() !== '|' && this.peek() !== ')') parts.push(this.readRepeated(depth));
    return parts.length === 1 ? (parts[0] as Pattern) : { kind: 'sequence', parts };
  }

  private readRepeated(depth: number): Pattern {
    const isAnchor = this.peek() === '^' || this.peek() === '$';
    const part = this.readAtom(depth);
    const counts = this.readCounts();
    if (!counts) return part;
    if (isAnchor) throw new PatternError('repeats ^ or $, which have no length');
    // Lazy or greedy only affects which match is found, never whether there is one.
    this.take('?');
    if (/^[*+?{]$/.test(this.peek() ?? '')) throw new PatternError(`has two repeats in a row before "${this.peek()}"`);
    return { kind: 'repeat', part, ...counts };
  }

  private readCounts(): { min: number; max: number | null } | null {
    if (this.take('*')) return { min: 0, max: null };
    if (this.take('+')) return { min: 1, max: null };
    if (this.take('?')) return { min: 0, max: 1 };
    if (!this.take('{')) return null;
    const min = this.readNumber();
    let max: number | null = min;
    if (this.take(',')) max = this.peek() === '}' ? null : this.readNumber();
    if (!this.take('}')) throw new PatternError('has a { that is not a repeat like {2,5}; write \\{ for the character');
    if (max !== null && max < min) throw new PatternError(`repeats from ${min} to fewer, ${max}`);
    return { min, max };
  }

  private readNumber(): number {
    let digits = '';
    for (let next = this.peek(); next !== undefined && /^[0-9]$/.test(next); next = this.peek()) {
      digits += next;
      this.position += 1;
    }
    if (digits === '') throw new PatternError('has a { that is not a repeat like {2,5}; write \\{ for the character');
    const count = Number(digits);
    if (count > PATTERN_LIMITS.repeat) throw new PatternError(`repeats more than ${PATTERN_LIMITS.repeat} times`);
    return count;
  }

  private readAtom(depth: number): Pattern {
    const character = this.peek() as string;
    this.position += 1;
    switch (character) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return characters(NEWLINE, true, false);
      case '(':
        return this.readGroup(depth);
      case '[':
        return this.readClass();
      case '\\':
        return this.readEscape();
      case '*':
      case '+':
      case '?':
        throw new PatternError(`has a ${character} with nothing to repeat; write \\${character} for the character`);
      case '{':
      case '}':
      case ']':
        throw new PatternError(`has a ${character} on its own; write \\${character} for the character`);
      default:
        return literalCharacter(character, this.ignoreCase);
    }
  }

  private readGroup(depth: number): Pattern {
    if (this.take('?') && !this.take(':')) {
      throw new PatternError('uses (? other than (?: ; engines interpret look-around, names and flags differently');
    }
    const inner = this.readChoice(depth + 1);
    if (!this.take(')')) throw new PatternError('has a ( without a )');
    return inner;
  }

  private readEscape(): Pattern {
    const escaped = this.readEscaped();
    if (typeof escaped === 'string') return literalCharacter(escaped, this.ignoreCase);
    return characters(escaped.ranges, escaped.negated, this.ignoreCase);
  }

  /** The character, or the class of characters, after a backslash. */
  private readEscaped(): string | { ranges: readonly CodeRange[]; negated: boolean } {
    const character = this.peek();
    this.position += 1;
    if (character === undefined) throw new PatternError('ends with a lone \\');
    const ranges = CLASS_ESCAPES[character.toLowerCase()];
    if (ranges) return { ranges, negated: character !== character.toLowerCase() };
    const control = CONTROL_ESCAPES[character];
    if (control !== undefined) return control;
    if (PUNCTUATION.test(character)) return character;
    throw new PatternError(`uses \\${character}, which engines interpret differently or not at all`);
  }

  private readClass(): Pattern {
    const negated = this.take('^');
    const ranges: CodeRange[] = [];
    while (!this.take(']')) {
      if (this.atEnd) throw new PatternError('has a [ without a ]');
      const first = this.readClassMember();
      if (typeof first !== 'string') {
        if (this.peek() === '-' && this.peek(1) !== ']')
          throw new PatternError('has a class such as \\d as a range end');
        ranges.push(...(first.negated ? complement(first.ranges) : first.ranges));
      } else if (this.peek() === '-' && this.peek(1) !== ']' && this.peek(1) !== undefined) {
        this.position += 1;
        const last = this.readClassMember();
        if (typeof last !== 'string') throw new PatternError('has a class such as \\d as a range end');
        if (code(last) < code(first)) throw new PatternError(`has the range ${first}-${last} in the wrong order`);
        ranges.push([code(first), code(last)]);
      } else {
        ranges.push(only(first));
      }
    }
    if (ranges.length === 0) throw new PatternError('has an empty class []');
    return characters(ranges, negated, this.ignoreCase);
  }

  private readClassMember(): string | { ranges: readonly CodeRange[]; negated: boolean } {
    const character = this.peek();
    if (character === undefined) throw new PatternError('has a [ without a ]');
    this.position += 1;
    if (character === '\\') return this.readEscaped();
    if (character === '[') throw new PatternError('has a [ within [ ]; write \\[ for the character');
    return character;
  }
}

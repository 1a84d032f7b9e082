import { FILTER_LIMITS } from './parse.ts';

/** Conditions that are joined with and, or and not. */
export type Grouped<Leaf> =
  | { readonly kind: 'leaf'; readonly leaf: Leaf }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Grouped<Leaf>[] }
  | { readonly kind: 'not'; readonly part: Grouped<Leaf> };

/** One line of an editor: a condition, what joins it to the line before, and the brackets around it. */
export interface GroupLine {
  /** Ignored on the first line. */
  readonly join: 'and' | 'or';
  /** Brackets that open before the condition: "", "(", "not (", "((" and so on. */
  readonly open: string;
  /** Brackets that close after it. */
  readonly close: string;
}

/** Why lines cannot be read as groups; `line` is the index of the line. */
export class BracketError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const OPENING = /not ?\(|\(/g;

/** Writes groups as lines. A group within another has brackets. */
export function linesOfGroups<Leaf>(grouped: Grouped<Leaf>): (GroupLine & { readonly leaf: Leaf })[] {
  switch (grouped.kind) {
    case 'leaf':
      return [{ join: 'and', open: '', leaf: grouped.leaf, close: '' }];
    case 'not':
      return inBrackets(linesOfGroups(grouped.part), 'not (');
    default:
      return grouped.parts.flatMap((part) => {
        const lines = linesOfGroups(part);
        const [first, ...rest] = part.kind === 'and' || part.kind === 'or' ? inBrackets(lines, '(') : lines;
        return first ? [{ ...first, join: grouped.kind }, ...rest] : [];
      });
  }
}

function inBrackets<Line extends GroupLine>(lines: readonly Line[], open: string): Line[] {
  return lines.map((line, index) => ({
    ...line,
    open: index === 0 ? `${open}${line.open}` : line.open,
    close: index === lines.length - 1 ? `${line.close})` : line.close,
  }));
}

/**
 * Reads lines as groups; null if there are no lines. Within the same brackets, conditions are joined by one word.
 * @throws BracketError
 */
export function groupsOfLines<Leaf>(lines: readonly (GroupLine & { readonly leaf: Leaf })[]): Grouped<Leaf> | null {
  if (lines.length === 0) return null;
  const reader = new GroupReader(lines);
  const grouped = reader.readGroup(0);
  reader.requireEnd();
  return grouped;
}

type Token<Leaf> = { readonly line: number } & (
  | { readonly kind: 'and' | 'or' | '(' | 'not (' | ')' }
  | { readonly kind: 'leaf'; readonly leaf: Leaf }
);

class GroupReader<Leaf> {
  private readonly tokens: readonly Token<Leaf>[];
  private index = 0;

  constructor(lines: readonly (GroupLine & { readonly leaf: Leaf })[]) {
    this.tokens = lines.flatMap(({ join, open, leaf, close }, line): Token<Leaf>[] => [
      ...(line === 0 ? [] : [{ kind: join, line }]),
      ...[...open.matchAll(OPENING)].map(([written]) => ({ kind: written === '(' ? written : 'not (', line }) as const),
      { kind: 'leaf', leaf, line },
      ...[...close].flatMap((written) => (written === ')' ? [{ kind: ')', line } as const] : [])),
    ]);
  }

  readGroup(depth: number): Grouped<Leaf> {
    const first = this.readPart(depth);
    const parts = [first];
    let word: 'and' | 'or' | null = null;
    for (;;) {
      const next = this.tokens[this.index];
      if (next?.kind !== 'and' && next?.kind !== 'or') break;
      if (word !== null && next.kind !== word) {
        throw new BracketError(next.line, 'Use brackets to group conditions: this line mixes “and” with “or”');
      }
      word = next.kind;
      this.index += 1;
      parts.push(this.readPart(depth));
    }
    return word === null ? first : { kind: word, parts };
  }

  private readPart(depth: number): Grouped<Leaf> {
    const token = this.tokens[this.index] as Token<Leaf>;
    this.index += 1;
    if (token.kind === 'leaf') return { kind: 'leaf', leaf: token.leaf };
    if (depth >= FILTER_LIMITS.depth) {
      throw new BracketError(token.line, `Brackets are nested deeper than ${FILTER_LIMITS.depth}`);
    }
    const inner = this.readGroup(depth + 1);
    const close = this.tokens[this.index];
    if (close?.kind !== ')') throw new BracketError(token.line, 'The bracket that opens here is not closed');
    this.index += 1;
    return token.kind === 'not (' ? { kind: 'not', part: inner } : inner;
  }

  requireEnd(): void {
    const next = this.tokens[this.index];
    if (next) throw new BracketError(next.line, 'A bracket closes here that was not opened');
  }
}

/** Maximum characters and tokens of a question. */
export const QUESTION_LIMITS = { characters: 4_000, tokens: 1_500, depth: 16 } as const;

/** A piece of a question: a word, a number with its signs, a quoted text, or a mark. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'mark';
  /** The text as written; of a quoted text, what is between the quotes. */
  readonly text: string;
  readonly lower: string;
  /** In lower case and singular, as words are compared. */
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

const PIECE =
  /(?<quoted>“[^”]*”|"[^"]*")|(?<date>\d{4}-\d{2}-\d{2}(?!\d)|\d{1,2}\/\d{1,2}\/\d{4})|(?<number>(?!\d{1,2}(?:st|nd|rd|th)(?![\p{L}\d]))(?:(?:(?<![\p{L}\d])(?:US|HK|NZ|CA?|AU?|S)(?=\$))?[$€£¥]\s?)?(?:(?<![\p{L}\d])-)?(?:[$€£¥]\s?)?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|(?<![\p{L}\d.])\.\d+)(?:\s?%|(?:k|mm|m|bn|b)(?![\p{L}\d]))?\+?)|(?<word>w\/(?:o(?![\p{L}\d]))?|\d{1,2}(?:st|nd|rd|th)(?![\p{L}\d])|[\p{L}\d][\p{L}\p{M}\d'’&.]*)|(?<mark>>=|<=|!=|<>|[<>=(),/≥≤~≈±*^&|+]|\p{Sc}|-(?=\s*[\d$€£¥]))/giu;

const SHORTHAND: ReadonlyMap<string, string> = new Map([
  ['&', 'and'],
  ['w/', 'with'],
  ['w/o', 'without'],
]);

/** The pieces of a question, in order. Marks without a meaning, such as a question mark, are left out. */
export function tokenize(question: string): Token[] {
  const tokens: Token[] = [];
  for (const match of question.matchAll(PIECE)) {
    const { quoted, date, number, word } = match.groups ?? {};
    const start = match.index;
    const kind = quoted ? 'quoted' : date || number ? 'number' : word ? 'word' : 'mark';
    const text = quoted ? quoted.slice(1, -1) : match[0].replace(/[.'’]+$/, '');
    const lower = SHORTHAND.get(text.toLowerCase()) ?? text.toLowerCase().replaceAll('’', "'");
    tokens.push({ kind, text, lower, stem: stemOf(lower), start, end: start + match[0].length });
  }
  return tokens;
}

/** The singular of a word, by its ending: words are only compared with words that went through the same. */
export function stemOf(lower: string): string {
  const word = lower.replace(/'s$/, '');
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** A phrase of the vocabulary as the stems that its tokens are compared with. */
export const stemsOf = (phrase: string): string =>
  tokenize(phrase)
    .map(({ stem }) => stem)
    .join(' ');

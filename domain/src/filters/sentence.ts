import { describeOffset } from './cut-off.ts';
import { type Condition, type Filter, OPPOSITES } from './filter.ts';
import { readLike } from './like.ts';
import { OPERATOR_WORDS, TIME_WORDS } from './operators.ts';
import { describeNumber, describeText, describeValue } from './spoken-value.ts';

/** A piece of the sentence, to be highlighted by its kind; the texts of all pieces form the sentence. */
export interface Phrase {
  readonly text: string;
  readonly kind: 'field' | 'word' | 'value';
}

/** Values of a list that are written before "or 12 more". */
const MAX_VALUES = 12;

/** A filter as a sentence: "State is CA or NY and FICO is at least 600". */
export function filterToSentence(filter: Filter): string {
  return filterToPhrases(filter)
    .map((phrase) => phrase.text)
    .join('');
}

/** The sentence in pieces, including the spaces between them. */
export function filterToPhrases(filter: Filter): Phrase[] {
  const [first, ...rest] = describeFilter(filter, false);
  if (first?.kind !== 'word') return first ? [first, ...rest] : rest;
  return [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...rest];
}

const word = (text: string): Phrase => ({ text, kind: 'word' });
const value = (text: string): Phrase => ({ text, kind: 'value' });

/**
 * In three-valued logic "not is" and "is not" are the same, so a *not* is expressed by the operator's words if
 * possible.
 */
function describeFilter(filter: Filter, negated: boolean): Phrase[] {
  if (filter.kind === 'not') return describeFilter(filter.filter, !negated);
  if (filter.kind !== 'and' && filter.kind !== 'or') return describeCondition(filter, negated);
  if (filter.filters.length === 0) return [word(negated ? 'nothing' : 'everything')];
  const parts = filter.kind === 'and' ? foldRanges(filter.filters) : filter.filters;
  const [only] = parts;
  if (only && parts.length === 1) return describePart(only, negated);
  const said = joinWith(
    parts.map((part) => (isGroup(part) ? inParentheses(describePart(part, false)) : describePart(part, false))),
    ` ${filter.kind} `,
  );
  return negated ? [word('not '), ...inParentheses(said)] : said;
}

/** A part of a group: a filter, or two bounds of one field as a range. */
type Part = Filter | Range;

interface Range {
  readonly kind: 'range';
  readonly low: Bound;
  readonly high: Bound;
}
type Bound = Extract<Condition, { kind: 'compare' }>;

const describePart = (part: Part, negated: boolean): Phrase[] =>
  part.kind === 'range' ? describeRange(part, negated) : describeFilter(part, negated);

/** Whether a part reads as several joined, so that it needs parentheses among others; *not (...)* has its own. */
function isGroup(part: Part): boolean {
  if (part.kind === 'not') return part.filter.kind === 'not' && isGroup(part.filter.filter);
  return (part.kind === 'and' && foldRanges(part.filters).length > 1) || part.kind === 'or';
}

const inParentheses = (phrases: readonly Phrase[]): Phrase[] => [word('('), ...phrases, word(')')];

function joinWith(parts: readonly (readonly Phrase[])[], separator: string): Phrase[] {
  return parts.flatMap((part, index) => (index === 0 ? part : [word(separator), ...part]));
}

/** "At least" and "at most" of one field become one "between", at the position of the first. */
function foldRanges(parts: readonly Filter[]): Part[] {
  const folded: Part[] = [...parts];
  for (let index = 0; index < folded.length; index++) {
    const first = folded[index] as Part;
    if (!isBound(first)) continue;
    const other = folded.findIndex(
      (part, at) => at > index && isBound(part) && part.field === first.field && part.operator !== first.operator,
    );
    if (other < 0) continue;
    const second = folded[other] as Bound;
    const [low, high] = first.operator === 'gte' ? [first, second] : [second, first];
    if (!isAscending(low, high)) continue;
    folded[index] = { kind: 'range', low, high };
    folded.splice(other, 1);
  }
  return folded;
}

const isBound = (part: Part): part is Bound =>
  part.kind === 'compare' &&
  !part.offset &&
  part.field.type !== 'text' &&
  (part.operator === 'gte' || part.operator === 'lte');

function isAscending(low: Bound, high: Bound): boolean {
  const isTime = low.field.type === 'date' || low.field.type === 'instant';
  return isTime ? low.value <= high.value : Number(low.value) <= Number(high.value);
}

function describeRange({ low, high }: Range, negated: boolean): Phrase[] {
  return [
    { text: low.field.label, kind: 'field' },
    word(negated ? ' is not between ' : ' is between '),
    value(describeValue(low.field, low.value)),
    word(' and '),
    value(describeValue(high.field, high.value)),
  ];
}

function describeCondition(condition: Condition, negated: boolean): Phrase[] {
  return [{ text: condition.field.label, kind: 'field' }, word(' '), ...describePredicate(condition, negated)];
}

function describePredicate(condition: Condition, negated: boolean): Phrase[] {
  switch (condition.kind) {
    case 'compare':
    case 'compareField':
    case 'compareCutOff': {
      const operator = negated ? OPPOSITES[condition.operator] : condition.operator;
      const isTime = condition.field.type === 'date' || condition.field.type === 'instant';
      const words = (isTime ? TIME_WORDS[operator] : undefined) ?? OPERATOR_WORDS[operator];
      return [word(`${words} `), describeOperand(condition)];
    }
    case 'list':
      return describeList(
        condition.values.map((literal) => describeValue(condition.field, literal)),
        (condition.operator === 'in') !== negated,
      );
    case 'exists':
      return [word(condition.exists !== negated ? 'is known' : 'is missing')];
    case 'like':
      return describeLike(condition.pattern, negated);
    case 'regex':
      return [
        word(negated ? 'does not match the pattern ' : 'matches the pattern '),
        value(describeText(condition.pattern)),
        ...(condition.ignoreCase ? [word(' in any case')] : []),
      ];
  }
}

/** What a condition compares its field with: "600", "Original", "90 days before the cut-off date (2 Aug 2026)". */
function describeOperand(condition: Extract<Condition, { kind: `compare${string}` }>): Phrase {
  if (condition.kind === 'compareField') return { text: condition.other.label, kind: 'field' };
  if (condition.kind === 'compareCutOff') return value(describeOffset(condition.offset));
  const literal = describeValue(condition.field, condition.value);
  return value(condition.offset ? `${describeOffset(condition.offset)} (${literal})` : literal);
}

function describeList(values: readonly string[], listed: boolean): Phrase[] {
  if (values.length === 0) return [word(listed ? 'is one of no values' : 'is anything')];
  const left = values.length - MAX_VALUES;
  const shown = (left > 1 ? values.slice(0, MAX_VALUES) : values).map((said) => [value(said)]);
  if (left > 1) shown.push([value(`${describeNumber(String(left))} more`)]);
  const last = shown.pop() as Phrase[];
  if (shown.length === 0) return [word(listed ? 'is ' : 'is not '), ...last];
  if (listed) return [word('is '), ...joinWith(shown, ', '), word(' or '), ...last];
  const isPair = shown.length === 1;
  return [
    word(isPair ? 'is neither ' : 'is none of '),
    ...joinWith(shown, ', '),
    word(isPair ? ' nor ' : ' or '),
    ...last,
  ];
}

function describeLike(pattern: string, negated: boolean): Phrase[] {
  const parts = readLike(pattern);
  const [first, second, third] = parts;
  const say = (positive: string, negative: string, text: string): Phrase[] => [
    word(`${negated ? negative : positive} `),
    value(describeText(text)),
  ];
  if (parts.every((part) => part === 'any')) return [word(negated ? 'is not any text' : 'is any text')];
  if (first === 'any' && third === 'any' && typeof second === 'object' && parts.length === 3) {
    return say('contains', 'does not contain', second.text);
  }
  if (first === 'any' && typeof second === 'object' && parts.length === 2) {
    return say('ends with', 'does not end with', second.text);
  }
  if (typeof first === 'object' && second === 'any' && parts.length === 2) {
    return say('starts with', 'does not start with', first.text);
  }
  return [word(negated ? 'is not like ' : 'is like '), value(describeText(pattern))];
}

import { joinFilters } from '../filters/filter.ts';
import { LIST_LIMITS } from '../filters/list-query.schema.ts';
import { countOf } from './dates.ts';
import type { QuestionReader, Read } from './question-reader.ts';
import type { KnownField } from './vocabulary.ts';
import { ARTICLES, DIRECTIONS, SORTED, SUPERLATIVES } from './words.ts';

/** "Top 10 by balance", "20 largest", "the 5 loans with the highest rate", "sorted by maturity date". */
export function readSort(reader: QuestionReader, start: number): Read | null {
  const done = (next: number): Read => ({ filter: joinFilters('and', []), next });
  // "Top ten loans in Texas by balance"
  const later = reader.unnamedOrder && reader.word(start) === 'by' ? readKey(reader, start + 1) : null;
  if (later && reader.unnamedOrder) {
    reader.sort = [];
    addSort(reader, later.known, later.direction ?? reader.unnamedOrder, start, later.next);
    reader.unnamedOrder = null;
    return done(later.next);
  }
  const upcoming = readUpcoming(reader, start);
  if (upcoming) return upcoming;
  const sorted = SORTED.at(reader.tokens, start);
  if (sorted) {
    const key = readKey(reader, sorted.next);
    if (!key) return null;
    addSort(reader, key.known, key.direction ?? 1, start, key.next);
    return done(key.next);
  }
  let at = start;
  const before = readLimit(reader, at);
  if (before) at = before.next;
  let noun = before ? reader.nounAt(at) : null;
  if (noun !== null) {
    at = noun;
    while (['with', 'by', 'that', 'have', 'of', 'having'].includes(reader.word(at)) || ARTICLES.has(reader.word(at)))
      at += 1;
  }
  const superlative =
    SUPERLATIVES.at(reader.tokens, at) ??
    (reader.word(at) === 'first' && countOf(reader.tokens[at + 1]) !== null
      ? { meaning: { by: 'first', direction: 1 } as const, next: at + 1 }
      : reader.word(at) === 'last' && countOf(reader.tokens[at + 1]) !== null && reader.nounAt(at + 2) !== null
        ? // "The last three repayments"
          { meaning: { by: 'age', direction: -1 } as const, next: at + 1 }
        : null);
  if (!superlative) return null;
  at = superlative.next;
  const after = before ?? readLimit(reader, at);
  if (after && !before) at = after.next;
  // "Top 10 biggest", "top 10 oldest": the second says what the first counts.
  const { meaning } = superlative;
  const second = meaning.by === 'first' ? null : SUPERLATIVES.at(reader.tokens, at);
  const isSame =
    second && (second.meaning.direction === meaning.direction || reader.word(superlative.next - 1) === 'top');
  if (second && isSame && (meaning.by !== 'age' || second.meaning.by === 'age')) at = second.next;
  noun = reader.nounAt(at);
  const field = reader.find(reader.lexicon.fields, at);
  if (noun !== null && !(field && field.next > noun)) at = noun;
  const { by, direction } = second && at >= second.next ? second.meaning : meaning;
  const own = readKey(reader, at);
  const isNamed = reader.word(at) === 'by' || reader.word(at) === 'in' || reader.word(at) === 'ranked';
  const key = isNamed
    ? readKey(reader, reader.word(at + 1) === 'by' ? at + 2 : at + 1)
    : own && !reader.readField(at, false)
      ? own
      : null;
  if (key) {
    at = key.next;
    if (reader.word(at) === 'first') at += 1;
    if (!isNamed && key.known.field.type === 'text') {
      reader.doubts.push({
        text: `A filter finds rows; it cannot rank “${reader.textOf(start, at)}”. Ask for the largest ${reader.lexicon.subject.nouns[0] ?? 'rows'}.`,
        start,
        end: at,
        options: [],
      });
    }
    addSort(reader, key.known, key.direction ?? direction, start, at);
  } else if (by !== 'first') {
    const { size, age } = reader.lexicon.subject;
    const known = reader.lexicon.known.get((by === 'size' ? size : by === 'age' ? age : undefined) ?? '');
    if (!known || (reader.word(at) === 'by' && by === 'size')) return null;
    addSort(reader, known, direction, start, at);
    if (by === 'size') reader.unnamedOrder = direction;
    if (!after && reader.word(at) === 'first') at += 1;
  }
  if (noun !== null && by === 'size' && reader.tokens[noun - 1]?.stem === 'borrower') {
    reader.doubts.push({
      text: 'A borrower can have several loans, and a filter does not add them up. Ask for the largest loans.',
      start,
      end: at,
      options: [],
    });
  }
  // "The largest pending draw": the noun follows a condition.
  for (let index = at; noun === null && !key && index < Math.min(at + 4, reader.tokens.length); index++)
    noun = reader.nounAt(index);
  if (!after && noun !== null && (by === 'size' || by === 'age') && isSingular(reader, noun - 1)) reader.limit = 1;
  if (after) {
    if (after.count < 1 || after.count > LIST_LIMITS.limit) {
      reader.doubts.push({ text: `Ask for 1 to ${LIST_LIMITS.limit} rows.`, start, end: at, options: [] });
    }
    reader.limit = after.count;
  }
  return done(at);
}

/** "The next call", "the next 3 draws": what is due from today on, the earliest first. */
function readUpcoming(reader: QuestionReader, start: number): Read | null {
  const known = reader.lexicon.known.get(reader.lexicon.subject.date ?? '');
  if (reader.word(start) !== 'next' || known?.when !== 'ahead' || known.field.type !== 'date') return null;
  const limit = readLimit(reader, start + 1);
  const noun = reader.nounAt(limit?.next ?? start + 1);
  if (noun === null || (!limit && !isSingular(reader, noun - 1))) return null;
  addSort(reader, known, 1, start, noun);
  reader.limit = limit?.count ?? 1;
  return { filter: reader.compare(known, 'gte', reader.context.today), next: noun };
}

/** "The largest loan" is one. */
function isSingular(reader: QuestionReader, at: number): boolean {
  const word = reader.word(at);
  return word !== '' && word === reader.tokens[at]?.stem && !word.endsWith('s');
}

function readLimit(reader: QuestionReader, at: number): { count: number; next: number } | null {
  const count = countOf(reader.tokens[at]);
  return count === null ? null : { count, next: at + 1 };
}

function readKey(
  reader: QuestionReader,
  start: number,
): { known: KnownField; direction: 1 | -1 | null; next: number } | null {
  let at = start;
  while (ARTICLES.has(reader.word(at)) || reader.word(at) === 'their') at += 1;
  const leading = SUPERLATIVES.at(reader.tokens, at);
  if (leading) at = leading.next;
  const field = reader.find(reader.lexicon.fields, at);
  if (!field) return null;
  const known = field.found.length > 1 ? pickSort(reader, field.found, at, field.next) : field.found[0];
  if (!known) return null;
  const comma = reader.word(field.next) === ',' ? 1 : 0;
  const direction = DIRECTIONS.at(reader.tokens, field.next + comma);
  return {
    known,
    direction: direction?.meaning ?? leading?.meaning.direction ?? null,
    next: direction?.next ?? field.next,
  };
}

function pickSort(
  reader: QuestionReader,
  fields: readonly KnownField[],
  start: number,
  end: number,
): KnownField | undefined {
  if (reader.doubts.every((doubt) => doubt.start !== start)) reader.pick(fields, start, end);
  return fields[0];
}

function addSort(reader: QuestionReader, known: KnownField, direction: 1 | -1, start: number, end: number): void {
  if (reader.sort.length > 0) {
    reader.doubts.push({ text: 'The question names two orders. Use one.', start, end, options: [] });
  }
  reader.sort = [{ path: known.field.path, direction }];
}

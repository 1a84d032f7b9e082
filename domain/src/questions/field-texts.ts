import type { Literal } from '../filters/filter.ts';
import { escapeLike } from '../filters/like.ts';
import { negateFilter } from './negate-filter.ts';
import { listOf, type QuestionReader, type Read } from './question-reader.ts';
import type { KnownField, Meaning } from './vocabulary.ts';
import { ARTICLES, FILLERS, NEGATIONS, PREPOSITIONS, TEXT_WORDS, WORDS_NOT_CODES } from './words.ts';

/** "Charged off or defaulted", "California, Texas and New York". */
export function readTextValues(
  reader: QuestionReader,
  start: number,
  first: { found: readonly Meaning[]; next: number },
): Read | null {
  let fields = first.found.map(({ known }) => known);
  const groups: (readonly Meaning[])[] = [first.found];
  let next = first.next;
  const places: { comma: boolean; word: boolean; next: number }[] = [];
  for (;;) {
    let at = next;
    const comma = reader.word(at) === ',';
    if (comma) at += 1;
    const word = ['or', 'and', 'nor', '/'].includes(reader.word(at));
    if (word) at += 1;
    if (!comma && !word) break;
    while (PREPOSITIONS.has(reader.word(at)) || ARTICLES.has(reader.word(at))) at += 1;
    const value = reader.valueAt(at);
    const longer = reader.find(reader.lexicon.fields, at);
    if (!value || (longer && longer.next > value.next) || (longer && reader.readField(at, false))) break;
    const shared = fields.filter((known) => value.found.some((meaning) => meaning.known === known));
    if (shared.length === 0) break;
    fields = shared;
    groups.push(value.found);
    places.push({ comma, word, next });
    next = value.next;
  }
  // "Texas, or Florida with ...": a comma before the "or" of two separates them.
  const [only] = places;
  if (only && places.length === 1 && only.comma && only.word && reader.word(only.next + 1) === 'or') {
    groups.length = 1;
    next = only.next;
    fields = first.found.map(({ known }) => known);
  }
  const [known] = fields;
  if (!known) return null;
  if (fields.length > 1) askWhichField(reader, start, next, fields, groups);
  const label = reader.find(reader.lexicon.fields, next);
  if (label?.found.includes(known) && !reader.readField(next, false)) next = label.next;
  const values = groups.flatMap((group) => group.filter((one) => one.known === known).flatMap((one) => one.values));
  const joints = reader.tokens.slice(first.next, next).map(({ lower }) => lower);
  if (known.field.isList && values.length > 1 && !joints.includes('or'))
    reader.askWhetherAll(known, values, start, next);
  return { filter: reader.oneOf(known, values), next };
}

function askWhichField(
  reader: QuestionReader,
  start: number,
  end: number,
  fields: readonly KnownField[],
  groups: readonly (readonly Meaning[])[],
): void {
  const said = reader.textOf(start, end);
  reader.doubts.push({
    text: `“${said}” can be ${listOf(fields.map(({ field }) => field.label))}. Which one?`,
    start,
    end,
    options: fields.map((known) => {
      const values = groups.flatMap((group) =>
        group.filter((one) => one.known === known).flatMap((one) => one.values.map(String)),
      );
      const words = values.map((value) => `“${value}”`);
      return { label: `${known.field.label}: ${said}`, words: `(${known.field.label} is ${words.join(' or ')})` };
    }),
  });
}

export function readTexts(reader: QuestionReader, known: KnownField, start: number, hasCopula: boolean): Read | null {
  const words = TEXT_WORDS.at(reader.tokens, start);
  if (words) {
    const text = readText(reader, words.next);
    if (!text) return null;
    if (known.isReference) return readNamesWith(reader, known, words.meaning, text);
    const escaped = escapeLike(text.text);
    const pattern =
      words.meaning === 'contains'
        ? escaped === text.text
          ? text.text
          : `%${escaped}%`
        : words.meaning === 'starts'
          ? `${escaped}%`
          : `%${escaped}`;
    return { filter: { kind: 'like', field: known.field, operator: 'like', pattern }, next: text.next };
  }
  let at = start;
  const isNegated =
    ['neither', '!=', '<>'].includes(reader.word(at)) || (reader.word(at) === 'not' && reader.word(at + 1) === 'in');
  if (isNegated) at += 1;
  if (['in', 'either', 'one', 'any', 'none', 'as', '=', ':'].includes(reader.word(at)))
    at += reader.word(at + 1) === 'of' ? 2 : 1;
  const isNone = reader.word(start) === 'none';
  const grades = isNegated || isNone ? null : readGrades(reader, known, at);
  if (grades) return grades;
  // "In (CA, TX)"
  const opened = reader.word(at) === '(' && ['in', 'of', '='].includes(reader.word(at - 1)) ? 1 : 0;
  at += opened;
  const values: Literal[] = [];
  let next = at;
  for (let from = at; ; ) {
    const one = readOneText(reader, known, from, hasCopula || at > start || values.length > 0);
    if (!one) break;
    values.push(...one.values);
    next = one.next;
    let after = next;
    const comma = reader.word(after) === ',';
    if (comma) after += 1;
    const joint = reader.word(after);
    if (joint === 'or' || joint === 'and' || joint === 'nor' || joint === '/') after += 1;
    if (after === next) break;
    while (PREPOSITIONS.has(reader.word(after)) && reader.namedOf(known, after + 1)) after += 1;
    // A second value is taken only where it is known to be one, or quoted: other words begin a condition.
    const isText = isPlainText(reader, known, after, joint === 'or' || joint === 'nor');
    if (!reader.namedOf(known, after) && reader.tokens[after]?.kind !== 'quoted' && !isText) break;
    const longer = reader.find(reader.lexicon.fields, after);
    if (longer && reader.readField(after, false)) break;
    from = after;
  }
  if (values.length === 0 || (opened && reader.word(next) !== ')')) return null;
  next += opened;
  const joints = reader.tokens.slice(at, next).map(({ lower }) => lower);
  if (known.field.isList && values.length > 1 && !isNegated && !isNone && !joints.includes('or'))
    reader.askWhetherAll(known, values, at, next);
  const filter = reader.oneOf(known, values);
  return { filter: isNegated || isNone ? negateFilter(filter) : filter, next };
}

/** "Loan LC-1001": the id after a noun in the singular. */
export function readIdAfter(reader: QuestionReader, noun: number): Read | null {
  const known = reader.lexicon.known.get(reader.lexicon.subject.id ?? '');
  const isPlural = reader.tokens[noun - 1]?.stem !== reader.tokens[noun - 1]?.lower;
  if (!known || isPlural || !/^\p{L}/u.test(reader.tokens[noun]?.text ?? '')) return null;
  const text = readText(reader, noun);
  if (!text || !/^(?!(?:[QH]\d)$)[\p{L}\d-]*\p{L}[\p{L}-]*\d[\p{L}\d-]*$/iu.test(text.text)) return null;
  return { filter: reader.compare(known, 'eq', text.text), next: text.next };
}

/** "Call 4", "distribution no. 2": the number after a noun in the singular. */
export function readNumberAfter(reader: QuestionReader, noun: number): Read | null {
  const known = reader.lexicon.known.get(reader.lexicon.subject.number ?? '');
  const isPlural = reader.tokens[noun - 1]?.stem !== reader.tokens[noun - 1]?.lower;
  if (!known || isPlural) return null;
  const at = ['no', 'nr', 'number', 'num'].includes(reader.word(noun)) ? noun + 1 : noun;
  const text = reader.tokens[at]?.text ?? '';
  if (!/^\d{1,6}$/.test(text) || reader.tokens[at]?.kind === 'quoted') return null;
  return { filter: reader.compare(known, 'eq', text), next: at + 1 };
}

/** "Company contains Acme": the documents with such a name, as the field holds their ids. */
function readNamesWith(
  reader: QuestionReader,
  known: KnownField,
  meaning: 'contains' | 'starts' | 'ends',
  { text, next }: { text: string; next: number },
): Read {
  const part = text.toLowerCase();
  const values = known.values.flatMap(({ value, words }) => {
    const names = words.map((name) => name.toLowerCase());
    const fits = names.some((name) =>
      meaning === 'contains' ? name.includes(part) : meaning === 'starts' ? name.startsWith(part) : name.endsWith(part),
    );
    return fits ? [value] : [];
  });
  if (values.length === 0) {
    reader.doubts.push({
      text: `No ${known.field.label.toLowerCase()} that you can see has “${text}” in its name.`,
      start: next - 1,
      end: next,
      options: [],
    });
  }
  return { filter: reader.oneOf(known, values), next };
}

/** "Grade A to C": the letters between, of those that the list has. "D or worse" is asked back with them. */
function readGrades(reader: QuestionReader, known: KnownField, at: number): Read | null {
  const first = reader.namedOf(known, at);
  if (!first || !known.values.every(({ value }) => typeof value === 'string' && /^[A-Z]([+-]|\d)?$/.test(value)))
    return null;
  const letters = known.values.map(({ value }) => String(value)).sort();
  const within = (low: string, high: string) => letters.filter((letter) => letter >= low && letter.charAt(0) <= high);
  const isRange = ['to', 'through', '-'].includes(reader.word(first.next));
  const last = isRange ? reader.namedOf(known, first.next + 1) : null;
  const one = String(first.values[0]);
  if (last) return { filter: reader.oneOf(known, within(one, String(last.values[0]).charAt(0))), next: last.next };
  const word = reader.word(first.next) === 'or' ? reader.word(first.next + 1) : '';
  const isWorse = ['worse', 'lower', 'below'].includes(word);
  if (one.length > 1 || !(isWorse || ['better', 'higher', 'above'].includes(word))) return null;
  const next = first.next + 2;
  const meant = (isWorse ? within(one, 'Z') : within('A', one)).map((letter) => `“${letter}”`);
  reader.doubts.push({
    text: `Which grades are “${reader.textOf(at, next)}”? Lenders order them in different ways.`,
    start: at,
    end: next,
    options: [{ label: listOf(meant), words: listOf(meant) }],
  });
  return { filter: reader.oneOf(known, first.values), next };
}

/** "Austin or Dallas": another name or number, which means nothing else and is followed by nothing that it belongs to. */
function isPlainText(reader: QuestionReader, { values }: KnownField, at: number, isAlternative: boolean): boolean {
  const text = reader.tokens[at]?.text ?? '';
  if (!isAlternative || values.length > 0 || !/^[\p{Lu}\d][^+%]*$/u.test(text)) return false;
  if (reader.valueAt(at) || reader.find(reader.lexicon.fields, at) || reader.nounAt(at) !== null) return false;
  if (reader.find(reader.lexicon.conditions, at) || NEGATIONS.at(reader.tokens, at)) return false;
  return !/^\d/.test(text) || ['', ',', 'or', 'and', ')'].includes(reader.word(readText(reader, at)?.next ?? at + 1));
}

function readOneText(
  reader: QuestionReader,
  known: KnownField,
  at: number,
  hasCopula: boolean,
): { values: string[]; next: number } | null {
  const named = reader.namedOf(known, at);
  if (named) return { values: named.values.map(String), next: named.next };
  if (reader.tokens[at]?.kind === 'quoted') return { values: [reader.tokens[at]?.text ?? ''], next: at + 1 };
  if (known.values.length > 0) return null;
  // Without "is", only a name or a number is taken as a value, not the next word of the question.
  // "Borrowers in Texas" names a state, not a borrower.
  if (reader.word(at - 1) === 'in' && reader.valueAt(at)) return null;
  const text = readText(reader, at);
  const isName = /^[\p{Lu}\d]/u.test(text?.text ?? '');
  if (!text || (!hasCopula && !isName && !['by', 'number'].includes(reader.word(at - 1)))) return null;
  return { values: [text.text], next: text.next };
}

/** "Grade A": letters in capitals are a code, also where the word means something else. "I" is one at the end only. */
function isWrittenAsCode(reader: QuestionReader, at: number): boolean {
  const text = reader.tokens[at]?.text ?? '';
  if (!/^\p{Lu}+$/u.test(text) || WORDS_NOT_CODES.has(text) || at === 0) return false;
  return text !== 'I' || ['', ',', ')', 'or', 'and'].includes(reader.word(at + 1)) || reader.nounAt(at + 1) !== null;
}

/** A text as written: in quotes, or one word with the capitalised words and numbers that follow it. */
function readText(reader: QuestionReader, start: number): { text: string; next: number } | null {
  const first = reader.tokens[start];
  if (!first) return null;
  if (first.kind === 'quoted') return first.text === '' ? null : { text: first.text, next: start + 1 };
  const isCode = isWrittenAsCode(reader, start);
  if (
    first.kind === 'mark' ||
    (FILLERS.has(first.lower) && !isCode) ||
    first.lower === 'or' ||
    NEGATIONS.at(reader.tokens, start)
  )
    return null;
  let at = start + 1;
  for (let one = reader.tokens[at]; one; one = reader.tokens[at]) {
    const isGlued = one.start === reader.tokens[at - 1]?.end && one.text !== ',' && one.text !== ')';
    const isGlue = one.text === '-' && isGlued;
    if (!isGlued && !isGlue && !(one.kind !== 'mark' && one.kind !== 'quoted' && /^[\p{Lu}]/u.test(one.text))) break;
    if (/^(OR|AND)$/i.test(one.text)) break;
    at += 1;
  }
  return { text: reader.textOf(start, at), next: at };
}

import { joinFilters } from '../filters/filter.ts';
import { filterToSentence } from '../filters/sentence.ts';
import { readPeriods } from './field-dates.ts';
import { readTextValues } from './field-texts.ts';
import { listOf, type QuestionReader, type Read, zeroOf } from './question-reader.ts';
import type { KnownField, Meaning, WordedCondition } from './vocabulary.ts';
import { ARTICLES, HAVING } from './words.ts';

const BEFORE_NAMES: ReadonlySet<string> = new Set(['by', 'to', 'from', 'of', 'for']);

const isDate = ({ field }: KnownField): boolean => field.type === 'date' || field.type === 'instant';

/** Words that are a value as well as a field of yes and no, or a condition: "delinquent", "past due". */
export function readSeveralMeanings(
  reader: QuestionReader,
  start: number,
  end: number,
  {
    field,
    value,
    condition,
  }: {
    field: { found: readonly KnownField[]; next: number } | null;
    value: { found: readonly Meaning[]; next: number } | null;
    condition: { found: WordedCondition; next: number } | null;
  },
): Read | null {
  const flag = field?.next === end ? field.found.find((known) => known.field.type === 'boolean') : undefined;
  if (value?.next !== end || !(flag || condition?.next === end) || (field && reader.readField(start, false)))
    return null;
  const said = reader.textOf(start, end);
  const named = value.found.map(({ known, values }) => ({
    label: `${known.field.label}: ${said}`,
    words: `(${known.field.label} is ${listOf(values.map((one) => `“${one}”`))})`,
  }));
  const isTrue = flag ? [{ label: `${flag.field.label} is yes`, words: `(${flag.field.label} is yes)` }] : [];
  const meant =
    condition?.next === end
      ? [filterToSentence(reader.meantBy(condition.found))].map((sentence) => ({
          label: sentence,
          words: `(${sentence})`,
        }))
      : [];
  const options = [...named, ...isTrue, ...meant];
  reader.doubts.push({
    text: `“${said}” can mean ${listOf(options.map(({ label }) => label))}. Which one?`,
    start,
    end,
    options,
  });
  return { filter: joinFilters('and', []), next: end };
}

/** A field that nothing is said about: "with recoveries", "recallable". */
export function readBareField(
  reader: QuestionReader,
  start: number,
  fields: readonly KnownField[],
  next: number,
): Read | null {
  const known = reader.pick(fields, start, next);
  if (known.field.type === 'boolean') return { filter: reader.compare(known, 'eq', true), next };
  // "Originated by Acme", "paid to Birch": who did it or to whom, not when.
  const isByName =
    isDate(known) &&
    BEFORE_NAMES.has(reader.word(next)) &&
    reader.valueAt(next + 1)?.found.some((one) => one.known.isReference);
  if (isByName) return readDoneBy(reader, known, next + 1);
  let before = start - 1;
  while (ARTICLES.has(reader.word(before))) before -= 1;
  if (!HAVING.has(reader.word(before))) {
    reader.doubts.push({
      text: `What about ${known.field.label}? Write, for example, “${known.field.label} ${exampleOf(known)}”.`,
      start,
      end: next,
      options: [],
    });
    return { filter: joinFilters('and', []), next };
  }
  if (known.isCount || known.money) return { filter: reader.compare(known, 'gt', zeroOf(known)), next };
  return { filter: reader.exists(known, true), next };
}

/** "Funded by Acme in 2025": the company, and the date of the word before it. */
function readDoneBy(reader: QuestionReader, known: KnownField, at: number): Read {
  const nothing = { filter: joinFilters('and', []), next: at };
  const value = reader.valueAt(at);
  const names = value && readTextValues(reader, at, value);
  const dates = names && readPeriods(reader, known, names.next);
  return dates ? { filter: joinFilters('and', [names.filter, dates.filter]), next: dates.next } : nothing;
}

function exampleOf({ field, values }: KnownField): string {
  const [first] = values;
  if (first) return `is ${first.words[0]}`;
  if (field.type === 'date' || field.type === 'instant') return 'is before March 2026';
  return field.type === 'text' ? 'contains …' : 'is over 10';
}

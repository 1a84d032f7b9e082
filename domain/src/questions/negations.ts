import { joinFilters } from '../filters/filter.ts';
import { filterToSentence } from '../filters/sentence.ts';
import { negateFilter } from './negate-filter.ts';
import { type QuestionReader, type Read, zeroOf } from './question-reader.ts';
import { ABSENCE, ARTICLES, COMPARATORS, EXCEPTIONS, FILLERS, MISSING, NEGATIONS, SORTED } from './words.ts';

/** "Not in Texas", "except charged off", "neither late nor in Texas". */
export function readNegation(reader: QuestionReader, start: number, depth: number): Read | null {
  const absence = ABSENCE.at(reader.tokens, start);
  const negation = NEGATIONS.at(reader.tokens, start) ?? (absence?.meaning === 'none' ? absence : null);
  if (!negation) return null;
  reader.at = negation.next;
  while (reader.at < reader.tokens.length && FILLERS.has(reader.word()) && !COMPARATORS.at(reader.tokens, reader.at))
    reader.at += 1;
  if (reader.nounAt(reader.at) !== null && !reader.startsCondition()) reader.at = reader.nounAt(reader.at) ?? reader.at;
  while (FILLERS.has(reader.word()) && !COMPARATORS.at(reader.tokens, reader.at)) reader.at += 1;
  const before = reader.at;
  const doubts = reader.doubts.length;
  const end = reader.word();
  const inner =
    before < reader.tokens.length && end !== ')' && end !== 'or' && end !== ',' ? reader.readUnit(depth) : null;
  if (!inner) {
    if (reader.doubts.length === doubts) reader.unknown.add(start);
    return { filter: joinFilters('and', []), next: Math.max(reader.at, negation.next) };
  }
  // "Not overdue" of what is due and not paid can be what is paid as well.
  const worded = reader.find(reader.lexicon.conditions, before);
  if (worded && worded.next === reader.at && inner.kind === 'and') {
    reader.doubts.push({
      text: `What is “${reader.textOf(start, reader.at)}”? “${reader.textOf(before, reader.at)}” means ${filterToSentence(inner)}. Say which of these you want.`,
      start,
      end: reader.at,
      options: [],
    });
  }
  // "Neither late nor in Texas" leaves out both.
  const parts = [negateFilter(inner)];
  while (
    reader.word() === 'nor' ||
    (negation.next === start + 1 && reader.word(start) === 'neither' && reader.word() === 'or')
  ) {
    reader.at += 1;
    while (FILLERS.has(reader.word()) && !COMPARATORS.at(reader.tokens, reader.at)) reader.at += 1;
    const other = reader.readUnit(depth);
    if (other) parts.push(negateFilter(other));
    else reader.unknown.add(start);
  }
  if (parts.length === 1) askWhatIsLeftOut(reader, start);
  return { filter: joinFilters('and', parts), next: reader.at };
}

/** "Except charged off loans in Texas", "not charged off or late": the second condition can be negated too. */
function askWhatIsLeftOut(reader: QuestionReader, start: number): void {
  const after = reader.nounAt(reader.at) ?? reader.at;
  const isAlternative = reader.word(after) === 'or';
  const isException = EXCEPTIONS.at(reader.tokens, start) !== null;
  if (!isAlternative && (!isException || ['', ',', ')', 'but'].includes(reader.word(after)))) return;
  if (SORTED.at(reader.tokens, after) || (isAlternative && NEGATIONS.at(reader.tokens, after + 1))) return;
  reader.doubts.push({
    text: `What does “${reader.textOf(start, start + 1)}” leave out? Use brackets, for example “not (late and in Texas)”.`,
    start,
    end: reader.at,
    options: [],
  });
}

/** "No maturity date", "missing borrower id", "without exceptions". */
export function readMissing(reader: QuestionReader, start: number): Read | null {
  const absence = ABSENCE.at(reader.tokens, start);
  if (!absence) return null;
  let at = absence.next;
  while (ARTICLES.has(reader.word(at))) at += 1;
  const field = reader.find(reader.lexicon.fields, at);
  if (!field) return null;
  const known = reader.pick(field.found, at, field.next);
  if (known.field.type === 'boolean') return { filter: reader.compare(known, 'eq', false), next: field.next };
  if (known.isCount) return { filter: reader.compare(known, 'eq', 0), next: field.next };
  const onFile = MISSING.at(reader.tokens, field.next);
  const next = onFile?.meaning ? onFile.next : field.next;
  const missing = reader.exists(known, false);
  // "Without a principal": an amount of zero is none.
  if (!known.money || absence.meaning !== 'none') return { filter: missing, next };
  return { filter: joinFilters('or', [missing, reader.compare(known, 'eq', zeroOf(known))]), next };
}

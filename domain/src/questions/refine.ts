import { joinFilters } from '../filters/filter.ts';
import { contradictionIn } from './contradiction.ts';
import type { QuestionReading } from './read-question.ts';

/** Words that narrow down what was found before: "only those with", "of these,", "which of them". */
const NARROWING =
  /^\s*(?:(?:and|but|now|then|ok|okay|please|also)\b[\s,]*)*(?:(?:show|list|give|keep|take|find)\s+(?:me\s+)?)?(?:(?:only|just)\s+(?:those|these|the ones|ones|them)|(?:(?:only|just|which|what|how many)\s+)?(?:of|among|amongst|out of|from)\s+(?:those|these|them)|(?:narrow|filter|limit)\s+(?:(?:it|this|that|them|those|these)\s+)?(?:down\s+)?to(?:\s+(?:those|these|the ones|ones))?)\b[\s,:]*/i;
/** "Only Texas": narrows down, unless it names rows. */
const ONLY = /^\s*(?:(?:and|but|now|then)\b[\s,]*)*(?:only|just)\b[\s,:]*/i;

/**
 * What a question adds to the one before it.
 * @param namesRows whether a text has a noun of a list, so that it stands for itself
 * @returns null if the question stands for itself
 */
export function narrowingOf(question: string, namesRows: (text: string) => boolean): string | null {
  const narrowing = NARROWING.exec(question);
  if (narrowing) return question.slice(narrowing[0].length);
  const only = ONLY.exec(question);
  const rest = only ? question.slice(only[0].length) : '';
  return only && rest !== '' && !namesRows(rest) ? rest : null;
}

type Found = Extract<QuestionReading, { kind: 'filter' }>;

/** What was found before, narrowed down by what was read now; its order is the one of the later question, if it has one. */
export function refine(before: Found, reading: QuestionReading): QuestionReading {
  if (reading.kind === 'asks') return reading;
  if (before.limit !== null) {
    const text = `The question before asked for the first ${before.limit}, which a filter cannot narrow down. Ask the whole question.`;
    return { kind: 'asks', text, choices: [], unknown: [] };
  }
  const filter = joinFilters('and', [before.filter, reading.filter]);
  const contradiction = contradictionIn(filter);
  if (contradiction) return { kind: 'asks', text: contradiction, choices: [], unknown: [] };
  return { ...reading, filter, sort: reading.sort.length > 0 ? reading.sort : before.sort };
}

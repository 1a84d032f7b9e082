import { parseFilter } from '../../filters/parse.ts';
import { listsNamed } from '../nouns.ts';
import { type QuestionReading, readQuestion } from '../read-question.ts';
import { narrowingOf, refine } from '../refine.ts';
import type { Lexicon } from '../vocabulary.ts';
import { type ExpectedQuestion, QUESTIONS_DAY } from './first-questions.ts';
import { plainForm } from './same-filter.ts';

/** What became of a question: `wrong` if it was answered with another filter than the one it means. */
export interface Verdict {
  readonly question: string;
  readonly is: 'right' | 'asked back' | 'wrong';
  readonly got: string;
}

export function judgeQuestion([question, expected]: ExpectedQuestion, lexicon: Lexicon): Verdict {
  const reading = readInTurn(question.split(' > '), lexicon);
  const got = describe(reading);
  if (expected === 'asks back') return { question, is: reading.kind === 'asks' ? 'right' : 'wrong', got };
  if (reading.kind === 'asks') return { question, is: 'asked back', got };
  const wanted = describe({
    kind: 'filter',
    filter: parseFilter(expected.filter, lexicon.subject.catalog),
    sort: Object.entries(expected.sort ?? {}).map(([path, direction]) => ({ path, direction })),
    limit: expected.limit ?? null,
    notes: [],
  });
  return { question, is: got === wanted ? 'right' : 'wrong', got: got === wanted ? got : `${got}\n   not ${wanted}` };
}

/** What the last of the questions of a chat finds; each of the others is narrowed down by the next. */
function readInTurn(questions: readonly string[], lexicon: Lexicon): QuestionReading {
  const context = { lexicon, today: QUESTIONS_DAY, mainCurrency: 'USD' };
  const isNamed = (text: string) => listsNamed(text, [{ list: 0, nouns: lexicon.subject.nouns }], []).length > 0;
  return questions.slice(1).reduce(
    (before, question) => {
      const added = narrowingOf(question, isNamed);
      if (before.kind === 'asks' || added === null) return readQuestion(question, context);
      return refine(before, readQuestion(added, context));
    },
    readQuestion(questions[0] ?? '', context),
  );
}

const describe = (reading: QuestionReading): string =>
  reading.kind === 'asks'
    ? reading.text
    : `${plainForm(reading.filter)} ${JSON.stringify(reading.sort)} ${reading.limit ?? 'all'}`;

import { parseFilter } from '../../filters/parse.ts';
import { type Reading, readQuestion } from '../read-question.ts';
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
  const reading = readQuestion(question, { lexicon, today: QUESTIONS_DAY, mainCurrency: 'USD' });
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

const describe = (reading: Reading): string =>
  reading.kind === 'asks'
    ? reading.text
    : `${plainForm(reading.filter)} ${JSON.stringify(reading.sort)} ${reading.limit ?? 'all'}`;

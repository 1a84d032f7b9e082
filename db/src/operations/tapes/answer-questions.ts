import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { SCHEDULER_TRANSITIONS } from '@tapeline/domain/tapes/states.ts';
import type {
  CurrencyFacts,
  CurrencyQuestion,
  SettledQuestion,
  TapeAnswers,
  TapeQuestion,
} from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { currencyQuestions, isAboutCurrency, settleQuestions } from '@tapeline/domain/tapes/tape-questions.ts';
import { LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { lockTape } from './generations.ts';

/**
 * Answers the open questions of a tape, whose processing can begin then.
 * @throws Refusal forbidden; notFound; badRequest if it has no open question, or with flags by the question's code
 */
export async function answerQuestions(
  session: Session,
  { tapeId, answers }: { tapeId: string; answers: TapeAnswers },
): Promise<LoanTape> {
  requirePermission(session, 'assets/write');
  const tape = await lockTape(session, tapeId);
  if (tape.questions.length === 0) throw new Refusal('badRequest', 'The tape has no open questions');
  SCHEDULER_TRANSITIONS.require(tape.schedulerStatus, 'Processing', 'it is still being processed');
  tape.settledQuestions = [...tape.settledQuestions, ...settleQuestions(tape.questions, answers)];
  tape.questions = [];
  tape.primaryCurrency = answers.amountCurrency ?? tape.primaryCurrency ?? null;
  tape.mainCurrency = answers.mainCurrency ?? tape.mainCurrency;
  tape.schedulerStatus = 'Processing';
  tape.progress = null;
  tape.metadata = changedMetadata(session, tape.metadata);
  await session.em.flush();
  return tape;
}

/**
 * What is asked about the currencies of a new tape. A person who answered the same question about the same currencies
 * for an earlier tape of the company, and kept the mapping's or the upload's currency, is not asked again.
 */
export async function questionsOfTape(
  session: Session,
  command: { companyId: string; facts: CurrencyFacts },
): Promise<{ questions: TapeQuestion[]; settled: SettledQuestion[] }> {
  const found = currencyQuestions(command.facts);
  if (found.length === 0) return { questions: [], settled: [] };
  const answered = await session.em.find(
    LoanTape,
    { companyId: command.companyId, status: 'Active', settledQuestions: { $ne: [] } },
    { orderBy: { code: 'desc' }, limit: 20 },
  );
  const kept = (question: CurrencyQuestion): SettledQuestion | undefined => {
    const { mapping, tape } = question.data;
    return answered
      .flatMap(({ settledQuestions }) => settledQuestions.filter(isAboutCurrency))
      .find(
        ({ code, data, answer }) =>
          code === question.code &&
          answer === (code === 'amountCurrency' ? mapping : tape) &&
          (['file', 'company', 'mapping', 'tape'] as const).every((source) => data[source] === question.data[source]),
      );
  };
  const settled = found.flatMap((question) => kept(question) ?? []);
  return { questions: found.filter(({ code }) => !settled.some((each) => each.code === code)), settled };
}

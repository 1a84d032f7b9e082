import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import type { TapeWarnings } from '@tapeline/domain/tapes/tape.schema.ts';
import type { TapeQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';

/** Implausible values, and the questions that nobody was asked. */
export function warningsOf({
  statistics,
  settledQuestions,
}: Pick<LoanTape, 'statistics' | 'settledQuestions'>): (TapeWarnings & { questions?: TapeQuestion[] }) | null {
  const questions = settledQuestions.flatMap(({ answer, ...question }) => (answer === null ? [question] : []));
  const { warnings } = statistics ?? {};
  if (questions.length === 0) return warnings ?? null;
  return { ...(warnings ?? { assets: 0, fields: [] }), questions };
}

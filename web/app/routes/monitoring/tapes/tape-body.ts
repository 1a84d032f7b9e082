import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import type { TapeWarnings } from '@tapeline/domain/tapes/tape.schema.ts';
import type { TapeQuestion } from '@tapeline/domain/tapes/tape-questions.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { baseOf } from '../../../api/documents.ts';

/** A tape in its API representation. */
export const tapeBody = (tape: LoanTape) => ({
  ...baseOf(tape),
  metadata: { ...tape.metadata, attachment: tape.attachment, loanTapeId: tape.id },
  company: tape.companyId,
  cutOffDate: tape.cutOffDate,
  schedulerStatus: tape.schedulerStatus,
  processStatus: tape.processStatus,
  counts: tape.counts ?? null,
  calculateBB: tape.calculateBB,
  mainCurrency: tape.mainCurrency,
  exchangeRates: Object.fromEntries(
    Object.entries(tape.exchangeRates).map(([currency, rate]) => [currency, exactNumber(rate)]),
  ),
  assetsETL: tape.mappingId,
  assetsETLVersion: tape.mappingVersion,
  sheetName: tape.sheetName ?? null,
  otherAttachments: tape.otherAttachments,
  progress: tape.progress ?? null,
  statistics: statisticsOf(tape),
  questions: tape.questions,
  answers: Object.fromEntries(tape.settledQuestions.flatMap(({ code, answer }) => (answer ? [[code, answer]] : []))),
  warnings: warningsOf(tape),
  failure: tape.failure ?? null,
  publishedAt: tape.publishedAt ?? null,
  workflowId: tape.workflowId ?? null,
});

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

function statisticsOf({ statistics }: LoanTape) {
  if (!statistics) return null;
  const { warnings, ...figures } = statistics;
  return figures;
}

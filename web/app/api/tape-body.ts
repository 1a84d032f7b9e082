import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { warningsOf } from '../commands/tape-warnings.ts';
import { baseOf } from './documents.ts';

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

function statisticsOf({ statistics }: LoanTape) {
  if (!statistics) return null;
  const { warnings, ...figures } = statistics;
  return figures;
}

import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';

/** A tape as the wire has it. */
export const tapeBody = (tape: LoanTape) => ({
  id: tape.id,
  status: tape.status,
  code: tape.code,
  version: tape.version,
  metadata: { ...tape.metadata, attachment: tape.attachment, loanTape: tape.id },
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
  statistics: tape.statistics ?? null,
  failure: tape.failure ?? null,
  publishedAt: tape.publishedAt ?? null,
  workflowId: tape.workflowId ?? null,
});

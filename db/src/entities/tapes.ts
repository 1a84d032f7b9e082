import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import type { PayoutPerson } from '@tapeline/domain/investors/investor-record.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { DepartureKind } from '@tapeline/domain/pools/roll-forward.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import type { ProposalStatus, ProposedRow } from '@tapeline/domain/tapes/proposal.schema.ts';
import type { GenerationStatus, TapeStatus } from '@tapeline/domain/tapes/states.ts';
import type {
  AssetStatistics,
  OnDoubt,
  ProcessStatus,
  SchedulerStatus,
  TapeCounts,
} from '@tapeline/domain/tapes/tape.schema.ts';
import type { SettledQuestion, TapeQuestion } from '@tapeline/domain/tapes/tape-questions.schema.ts';
import { documentProperties } from './base.ts';

/** The borrowing base of one note, as requested when the tape was uploaded. */
export interface BorrowingBaseStatus {
  transactionId: string;
  noteId: string;
  noteTitle: string;
  contractId: string | null;
  status: 'Pending' | 'Processing' | 'Completed';
  borrowingBaseId: string | null;
  failure: string | null;
}

export const LoanTape = defineEntity({
  name: 'LoanTape',
  tableName: 'loan_tapes',
  properties: {
    ...documentProperties,
    status: p.text().$type<TapeStatus & Opt>().default('Active'),
    managerId: p.text(),
    companyId: p.text(),
    cutOffDate: p.date(),
    schedulerStatus: p.text().$type<SchedulerStatus & Opt>().default('Processing'),
    processStatus: p.text().$type<ProcessStatus & Opt>().default('Pending'),
    mainCurrency: p.text(),
    /** Currency of amounts that name none, as a person answered; null uses the mapping's. */
    primaryCurrency: p.text().nullable(),
    /** Units of each currency for one US dollar, fixed at upload. */
    exchangeRates: p.json<Record<string, DecimalText>>(),
    calculateBB: p.boolean().fieldName('calculate_bb').default(false),
    attachment: p.json<FileMetadata>(),
    otherAttachments: p.json<FileMetadata[] & Opt>().onCreate(() => []),
    sheetName: p.text().nullable(),
    mappingId: p.text(),
    mappingVersion: p.integer(),
    assetPrefix: p.text(),
    workflowId: p.text().nullable(),
    counts: p.json<TapeCounts>().nullable(),
    progress: p.json<TapeProgress>().nullable(),
    statistics: p.json<AssetStatistics>().nullable(),
    borrowingBaseStatuses: p.json<BorrowingBaseStatus[] & Opt>().onCreate(() => []),
    failure: p.text().nullable(),
    /** Open questions: the tape is processed once they are answered. */
    questions: p.json<TapeQuestion[] & Opt>().onCreate(() => []),
    settledQuestions: p.json<SettledQuestion[] & Opt>().onCreate(() => []),
    /** Whether it is published if its pool is implausible, or waits for an answer. */
    onDoubt: p.text().$type<OnDoubt & Opt>().default('publish'),
    /** The published generation; null until the tape is published. */
    generationId: p.text().nullable(),
    /** The last fencing token that was issued: only its holder can publish. */
    fence: p.integer().default(0),
    publishedAt: p.datetime().nullable(),
    /** How often its assets were published again, after a correction or with another mapping. */
    restatements: p.integer().default(0),
  },
});
export type LoanTape = InferEntity<typeof LoanTape>;

/** One attempt to process a tape. Its id is part of its objects' keys, so that attempts never share a file. */
export const TapeGeneration = defineEntity({
  name: 'TapeGeneration',
  tableName: 'tape_generations',
  properties: {
    id: p.text().primary(),
    managerId: p.text(),
    companyId: p.text(),
    tapeId: p.text(),
    fencingToken: p.integer(),
    status: p.text().$type<GenerationStatus & Opt>().default('Staging'),
    manifest: p.json<GenerationManifest>().nullable(),
    createdAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
  },
});
export type TapeGeneration = InferEntity<typeof TapeGeneration>;

/** A borrower's correction of errored rows of a published tape, until and after the manager's decision. */
export const CorrectionProposal = defineEntity({
  name: 'CorrectionProposal',
  tableName: 'correction_proposals',
  properties: {
    ...documentProperties,
    status: p.text().$type<ProposalStatus & Opt>().default('Proposed'),
    managerId: p.text(),
    companyId: p.text(),
    tapeId: p.text(),
    /** The published generation whose errored rows it corrects. */
    generationId: p.text(),
    /** Sheet rows that it corrects. */
    rowNumbers: p.array<number>().columnType('integer[]'),
    /** Large, so it is loaded only on request (`getProposal`). */
    correctedRows: p.json<ProposedRow[]>().lazy(),
    comment: p.text().nullable(),
    /** The re-run that publishes it. Set when a manager accepts; the status changes when the re-run is published. */
    acceptingGenerationId: p.text().nullable(),
    /** Name of the manager's user who decided. */
    decidedBy: p.text().nullable(),
    decidedAt: p.datetime().nullable(),
    declineReason: p.text().nullable(),
  },
});
export type CorrectionProposal = InferEntity<typeof CorrectionProposal>;

/** What somebody said of loans that a tape no longer reports. */
export const Departure = defineEntity({
  name: 'Departure',
  tableName: 'departures',
  properties: {
    ...documentProperties,
    status: p.text().$type<('Active' | 'Removed') & Opt>().default('Active'),
    managerId: p.text(),
    companyId: p.text(),
    tapeId: p.text(),
    kind: p.text().$type<DepartureKind>(),
    /** Ids of the loans, as the earlier tape has them. */
    assetIds: p.array().$type<string[]>().columnType('text[]'),
    reason: p.text(),
    fileId: p.text().nullable(),
    enteredBy: p.json<PayoutPerson>(),
    enteredAt: p.datetime(),
    removedBy: p.json<PayoutPerson>().nullable(),
    removedAt: p.datetime().nullable(),
  },
});
export type Departure = InferEntity<typeof Departure>;

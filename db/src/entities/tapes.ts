import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import type {
  AssetStatistics,
  ProcessStatus,
  SchedulerStatus,
  TapeCounts,
} from '@tapeline/domain/tapes/tape.schema.ts';
import { documentProperties } from './base.ts';

/** A stored file as the wire names it. */
export interface FileMetadata {
  bucket: string;
  key: string;
  name: string;
  /** Bytes. */
  size: number;
  /** Media type. */
  type: string;
  checksum: string | null;
}

/** The borrowing base of one note as this tape's upload asked for it. */
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
    managerId: p.text(),
    companyId: p.text(),
    cutOffDate: p.date(),
    schedulerStatus: p.text().$type<SchedulerStatus & Opt>().default('Processing'),
    processStatus: p.text().$type<ProcessStatus & Opt>().default('Pending'),
    mainCurrency: p.text(),
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
    /** The published generation; null until the tape is visible. */
    generationId: p.text().nullable(),
    /** The last fencing token handed out: only its holder may publish. */
    fence: p.integer().default(0),
    publishedAt: p.datetime().nullable(),
  },
});
export type LoanTape = InferEntity<typeof LoanTape>;

/** One attempt at a tape's assets: its objects carry its id in their keys, so that attempts never share a file. */
export const TapeGeneration = defineEntity({
  name: 'TapeGeneration',
  tableName: 'tape_generations',
  properties: {
    id: p.text().primary(),
    managerId: p.text(),
    companyId: p.text(),
    tapeId: p.text(),
    fencingToken: p.integer(),
    status: p.text().$type<('Staging' | 'Published' | 'Superseded') & Opt>().default('Staging'),
    manifest: p.json<GenerationManifest>().nullable(),
    createdAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
  },
});
export type TapeGeneration = InferEntity<typeof TapeGeneration>;

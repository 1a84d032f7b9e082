import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';

/** One version of a company's mapping (collection `assetsETLs`); a changed mapping is a new row of the same family. */
export const Mapping = defineEntity({
  name: 'Mapping',
  tableName: 'mappings',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    companyId: p.text(),
    /** Shared by all versions of one mapping. */
    familyId: p.text(),
    /** 1 for the first; the highest is the one in use. */
    mappingVersion: p.integer(),
    primaryCurrency: p.text(),
    cutOffDate: p.date().nullable(),
    loanTapeSheetName: p.text(),
    extractedOriginColsFromLoanTape: p
      .array()
      .$type<string[] & Opt>()
      .columnType('text[]')
      .onCreate(() => []),
    /** ETL rules as `domain/tapes/mapping.schema.ts` has them. */
    rules: p.json<unknown[]>(),
  },
});
export type Mapping = InferEntity<typeof Mapping>;

/** A note as its schema has it, without its contracts (they are rows of their own). */
export type StoredNote = { id: string; title: string } & Record<string, unknown>;

export const Transaction = defineEntity({
  name: 'Transaction',
  tableName: 'transactions',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    companyId: p.text(),
    title: p.text(),
    /** 'Investment', or a loan type. */
    type: p.text().$type<(typeof TRANSACTION_TYPES)[number]>(),
    industries: p.json<string[]>(),
    notes: p.json<StoredNote[]>(),
    maxCommitments: p.json<unknown[] & Opt>().onCreate(() => []),
    managerMaxCommitments: p.json<unknown[] & Opt>().onCreate(() => []),
  },
});
export type Transaction = InferEntity<typeof Transaction>;

export type ContractStatus = 'Draft' | 'Active' | 'Closed';

/** A note's contract: what a borrowing base is computed under. Only a Draft may change. */
export const Contract = defineEntity({
  name: 'Contract',
  tableName: 'contracts',
  properties: {
    ...documentProperties,
    status: p.text().$type<ContractStatus & Opt>().default('Draft'),
    managerId: p.text(),
    companyId: p.text(),
    transactionId: p.text(),
    noteId: p.text(),
    /** Counts up within the note. */
    revision: p.integer(),
    cutOffDate: p.date(),
    /** The mapping version whose target fields the rules name. */
    mappingId: p.text().nullable(),
    /** values, scopes, eligibilityRules, performanceRules, concentrationRules, advanceRate. */
    body: p.json<Record<string, unknown>>(),
    activatedAt: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
  },
});
export type Contract = InferEntity<typeof Contract>;

export const BorrowingBase = defineEntity({
  name: 'BorrowingBase',
  tableName: 'borrowing_bases',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    companyId: p.text(),
    tapeId: p.text(),
    /** The published generation of the tape that was counted. */
    generationId: p.text(),
    transactionId: p.text(),
    noteId: p.text(),
    contractId: p.text(),
    cutOffDate: p.date(),
    currency: p.text(),
    netBB: p.decimal().$type<DecimalText>().fieldName('net_bb'),
    firstBB: p.decimal().$type<DecimalText>().fieldName('first_bb'),
    /** The whole result as `domain/borrowing-base/result.ts` has it. */
    result: p.json<Record<string, unknown>>(),
    /** Object key of the per-asset results (Parquet, beside the tape). */
    resultKey: p.text().nullable(),
  },
});
export type BorrowingBase = InferEntity<typeof BorrowingBase>;

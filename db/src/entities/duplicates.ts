import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { DuplicateLoan } from '@tapeline/domain/duplicates/duplicate.schema.ts';
import type { Certainty, DuplicateStatus } from '@tapeline/domain/duplicates/rules.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';

/** Two loans that may be one, with what their tapes say, and what was decided. */
export const DuplicatePair = defineEntity({
  name: 'DuplicatePair',
  tableName: 'duplicate_pairs',
  properties: {
    ...documentProperties,
    status: p.text().$type<DuplicateStatus & Opt>().default('Open'),
    managerId: p.text(),
    certainty: p.text().$type<Certainty>(),
    obligor: p.text().nullable(),
    /** The smaller of both balances, if both are in one currency. */
    countedTwice: p.decimal().$type<DecimalText>().nullable(),
    currency: p.text().nullable(),
    foundAt: p.datetime(),
    /** What identifies the pair from tape to tape: its borrowers and the ids of its loans. */
    pairKey: p.text(),
    /** A checksum of what a decision was about. */
    facts: p.text(),
    loans: p.json<readonly [DuplicateLoan, DuplicateLoan]>(),
    firstTapeId: p.text(),
    firstCompanyId: p.text(),
    secondTapeId: p.text(),
    secondCompanyId: p.text(),
    reason: p.text().nullable(),
    /** Name of the user who decided. */
    decidedBy: p.text().nullable(),
    decidedAt: p.datetime().nullable(),
  },
});
export type DuplicatePair = InferEntity<typeof DuplicatePair>;

/** The last search of a manager's book. */
export const DuplicateSearch = defineEntity({
  name: 'DuplicateSearch',
  tableName: 'duplicate_searches',
  properties: {
    id: p.text().primary(),
    managerId: p.text(),
    startedAt: p.datetime(),
    progressPercent: p.integer(),
    endedAt: p.datetime().nullable(),
    failure: p.text().nullable(),
    tapes: p.integer().nullable(),
    companies: p.integer().nullable(),
    loans: p.integer().nullable(),
    pairCount: p.integer().nullable(),
    notCompared: p.integer().nullable(),
  },
});
export type DuplicateSearch = InferEntity<typeof DuplicateSearch>;

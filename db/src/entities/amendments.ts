import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AmendedTerms } from '@tapeline/domain/amendments/amendment.schema.ts';
import { documentProperties } from './base.ts';

/** A change of the terms of a note from a day on. */
export const Amendment = defineEntity({
  name: 'Amendment',
  tableName: 'amendments',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    companyId: p.text(),
    transactionId: p.text(),
    noteId: p.text(),
    title: p.text(),
    effectiveDate: p.date(),
    /** The sequence of the tranche whose terms change; null for the note's own terms. */
    tranche: p.integer().nullable(),
    terms: p.json<AmendedTerms>(),
    /** The same terms before it; null until the note has the changed ones. */
    replaced: p.json<AmendedTerms>().nullable(),
    /** What it changes in words. */
    changes: p.json<string[]>(),
    /** Whether it was agreed before its day. */
    scheduled: p.boolean().default(false),
    fileId: p.text().nullable(),
    remark: p.text().nullable(),
  },
});
export type Amendment = InferEntity<typeof Amendment>;

import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { CertificationStatus } from '@tapeline/domain/certifications/certification-labels.ts';
import type { DisputedLine } from '@tapeline/domain/certifications/compare-lines.ts';
import type { OwnLine } from '@tapeline/domain/certifications/own-lines.ts';
import type { PayoutPerson } from '@tapeline/domain/investors/investor-record.schema.ts';
import { documentProperties } from './base.ts';

/** The borrower's certificate of a borrowing base, one of several until one is accepted. */
export const Certification = defineEntity({
  name: 'Certification',
  tableName: 'certifications',
  properties: {
    ...documentProperties,
    status: p.text().$type<CertificationStatus & Opt>().default('Draft'),
    managerId: p.text(),
    companyId: p.text(),
    tapeId: p.text(),
    contractId: p.text(),
    transactionId: p.text(),
    noteId: p.text(),
    /** The version of the borrowing base that is certified. */
    baseId: p.text(),
    number: p.integer(),
    /** Null if the borrower confirms the calculated figures. */
    lines: p.json<OwnLine[]>().nullable(),
    text: p.text().nullable(),
    signedName: p.text().nullable(),
    signedTitle: p.text().nullable(),
    submittedBy: p.json<PayoutPerson>().nullable(),
    submittedAt: p.datetime().nullable(),
    reviewedBy: p.json<PayoutPerson>().nullable(),
    reviewedAt: p.datetime().nullable(),
    decidedBy: p.json<PayoutPerson>().nullable(),
    decidedAt: p.datetime().nullable(),
    disputed: p.json<DisputedLine[]>(),
    /** The part of the address of the sealed file that nobody can guess. */
    verification: p.text().nullable(),
    sha256: p.text().nullable(),
    fileId: p.text().nullable(),
  },
});
export type Certification = InferEntity<typeof Certification>;

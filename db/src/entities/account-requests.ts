import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { Bank } from '@tapeline/domain/entities/bank.schema.ts';
import type { AccountRequestStatus } from '@tapeline/domain/investors/account-request.schema.ts';
import type { PayoutPerson } from '@tapeline/domain/investors/investor-record.schema.ts';
import { documentProperties } from './base.ts';

/** The request of an investor or a borrower that payments in a currency go to another account. */
export const AccountRequest = defineEntity({
  name: 'AccountRequest',
  tableName: 'account_requests',
  properties: {
    ...documentProperties,
    status: p.text().$type<AccountRequestStatus & Opt>().default('Requested'),
    managerId: p.text(),
    /** The borrower; null for a request of an investor. */
    companyId: p.text().nullable(),
    investorLPId: p.text().fieldName('investor_lp_id').nullable(),
    currency: p.text(),
    bank: p.json<Bank>(),
    comment: p.text().nullable(),
    /** The file of the bank letter. */
    letterId: p.text().nullable(),
    /** What it was sent from: "Safari on iPhone". */
    device: p.text().nullable(),
    /** Whether the user had not signed in from it before; null if no earlier sign-in is known. */
    isNewDevice: p.boolean().nullable(),
    requestedBy: p.json<PayoutPerson>(),
    requestedAt: p.datetime(),
    decidedBy: p.json<PayoutPerson>().nullable(),
    decidedAt: p.datetime().nullable(),
    /** Why it was declined. */
    reason: p.text().nullable(),
  },
});
export type AccountRequest = InferEntity<typeof AccountRequest>;

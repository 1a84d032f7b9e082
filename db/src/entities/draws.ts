import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import type { DRAW_STATUSES, StoredDraw } from '@tapeline/domain/draws/draw.schema.ts';
import type { StoredChecks, StoredException } from '@tapeline/domain/draws/exceptions.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { REPAYMENT_STATUSES, RepaymentPart } from '@tapeline/domain/repayments/repayment.schema.ts';
import { documentProperties } from './base.ts';

/** What belongs to a note of a company's transaction on a day. */
const noteProperties = {
  managerId: p.text(),
  companyId: p.text(),
  transactionId: p.text(),
  noteId: p.text(),
  cutOffDate: p.date(),
  /** At the rates of the cut-off date; null if a rate is missing. */
  valueInUsd: p.decimal().$type<DecimalText>().nullable(),
  amountInMainCurrency: p.json<Amount>().nullable(),
};

/** A request to draw on a note (collection `draws`, calls `transactionDraws`). */
export const Draw = defineEntity({
  name: 'Draw',
  tableName: 'draws',
  properties: {
    ...documentProperties,
    status: p.text().$type<(typeof DRAW_STATUSES)[number] & Opt>().default('Pending'),
    ...noteProperties,
    /** Requested day of the money transfer. */
    dueDate: p.date(),
    draws: p.json<StoredDraw[]>(),
    exceptions: p.json<StoredException[] & Opt>().onCreate(() => []),
    /** Every check with its figures, as they were when the checks last ran. */
    checked: p.json<StoredChecks>().nullable(),
    rejectionMessage: p.text().nullable(),
    description: p.text().nullable(),
    attachments: p.json<FileMetadata[] & Opt>().onCreate(() => []),
    /** The latest version that the request's workflow knows; null until it knows one. */
    watchedVersion: p.integer().nullable(),
    /** Ids of users: who created the request, who last changed its amounts or dates, who approved or rejected it. */
    requestedBy: p.text().nullable(),
    termsChangedBy: p.text().nullable(),
    decidedBy: p.text().nullable(),
    decidedAt: p.datetime().nullable(),
  },
});
export type Draw = InferEntity<typeof Draw>;

/** A recorded repayment of a note. Only its principal reduces the balance. */
export const Repayment = defineEntity({
  name: 'Repayment',
  tableName: 'repayments',
  properties: {
    ...documentProperties,
    status: p.text().$type<(typeof REPAYMENT_STATUSES)[number] & Opt>().default('Active'),
    ...noteProperties,
    repayments: p.json<RepaymentPart[]>(),
    removalReason: p.text().nullable(),
    /** Whether a person said that the principal was due: it is no prepayment. */
    scheduled: p.boolean().$type<boolean & Opt>().default(false),
    /** Of the payment of an invoice that it follows from; null if a person recorded it. */
    allocationId: p.text().nullable(),
    /** Of the invoice whose interest it pays in kind: the interest is added to the principal. */
    invoiceId: p.text().nullable(),
  },
});
export type Repayment = InferEntity<typeof Repayment>;

import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { PaymentFormat } from '@tapeline/domain/cash/payment-files/payment-file.ts';
import type { PaymentInstruction, PaymentOrder } from '@tapeline/domain/cash/payment-files/payment-order.ts';
import type { PayableKind } from '@tapeline/domain/cash/payment-runs/kinds.ts';
import type { PaymentRunStatus } from '@tapeline/domain/cash/payment-runs/states.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';

/** The file of a released run, in the object storage. */
export interface RunFile {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly checksum: string;
}

/** What is paid together from one account. Its payments are in `payment_run_lines`. */
export const PaymentRun = defineEntity({
  name: 'PaymentRun',
  tableName: 'payment_runs',
  properties: {
    ...documentProperties,
    status: p.text().$type<PaymentRunStatus & Opt>().default('Prepared'),
    managerId: p.text(),
    bankAccountId: p.text(),
    executeOn: p.date(),
    format: p.text().$type<PaymentFormat>(),
    originator: p.text().nullable(),
    currency: p.text(),
    total: p.decimal().$type<DecimalText>(),
    count: p.integer(),
    payer: p.json<PaymentOrder['payer']>(),
    // Triggers note who did each step.
    prepared: p.json<ChangedBy>(),
    firstReleased: p.json<ChangedBy>().nullable(),
    released: p.json<ChangedBy>().nullable(),
    releasedAt: p.datetime().nullable(),
    withdrawn: p.json<ChangedBy>().nullable(),
    withdrawalReason: p.text().nullable(),
    file: p.json<RunFile>().nullable(),
    /** Payments that came back. */
    returns: p.integer().$type<number & Opt>().default(0),
    downloads: p.integer().$type<number & Opt>().default(0),
  },
});
export type PaymentRun = InferEntity<typeof PaymentRun>;

/** A payment of a run, with the payee's account as it was when the run was prepared. SQL writes it. */
export const PaymentRunLine = defineEntity({
  name: 'PaymentRunLine',
  tableName: 'payment_run_lines',
  properties: {
    runId: p.text().primary(),
    place: p.integer().primary(),
    managerId: p.text(),
    kind: p.text().$type<PayableKind>(),
    documentId: p.text(),
    commitmentId: p.text().nullable(),
    fundId: p.text().nullable(),
    investorLPId: p.text().fieldName('investor_lp_id').nullable(),
    companyId: p.text().nullable(),
    transactionId: p.text().nullable(),
    currency: p.text(),
    amount: p.decimal().$type<DecimalText>(),
    reference: p.text(),
    purpose: p.text(),
    payee: p.json<PaymentInstruction['payee']>(),
    fingerprint: p.text(),
    isOpen: p.boolean().$type<boolean & Opt>().default(true),
    returned: p.json<ChangedBy>().nullable(),
    returnReason: p.text().nullable(),
  },
});

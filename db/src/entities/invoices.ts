import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { InvoiceLineKind } from '@tapeline/domain/invoices/labels.ts';
import type { InvoiceLine } from '@tapeline/domain/invoices/lines.ts';
import type { InvoiceStatus } from '@tapeline/domain/invoices/states.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { documentProperties } from './base.ts';

/** What a borrower is asked to pay for a period of a note. */
export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'invoices',
  properties: {
    ...documentProperties,
    status: p.text().$type<InvoiceStatus & Opt>().default('Draft'),
    managerId: p.text(),
    companyId: p.text(),
    transactionId: p.text(),
    noteId: p.text(),
    /** Of the invoice among those of the facility. */
    number: p.integer().$type<number & Opt>().default(1),
    currency: p.text(),
    periodFrom: p.date(),
    /** The day after the last one. */
    periodTo: p.date(),
    dueDate: p.date(),
    lines: p.json<InvoiceLine[]>(),
    waterfall: p.json<InvoiceLineKind[]>(),
    description: p.text().nullable(),
    issuedOn: p.date().nullable(),
    removalReason: p.text().nullable(),
    /** The amendments that its lines were calculated with. */
    amendmentIds: p.json<string[]>().$type<string[] & Opt>().default([]),
    /** The sum of the lines; null while one is unknown. */
    amount: p.decimal().$type<DecimalText>().nullable().generated("('null') stored"),
  },
});
export type Invoice = InferEntity<typeof Invoice>;

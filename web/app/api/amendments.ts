import {
  AMENDMENTS,
  type AmendmentView,
  createAmendment,
  getAmendment,
  listAmendments,
  previewAmendment,
  removeAmendment,
} from '@tapeline/db/operations/amendments/amendments.ts';
import { termsOnDay } from '@tapeline/db/operations/amendments/terms-on-day.ts';
import { amendedTermsSchema, amendmentCreateSchema } from '@tapeline/domain/amendments/amendment.schema.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { noteTermsSchema } from '@tapeline/domain/facilities/terms.schema.ts';
import type { InvoiceEffect } from '@tapeline/domain/invoices/amendment-effects.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { inCurrency } from './capital-bodies.ts';
import { baseOf } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';
import { termsBody } from './terms-body.ts';

const nullable = z.string().nullable();
const changesSchema = z
  .array(z.string())
  .meta({ description: 'What it changes in words: "Interest rate: 9% becomes 8.25% from 15 Mar 2026"' });

const responseSchema = documentSchema
  .extend({
    company: idSchema,
    companyName: z.string(),
    transaction: idSchema,
    transactionTitle: z.string(),
    note: idSchema,
    noteTitle: z.string(),
    title: z.string(),
    effectiveDate: z.string(),
    tranche: z.int().nullable(),
    terms: amendedTermsSchema.meta({ description: 'The terms that it changes, as they are from its day on' }),
    changes: changesSchema,
    isInForce: z.boolean().meta({ description: 'Whether the note has the changed terms today' }),
    usedByInvoice: z.int().nullable().meta({
      description: 'The number of an issued invoice that was calculated with it, after which it cannot be removed',
    }),
    document: nullable.meta({ description: 'Id of the file of the agreement' }),
    remark: nullable,
  })
  .meta({ id: 'Amendment' });

const toBody = (amendment: AmendmentView) => ({
  ...baseOf(amendment),
  company: amendment.companyId,
  transaction: amendment.transactionId,
  note: amendment.noteId,
  ...pick(amendment, 'companyName', 'transactionTitle', 'noteTitle', 'title', 'effectiveDate', 'changes'),
  tranche: amendment.tranche ?? null,
  terms: termsBody(amendment.terms),
  isInForce: amendment.replaced != null,
  usedByInvoice: amendment.usedBy,
  document: amendment.fileId ?? null,
  remark: amendment.remark ?? null,
});

const previewSchema = z
  .object({
    changes: changesSchema,
    invoices: z
      .array(
        z.object({
          invoice: idSchema,
          number: z.int(),
          from: z.string(),
          to: z.string(),
          fee: nullable.meta({ description: 'The title of the fee; null for interest' }),
          invoiced: wireAmountSchema.meta({ description: 'On the invoice, and as corrections on later ones' }),
          amended: wireAmountSchema.meta({ description: 'By the amended terms' }),
          adjustment: wireAmountSchema.meta({ description: 'On the next invoice' }),
        }),
      )
      .meta({ description: 'Issued invoices that it changes. They stay as they are' }),
  })
  .meta({ id: 'AmendmentPreview' });

const effectBody = ({ currency, invoiced, accrued, adjustment, ...effect }: InvoiceEffect) => ({
  ...pick(effect, 'invoice', 'number', 'from', 'to', 'fee'),
  invoiced: inCurrency(invoiced, currency),
  amended: inCurrency(accrued, currency),
  adjustment: inCurrency(adjustment, currency),
});

const PATH = callsOf('amendments');
const EXAMPLE = {
  transaction: '65f0c2a1b3d4e5f601234567',
  note: '65f0c2a1b3d4e5f601234568',
  title: 'First amendment',
  effectiveDate: '2026-03-15',
  tranche: 1,
  terms: {
    interest: { kind: 'fix', value: 8.25, dayCount: 'ACT/360' },
    commitments: [{ amount: { sum: 20_000_000, currency: 'USD' } }],
  },
};

/** Amendments of the terms of notes, and the terms of any day. */
export const amendmentEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${PATH}/terms`,
    access: 'transactions/read',
    summary: 'Get the terms of a note on a day',
    query: z.object({ transaction: idSchema, note: idSchema, day: calendarDateSchema }),
    response: z
      .object({
        day: z.string(),
        from: nullable.meta({ description: 'The day of the last amendment before; null for the original terms' }),
        amendment: idSchema.nullable(),
        terms: noteTermsSchema.nullable(),
        tranches: z.array(
          z.object({ sequence: z.number(), title: z.string(), sequenceActivated: z.boolean(), terms: noteTermsSchema }),
        ),
      })
      .meta({ id: 'TermsOnDay' }),
    handle: ({ query, db }) =>
      db(async (session) => {
        const { note, from, amendment } = await termsOnDay(session, query);
        return {
          body: {
            day: query.day,
            from,
            amendment: amendment?.id ?? null,
            terms: note.terms ? termsBody(note.terms) : null,
            tranches: note.tranches.map((tranche) => ({
              ...pick(tranche, 'sequence', 'title', 'sequenceActivated'),
              terms: termsBody(tranche.terms),
            })),
          },
        };
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/preview`,
    status: 200,
    access: 'transactions/write',
    summary: 'Show what an amendment would change in words, and in invoices that are issued. Nothing is stored',
    body: amendmentCreateSchema,
    response: previewSchema,
    example: { body: EXAMPLE },
    handle: ({ body, db }) =>
      db(async (session) => {
        const { changes, effects } = await previewAmendment(session, body);
        return { body: { changes, invoices: effects.map(effectBody) } };
      }),
  }),
  ...resource({
    ...ofCollection('amendments'),
    response: responseSchema,
    toBody,
    list: { listable: AMENDMENTS, load: listAmendments },
    get: getAmendment,
    create: {
      body: amendmentCreateSchema,
      run: createAmendment,
      summary:
        'Amend the terms of a note from a day on. Issued invoices stay: what it changes in them is on the next invoice',
      example: EXAMPLE,
    },
    remove: { run: removeAmendment },
  }),
];

import type { InvoiceView } from '@tapeline/db/operations/invoices/invoice-view.ts';
import {
  changeInvoice,
  createInvoice,
  getInvoice,
  INVOICES,
  issueInvoice,
  listInvoices,
  proposeInvoice,
  withdrawInvoice,
} from '@tapeline/db/operations/invoices/invoices.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import {
  invoiceCreateSchema,
  invoiceIssueSchema,
  invoiceProposalQuerySchema,
  invoiceProposalSchema,
  invoiceSchema,
  invoiceUpdateSchema,
  invoiceWithdrawalSchema,
} from '@tapeline/domain/invoices/invoice.schema.ts';
import { type InvoiceLine, unknownText } from '@tapeline/domain/invoices/lines.ts';
import { inCurrency } from './capital-bodies.ts';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const PATH = callsOf('invoices');

const linesIn = (lines: readonly InvoiceLine[], currency: string) =>
  lines.map((line) => ({
    ...pick(line, 'kind', 'title', 'rule', 'basis', 'dayCount'),
    amount: line.amount === null ? null : inCurrency(line.amount, currency),
    unknown: line.unknown && unknownText(line.unknown),
    corrects: line.corrects
      ? {
          ...pick(line.corrects, 'number', 'from', 'to', 'why'),
          fee: line.corrects.fee ?? null,
          accrued: inCurrency(line.accrued?.to ?? '0', currency),
          invoiced: inCurrency(line.accrued?.from ?? '0', currency),
        }
      : null,
    pieces: line.pieces.map((piece) => ({
      ...pick(piece, 'from', 'to', 'days', 'basis', 'rate', 'amount'),
      ...(piece.dayCount ? { dayCount: piece.dayCount } : {}),
      ...(piece.tier ? { tier: piece.tier } : {}),
      ...(piece.defaultMargin ? { defaultMargin: piece.defaultMargin } : {}),
    })),
  }));

const toBody = (invoice: InvoiceView) => {
  const { currency, amount, open } = invoice;
  return {
    ...baseOf(invoice),
    transaction: { id: invoice.transactionId, title: invoice.transactionTitle },
    ...pick(invoice, 'noteTitle', 'number', 'reference', 'currency', 'dueDate', 'waterfall'),
    from: invoice.periodFrom,
    to: invoice.periodTo,
    amount: amount === null ? null : inCurrency(amount, currency),
    received: inCurrency(invoice.received, currency),
    open: open === null ? null : inCurrency(open, currency),
    lines: linesIn(invoice.lines, currency),
    issuedOn: invoice.issuedOn ?? null,
    description: invoice.description ?? null,
    removalReason: invoice.removalReason ?? null,
  };
};

const EXAMPLE = {
  transaction: '65f000000000000000000001',
  noteTitle: 'Senior',
  currency: 'USD',
  from: '2026-07-01',
  to: '2026-10-01',
  dueDate: '2026-10-31',
  principal: { sum: 500_000, currency: 'USD' },
  waterfall: ['fees', 'interest', 'principal'],
};

export const invoiceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${PATH}/proposal`,
    access: 'repayments/write',
    summary: 'Get the next invoice of a note: the period after the last one, with what accrues in it',
    query: invoiceProposalQuerySchema,
    response: invoiceProposalSchema,
    handle: ({ query, db }) =>
      db(async (session) => {
        const { lines, ...proposal } = await proposeInvoice(session, query);
        return { body: { ...proposal, lines: linesIn(lines, proposal.currency) } };
      }),
  }),
  ...resource({
    ...ofCollection('invoices'),
    response: invoiceSchema,
    toBody,
    firstStatus: 'Draft',
    list: { listable: INVOICES, load: listInvoices },
    get: getInvoice,
    create: {
      body: invoiceCreateSchema,
      run: createInvoice,
      summary: 'Prepare an invoice of a note, or a list of invoices. The borrower does not see it before it is issued',
      example: EXAMPLE,
    },
    update: {
      body: invoiceUpdateSchema,
      run: changeInvoice,
      summary: 'Change a draft: its period, whose lines are calculated again, its due date and its text',
    },
  }),
  endpoint({
    method: 'PUT',
    path: `${PATH}/{id}/issue`,
    access: 'repayments/write',
    summary: 'Issue an invoice to the borrower. The call names its amount, and is refused if another one is due by now',
    params: idParamsSchema,
    body: invoiceIssueSchema,
    response: invoiceSchema,
    handle: ({ params: { id }, body, db }) =>
      db(async (session) => ({ body: toBody(await issueInvoice(session, { id, ...body })) })),
  }),
  endpoint({
    method: 'PUT',
    path: `${PATH}/{id}/withdraw`,
    access: 'repayments/write',
    summary: 'Withdraw an invoice, or discard a draft. What was paid of it is a credit of the borrower',
    params: idParamsSchema,
    body: invoiceWithdrawalSchema,
    response: invoiceSchema,
    handle: ({ params: { id }, body, db }) =>
      db(async (session) => ({ body: toBody(await withdrawInvoice(session, { id, ...body })) })),
  }),
];

import { expect, test } from 'vitest';
import { principalLine } from '../invoice-lines.ts';
import { DEFAULT_WATERFALL } from '../labels.ts';
import type { InvoiceLine } from '../lines.ts';
import { type PrintedInvoice, printInvoice } from './invoice.ts';

const fee: InvoiceLine = {
  kind: 'fees',
  title: 'Unused fee',
  amount: '7430.56',
  rule: 'daily',
  basis: 'Undrawn Amount',
  dayCount: 'ACT/360',
  pieces: [
    { from: '2026-01-01', to: '2026-03-15', days: 73, basis: '5000000', rate: '0.5', amount: '5069.444444' },
    { from: '2026-03-15', to: '2026-04-01', days: 17, basis: '10000000', rate: '0.5', amount: '2361.111111' },
  ],
  times: null,
  accrued: null,
  unknown: null,
};
const invoice: PrintedInvoice = {
  letterhead: { name: 'Harbour Credit', logo: null, contact: [] },
  borrower: { formalName: 'Northgate LLC', address: ['1 Quay Street'] },
  facility: 'Northgate Card Loans',
  note: 'Senior',
  number: 5,
  reference: 'NCL3-I5-002-7',
  currency: 'USD',
  from: '2026-01-01',
  to: '2026-04-01',
  dueDate: '2026-05-01',
  issuedOn: '2026-04-01',
  datedAt: '2026-04-01T00:00:00.000Z',
  lines: [fee, principalLine('500')],
  waterfall: DEFAULT_WATERFALL,
  received: '0',
  description: null,
  wire: null,
};

test('an invoice states amount, due date, reference, its lines and how they come about', () => {
  const { blocks, footer } = printInvoice(invoice);
  expect(footer).toBe('Northgate Card Loans · invoice 5 · Northgate LLC · confidential');
  expect(blocks.map(({ kind }) => kind)).toEqual(['addressee', 'figures', 'table', 'table', 'text']);
  expect(blocks[1]).toMatchObject({
    figures: [
      { label: 'Amount due', value: 'USD 7,930.56' },
      { label: 'Due date', value: '1 May 2026' },
      { label: 'Payment reference', value: 'NCL3-I5-002-7' },
    ],
  });
  expect(blocks[2]).toMatchObject({
    total: ['Total', '7,930.56'],
    rows: [{ cells: ['Unused fee', '7,430.56'] }, { cells: ['Principal', '500.00'] }],
  });
  expect(blocks[3]).toMatchObject({
    rows: [
      { cells: ['Unused fee', '1 Jan 2026 to 15 Mar 2026', '73', '5,000,000.00', '0.50%', '5,069.444444'] },
      { cells: ['Unused fee', '15 Mar 2026 to 1 Apr 2026', '17', '10,000,000.00', '0.50%', '2,361.111111'] },
    ],
  });
  expect(blocks[4]).toMatchObject({ text: 'A payment is applied in this order: fees, interest, principal.' });
});

test('a draft says so, and what was received is stated', () => {
  const { blocks } = printInvoice({ ...invoice, issuedOn: null, received: '10' });
  expect(blocks[0]).toMatchObject({ kind: 'notices' });
  expect(blocks[2]).toMatchObject({ figures: [{}, { label: 'Received', value: 'USD 10.00' }, {}, {}] });
});

import { expect, test } from 'vitest';
import type { BankStatementLine } from '../bank-statement.ts';
import { type EarlierLine, knownPayments } from './known-lines.ts';

const line = (fields: Partial<BankStatementLine> = {}): BankStatementLine => ({
  reference: 'R1',
  bookedOn: '2026-03-05',
  valuedOn: '2026-03-05',
  amount: '10.00',
  charges: null,
  original: null,
  counterpartyName: null,
  counterpartyAccount: 'A',
  remittance: 'Call 9',
  endToEndId: null,
  returned: null,
  ...fields,
});
const earlier = (fields: Partial<BankStatementLine> = {}, isCounted = false): EarlierLine => ({
  paymentId: `of ${fields.reference ?? 'R1'}`,
  line: line(fields),
  isCounted,
});
const balance = { date: '2026-03-05', amount: '0.00' };
const counted = (...lines: BankStatementLine[]) => ({ opening: balance, closing: balance, lines });
const notified = (...lines: BankStatementLine[]) => ({ opening: null, closing: null, lines });

test('a statement takes over the line of a notification, and has its others anew', () => {
  expect(knownPayments(counted(line(), line({ reference: 'R2' })), [earlier()])).toEqual(['of R1', null]);
});

test('a statement has its own line where another statement has the same reference', () => {
  expect(knownPayments(counted(line()), [earlier({}, true)])).toEqual([null]);
});

test('a notification repeats the line of a statement', () => {
  expect(knownPayments(notified(line()), [earlier({}, true)])).toEqual(['of R1']);
});

test.each<[string, Partial<BankStatementLine>]>([
  ['amount', { amount: '10.01' }],
  ['day', { bookedOn: '2026-03-06' }],
])('a reference with another %s is another line', (_, other) => {
  expect(knownPayments(notified(line(other)), [earlier()])).toEqual([null]);
});

test('a line without a reference of the bank is known by what it says', () => {
  expect(knownPayments(counted(line({ reference: '43:1' })), [earlier({ reference: 'N7:1' })])).toEqual(['of N7:1']);
  const other = line({ reference: '43:1', remittance: 'Call 10' });
  expect(knownPayments(counted(other), [earlier({ reference: 'N7:1' })])).toEqual([null]);
});

test('each earlier line is taken once', () => {
  const twice = [line({ reference: '43:1' }), line({ reference: '43:2' })];
  expect(knownPayments(counted(...twice), [earlier({ reference: 'N7:1' })])).toEqual(['of N7:1', null]);
});

test('a line with its reference comes before one that only says the same', () => {
  const lines = [line({ reference: 'R0' }), line({ reference: 'R1' })];
  expect(knownPayments(notified(...lines), [earlier()])).toEqual([null, 'of R1']);
});

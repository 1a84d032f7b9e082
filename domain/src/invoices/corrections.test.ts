import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromEpochDay, toEpochDay } from '../dates/calendar-day.ts';
import type { NoteLedger } from '../facilities/ledger.ts';
import { DAY_COUNTS, type TransactionInterest } from '../facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import { noteInterest } from '../interest/accrual.ts';
import { absolute, add, compare, type DecimalText, isNegative, subtract, sum } from '../money/decimal.ts';
import { interestOfNote } from './interest-of-note.ts';
import { accruedLines } from './invoice-lines.ts';
import { MAX_INVOICE_CORRECTIONS } from './labels.ts';
import { correctionText, type InvoiceLine, type IssuedInvoice, totalsByKind } from './lines.ts';

const usd = (amount: string) => ({ sum: amount, currency: 'USD' });
const noteOf = (interest: TransactionInterest, fees: readonly object[] = [], committed = '15000000') =>
  ({
    title: 'Senior',
    operational: true,
    tranches: [],
    terms: {
      commitments: [{ amount: usd(committed) }],
      interest,
      fees,
      timeline: { contractSigning: '2026-01-01', maturity: '2040-01-01' },
    },
  }) as unknown as NoteWithoutContracts;
const FIX: TransactionInterest = { kind: 'fix', value: 9, dayCount: 'ACT/360' };

type Entry = readonly [date: string, sum: string];
const ledgerOf = (draws: readonly Entry[], repaid: readonly Entry[] = []): NoteLedger => ({
  isRecorded: true,
  draws: draws.map(([dueDate, amount]) => ({ dueDate, draws: [{ type: 'Regular' as const, amounts: [usd(amount)] }] })),
  requests: [],
  repayments: repaid.map(([cutOffDate, amount]) => ({
    cutOffDate,
    repayments: [{ kind: 'principal' as const, amount: usd(amount) }],
  })),
});

/** The invoices of a note as they are issued one after another. */
class Invoices {
  issued: IssuedInvoice[] = [];
  note = noteOf(FIX);
  ledger: NoteLedger;

  constructor(ledger: NoteLedger) {
    this.ledger = ledger;
  }

  propose(from: string, to: string): InvoiceLine[] {
    const { note, ledger, issued } = this;
    return accruedLines({ note, ledger, fixings: {}, issued }, 'USD', { from, to });
  }

  issue(from: string, to: string): InvoiceLine[] {
    const lines = this.propose(from, to);
    const number = this.issued.length + 1;
    this.issued.push({ id: `i${number}`, number, currency: 'USD', from, to, lines });
    return lines;
  }

  withdraw(number: number): void {
    this.issued = this.issued.filter((invoice) => invoice.number !== number);
  }

  total(): DecimalText {
    return sum(this.issued.map(({ lines }) => totalsByKind(lines)?.interest ?? '0'));
  }

  fees(): DecimalText {
    return sum(this.issued.map(({ lines }) => totalsByKind(lines)?.fees ?? '0'));
  }

  accrued(asOf: string): DecimalText {
    const interest = this.note.terms?.interest;
    return interest ? (noteInterest(this.ledger, { interest, fixings: {}, asOf })[0]?.accrued ?? '0') : '0';
  }
}

const Q1 = ['2026-01-01', '2026-04-01'] as const;
const Q2 = ['2026-04-01', '2026-07-01'] as const;
const Q3 = ['2026-07-01', '2026-10-01'] as const;
const DRAWN = [['2026-01-01', '10000000']] as const;
const shown = (lines: readonly InvoiceLine[]) =>
  lines.map(({ title, amount, corrects }) => [title, amount, ...(corrects?.why ?? [])]);

test('the worked correction: a repayment of 16 March is recorded in May', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  expect(shown(invoices.issue(...Q1))).toEqual([['Interest', '225000.00']]);
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-16', '2000000']]);
  const lines = invoices.issue(...Q2);
  expect(shown(lines)).toEqual([
    ['Interest', '182000.00'],
    ['Correction of invoice 1', '-8000.00', 'balance'],
  ]);
  expect(lines[1]).toMatchObject({
    kind: 'interest',
    rule: 'corrected',
    accrued: { to: '217000.00', from: '225000.00' },
    corrects: { invoice: 'i1', from: '2026-01-01', to: '2026-04-01' },
    pieces: [
      { from: '2026-01-01', to: '2026-04-01', days: 90, basis: '-10000000', rate: '9', amount: '-225000.000000' },
      { from: '2026-01-01', to: '2026-03-16', days: 74, basis: '10000000', rate: '9', amount: '185000.000000' },
      { from: '2026-03-16', to: '2026-04-01', days: 16, basis: '8000000', rate: '9', amount: '32000.000000' },
    ],
  });
  expect(lines.map((line) => correctionText(line, 'USD'))).toEqual([
    null,
    'Interest from 1 Jan 2026 to 1 Apr 2026 is 217,000.00 now, and 225,000.00 was invoiced: a draw or a repayment was recorded or removed since',
  ]);
  expect(invoices.total()).toBe('399000');
  expect(invoices.accrued('2026-07-01')).toBe('399000.00');
  // It is corrected once.
  expect(shown(invoices.propose(...Q3))).toEqual([['Interest', '184000.00']]);
});

test('a change after a correction states what it replaces', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.issue(...Q1);
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-16', '2000000']]);
  invoices.issue(...Q2);
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-16', '1000000']]);
  const [, first, second] = invoices.propose(...Q3);
  expect(first).toMatchObject({
    amount: '4000.00',
    accrued: { to: '221000.00', from: '217000.00' },
    pieces: [
      { from: '2026-03-16', to: '2026-04-01', basis: '-8000000', amount: '-32000.000000' },
      { from: '2026-03-16', to: '2026-04-01', basis: '9000000', amount: '36000.000000' },
    ],
  });
  expect(second).toMatchObject({ title: 'Correction of invoice 2', amount: '22750.00' });
});

test('a rate and a day count that change are named as the reason', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.issue(...Q1);
  invoices.note = noteOf({ ...FIX, value: 10 });
  expect(shown(invoices.propose(...Q2))[1]).toEqual(['Correction of invoice 1', '25000.00', 'rate']);
  invoices.note = noteOf({ ...FIX, dayCount: 'ACT/365F' });
  expect(shown(invoices.propose(...Q2))[1]).toEqual(['Correction of invoice 1', '-3082.19', 'dayCount']);
  invoices.ledger = ledgerOf([...DRAWN, ['2026-03-02', '1000000']]);
  invoices.note = noteOf({ ...FIX, value: 10 });
  expect(shown(invoices.propose(...Q2))[1]).toEqual(['Correction of invoice 1', '33333.33', 'balance', 'rate']);
});

test('what is taken back is at most the interest of the new invoice, and the rest is on the next one', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.issue(...Q1);
  invoices.ledger = ledgerOf(DRAWN, [['2026-01-02', '9000000']]);
  // 225,000 were invoiced, and 2,500 + 22,250 accrue: 200,250 are too much, and 22,750 accrue in the second quarter.
  expect(shown(invoices.issue(...Q2))).toEqual([
    ['Interest', '22750.00'],
    ['Correction of invoice 1', '-22750.00', 'balance'],
  ]);
  const next = invoices.issue(...Q3);
  expect(shown(next)).toEqual([
    ['Interest', '23000.00'],
    ['Correction of invoice 1', '-23000.00', 'rest'],
  ]);
  expect(next[1]).toMatchObject({ accrued: { to: '24750.00', from: '202250.00' }, pieces: [] });
  expect(correctionText(next[1]!, 'USD')).toBe(
    'Interest from 1 Jan 2026 to 1 Apr 2026 is 24,750.00 now, and 202,250.00 was invoiced: what an invoice before this one could not take back. 154,500.00 is left for the next invoice',
  );
  // What is owed more elsewhere makes room for it.
  invoices.ledger = ledgerOf([...DRAWN, ['2026-07-01', '20000000']], [['2026-01-02', '9000000']]);
  expect(shown(invoices.issue('2026-10-01', '2026-10-03'))).toEqual([
    ['Interest', '10500.00'],
    ['Correction of invoice 1', '-154500.00', 'rest'],
    ['Correction of invoice 3', '460000.00', 'balance'],
  ]);
  expect(compare(invoices.total(), invoices.accrued('2026-10-03'))).toBe(0);
});

test('without interest to reduce, what is left for later is shown, and nothing is lost', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.issue(...Q1);
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-31', '10000000']]);
  const lines = invoices.issue(...Q2);
  expect(shown(lines)).toEqual([['Correction of invoice 1', '0.00', 'balance']]);
  expect(correctionText(lines[0]!, 'USD')).toContain('. 2,500.00 is left for the next invoice');
  invoices.ledger = ledgerOf([...DRAWN, ['2026-07-01', '10000000']], [['2026-03-31', '10000000']]);
  expect(shown(invoices.propose(...Q3))).toEqual([
    ['Interest', '230000.00'],
    ['Correction of invoice 1', '-2500.00', 'balance'],
  ]);
});

test('the corrections of an invoice that is withdrawn are taken back, and it is invoiced again as it is now', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.issue(...Q1);
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-16', '2000000']]);
  invoices.issue(...Q2);
  invoices.withdraw(1);
  const again = invoices.propose(...Q1);
  expect(shown(again)).toEqual([
    ['Interest', '217000.00'],
    ['Correction of invoice 1', '8000.00', 'withdrawn'],
  ]);
  expect(again[1]).toMatchObject({
    accrued: { to: '0', from: '-8000.00' },
    pieces: [{ basis: '-10000000' }, { basis: '10000000' }, { basis: '-8000000' }],
  });
  invoices.withdraw(2);
  expect(shown(invoices.propose(...Q1))).toEqual([['Interest', '217000.00']]);
});

test('invoices in other currencies, and of fees alone, are left alone', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.issue(...Q1);
  invoices.issued = invoices.issued.map((invoice) => ({ ...invoice, currency: 'EUR' }));
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-16', '2000000']]);
  expect(shown(invoices.propose(...Q2))).toEqual([['Interest', '182000.00']]);
});

test('while the interest is unknown, nothing is corrected', () => {
  const variable: TransactionInterest = { kind: 'variable', baseRate: 'SOFR', spread: 4, minimumInterest: 0 };
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.issue(...Q1);
  invoices.note = noteOf(variable);
  expect(invoices.propose(...Q2).map(({ unknown }) => unknown?.why)).toEqual(['noFixing']);
});

test('an invoice corrects at most forty others, the earliest first, and the next one goes on', () => {
  const invoices = new Invoices(ledgerOf([['2020-01-01', '10000000']]));
  const week = (index: number) => fromEpochDay(toEpochDay('2020-01-01') + 7 * index);
  for (let index = 0; index < MAX_INVOICE_CORRECTIONS + 1; index += 1) invoices.issue(week(index), week(index + 1));
  invoices.note = noteOf({ ...FIX, value: 9.5 });
  const corrected = (lines: readonly InvoiceLine[]) => lines.flatMap((line) => line.corrects?.number ?? []);
  const first = corrected(invoices.issue(week(MAX_INVOICE_CORRECTIONS + 1), week(MAX_INVOICE_CORRECTIONS + 2)));
  expect([first.length, first[0], first.at(-1)]).toEqual([MAX_INVOICE_CORRECTIONS, 1, MAX_INVOICE_CORRECTIONS]);
  const last = week(MAX_INVOICE_CORRECTIONS + 3);
  expect(corrected(invoices.issue(week(MAX_INVOICE_CORRECTIONS + 2), last))).toEqual([MAX_INVOICE_CORRECTIONS + 1]);
  expect(compare(invoices.total(), invoices.accrued(last))).toBe(0);
});

const UNUSED = { title: 'Unused fee', kind: 'Fee', rate: 0.5, frequency: 'Quarterly', feeType: 'Undrawn Amount' };
const AGENT = { title: 'Agency fee', kind: 'Fee', rate: { sum: '1000', currency: 'USD' }, frequency: 'Quarterly' };
const feesOf = (lines: readonly InvoiceLine[]) => shown(lines.filter(({ kind }) => kind === 'fees'));

test('the unused fee is corrected as the interest is: a repayment of 16 March is recorded in May', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.note = noteOf(FIX, [UNUSED, AGENT]);
  expect(feesOf(invoices.issue(...Q1))).toEqual([
    ['Unused fee', '6250.00'],
    ['Agency fee', '1000'],
  ]);
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-16', '2000000']]);
  const lines = invoices.issue(...Q2);
  // 2,000,000 x 0.5% x 16 / 360 more was undrawn.
  expect(feesOf(lines)).toEqual([
    ['Unused fee', '8847.22'],
    ['Agency fee', '1000'],
    ['Correction of invoice 1, Unused fee', '444.44', 'balance'],
  ]);
  expect(correctionText(lines.at(-1)!, 'USD')).toBe(
    'Unused fee from 1 Jan 2026 to 1 Apr 2026 is 6,694.44 now, and 6,250.00 was invoiced: a draw or a repayment was recorded or removed since',
  );
  expect(feesOf(invoices.propose(...Q3)).map(([title]) => title)).toEqual(['Unused fee', 'Agency fee']);
});

test('a rate and a fixed amount of a fee that change are corrected, with the reason', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.note = noteOf(FIX, [UNUSED, AGENT]);
  invoices.issue(...Q1);
  invoices.note = noteOf(FIX, [
    { ...UNUSED, rate: 0.25 },
    { ...AGENT, rate: { sum: '1500', currency: 'USD' } },
  ]);
  expect(feesOf(invoices.issue(...Q2)).slice(2)).toEqual([
    ['Correction of invoice 1, Unused fee', '-3125.00', 'rate'],
    ['Correction of invoice 1, Agency fee', '500.00', 'terms'],
  ]);
  expect(feesOf(invoices.propose(...Q3))).toHaveLength(2);
});

test('commitments that grow later, a fee that is added and one that ends change nothing of issued invoices', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.note = noteOf(FIX, [UNUSED, AGENT]);
  invoices.issue(...Q1);
  invoices.note = noteOf(FIX, [UNUSED, { ...AGENT, title: 'Monitoring fee' }], '20000000');
  expect(feesOf(invoices.propose(...Q2))).toEqual([
    ['Unused fee', '12638.89'],
    ['Monitoring fee', '1000'],
  ]);
});

test('an invoice from before commitments were noted on its lines corrects only fees on the drawn amount', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.note = noteOf(FIX, [UNUSED, { ...UNUSED, title: 'Usage fee', feeType: 'Drawn Amount' }]);
  invoices.issue(...Q1);
  invoices.issued = invoices.issued.map((invoice) => ({
    ...invoice,
    lines: invoice.lines.map(({ committed: _, ...line }) => line),
  }));
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-16', '2000000']]);
  expect(feesOf(invoices.propose(...Q2)).slice(2)).toEqual([
    ['Correction of invoice 1, Usage fee', '-444.44', 'balance'],
  ]);
});

test('what is taken back of fees is at most the fees of the invoice, and the next one goes on', () => {
  const invoices = new Invoices(ledgerOf([]));
  invoices.note = noteOf(FIX, [UNUSED]);
  invoices.ledger = ledgerOf([['2026-01-01', '1000000']]);
  invoices.issue(...Q1);
  // All was drawn from the first day on.
  invoices.ledger = ledgerOf([['2026-01-01', '14000000']]);
  const lines = invoices.issue(...Q2);
  expect(feesOf(lines)).toEqual([
    ['Unused fee', '1263.89'],
    ['Correction of invoice 1, Unused fee', '-1263.89', 'balance'],
  ]);
  expect(correctionText(lines.at(-1)!, 'USD')).toContain('14,986.11 is left for the next invoice');
  invoices.ledger = ledgerOf([['2026-01-01', '14000000']], [['2026-07-01', '13000000']]);
  expect(feesOf(invoices.propose(...Q3))).toEqual([
    ['Unused fee', '17888.89'],
    ['Correction of invoice 1, Unused fee', '-14986.11', 'rest'],
  ]);
});

test('a fee that other invoices corrected is taken back with the invoice, and while a fee is unknown nothing is', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.note = noteOf(FIX, [UNUSED]);
  invoices.issue(...Q1);
  invoices.ledger = ledgerOf(DRAWN, [['2026-03-16', '2000000']]);
  invoices.issue(...Q2);
  invoices.withdraw(1);
  expect(feesOf(invoices.propose(...Q1))).toEqual([
    ['Unused fee', '6694.44'],
    ['Correction of invoice 1, Unused fee', '-444.44', 'withdrawn'],
  ]);
  const { feeType: _, ...without } = UNUSED;
  invoices.note = noteOf(FIX, [UNUSED, { ...without, title: 'Other fee' }]);
  expect(feesOf(invoices.propose(...Q1)).map(([title]) => title)).toEqual(['Unused fee', 'Other fee']);
});

const ONCE = { title: 'Arrangement fee', kind: 'Fee', rate: { sum: '5000', currency: 'USD' }, frequency: 'Beginning' };

test('the credit of a fee that is charged once is shown while no fee makes room for it', () => {
  const invoices = new Invoices(ledgerOf(DRAWN));
  invoices.note = noteOf(FIX, [ONCE]);
  invoices.issue(...Q1);
  invoices.note = noteOf(FIX, [{ ...ONCE, rate: { sum: '3000', currency: 'USD' } }]);
  for (const [from, to] of [Q2, Q3]) {
    const lines = invoices.issue(from, to);
    expect(feesOf(lines)).toEqual([['Correction of invoice 1, Arrangement fee', '0.00', 'terms']]);
    expect(correctionText(lines.at(-1)!, 'USD')).toBe(
      'Arrangement fee from 1 Jan 2026 to 1 Apr 2026 is 3,000.00 now, and 5,000.00 was invoiced: the terms of the fee changed since. 2,000.00 is left for the next invoice',
    );
  }
  invoices.note = noteOf(FIX, [{ ...ONCE, rate: { sum: '3000', currency: 'USD' } }, AGENT]);
  expect(feesOf(invoices.issue('2026-10-01', '2027-01-01'))).toEqual([
    ['Agency fee', '1000'],
    ['Correction of invoice 1, Arrangement fee', '-1000.00', 'terms'],
  ]);
});

test.each([MAX_INVOICE_CORRECTIONS - 1, MAX_INVOICE_CORRECTIONS, MAX_INVOICE_CORRECTIONS + 1])(
  '%s credits that cannot be taken back leave room for an increase after them',
  (count) => {
    const titles = Array.from({ length: count }, (_, index) => `Fee ${index}`);
    const notes = (first: string, last: string) =>
      noteOf(FIX, [
        ...titles.map((title) => ({ ...ONCE, title, rate: { sum: first, currency: 'USD' } })),
        { ...AGENT, dateRange: { start: '2026-04-01', end: '2026-07-01' }, rate: { sum: last, currency: 'USD' } },
      ]);
    const invoices = new Invoices(ledgerOf(DRAWN));
    invoices.note = notes('5000', '1000');
    invoices.issue(...Q1);
    invoices.issue(...Q2);
    invoices.note = notes('4999', '1500');
    const lines = invoices.issue(...Q3).filter(({ kind }) => kind === 'fees');
    const of = (number: number) => lines.filter(({ corrects }) => corrects?.number === number);
    expect(of(2).map(({ amount }) => amount)).toEqual(['500.00']);
    expect(lines).toHaveLength(Math.min(count + 1, MAX_INVOICE_CORRECTIONS));
    expect(new Set(of(1).map(({ amount }) => amount))).toEqual(new Set(['-1.00']));
    // The rest follows as soon as fees make room for it.
    invoices.note = {
      ...invoices.note,
      terms: { ...invoices.note.terms, fees: [...(invoices.note.terms?.fees ?? []), { ...AGENT, title: 'Other fee' }] },
    } as never;
    const rest = count + 1 - lines.length;
    expect(feesOf(invoices.issue('2026-10-01', '2027-01-01')).map(([, amount]) => amount)).toEqual([
      '1000',
      ...Array.from({ length: rest }, () => '-1.00'),
    ]);
  },
);

/** A note whose terms are those of its tranches. */
const noteIn = (active: number | null, fees: readonly (readonly object[])[], signed: readonly string[]) => {
  const { terms, ...note } = noteOf(FIX);
  return {
    ...note,
    tranches: fees.map((own, index) => ({
      sequence: index + 1,
      sequenceActivated: index + 1 === active,
      terms: { ...terms, fees: own, timeline: { contractSigning: signed[index], maturity: '2040-01-01' } },
    })),
  } as unknown as NoteWithoutContracts;
};

test('another tranche that becomes active changes no fee that was invoiced before', () => {
  const SIGNED = ['2026-01-01', '2026-06-01'];
  const ranged = { ...UNUSED, rate: 1, dateRange: { start: '2026-01-01', end: '2040-01-01' } };
  for (const own of [UNUSED, ranged]) {
    const invoices = new Invoices(ledgerOf(DRAWN));
    invoices.note = noteIn(1, [[UNUSED, AGENT], [own]], SIGNED);
    const [, unused] = invoices.issue(...Q1);
    expect([unused?.amount, unused?.tranche]).toEqual(['6250.00', 1]);
    invoices.note = noteIn(2, [[UNUSED, AGENT], [own]], SIGNED);
    const lines = invoices.issue(...Q2);
    expect(lines.filter(({ corrects }) => corrects)).toEqual([]);
    expect(lines.find(({ kind }) => kind === 'fees')?.tranche).toBe(2);
    // What was invoiced with the tranche that is active is corrected.
    invoices.note = noteIn(2, [[UNUSED, AGENT], [{ ...own, rate: 2 }]], SIGNED);
    expect(feesOf(invoices.propose(...Q3)).flatMap(([title], index) => (index > 0 ? [title] : []))).toEqual([
      `Correction of invoice 2, ${own.title}`,
    ]);
    // So is the first quarter once its tranche is active again.
    invoices.note = noteIn(1, [[{ ...UNUSED, rate: 0.6 }, AGENT], [own]], SIGNED);
    expect(feesOf(invoices.propose(...Q3)).slice(2)).toEqual([
      ['Correction of invoice 1, Unused fee', '1250.00', 'rate'],
    ]);
  }
});

test('a fee of an invoice that does not name its tranche is corrected only if no other terms can have been in force', () => {
  const late = ledgerOf(DRAWN, [['2026-03-16', '2000000']]);
  const correctedOf = (note: NoteWithoutContracts) => {
    const invoices = new Invoices(ledgerOf(DRAWN));
    invoices.note = note;
    invoices.issue(...Q1);
    invoices.issued = invoices.issued.map((invoice) => ({
      ...invoice,
      lines: invoice.lines.map(({ tranche: _, ...line }) => line),
    }));
    invoices.ledger = late;
    return feesOf(invoices.propose(...Q2)).slice(1);
  };
  const correction = ['Correction of invoice 1, Unused fee', '444.44', 'balance'];
  const one = noteIn(1, [[UNUSED]], ['2026-01-01']);
  expect(correctedOf(noteOf(FIX, [UNUSED]))).toEqual([correction]);
  expect(correctedOf(one)).toEqual([correction]);
  expect(correctedOf({ ...one, terms: noteOf(FIX, [UNUSED]).terms })).toEqual([]);
  expect(correctedOf(noteIn(1, [[UNUSED], [UNUSED]], ['2026-01-01', '2026-06-01']))).toEqual([]);
});

const START = toEpochDay('2026-01-01');
const day = fc.integer({ min: START + 1, max: START + 700 }).map(fromEpochDay);
const cents = fc
  .integer({ min: 1, max: 100_000_000 })
  .map((value) => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`);
const cuts = fc.uniqueArray(day, { minLength: 3, maxLength: 6 }).map((days) => ['2026-01-01', ...days.toSorted()]);

test('what has accrued to a day is what the note shows on that day', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(day, cents), { maxLength: 6 }),
      fc.array(day, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...DAY_COUNTS),
      (draws, days, dayCount) => {
        const interest = { ...FIX, value: 9.125, dayCount };
        const ledger = ledgerOf([...DRAWN, ...draws]);
        const found = interestOfNote({ note: noteOf(interest), ledger, fixings: {} }, 'USD', '2028-06-01');
        for (const asOf of days)
          expect(found?.accruedTo(asOf)).toBe(noteInterest(ledger, { interest, fixings: {}, asOf })[0]?.accrued);
      },
    ),
    { numRuns: 200 },
  );
});

test('invoices of a note add up to its interest as it accrues now, whatever is repaid, drawn or agreed late', () => {
  fc.assert(
    fc.property(
      cuts,
      fc.array(fc.tuple(fc.nat({ max: 6 }), day, cents, fc.boolean()), { maxLength: 6 }),
      fc.constantFrom(...DAY_COUNTS),
      fc.array(fc.tuple(fc.nat({ max: 6 }), fc.integer({ min: 100, max: 1500 })), { maxLength: 2 }),
      (ends, late, dayCount, rates) => {
        const invoices = new Invoices(ledgerOf(DRAWN));
        invoices.note = noteOf({ ...FIX, dayCount });
        const [draws, repaid]: [Entry[], Entry[]] = [[...DRAWN], []];
        for (const [index, to] of ends.entries()) {
          if (index === 0) continue;
          // What is recorded before this invoice may be dated on any day.
          for (const [before, date, amount, isDraw] of late)
            if (before === index) (isDraw ? draws : repaid).push([date, amount]);
          for (const [before, rate] of rates)
            if (before === index) invoices.note = noteOf({ ...FIX, dayCount, value: rate / 100 });
          invoices.ledger = ledgerOf(draws, repaid);
          const lines = invoices.issue(ends[index - 1]!, to);
          const asked = totalsByKind(lines)!.interest;
          expect(isNegative(asked)).toBe(false);
          // Too much was invoiced only as long as an invoice asks for no interest at all.
          const tooMuch = compare(invoices.total(), invoices.accrued(to));
          expect(tooMuch).toBeGreaterThanOrEqual(0);
          if (compare(asked, '0') > 0) expect(tooMuch).toBe(0);
        }
        // What could not be taken back yet is on the next invoice, which is for so long that it has room for it.
        const last = ends.at(-1)!;
        const end = fromEpochDay(toEpochDay(last) + 200_000);
        invoices.issue(last, end);
        expect(compare(invoices.total(), invoices.accrued(end))).toBe(0);
        for (const line of invoices.issued.flatMap(({ lines }) => lines)) {
          // The pieces of a line that is not cut off explain it, but for its rounding.
          if (!line.corrects || line.corrects.why.includes('rest')) continue;
          const { to, from } = line.accrued!;
          const explained = line.pieces.reduce((all, piece) => add(all, piece.amount), '0');
          if (compare(line.amount!, subtract(to, from)) === 0)
            expect(compare(absolute(subtract(explained, line.amount!)), '0.05')).toBeLessThanOrEqual(0);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('invoices add up also if some are withdrawn and issued again in any order', () => {
  fc.assert(
    fc.property(
      cuts,
      fc.array(fc.tuple(day, cents), { maxLength: 4 }),
      fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 4 }),
      (ends, late, withdrawn) => {
        const invoices = new Invoices(ledgerOf(DRAWN));
        const periods = ends.slice(1).map((to, index) => [ends[index]!, to] as const);
        for (const period of periods) invoices.issue(...period);
        const [repaid, gaps]: [Entry[], (readonly [string, string])[]] = [[], []];
        for (const [index, place] of withdrawn.entries()) {
          if (late[index]) repaid.push(late[index]);
          invoices.ledger = ledgerOf(DRAWN, repaid);
          const one = invoices.issued[place % invoices.issued.length];
          if (!one) continue;
          invoices.issued = invoices.issued.filter((invoice) => invoice !== one);
          gaps.push([one.from, one.to]);
          if (index % 2 === 0) {
            const lines = invoices.propose(one.from, one.to);
            const id = `again-${index}`;
            invoices.issued.push({ id, number: 100 + index, currency: 'USD', from: one.from, to: one.to, lines });
            gaps.pop();
          }
        }
        for (const [from, to] of gaps) {
          const number = 200 + invoices.issued.length;
          invoices.issued.push({
            id: `gap-${number}`,
            number,
            currency: 'USD',
            from,
            to,
            lines: invoices.propose(from, to),
          });
        }
        const last = ends.at(-1)!;
        const end = fromEpochDay(toEpochDay(last) + 40_000);
        const number = 999;
        invoices.issued.push({
          id: 'last',
          number,
          currency: 'USD',
          from: last,
          to: end,
          lines: invoices.propose(last, end),
        });
        expect(compare(invoices.total(), invoices.accrued(end))).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});

test('fees of invoices add up to what they would have been, whatever is repaid or drawn late', () => {
  let compared = 0;
  const fees = [UNUSED, { ...UNUSED, title: 'Usage fee', rate: 0.1, feeType: 'Drawn Amount' }];
  fc.assert(
    fc.property(
      cuts,
      fc.array(fc.tuple(fc.nat({ max: 6 }), day, cents, fc.boolean()), { maxLength: 6 }),
      fc.constantFrom(...DAY_COUNTS),
      (ends, late, dayCount) => {
        const invoices = new Invoices(ledgerOf(DRAWN));
        invoices.note = noteOf({ ...FIX, dayCount }, fees);
        const [draws, repaid]: [Entry[], Entry[]] = [[...DRAWN], []];
        for (const [index, to] of ends.entries()) {
          if (index === 0) continue;
          for (const [before, date, amount, isDraw] of late)
            if (before === index) (isDraw ? draws : repaid).push([date, amount]);
          invoices.ledger = ledgerOf(draws, repaid);
          expect(isNegative(totalsByKind(invoices.issue(ends[index - 1]!, to))!.fees)).toBe(false);
        }
        // One that is long enough to take back all that is left.
        const last = ends.at(-1)!;
        const end = '2039-12-31';
        invoices.issue(last, end);
        const right = new Invoices(invoices.ledger);
        right.note = invoices.note;
        for (const [index, to] of [...ends.slice(1), end].entries()) right.issue(ends[index]!, to);
        // A fee that was not asked for, because nothing was drawn or undrawn, is not asked for later.
        const isWhole = right.issued.every(({ lines }, index) =>
          lines.every(({ title }) => invoices.issued[index]!.lines.some((line) => line.title === title)),
        );
        if (isWhole) {
          compared += 1;
          expect(compare(invoices.fees(), right.fees())).toBe(0);
        }
      },
    ),
    { numRuns: 200 },
  );
  expect(compared).toBeGreaterThan(100);
});

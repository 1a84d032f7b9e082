import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AmendedTerms } from '../amendments/amendment.schema.ts';
import { interestSteps } from '../amendments/terms-by-day.ts';
import { type NoteAmendment, originalNote, putInForce } from '../amendments/versions.ts';
import { fromEpochDay, toEpochDay } from '../dates/calendar-day.ts';
import type { NoteLedger } from '../facilities/ledger.ts';
import { DAY_COUNTS, type TransactionFee, type TransactionInterest } from '../facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import { noteInterest } from '../interest/accrual.ts';
import { type DecimalText, sum } from '../money/decimal.ts';
import { invoiceEffects } from './amendment-effects.ts';
import type { Billed } from './interest-of-note.ts';
import { accruedLines } from './invoice-lines.ts';
import { correctionText, dayCountText, type InvoiceLine, type IssuedInvoice, totalsByKind } from './lines.ts';

const usd = (amount: string) => ({ sum: amount, currency: 'USD' });
const fix = (value: number): TransactionInterest => ({ kind: 'fix', value, dayCount: 'ACT/360' });
const unusedFee: TransactionFee = {
  rate: 0.5,
  title: 'Unused fee',
  kind: 'Facility fee',
  frequency: 'Quarterly',
  feeType: 'Undrawn Amount',
};
const noteOf = (interest: TransactionInterest, fees: readonly TransactionFee[] = [unusedFee]) =>
  ({
    title: 'Senior',
    operational: true,
    terms: {},
    maxCommitments: [usd('15000000')],
    tranches: [
      {
        sequence: 1,
        sequenceActivated: true,
        title: 'A',
        type: 'ROFR',
        terms: {
          commitments: [{ amount: usd('15000000') }],
          interest,
          fees,
          timeline: { contractSigning: '2025-12-15', maturity: '2028-12-15' },
        },
      },
    ],
  }) as NoteWithoutContracts;
const ledger: NoteLedger = {
  isRecorded: true,
  draws: [{ dueDate: '2025-12-20', draws: [{ type: 'Regular', amounts: [usd('10000000')] }] }],
  requests: [],
  repayments: [],
};
const Q1 = { from: '2026-01-01', to: '2026-04-01' };
const Q2 = { from: '2026-04-01', to: '2026-07-01' };
const Q3 = { from: '2026-07-01', to: '2026-10-01' };

/** A note whose terms are amended, and its invoices. */
class Amended {
  billed: Billed & { amendments: NoteAmendment[]; issued: IssuedInvoice[] };

  constructor(note: NoteWithoutContracts, fixings = {}) {
    this.billed = { note, ledger, fixings, amendments: [], issued: [] };
  }

  with(effectiveDate: string, terms: AmendedTerms): Amended['billed'] {
    const { note, amendments } = this.billed;
    const next = { id: `a${amendments.length}`, title: 'Amendment', effectiveDate, tranche: 1, terms, replaced: null };
    const all = [...amendments, next];
    const stored = putInForce(originalNote(note, amendments), all, '2026-11-30');
    return {
      ...this.billed,
      note: stored.note,
      amendments: all.map((one) => ({ ...one, replaced: stored.replaced.get(one.id) ?? null })),
    };
  }

  amend(effectiveDate: string, terms: AmendedTerms): void {
    this.billed = this.with(effectiveDate, terms);
  }

  propose(period: { from: string; to: string }): InvoiceLine[] {
    return accruedLines(this.billed, 'USD', period);
  }

  issue(period: { from: string; to: string }): InvoiceLine[] {
    const lines = this.propose(period);
    const number = this.billed.issued.length + 1;
    this.billed.issued = [...this.billed.issued, { id: `i${number}`, number, currency: 'USD', ...period, lines }];
    return lines;
  }

  total(kind: 'interest' | 'fees'): DecimalText {
    return sum(this.billed.issued.map(({ lines }) => totalsByKind(lines)?.[kind] ?? '0'));
  }
}

const CHANGE: AmendedTerms = { interest: fix(8.25), commitments: [{ amount: usd('20000000') }] };

test('the worked quarter: a rate and commitments that change on 15 March', () => {
  const amended = new Amended(noteOf(fix(9)));
  amended.amend('2026-03-15', CHANGE);
  const [interest, fee, ...more] = amended.propose(Q1);
  expect(more).toEqual([]);
  expect(interest).toMatchObject({
    amount: '221458.33',
    pieces: [
      { from: '2026-01-01', to: '2026-03-15', days: 73, basis: '10000000', rate: '9', amount: '182500.000000' },
      { from: '2026-03-15', to: '2026-04-01', days: 17, basis: '10000000', rate: '8.25', amount: '38958.333333' },
    ],
  });
  expect(fee).toMatchObject({
    amount: '7430.56',
    committed: '15000000',
    commitments: [
      { from: '2026-01-01', sum: '15000000' },
      { from: '2026-03-15', sum: '20000000' },
    ],
    pieces: [
      { from: '2026-01-01', to: '2026-03-15', days: 73, basis: '5000000', rate: '0.5', amount: '5069.444444' },
      { from: '2026-03-15', to: '2026-04-01', days: 17, basis: '10000000', rate: '0.5', amount: '2361.111111' },
    ],
  });
});

test('an amendment with an earlier date shows what it changes in an issued invoice, and the next one has it once', () => {
  const amended = new Amended(noteOf(fix(9)));
  const sent = amended.issue(Q1);
  expect(sent.map(({ amount }) => amount)).toEqual(['225000.00', '6250.00']);
  expect(invoiceEffects(amended.billed, amended.with('2026-03-15', CHANGE))).toEqual([
    expect.objectContaining({
      number: 1,
      fee: null,
      invoiced: '225000.00',
      accrued: '221458.33',
      adjustment: '-3541.67',
    }),
    expect.objectContaining({
      ...{ number: 1, fee: 'Unused fee', invoiced: '6250.00', accrued: '7430.56', adjustment: '1180.56' },
    }),
  ]);
  amended.amend('2026-03-15', CHANGE);
  const second = amended.issue(Q2);
  expect(second.map(({ title, amount }) => [title, amount])).toEqual([
    ['Interest', '208541.67'],
    ['Correction of invoice 1', '-3541.67'],
    ['Unused fee', '12638.89'],
    ['Correction of invoice 1, Unused fee', '1180.56'],
  ]);
  expect(second[1]?.corrects?.why).toEqual(['rate']);
  expect(second[3]?.corrects?.why).toEqual(['commitments']);
  expect(correctionText(second[3]!, 'USD')).toBe(
    'Unused fee from 1 Jan 2026 to 1 Apr 2026 is 7,430.56 now, and 6,250.00 was invoiced: the commitments changed since',
  );
  // What was sent stays, and nothing is corrected twice.
  expect(amended.billed.issued[0]?.lines).toBe(sent);
  expect(amended.issue(Q3).map(({ title }) => title)).toEqual(['Interest', 'Unused fee']);
});

test('an amendment after the invoices changes nothing of them', () => {
  const amended = new Amended(noteOf(fix(9)));
  amended.issue(Q1);
  expect(invoiceEffects(amended.billed, amended.with('2026-04-01', CHANGE))).toEqual([]);
  expect(invoiceEffects(amended.billed, amended.with('2026-03-31', CHANGE))).toHaveLength(2);
});

test('the rate of a fee changes within a period, and is rounded once', () => {
  const amended = new Amended(noteOf(fix(9)));
  amended.amend('2026-03-15', { fees: [{ ...unusedFee, rate: 0.4 }] });
  const fee = amended.propose(Q1).find(({ kind }) => kind === 'fees');
  // 5,000,000 x 0.5% x 73 / 360 + 5,000,000 x 0.4% x 17 / 360
  expect(fee).toMatchObject({
    amount: '6013.89',
    pieces: [
      { rate: '0.5', days: 73 },
      { rate: '0.4', days: 17 },
    ],
  });
});

test('a fee that an amendment adds for days that are invoiced is on the next invoice, and one that it ends is taken back', () => {
  const amended = new Amended(noteOf(fix(9), []));
  amended.issue(Q1);
  amended.amend('2026-03-15', { fees: [unusedFee] });
  const added = amended.issue(Q2).filter(({ kind }) => kind === 'fees');
  expect(added.map(({ title, amount }) => [title, amount])).toEqual([
    ['Unused fee', '6319.44'],
    ['Correction of invoice 1, Unused fee', '1180.56'],
  ]);
  amended.amend('2026-06-01', { fees: [] });
  // 30 of 91 days: nothing can be taken back while the invoice asks for no fee.
  expect(amended.propose(Q3).filter(({ kind }) => kind === 'fees')).toMatchObject([
    { title: 'Correction of invoice 2, Unused fee', amount: '0.00', accrued: { to: '4236.11', from: '6319.44' } },
  ]);
});

test('a fixed fee is charged by the terms of the last day of its month', () => {
  const monthly = (each: string): TransactionFee => ({ ...unusedFee, frequency: 'Monthly', rate: usd(each) });
  const amended = new Amended(noteOf(fix(9), [monthly('1000')]));
  amended.amend('2026-03-15', { fees: [monthly('1500')] });
  const charged = amended.propose(Q1).filter(({ kind }) => kind === 'fees');
  expect(charged.map(({ times }) => times)).toEqual([
    { count: 2, each: '1000' },
    { count: 1, each: '1500' },
  ]);
});

test('a day count and a base rate that change count each day by its own terms', () => {
  const variable: TransactionInterest = { kind: 'variable', baseRate: 'SOFR', spread: 4, minimumInterest: 0 };
  const amended = new Amended(noteOf(fix(9)), {
    SOFR: [
      { date: '2026-01-01', rate: '4.3' },
      { date: '2026-03-20', rate: '4.5' },
    ],
  });
  amended.amend('2026-03-15', { interest: { ...variable, dayCount: 'ACT/365F' } });
  const [interest] = amended.propose(Q1);
  expect(interest?.dayCount).toBe('ACT/365F');
  expect(dayCountText(interest!)).toBe('ACT/360, then ACT/365F');
  expect(interest?.pieces).toMatchObject([
    { days: 73, rate: '9', dayCount: 'ACT/360' },
    { days: 5, rate: '8.3' },
    { days: 12, rate: '8.5' },
  ]);
  expect(interest?.pieces[1]).not.toHaveProperty('dayCount');
  const [accrued] = noteInterest(ledger, {
    interest: interestSteps(amended.billed),
    fixings: amended.billed.fixings,
    asOf: '2026-04-01',
  });
  expect(accrued?.segments.map(({ carriedDays, baseRate }) => [baseRate, carriedDays])).toEqual([
    [null, 0],
    ['4.3', 5],
    ['4.5', 11],
  ]);
});

const day = (from: string, to: string) =>
  fc.integer({ min: toEpochDay(from), max: toEpochDay(to) }).map((number) => fromEpochDay(number));
const interests = fc.oneof(
  fc.record({
    kind: fc.constant('fix' as const),
    value: fc.integer({ min: 0, max: 20 }),
    dayCount: fc.constantFrom(...DAY_COUNTS),
  }),
  fc.record({
    kind: fc.constant('variable' as const),
    baseRate: fc.constant('SOFR' as const),
    spread: fc.integer({ min: 0, max: 9 }),
    minimumInterest: fc.integer({ min: 0, max: 9 }),
    dayCount: fc.constantFrom(...DAY_COUNTS),
  }),
);

test('an amendment that changes nothing changes nothing: the lines are the same bytes', () => {
  fc.assert(
    fc.property(interests, day('2025-12-15', '2026-12-31'), day('2026-01-01', '2026-06-30'), (interest, on, to) => {
      const fixings = {
        SOFR: [
          { date: '2025-12-01', rate: '4.3' },
          { date: '2026-02-10', rate: '4.1' },
        ],
      };
      const plain = new Amended(noteOf(interest), fixings);
      const amended = new Amended(noteOf(interest), fixings);
      const [tranche] = amended.billed.note.tranches;
      const { commitments, fees, timeline } = tranche!.terms;
      amended.amend(on, { interest: { ...interest }, commitments, fees, timeline: { maturity: timeline.maturity } });
      const periods = [
        { from: '2026-01-01', to: to > '2026-01-01' ? to : '2026-01-02' },
        { from: '2026-07-01', to: '2026-10-01' },
      ];
      for (const period of periods) {
        expect(JSON.stringify(amended.issue(period))).toBe(JSON.stringify(plain.issue(period)));
      }
      const accrued = ({ billed }: Amended) =>
        JSON.stringify(noteInterest(ledger, { interest: interestSteps(billed), fixings, asOf: '2026-11-30' }));
      expect(accrued(amended)).toBe(accrued(plain));
    }),
    { numRuns: 200 },
  );
});

// The later invoices ask for enough to take back what is too much.
test('whenever amendments are recorded, all invoices add up to the interest and the fees of the terms of each day', () => {
  const change = fc.record({
    on: day('2025-12-20', '2026-09-30'),
    rate: fc.integer({ min: 8, max: 12 }),
    committed: fc.integer({ min: 24, max: 30 }),
    after: fc.integer({ min: 0, max: 2 }),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const late = new Amended(noteOf(fix(9)));
      const known = new Amended(noteOf(fix(9)));
      const terms = ({ rate, committed }: (typeof changes)[number]): AmendedTerms => ({
        interest: fix(rate),
        commitments: [{ amount: usd(String(committed * 1_000_000)) }],
      });
      for (const one of changes.toSorted((a, b) => a.after - b.after)) known.amend(one.on, terms(one));
      for (const [index, period] of [Q1, Q2, Q3, { from: '2026-10-01', to: '2027-01-01' }].entries()) {
        for (const one of changes.filter(({ after }) => after === index)) late.amend(one.on, terms(one));
        late.issue(period);
        known.issue(period);
      }
      expect([late.total('interest'), late.total('fees')]).toEqual([known.total('interest'), known.total('fees')]);
    }),
    { numRuns: 100 },
  );
});

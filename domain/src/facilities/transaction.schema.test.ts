import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { sum } from '../money/decimal.ts';
import { activeTranche, termsInForce } from './in-force.ts';
import { DEBT_ONLY_DATES } from './terms.schema.ts';
import {
  noteHoldingSchema,
  notePrioritySchema,
  TRANSACTION_TYPES,
  type TransactionInput,
  transactionNoteSchema,
  transactionSchema,
  transactionTrancheSchema,
  withMaxCommitments,
} from './transaction.schema.ts';

/** The errors of a value by path; an empty object if it is valid. */
function errors(schema: z.ZodType, value: unknown): Record<string, string> {
  const result = schema.safeParse(value);
  return result.success ? {} : Object.fromEntries(result.error.issues.map((one) => [one.path.join('.'), one.message]));
}

const id = (digit: string) => digit.repeat(24);
const facility = (more: object = {}): TransactionInput => ({
  title: 'Warehouse facility',
  type: { kind: 'debt', loanType: 'Asset Backed Lending' },
  industries: ['Consumer Lending'],
  company: id('c'),
  notes: [note({ mainCurrency: 'USD', tranches: [tranche(1, { sequenceActivated: true }), tranche(2)] })],
  ...more,
});
const usd = (amount: string) => ({ sum: amount, currency: 'USD' });
const signing = { contractSigning: '2026-06-26' };
const timeline = { contractSigning: '2026-06-26', maturity: '2029-06-30' };
const terms = (...amounts: { sum: string; currency: string }[]) => ({
  commitments: amounts.map((amount) => ({ amount })),
  timeline,
});
const tranche = (sequence: number, more: object = {}) => ({
  sequence,
  title: `Tranche ${sequence}`,
  type: 'ROFR',
  terms: terms(usd('1')),
  ...more,
});
const note = (more: object = {}) => ({ title: 'Senior', ...more });
const notes = (count: number) => Array.from({ length: count }, (_, at) => note({ title: `Note ${at}` }));

test('two notes of a transaction cannot share an id', () => {
  const two = (first: string, second: string) =>
    errors(
      transactionSchema,
      facility({ notes: [note({ title: 'Senior', id: first }), note({ title: 'Junior', id: second })] }),
    );
  expect(two(id('a'), id('b'))).toEqual({});
  expect(two(id('a'), id('A'))).toEqual({ 'notes.1.id': 'is also the id of another note' });
});

describe('a transaction', () => {
  test('parses its own result unchanged', () => {
    const parsed = transactionSchema.parse(facility());
    expect(transactionSchema.parse(parsed)).toEqual(parsed);
  });

  test.each([
    ['title', 'F', '', 'is required'],
    ['title', 'F', undefined, 'is required'],
    ['industries', ['Lending'], [], 'At least one industry is required'],
    ['industries', ['Lending'], undefined, 'At least one industry is required'],
    ['notes', [note()], [], 'At least one note is required'],
    ['title', 'F'.repeat(250), 'F'.repeat(251), 'At most 250 characters'],
    ['industries', Array(100).fill('Lending'), Array(200_000).fill('Lending'), 'At most 100 industries'],
    ['notes', notes(100), notes(101), 'A facility has at most 100 notes'],
    ['company', id('c'), id('c').slice(1), 'Ids are exactly 24 characters'],
    ['company', id('c'), `${id('c')}0`, 'Ids are exactly 24 characters'],
  ])('enforces the limit of its %s', (key, within, beyond, message) => {
    expect(errors(transactionSchema, facility({ [key]: within }))).toEqual({});
    expect(errors(transactionSchema, facility({ [key]: beyond }))).toEqual({ [key]: message });
  });

  test('is equity or one of three kinds of debt, also by its bare name', () => {
    expect(TRANSACTION_TYPES).toEqual(['Asset Backed Lending', 'Direct', 'WholeLoan', 'Investment']);
    const signed = note({ tranches: [tranche(1, { terms: { ...terms(usd('1')), timeline: signing } })] });
    expect(transactionSchema.parse(facility({ type: 'Investment', notes: [signed] })).type).toEqual({
      kind: 'equity',
      equityType: 'Investment',
    });
    expect(transactionSchema.parse(facility({ type: 'WholeLoan' })).type).toEqual({
      kind: 'debt',
      loanType: 'WholeLoan',
    });
    expect(Object.keys(errors(transactionSchema, facility({ type: 'Whole Loan' })))).toEqual(['type.loanType']);
  });

  test("requires a maturity for debt, in every tranche and in its note's timeline", () => {
    const unending = tranche(2, { terms: { ...terms(usd('1')), timeline: signing } });
    const notes = [note({ terms: { timeline: signing }, tranches: [tranche(1), unending] })];
    expect(errors(transactionSchema, facility({ type: 'Direct', notes }))).toEqual({
      'notes.0.terms.timeline.maturity': 'is required',
      'notes.0.tranches.1.terms.timeline.maturity': 'is required',
    });
  });

  test.each(DEBT_ONLY_DATES)('has no %s if it is an investment', (date) => {
    const dated = (timeline: object) => {
      const notes = [
        note({ terms: { timeline }, tranches: [tranche(1, { terms: { ...terms(usd('1')), timeline } })] }),
      ];
      return errors(transactionSchema, facility({ type: 'Investment', notes }));
    };
    expect(dated({ ...signing, approval: '2026-06-01', termsheetSigning: '2026-06-02' })).toEqual({});
    expect(dated({ ...signing, [date]: '2029-06-30' })).toEqual({
      [`notes.0.terms.timeline.${date}`]: 'An investment does not have this date',
      [`notes.0.tranches.0.terms.timeline.${date}`]: 'An investment does not have this date',
    });
  });

  test('has notes with unique titles', () => {
    expect(errors(transactionSchema, facility({ notes: [note(), note({ title: 'Mezz' })] }))).toEqual({});
    expect(errors(transactionSchema, facility({ notes: [note(), note()] }))).toEqual({
      'notes.1.title': 'must be unique',
    });
  });
});

describe('a note', () => {
  test('requires only a title', () => {
    expect(transactionNoteSchema.parse(note())).toEqual({
      title: 'Senior',
      operational: true,
      contracts: [],
      tranches: [],
      maxCommitments: [],
    });
    for (const title of ['', ' ', undefined]) {
      expect(errors(transactionNoteSchema, { title })).toEqual({ title: 'is required' });
    }
  });

  test('has at most 200 contracts', () => {
    const contract = { cutOffDate: '2026-07-01', assetsETL: id('a'), advanceRate: { defaultRate: 80 } };
    const holding = (count: number) => errors(transactionNoteSchema, note({ contracts: Array(count).fill(contract) }));
    expect(holding(200)).toEqual({});
    expect(holding(201)).toEqual({ contracts: 'A note has at most 200 contracts' });
  });

  test('has at most one Active contract for each cut-off date', () => {
    const contract = (cutOffDate: string, status: string) => ({
      cutOffDate,
      status,
      assetsETL: id('a'),
      advanceRate: { defaultRate: 80 },
    });
    const having = (...contracts: object[]) => errors(transactionNoteSchema, note({ contracts }));
    expect(having(contract('2026-07-01', 'Active'), contract('2026-07-02', 'Active'))).toEqual({});
    expect(having(contract('2026-07-01', 'Active'), contract('2026-07-01', 'Draft'))).toEqual({});
    expect(having(contract('2026-07-01', 'Active'), contract('2026-07-01', 'Active'))).toEqual({
      'contracts.1.cutOffDate': 'Another contract is already active from 1 Jul 2026',
    });
  });

  test('has at most one active tranche, and unique sequences', () => {
    const having = (...tranches: object[]) => errors(transactionNoteSchema, note({ tranches }));
    const active = { sequenceActivated: true };
    expect(having(tranche(1, active), tranche(2))).toEqual({});
    expect(having(tranche(1, active), tranche(2, active))).toEqual({
      tranches: 'Only one tranche may be active at a time',
    });
    expect(having(tranche(1), tranche(1))).toEqual({ 'tranches.1.sequence': 'must be unique' });
  });

  test.each<[number, number, Record<string, string>]>([
    [0, 0.1, {}],
    [99.9, 100, {}],
    [-0.1, 100, { attachmentPoint: 'The attachment point is between 0 and 99.9' }],
    [99.95, 100, { attachmentPoint: 'The attachment point is between 0 and 99.9' }],
    [0, 0.05, { detachmentPoint: 'The detachment point is between 0.1 and 100' }],
    [0, 100.1, { detachmentPoint: 'The detachment point is between 0.1 and 100' }],
    [50, 50.1, {}],
    [50, 50, { attachmentPoint: 'Attachment Point should be less then Detachment Point' }],
    [50.1, 50, { attachmentPoint: 'Attachment Point should be less then Detachment Point' }],
  ])('that attaches at %s and detaches at %s', (attachmentPoint, detachmentPoint, expected) => {
    expect(errors(notePrioritySchema, { attachmentPoint, detachmentPoint })).toEqual(expected);
  });

  test('has rights to invest of zero or more', () => {
    const right = (sum: string) =>
      errors(transactionNoteSchema, note({ futureInvestmentRights: { description: '', amount: usd(sum) } }));
    expect(right('0')).toEqual({});
    expect(right('-0.01')).toEqual({ 'futureInvestmentRights.amount.sum': 'must be at least 0' });
  });

  test('is held by funds and others, each 0 to 100 per cent', () => {
    const hold = (holding: object) =>
      errors(noteHoldingSchema, { targetPercentage: 100, actualPercentage: 0, ...holding });
    expect(hold({ fund: id('f') })).toEqual({});
    expect(hold({ holding: 'Co-investor' })).toEqual({});
    for (const wrong of [{}, { fund: id('f'), holding: 'Co-investor' }]) {
      expect(hold(wrong)).toEqual({ holding: 'Choose a fund or another holder' });
    }
    expect(Object.keys(hold({ fund: id('f'), targetPercentage: 100.1, actualPercentage: -0.1 }))).toEqual([
      'targetPercentage',
      'actualPercentage',
    ]);
  });
});

describe('a tranche', () => {
  test.each(['title', 'type'])('requires a %s that is not empty', (key) => {
    expect(errors(transactionTrancheSchema, tranche(1, { [key]: 'Exclusivity' }))).toEqual({});
    for (const empty of ['', ' ', undefined]) {
      expect(errors(transactionTrancheSchema, tranche(1, { [key]: empty }))).toEqual({ [key]: 'is required' });
    }
  });

  test('is not active by default, and its condition is free text', () => {
    const parsed = transactionTrancheSchema.parse(tranche(1, { condition: 'Less than 4 % late' }));
    expect(parsed).toMatchObject({ sequenceActivated: false, condition: 'Less than 4 % late' });
  });
});

describe('the maximum commitments', () => {
  test('are the sums over the tranches by currency, whatever the caller sent', () => {
    const eur = { sum: '5.05', currency: 'EUR' };
    const document = transactionSchema.parse(
      facility({
        maxCommitments: [usd('999')],
        notes: [
          note({
            maxCommitments: [usd('999')],
            tranches: [tranche(1, { terms: terms(usd('0.1'), eur) }), tranche(2, { terms: terms(usd('0.2')) })],
          }),
          note({ title: 'Mezz', tranches: [tranche(1, { terms: terms(usd('1')) })] }),
          note({ title: 'Junior' }),
        ],
      }),
    );
    const whole = withMaxCommitments(document);
    expect(whole.notes.map((one) => one.maxCommitments)).toEqual([[usd('0.3'), eur], [usd('1')], []]);
    expect(whole.maxCommitments).toEqual([usd('1.3'), eur]);
  });

  test('of the transaction are the sums over its notes, for any amounts', () => {
    const amounts = fc.array(fc.nat({ max: 1_000_000_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1, maxLength: 4 }), (perNote) => {
        const notes = perNote.map((cents, position) =>
          note({
            title: `Note ${position}`,
            tranches: cents.map((one, sequence) => tranche(sequence, { terms: terms(usd(`${one}.25`)) })),
          }),
        );
        const whole = withMaxCommitments(transactionSchema.parse(facility({ notes })));
        const stated = perNote.flat().map((one) => `${one}.25`);
        expect(whole.maxCommitments).toEqual([usd(sum(stated))]);
        expect(whole.maxCommitments).toEqual([usd(sum(whole.notes.map((one) => one.maxCommitments[0]!.sum)))]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the terms in force', () => {
  const limits = { draw: { frequency: { limit: 4, interval: 'Monthly' } } };
  const fee = { rate: 1, title: 'Upfront fee', kind: 'Upfront', frequency: 'Beginning' };
  const ofNote = { ...terms(usd('7')), interest: { kind: 'fix', value: 9 }, fees: [fee], drawLimits: limits };
  const inForce = (tranches: object[], noteTerms: object | null = ofNote) =>
    termsInForce(transactionNoteSchema.parse(note({ terms: noteTerms, tranches })));

  test('are the note’s if no tranche is active', () => {
    expect(inForce([tranche(1)])).toEqual(ofNote);
    expect(activeTranche(transactionNoteSchema.parse(note({ tranches: [tranche(1)] })))).toBeUndefined();
    expect(inForce([], null)).toEqual({});
  });

  test.each<[string, object, object]>([
    ['keep the note’s if the tranche has none', {}, { commitments: terms(usd('1')).commitments }],
    ['keep the note’s fees if the tranche has none', { fees: [] }, { fees: [fee] }],
    ['take the tranche’s interest', { interest: { kind: 'fix', value: 8 } }, { interest: { kind: 'fix', value: 8 } }],
    ['take the tranche’s fees', { fees: [{ ...fee, rate: 2 }] }, { fees: [{ ...fee, rate: 2 }] }],
    ['ignore null', { interest: null, drawLimits: null }, { interest: ofNote.interest, drawLimits: limits }],
    ['take all of the tranche’s limits', { drawLimits: { prefunding: {} } }, { drawLimits: { prefunding: {} } }],
  ])('%s', (_, own, expected) => {
    const active = tranche(2, { sequenceActivated: true, terms: { ...terms(usd('1')), ...own } });
    expect(inForce([tranche(1), active])).toEqual({ ...ofNote, commitments: terms(usd('1')).commitments, ...expected });
  });
});

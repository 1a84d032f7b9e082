import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { northwindFacility } from '../demonstration/facility.ts';
import { sum } from '../money/decimal.ts';
import {
  activeTranche,
  noteHoldingSchema,
  notePrioritySchema,
  TRANSACTION_TYPES,
  type TransactionInput,
  termsInForce,
  transactionNoteSchema,
  transactionSchema,
  transactionTrancheSchema,
  withMaxCommitments,
} from './transaction.schema.ts';

/** The faults of a value by path; an empty object where it is good. */
function faults(schema: z.ZodType, value: unknown): Record<string, string> {
  const result = schema.safeParse(value);
  return result.success ? {} : Object.fromEntries(result.error.issues.map((one) => [one.path.join('.'), one.message]));
}

const id = (digit: string) => digit.repeat(24);
const facility = (more: object = {}): TransactionInput => ({
  ...northwindFacility({ company: id('c'), mapping: id('a'), fund: id('f') }),
  ...more,
});
const usd = (amount: string) => ({ sum: amount, currency: 'USD' });
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

describe('a transaction', () => {
  test('reads the demonstration’s facility, and its own result, without a change', () => {
    const parsed = transactionSchema.parse(facility());
    expect(transactionSchema.parse(parsed)).toEqual(parsed);
  });

  test.each([
    ['title', 'F', '', 'is required'],
    ['title', 'F', undefined, 'is required'],
    ['industries', ['Lending'], [], 'At least one industry is required'],
    ['industries', ['Lending'], undefined, 'At least one industry is required'],
    ['notes', [note()], [], 'At least one note is required'],
    ['company', id('c'), id('c').slice(1), 'An id has exactly 24 characters, 0-9 and a-f'],
    ['company', id('c'), `${id('c')}0`, 'An id has exactly 24 characters, 0-9 and a-f'],
  ])('keeps the limit of its %s', (key, within, beyond, message) => {
    expect(faults(transactionSchema, facility({ [key]: within }))).toEqual({});
    expect(faults(transactionSchema, facility({ [key]: beyond }))).toEqual({ [key]: message });
  });

  test('is equity or one of three kinds of debt, which the bare name says as well', () => {
    expect(TRANSACTION_TYPES).toEqual(['Asset Backed Lending', 'Direct', 'WholeLoan', 'Investment']);
    expect(transactionSchema.parse(facility({ type: 'Investment' })).type).toEqual({
      kind: 'equity',
      equityType: 'Investment',
    });
    expect(transactionSchema.parse(facility({ type: 'WholeLoan' })).type).toEqual({
      kind: 'debt',
      loanType: 'WholeLoan',
    });
    expect(Object.keys(faults(transactionSchema, facility({ type: 'Whole Loan' })))).toEqual(['type.loanType']);
  });

  test('matures where it is debt, in every tranche and where its note says when', () => {
    const unending = { contractSigning: '2026-06-26' };
    const notes = [
      note({
        terms: { timeline: unending },
        tranches: [tranche(1), tranche(2, { terms: { ...terms(usd('1')), timeline: unending } })],
      }),
    ];
    expect(faults(transactionSchema, facility({ type: 'Investment', notes }))).toEqual({});
    expect(faults(transactionSchema, facility({ type: 'Direct', notes }))).toEqual({
      'notes.0.terms.timeline.maturity': 'is required',
      'notes.0.tranches.1.terms.timeline.maturity': 'is required',
    });
  });

  test('has notes of different titles', () => {
    expect(faults(transactionSchema, facility({ notes: [note(), note({ title: 'Mezz' })] }))).toEqual({});
    expect(faults(transactionSchema, facility({ notes: [note(), note()] }))).toEqual({
      'notes.1.title': 'must be unique',
    });
  });
});

describe('a note', () => {
  test('needs a title alone', () => {
    expect(transactionNoteSchema.parse(note())).toEqual({
      title: 'Senior',
      operational: true,
      contracts: [],
      tranches: [],
      maxCommitments: [],
    });
    for (const title of ['', ' ', undefined]) {
      expect(faults(transactionNoteSchema, { title })).toEqual({ title: 'is required' });
    }
  });

  test('has at most 200 contracts', () => {
    const contract = { cutOffDate: '2026-07-01', assetsETL: id('a'), advanceRate: { defaultRate: 80 } };
    const holding = (count: number) => faults(transactionNoteSchema, note({ contracts: Array(count).fill(contract) }));
    expect(holding(200)).toEqual({});
    expect(holding(201)).toEqual({ contracts: 'A note has at most 200 contracts' });
  });

  test('has one Active contract a cut-off date', () => {
    const contract = (cutOffDate: string, status: string) => ({
      cutOffDate,
      status,
      assetsETL: id('a'),
      advanceRate: { defaultRate: 80 },
    });
    const having = (...contracts: object[]) => faults(transactionNoteSchema, note({ contracts }));
    expect(having(contract('2026-07-01', 'Active'), contract('2026-07-02', 'Active'))).toEqual({});
    expect(having(contract('2026-07-01', 'Active'), contract('2026-07-01', 'Draft'))).toEqual({});
    expect(having(contract('2026-07-01', 'Active'), contract('2026-07-01', 'Active'))).toEqual({
      'contracts.1.cutOffDate': 'Another contract is already active from 2026-07-01',
    });
  });

  test('has one active tranche, and no sequence twice', () => {
    const having = (...tranches: object[]) => faults(transactionNoteSchema, note({ tranches }));
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
    expect(faults(notePrioritySchema, { attachmentPoint, detachmentPoint })).toEqual(expected);
  });

  test('is held by funds and by others, each 0 to 100 per cent', () => {
    const hold = (holding: object) =>
      faults(noteHoldingSchema, { targetPercentage: 100, actualPercentage: 0, ...holding });
    expect(hold({ fund: id('f') })).toEqual({});
    expect(hold({ holding: 'Co-investor' })).toEqual({});
    for (const wrong of [{}, { fund: id('f'), holding: 'Co-investor' }]) {
      expect(hold(wrong)).toEqual({ holding: 'Name a fund or another holder' });
    }
    expect(Object.keys(hold({ fund: id('f'), targetPercentage: 100.1, actualPercentage: -0.1 }))).toEqual([
      'targetPercentage',
      'actualPercentage',
    ]);
  });
});

describe('a tranche', () => {
  test.each(['title', 'type'])('has a %s that is not empty', (key) => {
    expect(faults(transactionTrancheSchema, tranche(1, { [key]: 'Exclusivity' }))).toEqual({});
    for (const empty of ['', ' ', undefined]) {
      expect(faults(transactionTrancheSchema, tranche(1, { [key]: empty }))).toEqual({ [key]: 'is required' });
    }
  });

  test('is not active unless it says so, and its condition is words', () => {
    const parsed = transactionTrancheSchema.parse(tranche(1, { condition: 'Less than 4 % late' }));
    expect(parsed).toMatchObject({ sequenceActivated: false, condition: 'Less than 4 % late' });
  });
});

describe('the most that may be lent', () => {
  test('is the sum over the tranches in each currency, whatever the caller wrote', () => {
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

  test('of the transaction is that of its notes, for any amounts', () => {
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

  test('are the note’s where no tranche is active', () => {
    expect(inForce([tranche(1)])).toEqual(ofNote);
    expect(activeTranche(transactionNoteSchema.parse(note({ tranches: [tranche(1)] })))).toBeUndefined();
    expect(inForce([], null)).toEqual({});
  });

  test.each<[string, object, object]>([
    ['keep the note’s where the tranche says nothing', {}, { commitments: terms(usd('1')).commitments }],
    ['keep the note’s fees where the tranche has none', { fees: [] }, { fees: [fee] }],
    ['take the tranche’s interest', { interest: { kind: 'fix', value: 8 } }, { interest: { kind: 'fix', value: 8 } }],
    ['take the tranche’s fees', { fees: [{ ...fee, rate: 2 }] }, { fees: [{ ...fee, rate: 2 }] }],
    ['take nothing of a null', { interest: null, drawLimits: null }, { interest: ofNote.interest, drawLimits: limits }],
    ['take the tranche’s limits whole', { drawLimits: { prefunding: {} } }, { drawLimits: { prefunding: {} } }],
  ])('%s', (_, own, expected) => {
    const active = tranche(2, { sequenceActivated: true, terms: { ...terms(usd('1')), ...own } });
    expect(inForce([tranche(1), active])).toEqual({ ...ofNote, commitments: terms(usd('1')).commitments, ...expected });
  });
});

import { TRANSACTION_TYPES, transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { expect, test } from 'vitest';
import { facilityFieldOf, facilityOf, facilitySchema, SCHEMA_OF_STEP, STEPS } from './facility-form.ts';
import { namedValues } from './hidden-values.tsx';

const note = {
  title: 'Senior',
  currency: 'USD',
  commitment: '45,000,000.50',
  interest: {
    kind: 'variable',
    baseRate: 'SOFR',
    spread: 4.25,
    minimumInterest: 7.5,
    numberRange: { min: '', max: '' },
  },
  timeline: { contractSigning: '2026-01-15', maturity: '2029-01-15' },
};
const filled = {
  title: 'Harbour warehouse',
  company: '0123456789abcdef01234567',
  type: 'Asset Backed Lending',
  industries: ['Consumer Lending', ''],
  notes: [note, { ...note, title: 'Mezzanine', interest: { kind: '' } }],
};
const problems = (schema: { safeParse: typeof facilitySchema.safeParse }, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);

test('The form gives a transaction whose notes have one active tranche of the whole commitment each', () => {
  const transaction = transactionSchema.parse(facilityOf(facilitySchema.parse(filled)));
  expect(transaction.industries).toEqual(['Consumer Lending']);
  expect(transaction.notes.map(({ title, tranches }) => [title, tranches.length])).toEqual([
    ['Senior', 1],
    ['Mezzanine', 1],
  ]);
  expect(transaction.notes[0]?.tranches[0]).toMatchObject({
    sequenceActivated: true,
    terms: {
      commitments: [{ amount: { sum: '45000000.5', currency: 'USD' } }],
      interest: { kind: 'variable', baseRate: 'SOFR', spread: 4.25, minimumInterest: 7.5, numberRange: null },
    },
  });
  expect(transaction.notes[1]?.tranches[0]?.terms.interest).toBeNull();
});

test('Each step requires its own fields and those before it', () => {
  const { title, company, type, industries } = filled;
  const notes = [{ title: 'Senior', currency: 'USD' }];
  const sofar = { title, company, type, industries, notes };
  expect(STEPS.filter((step) => SCHEMA_OF_STEP[step].safeParse(sofar).success)).toEqual(['deal', 'notes']);
  expect(STEPS.filter((step) => SCHEMA_OF_STEP[step].safeParse({}).success)).toEqual([]);
  expect(STEPS.filter((step) => SCHEMA_OF_STEP[step].safeParse(filled).success)).toEqual([...STEPS]);
});

test('Debt has a maturity, and an investment has none', () => {
  const signed = { ...filled, notes: [{ ...note, timeline: { contractSigning: '2026-01-15' } }] };
  for (const type of TRANSACTION_TYPES) {
    const expected = type === 'Investment' ? [] : [['notes.0.timeline.maturity', 'is required']];
    expect(problems(facilitySchema, { ...signed, type })).toEqual(expected);
  }
});

test('Notes have different titles, and there are 1 to 10 of them', () => {
  expect(problems(facilitySchema, { ...filled, notes: [note, note] })).toEqual([['notes.1.title', 'must be unique']]);
  const many = (count: number) =>
    problems(facilitySchema, {
      ...filled,
      notes: Array.from({ length: count }, (_, at) => ({ ...note, title: `Note ${at}` })),
    });
  expect([many(0), many(10), many(11)]).toEqual([
    [['notes', 'At least one note is required']],
    [],
    [['notes', 'Create at most 10 notes at once']],
  ]);
});

test('A comma is a thousands separator in groups of three, and an error anywhere else', () => {
  for (const commitment of ['1,5', '1,50,000', 'ten', '', '-5']) {
    expect(problems(facilitySchema, { ...filled, notes: [{ ...note, commitment }] }).map(([path]) => path)).toEqual([
      'notes.0.commitment',
    ]);
  }
  expect(problems(facilitySchema, { ...filled, notes: [{ ...note, commitment: '0' }] })).toEqual([]);
});

test('An error of the document is shown at the field that it comes from', () => {
  const document = facilityOf(facilitySchema.parse(filled));
  const [first, second] = document.notes;
  const wrong = {
    ...document,
    industries: ['x'.repeat(251)],
    notes: [
      { ...first!, mainCurrency: 'XYZ', priority: { attachmentPoint: 100, detachmentPoint: 100 } },
      {
        ...second!,
        tranches: second!.tranches!.map((tranche) => ({
          ...tranche,
          terms: {
            commitments: [{ amount: { sum: '-5', currency: 'USD' } }],
            interest: { kind: 'fix' as const, value: -1 },
            timeline: { contractSigning: 'soon', maturity: '2029-01-15' },
          },
        })),
      },
    ],
  };
  const fields = (transactionSchema.safeParse(wrong).error?.issues ?? []).map(({ path }) => facilityFieldOf(path));
  expect([...new Set(fields)].sort()).toEqual([
    'industries[0]',
    'notes[0].currency',
    'notes[0].priority.attachmentPoint',
    'notes[1].commitment',
    'notes[1].interest.value',
    'notes[1].timeline.contractSigning',
  ]);
});

test('What was entered on another step is kept by name', () => {
  expect(
    namedValues('notes', [{ title: 'Senior', priority: { attachmentPoint: 0, detachmentPoint: '' } }, null]),
  ).toEqual([
    ['notes[0].title', 'Senior'],
    ['notes[0].priority.attachmentPoint', '0'],
  ]);
});

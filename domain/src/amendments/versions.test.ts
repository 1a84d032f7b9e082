import { expect, test } from 'vitest';
import { termsInForce } from '../facilities/in-force.ts';
import type { NoteTerms } from '../facilities/terms.schema.ts';
import type { NoteWithoutContracts } from '../facilities/transaction.schema.ts';
import { type AmendedTerms, amendmentCreateSchema } from './amendment.schema.ts';
import { differenceInWords, termDifferences } from './amendment-words.ts';
import {
  changeOf,
  followEdits,
  type NoteAmendment,
  noteAsOf,
  noteVersions,
  originalNote,
  putInForce,
  saysSame,
} from './versions.ts';

const usd = (sum: string) => ({ amount: { sum, currency: 'USD' } });
const timeline = { contractSigning: '2025-12-15', revolvingEnd: '2027-12-15', maturity: '2028-12-15' };
const fix = (value: number) => ({ kind: 'fix' as const, value });
const noteOf = (terms: NoteTerms, own: NoteTerms = {}) =>
  ({
    title: 'Senior',
    operational: true,
    terms: own,
    maxCommitments: [{ sum: '15000000', currency: 'USD' }],
    tranches: [
      {
        sequence: 1,
        sequenceActivated: true,
        title: 'A',
        type: 'ROFR',
        terms: { commitments: [usd('15000000')], fees: [], timeline, ...terms },
      },
    ],
  }) as NoteWithoutContracts;
let count = 0;
const amendment = (effectiveDate: string, terms: AmendedTerms, tranche: number | null = 1): NoteAmendment => {
  count += 1;
  return { id: `a${count}`, title: `Amendment ${count}`, effectiveDate, tranche, terms, replaced: null };
};
const stored = (original: NoteWithoutContracts, amendments: readonly NoteAmendment[], today: string) => {
  const { note, replaced } = putInForce(original, amendments, today);
  return { note, amendments: amendments.map((one) => ({ ...one, replaced: replaced.get(one.id) ?? null })) };
};
const rateOn = ({ note, amendments }: ReturnType<typeof stored>, day: string) => {
  const interest = termsInForce(noteAsOf(note, amendments, day)).interest;
  return interest?.kind === 'fix' ? interest.value : null;
};

test('a version applies from its day: not on the day before', () => {
  const original = noteOf({ interest: fix(9) });
  const amended = stored(original, [amendment('2026-03-15', { interest: fix(8.25) })], '2026-11-30');
  expect([rateOn(amended, '2026-03-14'), rateOn(amended, '2026-03-15'), rateOn(amended, '2040-01-01')]).toEqual([
    9, 8.25, 8.25,
  ]);
  expect(termsInForce(amended.note).interest).toEqual(fix(8.25));
  expect(originalNote(amended.note, amended.amendments)).toEqual(original);
});

test('an amendment of a later day is not in force, and calculations of that day use it', () => {
  const amended = stored(noteOf({ interest: fix(9) }), [amendment('2026-12-01', { interest: fix(8) })], '2026-11-30');
  expect(termsInForce(amended.note).interest).toEqual(fix(9));
  expect(amended.amendments[0]?.replaced).toBeNull();
  expect([rateOn(amended, '2026-11-30'), rateOn(amended, '2026-12-01')]).toEqual([9, 8]);
  const due = stored(originalNote(amended.note, amended.amendments), amended.amendments, '2026-12-01');
  expect(termsInForce(due.note).interest).toEqual(fix(8));
  expect(due.amendments[0]?.replaced).toEqual({ interest: fix(9) });
});

test('an amendment with an earlier date goes between, and what later ones changed stays', () => {
  const later = amendment('2026-03-15', { interest: fix(8.25) });
  const first = stored(noteOf({ interest: fix(9) }), [later], '2026-11-30');
  const earlier = amendment('2026-02-01', { interest: fix(8.5), timeline: { maturity: '2029-12-15' } });
  const both = stored(originalNote(first.note, first.amendments), [...first.amendments, earlier], '2026-11-30');
  expect(['2026-01-31', '2026-02-01', '2026-03-14', '2026-03-15'].map((day) => rateOn(both, day))).toEqual([
    9, 8.5, 8.5, 8.25,
  ]);
  expect(termsInForce(both.note)).toMatchObject({ interest: fix(8.25), timeline: { maturity: '2029-12-15' } });
  // Without it again, the note is as it was.
  const kept = both.amendments.filter(({ id }) => id === later.id);
  const again = stored(originalNote(both.note, both.amendments), kept, '2026-11-30');
  expect(again).toEqual(first);
});

test('commitments of a tranche change the most of the note, and null removes a term', () => {
  const original = noteOf({ maxBaseAgeDays: 30 });
  const amended = stored(
    original,
    [amendment('2026-03-15', { commitments: [usd('20000000')], maxBaseAgeDays: null })],
    '2026-11-30',
  );
  expect(amended.note.maxCommitments).toEqual([{ sum: '20000000', currency: 'USD' }]);
  expect(termsInForce(amended.note).maxBaseAgeDays).toBeUndefined();
  expect(originalNote(amended.note, amended.amendments)).toEqual(original);
});

test("the note's own terms are amended where the tranche does not state them", () => {
  const original = noteOf({}, { interest: fix(9) });
  const amended = stored(original, [amendment('2026-03-15', { interest: fix(7) }, null)], '2026-11-30');
  expect([rateOn(amended, '2026-03-14'), rateOn(amended, '2026-03-15')]).toEqual([9, 7]);
});

test('an edit changes the version in force, and not those before it', () => {
  const amended = stored(
    noteOf({ interest: fix(9), maxBaseAgeDays: 30 }),
    [amendment('2026-03-15', { interest: fix(8.25) })],
    '2026-11-30',
  );
  const [tranche] = amended.note.tranches;
  const edited = {
    ...amended.note,
    tranches: [{ ...tranche!, terms: { ...tranche!.terms, interest: fix(8), maxBaseAgeDays: 60 } }],
  };
  const changes = followEdits(amended.note, edited, amended.amendments);
  const amendments = amended.amendments.map((one) => ({ ...one, ...changes.get(one.id) }));
  expect(amendments[0]).toMatchObject({
    terms: { interest: fix(8), maxBaseAgeDays: 60 },
    replaced: { interest: fix(9), maxBaseAgeDays: 30 },
  });
  expect([
    rateOn({ note: edited, amendments }, '2026-03-14'),
    rateOn({ note: edited, amendments }, '2026-03-15'),
  ]).toEqual([9, 8]);
  expect(termsInForce(noteAsOf(edited, amendments, '2026-03-14')).maxBaseAgeDays).toBe(30);
  expect(followEdits(amended.note, structuredClone(amended.note), amended.amendments).size).toBe(0);
});

test('the difference of two versions in words', () => {
  const fee = { title: 'Unused fee', kind: 'Facility fee', frequency: 'Quarterly' as const, rate: 0.5 };
  const { note, amendments } = stored(
    noteOf({ interest: fix(9), fees: [fee] }),
    [
      amendment('2026-03-15', {
        interest: fix(8.25),
        commitments: [usd('20000000')],
        fees: [
          { ...fee, rate: 0.4 },
          { ...fee, title: 'Agency fee', rate: { sum: '1000', currency: 'USD' } },
        ],
        timeline: { maturity: '2029-12-15', revolvingEnd: null },
      }),
    ],
    '2026-11-30',
  );
  const versions = noteVersions(note, amendments);
  expect(termDifferences(changeOf(versions, 1)).map((one) => differenceInWords(one, versions[1]!.from!))).toEqual([
    'Interest rate: 9% becomes 8.25% from 15 Mar 2026',
    'Commitments: 15,000,000.00 USD becomes 20,000,000.00 USD from 15 Mar 2026',
    'Unused fee: 0.5% becomes 0.4% from 15 Mar 2026',
    'Agency fee: 1,000.00 USD, quarterly from 15 Mar 2026',
    'Revolving period end: 15 Dec 2027 no longer applies from 15 Mar 2026',
    'Maturity: 15 Dec 2028 becomes 15 Dec 2029 from 15 Mar 2026',
  ]);
  expect(termDifferences(changeOf(versions, 0))).toEqual([]);
});

test('of variable interest, each figure is compared by itself', () => {
  const variable = { kind: 'variable' as const, baseRate: 'SOFR' as const, spread: 4, minimumInterest: 0 };
  const { note, amendments } = stored(
    noteOf({ interest: variable }),
    [amendment('2026-03-15', { interest: { ...variable, spread: 3.75, numberRange: { min: 1, max: 6 } } })],
    '2026-11-30',
  );
  expect(termDifferences(changeOf(noteVersions(note, amendments), 1))).toEqual([
    { label: 'Spread over SOFR', before: '4%', after: '3.75%' },
    { label: 'Floor and cap of SOFR', before: null, after: '1% to 6%' },
  ]);
});

test('values say the same whatever the order of their fields, and what is empty is what is left out', () => {
  expect(saysSame({ a: 1, b: { c: null } }, { b: {}, a: 1 })).toBe(true);
  expect(saysSame({ a: 1 }, { a: 2 })).toBe(false);
  expect([saysSame(undefined, null), saysSame([], null), saysSame({ a: { b: [] } }, {}), saysSame([1], [])]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('an amendment changes at least one term', () => {
  const body = {
    transaction: '65f0c2a1b3d4e5f601234567',
    note: '65f0c2a1b3d4e5f601234568',
    title: 'First amendment',
    effectiveDate: '2026-03-15',
    terms: {},
  };
  const refused = (terms: object) => amendmentCreateSchema.safeParse({ ...body, terms }).success;
  expect(
    [{}, { timeline: {} }, { maxBaseAgeDays: null }, { timeline: { maturity: '2029-01-01' } }].map(refused),
  ).toEqual([false, false, true, true]);
  expect(amendmentCreateSchema.safeParse({ ...body, terms: { interest: fix(8) } }).success).toBe(true);
  expect(amendmentCreateSchema.safeParse({ ...body, title: 'A', terms: { interest: fix(8) } }).success).toBe(false);
});

test('a pricing grid, a default margin and the basis of a fee are amended as other terms are', () => {
  const grid = (rate: number) => ({ pricingGrid: { tiers: [{ from: 50, rate }] } });
  const fee = { rate: 2, title: 'Minimum usage fee', kind: 'Fee', frequency: 'Quarterly' as const };
  const { note, amendments } = stored(
    noteOf({ interest: { ...fix(9), ...grid(8.5) }, fees: [{ ...fee, minimumUsage: 60 }] }),
    [
      amendment('2026-03-15', {
        interest: { ...fix(9), ...grid(8), defaultMargin: 2 },
        fees: [{ ...fee, minimumUsage: 50 }],
      }),
    ],
    '2026-11-30',
  );
  const versions = noteVersions(note, amendments);
  expect(termDifferences(changeOf(versions, 1)).map((one) => differenceInWords(one, versions[1]!.from!))).toEqual([
    'Pricing grid: 8.5% from 50% utilization becomes 8% from 50% utilization from 15 Mar 2026',
    'Default margin: 2% from 15 Mar 2026',
    'Minimum usage fee: 2%, quarterly, on the shortfall below 60% of the commitments becomes 2%, quarterly, on the shortfall below 50% of the commitments from 15 Mar 2026',
  ]);
  expect(termsInForce(originalNote(note, amendments)).interest).toMatchObject(grid(8.5));
});

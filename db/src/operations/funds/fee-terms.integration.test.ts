import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { commitmentCreateSchema, commitmentUpdateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema, fundUpdateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { callCapital } from '../capital/contributions.ts';
import { fundFees } from '../capital/fees.ts';
import { changeSideLetter, createCommitment, updateCommitment } from '../commitments/change-commitments.ts';
import { changeFeeTerms, createFund, updateFund } from './change-funds.ts';
import { feeTermsOfInvestors } from './fee-terms.ts';
import { getCommitment, getFundView } from './funds.ts';

let database: TestDatabase;
let one: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  one = await database.store.as(SYSTEM, makeTenant);
});
afterAll(() => database.close());

const manager = () => testActor({ type: 'manager', managerId: one.managerId });
const investor = (index: number) =>
  testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[index] ?? ''] });
const as = <Result>(work: (session: Session) => Promise<Result>, actor: Actor = manager()) =>
  database.store.as(actor, work);

const FUND = {
  title: 'Fund with terms',
  type: 'SMA',
  strategy: 'ABL',
  currency: 'USD',
  targetSize: 5000,
  hardCap: 60_000_000,
  classes: [
    { name: 'Class A', uniqueKey: 'a' },
    { name: 'Class B', uniqueKey: 'b' },
  ],
  feeTerms: [
    { from: '2024-01-01', terms: { management: { committed: 2 }, success: { rate: 20, hurdle: 8 } } },
    { Class: 'b', from: '2025-01-01', terms: { management: { committed: 1, stepDown: { invested: 0.5 } } } },
  ],
  investmentPeriodEnd: '2025-09-30',
};

/** A fund with terms, and a commitment of each of two investors: to class A, and to class B. */
async function makeFund(session: Session) {
  const { fund } = await createFund(session, fundCreateSchema.parse(FUND));
  const commitments: string[] = [];
  for (const [index, Class] of ['a', 'b'].entries()) {
    const { id } = await createCommitment(
      session,
      commitmentCreateSchema.parse({
        fund: fund.id,
        investor: { id: one.lpIds[index], kind: 'LP' },
        Class,
        closingDate: '2024-12-01',
        maxCommitment: 10_000_000,
      }),
    );
    commitments.push(id);
  }
  return { fundId: fund.id, commitments };
}

const YEAR = { from: '2025-01-01', to: '2026-01-01', at: '2025-12-31', currency: 'USD' };
const feesOf = async (session: Session, fundId: string) =>
  (await fundFees(session, { fundId, ...YEAR })).investors.map(({ management }) => Number(management.amount));

describe('fee terms of a fund', () => {
  test('hold for its commitments by class, with the step-down after the investment period', async () => {
    const { fundId } = await as(makeFund);
    // Class A: 2 % of 10,000,000. Class B: 1 % for 273 of 365 days, then 0.5 % of nothing invested.
    expect(await as((session) => feesOf(session, fundId))).toEqual([200_000, 74_794.52]);
    const held = await as((session) => feeTermsOfInvestors(session, { fundId, at: '2025-12-31' }));
    expect(
      held.map(({ Class, terms, sources }) => ({
        Class,
        management: terms.management,
        from: [sources.management?.kind, sources.success?.kind],
      })),
    ).toEqual([
      { Class: 'a', management: { committed: 2 }, from: ['fund', 'fund'] },
      { Class: 'b', management: { invested: 0.5 }, from: ['class', 'fund'] },
    ]);
  });

  test('change nothing that was issued, and are not lost by a change of the fund that leaves them out', async () => {
    const { fundId } = await as(makeFund);
    const call = contributionCreateSchema.parse({
      fund: fundId,
      cutOffDate: '2025-10-01',
      dueDate: '2025-10-20',
      callNumber: '1',
      callPurposes: [{ title: 'Fee', kind: 'managementFee', split: 'terms', from: '2025-07-01', until: '2025-09-30' }],
      status: 'Active',
    });
    await as((session) => callCapital(session, call));
    const issued = () =>
      as(async (session) =>
        (await fundFees(session, { fundId, ...YEAR })).investors.map(({ called }) => Number(called)),
      );
    const before = await issued();
    // 92 days: 10,000,000 x 2 % and 1 %.
    expect(before).toEqual([50_410.96, 25_205.48]);
    await as(async (session) => {
      const { fund } = await getFundView(session, fundId);
      await changeFeeTerms(session, {
        id: fundId,
        version: fund.version,
        replaces: { Class: null, from: '2024-01-01' },
        terms: { from: '2024-01-01', terms: { management: { committed: 3 } } },
      });
    });
    expect(await issued()).toEqual(before);
    expect((await as((session) => feesOf(session, fundId)))[0]).toBe(300_000);
    const { feeTerms: _, investmentPeriodEnd: __, currency: ___, ...rest } = FUND;
    await as(async (session) => {
      const { fund } = await getFundView(session, fundId);
      await updateFund(session, { id: fundId, body: fundUpdateSchema.parse({ ...rest, version: fund.version }) });
    });
    const { fund } = await as((session) => getFundView(session, fundId));
    expect(fund.feeTerms.map(({ Class, from }) => [Class, from])).toEqual([
      [null, '2024-01-01'],
      ['b', '2025-01-01'],
    ]);
    expect(fund.investmentPeriodEnd).toBe('2025-09-30');
  });

  test('are refused for two of a class on a day, another class, too many decimals, and without the right', async () => {
    const { fundId } = await as(makeFund);
    const { version } = (await as((session) => getFundView(session, fundId))).fund;
    const add = (terms: object, actor?: Actor) =>
      as((session) => {
        const [entry] = fundCreateSchema.shape.feeTerms.unwrap().parse([{ from: '2025-01-01', terms: {}, ...terms }]);
        return changeFeeTerms(session, { id: fundId, version, replaces: null, terms: entry! });
      }, actor);
    await expect(add({ Class: 'b' })).rejects.toMatchObject({ flags: { 'feeTerms.0.from': 'is taken' } });
    await expect(add({ Class: 'c' })).rejects.toMatchObject({
      flags: { 'feeTerms.0.Class': 'is not a class of the fund' },
    });
    await expect(add({ terms: { management: { minimum: 0.001 } } })).rejects.toMatchObject({
      flags: { 'feeTerms.0.terms.management.minimum': 'must have at most 2 decimals' },
    });
    const reader = testActor({ type: 'manager', managerId: one.managerId, permissions: ['funds/read'] });
    await expect(add({}, reader)).rejects.toMatchObject({ code: 'forbidden' });
    await add({ Class: 'a', terms: { management: { minimum: 0.01 } } });
    // The version that was read is no longer the stored one.
    await expect(add({ Class: null, from: '2025-02-01' })).rejects.toMatchObject({ conflict: { sent: version } });
  });

  test('are refused by the database as well', async () => {
    const { fundId, commitments } = await as(makeFund);
    const set = (table: string, column: string, id: string, value: unknown) =>
      as(
        (session) => session.query(`update ${table} set ${column} = $2 where id = $1`, [id, JSON.stringify(value)]),
        SYSTEM,
      );
    const terms = { management: { committed: 100, minimum: '0.01', stepDown: { from: '2150-12-31' } } };
    const entry = { Class: 'a', from: '2025-01-01', terms };
    await set('funds', 'fee_terms', fundId, [entry, { ...entry, Class: 'b' }, { ...entry, Class: null }]);
    const broken = [
      [entry, entry],
      [{ ...entry, Class: 'c' }],
      [{ ...entry, from: '1949-12-31' }],
      [{ ...entry, terms: { management: { committed: 100.01 } } }],
      [{ ...entry, terms: { management: { stepDown: { invested: -1 } } } }],
      [{ ...entry, terms: { management: { assetsBasis: 'other' } } }],
      [{ ...entry, terms: { overallCap: '0.001' } }],
      [{ ...entry, terms: { management: { stepDown: { from: '2151-01-01' } } } }],
    ];
    for (const entries of broken) {
      await expect(set('funds', 'fee_terms', fundId, entries)).rejects.toThrow(/funds_fee_terms/);
    }
    const letter = { from: '2025-01-01', title: 'x'.repeat(150), document: null, terms };
    await set('lp_commitments', 'side_letters', commitments[0]!, [letter, { ...letter, from: '2025-01-02' }]);
    for (const letters of [[letter, letter], [{ ...letter, title: 'x'.repeat(151) }], [{ ...letter, terms: null }]]) {
      await expect(set('lp_commitments', 'side_letters', commitments[0]!, letters)).rejects.toThrow(/side_letters/);
    }
  });

  test('are not for investors to see beyond their own', async () => {
    const { fundId, commitments } = await as(makeFund);
    expect((await as((session) => getFundView(session, fundId), investor(0))).fund.feeTerms).toEqual([]);
    const held = await as((session) => feeTermsOfInvestors(session, { fundId, at: '2025-01-01' }), investor(0));
    expect(held.map(({ commitmentId, terms }) => [commitmentId, terms.management])).toEqual([
      [commitments[0], { committed: 2 }],
    ]);
    expect(await as((session) => feesOf(session, fundId), investor(0))).toEqual([200_000]);
  });
});

describe('a side letter', () => {
  const letter = (committed: number, from = '2025-07-01', document: string | null = null) => ({
    from,
    title: 'Founder',
    document,
    terms: { management: { committed } },
  });

  test('overrides the terms of the fund for its investor alone, until it is removed', async () => {
    const { fundId, commitments } = await as(makeFund);
    const id = commitments[0]!;
    const change = (replaces: string | null, next: ReturnType<typeof letter> | null) =>
      as(async (session) => {
        const { version } = await getCommitment(session, id);
        await changeSideLetter(session, { id, version, replaces, letter: next });
      });
    await change(null, letter(1));
    // 2 % for 181 days and 1 % for 184.
    expect(await as((session) => feesOf(session, fundId))).toEqual([149_589.04, 74_794.52]);
    const [held] = await as((session) => feeTermsOfInvestors(session, { fundId, at: '2025-07-01' }));
    expect(held?.sources.management).toEqual({
      kind: 'sideLetter',
      from: '2025-07-01',
      title: 'Founder',
      document: null,
    });
    await expect(change(null, letter(0))).rejects.toMatchObject({ flags: { 'sideLetters.0.from': 'is taken' } });
    await expect(change('2025-07-02', null)).rejects.toMatchObject({ code: 'notFound' });
    await change('2025-07-01', letter(2));
    expect((await as((session) => feesOf(session, fundId)))[0]).toBe(200_000);
    await change('2025-07-01', null);
    expect((await as((session) => getCommitment(session, id))).sideLetters).toEqual([]);
  });

  test('names an uploaded file, and stays as it is in an update without side letters', async () => {
    const { commitments } = await as(makeFund);
    const id = commitments[1]!;
    const update = (more: object) =>
      as(async (session) => {
        const { version } = await getCommitment(session, id);
        const body = { closingDate: '2024-12-01', maxCommitment: 10_000_000, ...more, version };
        return updateCommitment(session, { id, body: commitmentUpdateSchema.parse(body) });
      });
    await expect(update({ sideLetters: [letter(1, '2025-01-01', 'f'.repeat(24))] })).rejects.toMatchObject({
      flags: { 'sideLetters.0.document': 'is not an uploaded file' },
    });
    await update({ sideLetters: [letter(1)] });
    expect((await update({})).sideLetters).toHaveLength(1);
    expect((await update({ sideLetters: [] })).sideLetters).toEqual([]);
  });
});

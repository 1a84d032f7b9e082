import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema, fundUpdateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { findApproval } from '../approvals/approvals.ts';
import { changeSideLetter, createCommitment, updateCommitments } from '../commitments/change-commitments.ts';
import { changeSecondPerson, readSecondPerson } from '../managers/second-person.ts';
import { changeFeeTerms, createFund, updateFund } from './change-funds.ts';
import { confirmTerms, returnTerms, withdrawTerms } from './decide-terms.ts';
import { getCommitment, getFund } from './funds.ts';
import { shownProposal, type TermsResource, termsProposals } from './terms-approval.ts';

let database: TestDatabase;
let managerId: string;
let lps: string[];
let [ada, ben]: UserActor[] = [];
const NEVER = { when: 'never', amount: null } as const;

async function person({ em, now }: Session, firstName: string, roleId: string): Promise<UserActor> {
  const userId = newId(now);
  const own = { firstName, lastName: 'Ray', email: `${userId}@example.test` };
  const ready = { isReadPrivacyAndTerms: true, isConfirmedUserDetails: true };
  const assoc = { manager: { id: managerId } };
  em.create(User, { id: userId, ...own, ...ready, roleId, type: 'manager', assoc, managerId });
  return { ...testActor({ type: 'manager', managerId }), userId, ...own };
}

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    const tenant = await makeTenant(session);
    ({ managerId, lpIds: lps } = tenant);
    const roleId = newId(session.now);
    session.em.create(Role, { id: roleId, title: 'Everything', level: 5, permissions: [...PERMISSION_KEYS] } as never);
    ada = await person(session, 'Ada', roleId);
    ben = await person(session, 'Ben', roleId);
    await session.em.flush();
  });
  await as(ada, async (session) => {
    const { version } = await readSecondPerson(session);
    const terms = { when: 'always', amount: null } as const;
    await changeSecondPerson(session, { version, rules: { calls: NEVER, distributions: NEVER, terms } });
  });
});
afterAll(() => database.close());

const as = <Result>(actor: UserActor | undefined, work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(actor!, work);

let funds = 0;
const FUND = { type: 'SMA', strategy: 'ABL', targetSize: 5000, hardCap: 9000 };
/** A fund in force, and a commitment to it. */
async function made(): Promise<{ fund: string; commitment: string }> {
  funds += 1;
  return as(ada, async (session) => {
    const body = { title: `Quay Fund ${funds}`, currency: 'USD', ...FUND };
    const { fund } = await createFund(session, fundCreateSchema.parse(body));
    const commitment = await createCommitment(
      session,
      commitmentCreateSchema.parse({
        fund: fund.id,
        investor: { id: lps[0]!, kind: 'LP' },
        closingDate: '2025-01-31',
        maxCommitment: 100_000,
      }),
    );
    return { fund: fund.id, commitment: commitment.id };
  });
}

const rate = (committed: number) => ({ management: { committed } });
const propose = (actor: UserActor | undefined, fund: string, committed: number, from = '2026-01-01') =>
  as(actor, async (session) => {
    const { version, feeTerms } = await getFund(session, fund);
    const replaces = feeTerms.find((one) => one.from === from) ?? null;
    return changeFeeTerms(session, {
      id: fund,
      version,
      replaces,
      terms: { Class: null, from, terms: rate(committed) },
    });
  });
const proposeLetter = (actor: UserActor | undefined, commitment: string, committed: number) =>
  as(actor, async (session) => {
    const { version } = await getCommitment(session, commitment);
    const letter = { from: '2026-01-01', title: 'Founder', document: null, terms: rate(committed) };
    return changeSideLetter(session, { id: commitment, version, replaces: null, letter });
  });
const proposalOf = (actor: UserActor | undefined, resource: TermsResource, id: string) =>
  as(actor, (session) => shownProposal(session, resource, id));
const seen = async (resource: TermsResource, id: string) => ({
  id,
  version: (await proposalOf(ben, resource, id))!.version,
});
const termsOf = (fund: string) => as(ada, async (session) => (await getFund(session, fund)).feeTerms);
const told = (id: string, kind: string) =>
  database.query(
    `select u.first_name as name, n.action_required as "isOpen", n.description from notifications n join users u on u.id = n.user_id
     where n.kind = $2 and n.document_id = $1 order by n.created_at`,
    [id, kind],
  );
const tabOf = async (actor: UserActor | undefined, kind: 'fundTerms' | 'investorTerms', id: string) =>
  (await database.store.read(actor!, (session) => findApproval(session, { kind, id })))?.tab ?? null;

const PROPOSED = { code: 'badRequest', flags: { terms: 'are proposed already' } };
const REFUSED = { code: 'badRequest', reasons: { terms: { code: 'secondPerson' } } };

describe('a change of the terms of a fund', () => {
  test('is proposed, and applies once somebody else confirms it', async () => {
    const { fund } = await made();
    expect(await propose(ada, fund, 2)).toEqual({ isProposed: true });
    expect(await termsOf(fund)).toEqual([]);
    expect([await tabOf(ada, 'fundTerms', fund), await tabOf(ben, 'fundTerms', fund)]).toEqual(['others', 'mine']);
    expect(await told(fund, 'issueWaits')).toMatchObject([
      { name: 'Ben', isOpen: true, description: expect.stringContaining('change of fund terms') },
    ]);
    const command = await seen('funds', fund);
    await expect(as(ada, (session) => confirmTerms(session, 'funds', command))).rejects.toMatchObject(REFUSED);
    await as(ben, (session) => confirmTerms(session, 'funds', command));
    expect(await termsOf(fund)).toEqual([{ Class: null, from: '2026-01-01', terms: rate(2) }]);
    expect(await told(fund, 'issueWaits')).toMatchObject([{ isOpen: false }]);
    expect(await told(fund, 'issueDecided')).toMatchObject([
      { name: 'Ada', description: expect.stringContaining('Ben Ray has confirmed the change of fund terms') },
    ]);
    expect([await tabOf(ada, 'fundTerms', fund), await tabOf(ben, 'fundTerms', fund)]).toEqual(['decided', 'decided']);
    await expect(as(ben, (session) => confirmTerms(session, 'funds', command))).rejects.toMatchObject({
      message: 'This change was decided already, or withdrawn',
    });
  });

  test('is confirmed by the same terms, entered by somebody else', async () => {
    const { fund } = await made();
    await propose(ada, fund, 2);
    expect(await propose(ben, fund, 2)).toEqual({ isProposed: false });
    expect(await termsOf(fund)).toEqual([{ Class: null, from: '2026-01-01', terms: rate(2) }]);
    expect(await propose(ada, fund, 1.5)).toEqual({ isProposed: true });
  });

  test('is the only one while it is open, whoever proposes another', async () => {
    const { fund } = await made();
    await propose(ada, fund, 2);
    for (const again of [
      () => propose(ada, fund, 2),
      () => propose(ada, fund, 1.5),
      () => propose(ben, fund, 1.5),
      () => propose(ben, fund, 2, '2027-01-01'),
      () => as(ben, ({ query }) => query('select propose_terms($1, $2)', [fund, '{}'])),
    ]) {
      await expect(again()).rejects.toMatchObject(PROPOSED);
    }
    const command = await seen('funds', fund);
    expect(command.version).toBe(1);
    await as(ben, (session) => returnTerms(session, 'funds', { ...command, reason: 'Too much.' }));
    expect(await propose(ada, fund, 1.5)).toEqual({ isProposed: true });
    await as(ada, async (session) => withdrawTerms(session, 'funds', await seen('funds', fund)));
    expect(await propose(ben, fund, 1)).toEqual({ isProposed: true });
  });

  test('is proposed by one of two people at once', async () => {
    const { fund } = await made();
    const results = await Promise.allSettled([propose(ada, fund, 2), propose(ben, fund, 1.5)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is returned with a reason by somebody else, and withdrawn by who proposed it', async () => {
    const { fund } = await made();
    await propose(ada, fund, 2);
    const command = await seen('funds', fund);
    const reason = 'Not agreed yet.';
    await expect(as(ada, (session) => returnTerms(session, 'funds', { ...command, reason }))).rejects.toMatchObject({
      flags: { status: 'does not wait for you' },
    });
    await expect(as(ben, (session) => withdrawTerms(session, 'funds', command))).rejects.toMatchObject({
      flags: { status: 'was not proposed by you' },
    });
    await as(ben, (session) => returnTerms(session, 'funds', { ...command, reason }));
    expect(await proposalOf(ada, 'funds', fund)).toMatchObject({
      submittedAt: null,
      returned: { by: 'Ben Ray', reason },
    });
    expect(await tabOf(ben, 'fundTerms', fund)).toBeNull();
    await expect(as(ben, (session) => confirmTerms(session, 'funds', command))).rejects.toMatchObject({
      code: 'badRequest',
    });
    await propose(ada, fund, 2);
    await as(ada, async (session) => withdrawTerms(session, 'funds', await seen('funds', fund)));
    expect(await proposalOf(ada, 'funds', fund)).toBeNull();
    expect(await termsOf(fund)).toEqual([]);
  });

  test('leaves what else the form changes to apply at once', async () => {
    const { fund } = await made();
    const before = await as(ada, (session) => getFund(session, fund));
    const usd = (sum: number) => ({ sum, currency: 'USD' });
    const body = { ...FUND, targetSize: usd(5000), hardCap: usd(9000), title: 'Renamed Quay', version: before.version };
    await as(ada, (session) =>
      updateFund(session, { id: fund, body: fundUpdateSchema.parse({ ...body, investmentPeriodEnd: '2028-12-31' }) }),
    );
    expect(await as(ada, (session) => getFund(session, fund))).toMatchObject({
      title: 'Renamed Quay',
      investmentPeriodEnd: null,
    });
    await as(ben, async (session) => confirmTerms(session, 'funds', await seen('funds', fund)));
    expect((await as(ada, (session) => getFund(session, fund))).investmentPeriodEnd).toBe('2028-12-31');
  });

  test('is confirmed once by two people at once, as it was seen', async () => {
    const { fund } = await made();
    await propose(ada, fund, 2);
    const command = await seen('funds', fund);
    const stale = { ...command, version: command.version - 1 };
    await expect(as(ben, (session) => confirmTerms(session, 'funds', stale))).rejects.toMatchObject({
      code: 'badRequest',
    });
    const results = await Promise.allSettled([
      as(ben, (session) => confirmTerms(session, 'funds', command)),
      as(ben, (session) => returnTerms(session, 'funds', { ...command, reason: 'Wait.' })),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is refused by the database as well, whatever writes', async () => {
    const { fund } = await made();
    const terms = JSON.stringify([{ Class: null, from: '2026-01-01', terms: rate(3) }]);
    const write = (actor: UserActor | undefined) =>
      as(actor, ({ query }) => query('update funds set fee_terms = $2 where id = $1', [fund, terms]));
    await expect(write(ben)).rejects.toMatchObject(REFUSED);
    await propose(ada, fund, 3);
    await expect(write(ada)).rejects.toMatchObject(REFUSED);
    await expect(
      as(ada, ({ query }) => query(`update preparations set proposal = '{}' where document_id = $1`, [fund])),
    ).rejects.toThrow(/permission denied/);
    await write(ben);
    expect(await termsOf(fund)).toHaveLength(1);
  });

  test('needs the right to change the fund', async () => {
    const { fund } = await made();
    await propose(ada, fund, 2);
    const command = await seen('funds', fund);
    const permissions = PERMISSION_KEYS.filter((key) => key !== 'funds/write');
    for (const decide of [
      (session: Session) => confirmTerms(session, 'funds', command),
      (session: Session) => returnTerms(session, 'funds', { ...command, reason: 'No.' }),
    ]) {
      await expect(as({ ...ben!, permissions }, decide)).rejects.toMatchObject({ code: 'forbidden' });
    }
    const investor = testActor({ type: 'LP', managerId, lpIds: [lps[0]!] });
    const found = await as(investor, (session) => termsProposals(session, 'funds', [fund]));
    expect(found.size).toBe(0);
    await expect(
      as(investor, ({ query }) => query('select propose_terms($1, $2)', [fund, '{}'])),
    ).rejects.toMatchObject(REFUSED);
  });
});

test('a proposal of a fund is none of a commitment of its id, and the reverse', async () => {
  const { fund, commitment } = await made();
  await propose(ada, fund, 2);
  await proposeLetter(ada, commitment, 1);
  expect(await proposalOf(ben, 'LPCommitments', fund)).toBeNull();
  expect(await proposalOf(ben, 'funds', commitment)).toBeNull();
  expect(await proposalOf(ben, 'funds', fund)).not.toBeNull();
  expect(await proposalOf(ben, 'LPCommitments', commitment)).not.toBeNull();
});

describe('a change of the terms of an investor', () => {
  test('is proposed, and applies once somebody else confirms it', async () => {
    const { commitment } = await made();
    expect(await proposeLetter(ada, commitment, 1)).toEqual({ isProposed: true });
    const lettersOf = () => as(ada, async (session) => (await getCommitment(session, commitment)).sideLetters);
    expect(await lettersOf()).toEqual([]);
    expect(await tabOf(ben, 'investorTerms', commitment)).toBe('mine');
    const command = await seen('LPCommitments', commitment);
    await expect(as(ada, (session) => confirmTerms(session, 'LPCommitments', command))).rejects.toMatchObject(REFUSED);
    await as(ben, (session) => confirmTerms(session, 'LPCommitments', command));
    expect(await lettersOf()).toMatchObject([{ from: '2026-01-01', title: 'Founder' }]);
    expect(await told(commitment, 'issueDecided')).toMatchObject([{ name: 'Ada' }]);
  });

  test('is the only one while it is open, also of the fees', async () => {
    const { commitment } = await made();
    await proposeLetter(ada, commitment, 1);
    await expect(proposeLetter(ben, commitment, 2)).rejects.toMatchObject(PROPOSED);
    const withFees = (fees: object, more: object = {}) =>
      as(ben, async (session) => {
        const { version } = await getCommitment(session, commitment);
        return updateCommitments(session, [{ id: commitment, version, ...more, fees } as never]);
      });
    await expect(withFees(rate(2))).rejects.toMatchObject({ flags: { '0.terms': 'are proposed already' } });
    // What is no change of terms is saved meanwhile.
    const [saved] = await withFees({}, { closingDate: '2025-02-28' });
    expect(saved).toMatchObject({ closingDate: '2025-02-28' });
  });

  test('also of the fees of the commitment, whose other fields change at once', async () => {
    const { commitment } = await made();
    await as(ada, async (session) => {
      const { version } = await getCommitment(session, commitment);
      const item = { id: commitment, version, closingDate: '2025-02-28', fees: rate(1) };
      await updateCommitments(session, [item as never]);
    });
    const read = () => as(ada, (session) => getCommitment(session, commitment));
    expect(await read()).toMatchObject({ closingDate: '2025-02-28', fees: {} });
    await as(ben, async (session) => confirmTerms(session, 'LPCommitments', await seen('LPCommitments', commitment)));
    expect(await read()).toMatchObject({ fees: rate(1) });
  });
});

test('a draft commitment becomes Active with the fees that are entered in the same step, which are no proposal', async () => {
  const { fund } = await made();
  const entered = await as(ada, (session) =>
    createCommitment(
      session,
      commitmentCreateSchema.parse({
        ...{ fund, investor: { id: lps[1]!, kind: 'LP' }, closingDate: '2025-01-31', maxCommitment: 100_000 },
        status: 'Draft',
      }),
    ),
  );
  const item = { ...{ id: entered.id, version: entered.version }, status: 'Active', fees: rate(1) };
  await as(ada, (session) => updateCommitments(session, [item as never]));
  const read = () => as(ada, (session) => getCommitment(session, entered.id));
  expect(await read()).toMatchObject({ status: 'Active', fees: rate(1) });
  expect(await proposalOf(ada, 'LPCommitments', entered.id)).toBeNull();
  const { version } = await read();
  await as(ada, (session) => updateCommitments(session, [{ id: entered.id, version, fees: rate(2) } as never]));
  expect(await read()).toMatchObject({ fees: rate(1) });
});

test('without the rule, terms change at once', async () => {
  const { fund } = await made();
  const set = (actor: UserActor | undefined, when: 'never' | 'always') =>
    as(actor, async (session) => {
      const { version, rules } = await readSecondPerson(session);
      await changeSecondPerson(session, { version, rules: { ...rules, terms: { when, amount: null } } });
    });
  await set(ada, 'never');
  expect(await propose(ada, fund, 2)).toEqual({ isProposed: true });
  await set(ben, 'never');
  // What is proposed is decided first also then: to confirm it later would drop what was entered since.
  await expect(propose(ada, fund, 1.5)).rejects.toMatchObject(PROPOSED);
  expect(await propose(ada, fund, 2)).toEqual({ isProposed: false });
  expect(await termsOf(fund)).toHaveLength(1);
  await set(ada, 'always');
});

import {
  isLooser,
  needsSecondPerson,
  rulesOf,
  type SecondPersonRule,
} from '@tapeline/domain/approvals/second-person.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, type SessionOptions, SYSTEM, systemActor } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { findApproval, listApprovals } from '../approvals/approvals.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { createFund } from '../funds/change-funds.ts';
import { changeSecondPerson, decideSecondPerson, readSecondPerson } from '../managers/second-person.ts';
import { getCallHeader, linesOfHeader } from './calls-and-distributions.ts';
import {
  callCapital,
  callInvestors,
  changeCall,
  changeContributions,
  listContributions,
  removeContributions,
  stepCall,
} from './contributions.ts';
import { distribute, stepDistribution } from './distributions.ts';
import { issueStates } from './issue-approval.ts';
import { returnToPreparer, submitForIssue } from './issue-requests.ts';

let database: TestDatabase;
let managerId: string;
let fund: string;
let lps: string[];
let [ada, ben, root]: UserActor[] = [];
const NEVER: SecondPersonRule = { when: 'never', amount: null };
const ALWAYS: SecondPersonRule = { when: 'always', amount: null };
const from = (sum: string, currency = 'USD'): SecondPersonRule => ({ when: 'from', amount: { sum, currency } });

/** A user whom messages reach. */
async function person({ em, now }: Session, firstName: string, roleId: string): Promise<UserActor> {
  const userId = newId(now);
  const own = { firstName, lastName: 'Ray', email: `${userId}@example.test` };
  const ready = { isReadPrivacyAndTerms: true, isConfirmedUserDetails: true };
  em.create(User, {
    id: userId,
    ...own,
    ...ready,
    roleId,
    type: 'manager',
    assoc: { manager: { id: managerId } },
    managerId,
  });
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
    root = testActor({ type: 'admin', managerId, firstName: 'Root' });
    await session.em.flush();
  });
  await database.store.as(ada!, async (session) => {
    const body = { title: 'Quay Fund', type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 5000, hardCap: 9000 };
    ({
      fund: { id: fund },
    } = await createFund(session, fundCreateSchema.parse(body)));
    for (const id of lps) {
      const commitment = { fund, investor: { id, kind: 'LP' }, closingDate: '2025-01-31', maxCommitment: 100_000 };
      await createCommitment(session, commitmentCreateSchema.parse(commitment));
    }
  });
});
afterAll(() => database.close());

const as = <Result>(
  actor: UserActor | undefined,
  work: (session: Session) => Promise<Result>,
  options: SessionOptions = {},
): Promise<Result> => database.store.as(actor!, work, options);

/** Two people change the rules: one proposes, the other confirms. */
async function setRules(calls: SecondPersonRule, distributions: SecondPersonRule = NEVER): Promise<void> {
  const rules = { calls, distributions };
  for (const actor of [root, ben]) {
    await as(actor, async (session) => {
      const { version } = await readSecondPerson(session);
      await changeSecondPerson(session, { version, rules });
    });
  }
}
beforeEach(() => setRules(from('1000'), ALWAYS));

let calls = 0;
const bodyOf = (amount: string, changes: object = {}) => {
  calls += 1;
  return contributionCreateSchema.parse({
    fund,
    cutOffDate: '2025-05-05',
    dueDate: '2025-05-26',
    callNumber: `S${calls}`,
    amount: { sum: amount, currency: 'USD' },
    callPurposes: [{ title: 'A loan', kind: 'investments', amount }],
    ...changes,
  });
};
const idOf = (views: readonly { metadata: { bundleId?: string | undefined } }[]): string =>
  views[0]?.metadata.bundleId ?? '';
const draft = async (actor: UserActor | undefined, amount: string): Promise<string> =>
  idOf(await as(actor, (session) => callCapital(session, bodyOf(amount))));
const versioned = async (session: Session, id: string) => ({ id, version: (await getCallHeader(session, id)).version });
const issue = (actor: UserActor | undefined, id: string, options: SessionOptions = {}) =>
  as(actor, async (session) => stepCall(session, { ...(await versioned(session, id)), status: 'Active' }), options);
const partsOf = async (session: Session, id: string) =>
  (await listContributions(session, { filter: linesOfHeader(id) })).documents;
const stateOf = (actor: UserActor | undefined, id: string) =>
  as(actor, async (session) => (await issueStates(session, [id])).get(id));
const statusOf = async (id: string) => (await as(SYSTEM as never, (session) => getCallHeader(session, id))).status;

const REFUSED = { code: 'badRequest', reasons: { status: { code: 'secondPerson' } } };

describe('from an amount on', () => {
  test('who prepared a call below it issues it alone, and from it on somebody else does', async () => {
    const below = await draft(ada, '999.99');
    await issue(ada, below);
    expect(await statusOf(below)).toBe('Active');
    const reaching = await draft(ada, '1000.00');
    await expect(issue(ada, reaching)).rejects.toMatchObject(REFUSED);
    expect(await statusOf(reaching)).toBe('Draft');
    await issue(ben, reaching);
    expect(await statusOf(reaching)).toBe('Active');
    // What is issued is closed by anybody.
    await as(ada, async (session) => stepCall(session, { ...(await versioned(session, reaching)), status: 'Closed' }));
  });

  test('a new call is issued at once below it only, whole or for single investors', async () => {
    const enter = (amount: string) => as(ada, (session) => callCapital(session, bodyOf(amount, { status: 'Active' })));
    expect(await statusOf(idOf(await enter('999.99')))).toBe('Active');
    await expect(enter('1000')).rejects.toMatchObject(REFUSED);
    // As an import and a list of a REST call do: each part is below the amount, the call is not.
    const parts = (amount: string) => {
      const one = bodyOf(amount, { status: 'Active' });
      return as(ada, (session) =>
        callInvestors(session, lps.map((id) => ({ ...one, investor: { id, kind: 'LP' } })) as never),
      );
    };
    await expect(parts('499.99')).resolves.toHaveLength(2);
    await expect(parts('500')).rejects.toMatchObject(REFUSED);
  });

  test('parts that are issued one after another count together', async () => {
    const id = await draft(ada, '1000');
    const bulk = (actor: UserActor | undefined, count: number) =>
      as(actor, async (session) => {
        const parts = (await partsOf(session, id)).filter(({ status }) => status === 'Draft').slice(0, count);
        return changeContributions(
          session,
          parts.map(({ id: part, version }) => ({ id: part, version, status: 'Active' as const })),
        );
      });
    await expect(bulk(ada, 1)).rejects.toMatchObject(REFUSED);
    await expect(bulk(ada, 2)).rejects.toMatchObject(REFUSED);
    await bulk(ben, 1);
    await expect(bulk(ada, 1)).rejects.toMatchObject(REFUSED);
    await bulk(ben, 1);
    expect(await statusOf(id)).toBe('Active');
  });

  test('an amount in another currency than the rule always needs a second person', async () => {
    await setRules(from('1000000', 'EUR'));
    await expect(issue(ada, await draft(ada, '0.01'))).rejects.toMatchObject(REFUSED);
  });
});

test('the rule of one kind says nothing about the other', async () => {
  const body = distributionCreateSchema.parse({
    fund,
    cutOffDate: '2025-07-01',
    callNumber: 'D1',
    distributionKind: 'Interest',
    principal: { sum: 0, currency: 'USD' },
    components: [{ title: 'Interest', actionType: 'INTEREST', amount: { sum: 1, currency: 'USD' } }],
  });
  const id = idOf(await as(ada, (session) => distribute(session, [body])));
  const step = (actor: UserActor | undefined) =>
    as(actor, async (session) => {
      const [{ version } = { version: 0 }] = await session.query<{ version: number }>(
        'select version from distribution_events where id = $1',
        [id],
      );
      return stepDistribution(session, { id, version, status: 'Active' });
    });
  await expect(step(ada)).rejects.toMatchObject(REFUSED);
  await setRules(ALWAYS, NEVER);
  await step(ada);
  await expect(issue(ada, await draft(ada, '1'))).rejects.toMatchObject(REFUSED);
});

describe('who prepared a draft', () => {
  test('is who last changed what it says, not who created it, and a change that changes nothing is none', async () => {
    const id = await draft(ada, '1000');
    const change = (actor: UserActor | undefined, dueDate: string) =>
      as(actor, async (session) => {
        const parts = await partsOf(session, id);
        return changeContributions(
          session,
          parts.map(({ id: part, version }) => ({ id: part, version, dueDate })),
        );
      });
    await change(ben, '2025-05-26');
    expect(await stateOf(ada, id)).toMatchObject({ isNeeded: true, preparedBy: 'Ada Ray', isOwn: true });
    // The same amounts, written otherwise.
    await as(ben, async (session) => {
      const parts = await partsOf(session, id);
      const same = parts.map(({ id: part, version, purposes }) => ({
        id: part,
        version,
        callPurposes: purposes.map((purpose) => ({ ...purpose, amount: String(Number(purpose.amount)) })),
      }));
      await changeContributions(session, same);
    });
    expect(await stateOf(ada, id)).toMatchObject({ isOwn: true });
    await change(ben, '2025-05-27');
    expect(await stateOf(ben, id)).toMatchObject({ preparedBy: 'Ben Ray', isOwn: true });
    await expect(issue(ben, id)).rejects.toMatchObject(REFUSED);
    await issue(ada, id);
  });

  test('changing and issuing it in one step is preparing it', async () => {
    const id = await draft(ada, '1000');
    const both = (changes: object) =>
      as(ben, async (session) => {
        const { amount, cutOffDate, dueDate, callNumber, callPurposes, pdfOptions, trailingDescription } =
          bodyOf('1000');
        const { callNumber: own } = await getCallHeader(session, id);
        const stored = { amount, cutOffDate, dueDate, callPurposes, pdfOptions, trailingDescription };
        const terms = { ...stored, callNumber: callNumber ? own : callNumber, ...changes };
        return changeCall(session, { ...(await versioned(session, id)), terms, investors: 'same', status: 'Active' });
      });
    await expect(both({ trailingDescription: 'Pay by noon.' })).rejects.toMatchObject(REFUSED);
    await both({});
    expect(await statusOf(id)).toBe('Active');
  });

  test('is also who leaves an investor out', async () => {
    const id = await draft(ada, '3000');
    await as(ben, async (session) => {
      const [part] = await partsOf(session, id);
      await removeContributions(session, { ids: [part!.id] });
    });
    await expect(issue(ben, id)).rejects.toMatchObject(REFUSED);
    await issue(ada, id);
  });

  test('is an administrator who acts for the manager, like anybody else', async () => {
    const id = await draft(root, '1000');
    await expect(issue(root, id)).rejects.toMatchObject(REFUSED);
    await issue(ada, id);
    const other = await draft(ada, '1000');
    await issue(root, other);
    expect(await statusOf(other)).toBe('Active');
  });

  test('is unknown of what the program prepared: a person issues it, the program does not', async () => {
    const loading = systemActor('Loader') as never;
    const id = await draft(loading, '1000');
    await expect(issue(loading, id)).rejects.toMatchObject(REFUSED);
    await issue(ada, id);
  });
});

test('the database refuses it as well, whatever writes', async () => {
  const id = await draft(ada, '1000');
  const write = (work: (session: Session) => Promise<unknown>) => as(ada, work);
  const sql = `update contributions set status = 'Active', issued_on = '2025-05-05' where activity_id = $1`;
  await expect(write(({ query }) => query(sql, [id]))).rejects.toMatchObject(REFUSED);
  await expect(
    write(({ query }) => query(`update preparations set prepared = null where document_id = $1`, [id])),
  ).rejects.toThrow(/permission denied/);
  await expect(write(({ query }) => query('delete from preparations where document_id = $1', [id]))).rejects.toThrow(
    /permission denied/,
  );
  await as(ben, ({ query }) => query(sql, [id]));
  expect(await statusOf(id)).toBe('Active');
});

test('a dry run shows the issue to who may not issue it, and warns', async () => {
  const id = await draft(ada, '1000');
  await expect(issue(ada, id, { rollback: true })).resolves.toBeUndefined();
  const warnings = async (amount: string) =>
    (await as(ada, (session) => callCapital(session, bodyOf(amount, { dryRun: true })), { rollback: true }))[0]
      ?.warnings;
  const warning = 'Somebody else must issue it: your firm requires a second person';
  expect(await warnings('1000')).toContain(warning);
  expect(await warnings('999.99')).not.toContain(warning);
});

describe('a request for a second person', () => {
  const submit = (actor: UserActor | undefined, id: string) =>
    as(actor, async (session) => submitForIssue(session, 'contributions', await versioned(session, id)));
  const giveBack = (actor: UserActor | undefined, id: string, reason = 'The fee is missing.') =>
    as(actor, async (session) =>
      returnToPreparer(session, 'contributions', { ...(await versioned(session, id)), reason }),
    );
  const tabOf = async (actor: UserActor | undefined, id: string) =>
    (await database.store.read(actor!, (session) => findApproval(session, { kind: 'call', id })))?.tab ?? null;
  const told = (id: string, kind: string) =>
    database.query(
      `select u.first_name as name, n.action_required as "isOpen", n.description from notifications n join users u on u.id = n.user_id
       where n.kind = $2 and n.document_id = any (select c.id from contributions c where c.activity_id = $1) order by 1`,
      [id, kind],
    );

  /** Until a statement of another session waits for a lock of this one. */
  const waitingStatements = () =>
    expect
      .poll(() =>
        database.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      )
      .toHaveLength(1);

  test('waits for all others, who are told, and is answered by the issue', async () => {
    const id = await draft(ada, '1000');
    expect([await tabOf(ada, id), await tabOf(ben, id)]).toEqual(['mine', null]);
    await submit(ada, id);
    expect([await tabOf(ada, id), await tabOf(ben, id), await tabOf(root, id)]).toEqual(['others', 'mine', 'mine']);
    expect(await told(id, 'issueWaits')).toEqual([
      { name: 'Ben', isOpen: true, description: expect.stringContaining('Amount: 1,000.00 USD') },
    ]);
    await expect(submit(ada, id)).rejects.toMatchObject({ message: 'It waits for a second person already' });
    await issue(ben, id);
    expect(await told(id, 'issueWaits')).toMatchObject([{ isOpen: false }]);
    expect(await told(id, 'issueDecided')).toEqual([
      { name: 'Ada', isOpen: false, description: expect.stringContaining('Ben Ray has issued capital call') },
    ]);
    const decided = await database.store.read(ada!, (session) =>
      listApprovals(session, { tab: 'decided', kind: 'call', skip: 0, limit: 50 }),
    );
    expect(decided.approvals.find((one) => one.id === id)).toMatchObject({ by: 'Ada Ray', decidedBy: 'Ben Ray' });
    await as(ada, async (session) => stepCall(session, { ...(await versioned(session, id)), status: 'Closed' }));
    expect(await told(id, 'issueDecided')).toHaveLength(1);
  });

  test('is returned with a reason by somebody else, and can be made again', async () => {
    const id = await draft(ada, '1000');
    await expect(giveBack(ben, id)).rejects.toMatchObject({ code: 'badRequest' });
    await submit(ada, id);
    await expect(giveBack(ada, id)).rejects.toMatchObject({ code: 'badRequest' });
    await giveBack(ben, id);
    expect(await stateOf(ada, id)).toMatchObject({
      submittedAt: null,
      returned: { by: 'Ben Ray', reason: 'The fee is missing.' },
    });
    expect([await tabOf(ada, id), await tabOf(ben, id)]).toEqual(['mine', null]);
    expect(await told(id, 'issueWaits')).toMatchObject([{ isOpen: false }]);
    expect(await told(id, 'issueDecided')).toMatchObject([
      { name: 'Ada', description: expect.stringContaining('Reason: The fee is missing.') },
    ]);
    await submit(ada, id);
    expect(await stateOf(ben, id)).toMatchObject({ returned: null, submittedAt: expect.any(String) });
    await issue(ben, id);
  });

  test('is answered once by two people at once, also on the screens, and never returned after the issue', async () => {
    const id = await draft(ada, '1000');
    const messages = (results: readonly PromiseSettledResult<unknown>[]) =>
      results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
    const submitted = await Promise.allSettled([submit(ada, id), submit(ada, id)]);
    expect(messages(submitted)).toEqual(['It waits for a second person already']);
    const returned = await Promise.allSettled([giveBack(ben, id, 'One.'), giveBack(root, id, 'Two.')]);
    expect(messages(returned)).toEqual(['It does not wait for you. Reload the page']);
    expect(await told(id, 'issueDecided')).toHaveLength(1);
    await submit(ada, id);
    // The issue commits while the return, which has seen the draft, waits for it.
    let late: Promise<unknown> = Promise.resolve();
    await as(ben, async (session) => {
      await stepCall(session, { ...(await versioned(session, id)), status: 'Active' });
      late = giveBack(root, id).catch((error: Error) => error.message);
      await waitingStatements();
    });
    expect(await late).toBe('It does not wait for you. Reload the page');
    const [stored] = await database.query(
      'select returned, issued_by as "issuedBy" from preparations where document_id = $1',
      [id],
    );
    expect(stored).toEqual({ returned: null, issuedBy: ben!.userId });
  });

  test('is withdrawn by a change of what the draft says', async () => {
    const id = await draft(ada, '1000');
    await submit(ada, id);
    await as(ben, async (session) => {
      const parts = await partsOf(session, id);
      await changeContributions(
        session,
        parts.map(({ id: part, version }) => ({ id: part, version, trailingDescription: 'Pay by noon.' })),
      );
    });
    expect(await stateOf(ben, id)).toMatchObject({ submittedAt: null, isOwn: true });
    expect(await told(id, 'issueWaits')).toMatchObject([{ isOpen: false }]);
    expect([await tabOf(ben, id), await tabOf(ada, id)]).toEqual(['mine', null]);
  });

  test('is for who prepared it and needs one, with the right to issue', async () => {
    const small = await draft(ada, '999.99');
    await expect(submit(ada, small)).rejects.toMatchObject({ code: 'badRequest' });
    const id = await draft(ada, '1000');
    await expect(submit(ben, id)).rejects.toMatchObject({ code: 'badRequest' });
    const permissions = PERMISSION_KEYS.filter((key) => key !== 'contributions/write');
    await expect(submit({ ...ada!, permissions }, id)).rejects.toMatchObject({ code: 'forbidden' });
    const investor = testActor({ type: 'LP', managerId, lpIds: [lps[0]!] });
    expect(await stateOf(investor, id)).toBeUndefined();
  });
});

describe('the rules of a manager', () => {
  const read = (actor: UserActor | undefined = ada) => as(actor, readSecondPerson);
  const change = async (actor: UserActor | undefined, calls: SecondPersonRule) => {
    const { version, rules } = await read();
    return as(actor, (session) => changeSecondPerson(session, { version, rules: { ...rules, calls } }));
  };
  const decide = async (actor: UserActor | undefined, step: 'confirm' | 'discard') => {
    const { version } = await read();
    return as(actor, (session) => decideSecondPerson(session, { version, step }));
  };

  test('apply at once if they ask at least as often, and otherwise once somebody else confirms them', async () => {
    await change(ada, from('999'));
    expect(await read()).toMatchObject({ rules: { calls: from('999') }, proposal: null });
    const id = await draft(ada, '999');
    for (const looser of [from('999.01'), from('999', 'EUR'), NEVER]) {
      await change(ada, looser);
      expect(await read()).toMatchObject({
        rules: { calls: from('999') },
        proposal: { by: ada!.userId, name: 'Ada Ray' },
      });
      await expect(issue(ada, id)).rejects.toMatchObject(REFUSED);
    }
    await expect(decide(ada, 'confirm')).rejects.toMatchObject({ code: 'badRequest' });
    await change(ada, NEVER);
    expect((await read()).rules.calls).toEqual(from('999'));
    await decide(ben, 'confirm');
    expect(await read()).toMatchObject({ rules: { calls: NEVER }, proposal: null });
    await issue(ada, id);
  });

  test('are proposed until the proposal is withdrawn', async () => {
    await change(ada, NEVER);
    await decide(ada, 'discard');
    expect(await read()).toMatchObject({ rules: { calls: from('1000') }, proposal: null });
    await expect(decide(ben, 'confirm')).rejects.toMatchObject({ code: 'badRequest' });
  });

  test('change by no other way, and only with the right to change roles', async () => {
    const write = (sql: string) =>
      as(SYSTEM as never, async ({ query }) => {
        await query(`select set_config('tapeline.changed_by', $1, true)`, [
          JSON.stringify({ timestamp: '2026-11-28T00:00:00.000Z', entity: { id: ada!.userId } }),
        ]);
        await query(sql, [managerId]);
      });
    const rulesRefused = { code: 'badRequest', reasons: { secondPerson: { code: 'secondPerson' } } };
    await expect(write(`update managers set second_person = '{}' where id = $1`)).rejects.toMatchObject(rulesRefused);
    // Whoever writes a proposal is who proposes it.
    const forged = `update managers set second_person_proposal = '{"rules": {}, "by": "${ben!.userId}", "name": "", "at": ""}' where id = $1`;
    await write(forged);
    expect((await read()).proposal?.by).toBe(ada!.userId);
    await expect(write(`update managers set second_person = '{}' where id = $1`)).rejects.toMatchObject(rulesRefused);
    const permissions = PERMISSION_KEYS.filter((key) => key !== 'roles/write');
    await expect(change({ ...ada!, permissions }, ALWAYS)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

test('the database asks for a second person, and calls a rule looser, in the same cases as the program', async () => {
  const sum = fc.constantFrom('0.01', '1', '999.99', '1000', '1000.01');
  const currency = fc.constantFrom('USD', 'EUR');
  const rule: fc.Arbitrary<SecondPersonRule> = fc.oneof(
    fc.constantFrom(NEVER, ALWAYS),
    fc.tuple(sum, currency).map(([amount, of]) => from(amount, of)),
  );
  const cases = fc.sample(fc.tuple(rule, rule, sum, currency), { numRuns: 300, seed: 139 });
  const rows = await database.query<{ needs: boolean; looser: boolean }>(
    `select needs_second_person(c.now, c.sum, c.currency) as needs, is_looser_rule(c.next, c.now) as looser
     from jsonb_to_recordset($1) as c (place integer, next jsonb, now jsonb, sum numeric, currency text) order by place`,
    [JSON.stringify(cases.map(([next, now, amount, of], place) => ({ place, next, now, sum: amount, currency: of })))],
  );
  const expected = cases.map(([next, now, amount, of]) => ({
    needs: needsSecondPerson(now, { sum: amount, currency: of }),
    looser: isLooser(rulesOf({ calls: next }), rulesOf({ calls: now })),
  }));
  expect(rows).toEqual(expected);
  expect(new Set(expected.map(({ needs, looser }) => `${needs} ${looser}`)).size).toBe(4);
});

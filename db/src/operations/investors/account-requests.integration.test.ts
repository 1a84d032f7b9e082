import { companyCreateSchema } from '@tapeline/domain/companies/company.schema.ts';
import { accountRequestSchema, MAX_REQUESTS_A_DAY } from '@tapeline/domain/investors/account-request.schema.ts';
import { lpCreateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import type { Actor, PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefreshToken } from '../../entities/identity.ts';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { calledBack } from '../../testing/call-back.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listApprovals } from '../approvals/approvals.ts';
import { listObligations } from '../cash/obligations.ts';
import { createCompany, getCompany } from '../companies/companies.ts';
import { fileStored, registerFile } from '../files/files.ts';
import { readableFile } from '../files/readable-files.ts';
import { createdMetadata } from '../metadata.ts';
import {
  acceptAccountRequest,
  confirmAccount,
  declineAccountRequest,
  getAccountApproval,
  listAccountRequests,
  type PaidParty,
  requestAccount,
  withdrawAccountRequest,
} from './account-requests.ts';
import { createLP, getLP } from './investors.ts';
import { confirmPayoutAccount, payoutStateOf } from './payout-accounts.ts';

const bank = (title: string, accountNumber: string) => ({
  title,
  accountNumber,
  address: '1 High Street',
  type: 'Business' as const,
});
const OLD = bank('Main account', '0012345678');
const NEW = bank('New account', '0055557714');
const CHECK = calledBack();

let database: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, seedFoundations);
  tenant = await database.store.as(SYSTEM, (session) => makeTenant(session));
});
afterAll(() => database.close());

const as = <Result>(actor: Actor, work: (session: Session) => Promise<Result>) => database.store.as(actor, work);
const manager = (fields: Partial<UserActor> = {}) =>
  testActor({ type: 'manager', managerId: tenant.managerId, firstName: 'Mara', lastName: 'Reyes', ...fields });

let count = 0;
const entityOf = (banks: object[]) => {
  count += 1;
  return { name: `Rao Family Trust ${count}`, formalId: `R-${count}`, nationality: { country: 'IN' }, banks };
};

/** An investor that is paid in USD to its main account, and its own user. */
async function investor(banks: object[] = [OLD]) {
  const title = `Rao ${count + 1}`;
  const created = await as(manager(), (session) =>
    createLP(
      session,
      lpCreateSchema.parse({
        title,
        entity: entityOf(banks),
        payoutAccounts: [{ currency: 'USD', account: 'Main account' }],
      }),
    ),
  );
  await as(manager(), (session) => confirmPayoutAccount(session, { id: created.payoutAccounts[0]!.id, check: CHECK }));
  const own = testActor({
    type: 'LP',
    managerId: null,
    lpIds: [created.id],
    firstName: 'Vikram',
    lastName: 'Rao',
    permissions: ['LPs/read'],
  });
  return { party: { kind: 'LPs', id: created.id } as const, own };
}

/** A borrower without an account, and its own user. */
async function borrower() {
  const { id } = await as(manager(), (session) =>
    createCompany(session, companyCreateSchema.parse({ entity: entityOf([OLD]) })),
  );
  const own = testActor({
    type: 'company',
    managerId: null,
    companyId: id,
    firstName: 'Inês',
    lastName: 'Duarte',
    permissions: ['companies/read'],
  });
  return { party: { kind: 'companies', id } as const, own };
}

const ask = (own: Actor, party: PaidParty, fields: object = {}) =>
  as(own, (session) =>
    requestAccount(session, {
      party,
      body: accountRequestSchema.parse({ currency: 'USD', bank: NEW, comment: 'We have moved', ...fields }),
    }),
  );
const paidTo = async ({ kind, id }: PaidParty) => {
  const { payoutAccounts } = await as(manager(), (session) =>
    kind === 'LPs' ? getLP(session, id) : getCompany(session, id),
  );
  return payoutAccounts.map(
    (one) => `${one.currency} ${one.account} ${one.ending} ${payoutStateOf(one)} ${one.chosenBy.name}`,
  );
};
const waiting = async (tab: 'mine' | 'others' | 'decided' = 'mine') => {
  const { approvals } = await as(manager(), (session) =>
    listApprovals(session, { tab, kind: 'payoutAccount', skip: 0, limit: 50 }),
  );
  return approvals.map(({ id, detail, by, status }) => ({ id, detail, by, status }));
};
const toldOf = (kind: string, key: string) =>
  as(SYSTEM, ({ query }) =>
    query<{ user_id: string; action_required: boolean }>(
      'select user_id, action_required from notifications where kind = $1 and key = $2',
      [kind, key],
    ),
  );

describe('a request for another account', () => {
  test.each([
    ['an investor', investor],
    ['a borrower', borrower],
  ])('of %s waits in the approvals, and the account is paid to once somebody accepts it', async (_, make) => {
    const { party, own } = await make();
    const before = await paidTo(party);
    const request = await ask(own, party);
    expect(await paidTo(party)).toEqual(before);
    expect(await waiting()).toContainEqual({
      id: request.id,
      detail: 'New account …7714',
      by: `${own.firstName} ${own.lastName}`,
      status: 'Requested',
    });
    const shown = await as(manager(), (session) => getAccountApproval(session, request.id));
    expect(shown).toMatchObject({ bank: NEW, request: { comment: 'We have moved' } });
    expect(shown.onFile?.bank ?? null).toEqual(party.kind === 'LPs' ? expect.objectContaining(OLD) : null);

    await as(manager(), (session) => confirmAccount(session, { id: request.id, check: CHECK }));
    expect(await paidTo(party)).toEqual([`USD New account 7714 confirmed ${own.firstName} ${own.lastName}`]);
    expect((await waiting()).map(({ id }) => id)).not.toContain(request.id);
    expect(await waiting('decided')).toContainEqual(expect.objectContaining({ id: request.id, status: 'Confirmed' }));
    const [stored] = await as(own, (session) => listAccountRequests(session, party));
    expect(stored).toMatchObject({
      status: 'Accepted',
      decidedBy: { name: 'Mara Reyes' },
      requestedBy: { id: own.userId },
    });
  });

  test('takes the place of the account with its title, and keeps the others', async () => {
    const { party, own } = await investor([OLD, bank('Euro account', '0087654321')]);
    const request = await ask(own, party, { bank: { ...NEW, title: 'Main account' } });
    await as(manager(), (session) => acceptAccountRequest(session, { id: request.id, check: CHECK }));
    const { entity } = await as(manager(), (session) => getLP(session, party.id));
    expect(entity.banks.map(({ title, accountNumber }) => [title, accountNumber])).toEqual([
      ['Euro account', '0087654321'],
      ['Main account', '0055557714'],
    ]);
    expect(await paidTo(party)).toEqual(['USD Main account 7714 confirmed Vikram Rao']);
  });

  test('is declined with a reason, which who asked reads, and nothing changes', async () => {
    const { party, own } = await investor();
    const before = await paidTo(party);
    const request = await ask(own, party);
    const reason = 'The contact did not know of the change';
    await as(manager(), (session) => declineAccountRequest(session, { id: request.id, reason }));
    expect(await paidTo(party)).toEqual(before);
    expect(await as(own, (session) => listAccountRequests(session, party))).toMatchObject([
      { status: 'Declined', reason },
    ]);
    expect(await waiting('decided')).toContainEqual(expect.objectContaining({ id: request.id, status: 'Declined' }));
    await expect(
      as(manager(), (session) => acceptAccountRequest(session, { id: request.id, check: CHECK })),
    ).rejects.toThrow('This request was already declined');
  });

  test('is withdrawn by its own side only', async () => {
    const { party, own } = await investor();
    const request = await ask(own, party);
    await expect(as(manager(), (session) => withdrawAccountRequest(session, { id: request.id }))).rejects.toMatchObject(
      {
        code: 'forbidden',
      },
    );
    await as(own, (session) => withdrawAccountRequest(session, { id: request.id }));
    expect((await waiting()).map(({ id }) => id)).not.toContain(request.id);
    await expect(as(own, (session) => withdrawAccountRequest(session, { id: request.id }))).rejects.toThrow(
      'This request was already withdrawn',
    );
  });

  test('is one at a time in a currency, and few in a day', async () => {
    const { party, own } = await investor();
    const first = await ask(own, party);
    await expect(ask(own, party)).rejects.toThrow('A request in this currency is already pending');
    await as(own, (session) => withdrawAccountRequest(session, { id: first.id }));
    for (const currency of ['USD', 'EUR', 'GBP', 'CHF'].slice(0, MAX_REQUESTS_A_DAY - 1))
      await ask(own, party, { currency });
    await expect(ask(own, party, { currency: 'SEK' })).rejects.toMatchObject({ code: 'tooMany' });
  });

  test('is listed before what was decided later, so that it can be withdrawn', async () => {
    const { party, own } = await investor();
    const first = await ask(own, party);
    const later = await ask(own, party, { currency: 'EUR' });
    const listed = async () => (await as(own, (session) => listAccountRequests(session, party))).map(({ id }) => id);
    expect(await listed()).toEqual([later.id, first.id]);
    await as(own, (session) => withdrawAccountRequest(session, { id: later.id }));
    expect(await listed()).toEqual([first.id, later.id]);
  });

  test('is refused for the account that is paid to, and where there is no room for another one', async () => {
    const { party, own } = await investor();
    await expect(ask(own, party, { bank: OLD })).rejects.toThrow('USD payments already go to this account');
    const full = await investor([
      OLD,
      ...Array.from({ length: 9 }, (_, index) => bank(`Account ${index}`, `900${index}`)),
    ]);
    await expect(ask(full.own, full.party)).rejects.toThrow('at most 10 bank accounts');
    await ask(full.own, full.party, { bank: { ...NEW, title: 'Account 3' } });
  });

  test('is made and seen by its own people and the manager’s who may, and by nobody else', async () => {
    const { party, own } = await investor();
    const other = await investor();
    await expect(ask(manager(), party)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(ask(other.own, party)).rejects.toMatchObject({ code: 'notFound' });
    await expect(ask({ ...own, permissions: [] }, party)).rejects.toMatchObject({ code: 'forbidden' });
    const request = await ask(own, party);
    await expect(as(other.own, (session) => listAccountRequests(session, party))).rejects.toMatchObject({
      code: 'notFound',
    });
    await expect(as(other.own, (session) => withdrawAccountRequest(session, { id: request.id }))).rejects.toMatchObject(
      {
        code: 'notFound',
      },
    );
    const hidden = manager({ blockedDocuments: [`LPs/${party.id}`] });
    const decisions: ((session: Session) => Promise<unknown>)[] = [
      (session) => getAccountApproval(session, request.id),
      (session) => acceptAccountRequest(session, { id: request.id, check: CHECK }),
      (session) => declineAccountRequest(session, { id: request.id, reason: 'Not known to them' }),
    ];
    for (const decide of decisions) {
      await expect(as(hidden, decide)).rejects.toMatchObject({ code: 'notFound' });
      await expect(as(own, decide)).rejects.toMatchObject({ code: 'forbidden' });
      const permissions = manager().permissions.filter((key) => key !== 'entities/write');
      await expect(as(manager({ permissions }), decide)).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  test('is decided once, when two people decide at once', async () => {
    const { party, own } = await investor();
    const request = await ask(own, party);
    const outcomes = await Promise.allSettled([
      as(manager(), (session) => acceptAccountRequest(session, { id: request.id, check: CHECK })),
      as(manager(), (session) => declineAccountRequest(session, { id: request.id, reason: 'Not known to them' })),
      as(own, (session) => withdrawAccountRequest(session, { id: request.id })),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is asked twice at once only once', async () => {
    const { party, own } = await investor();
    const outcomes = await Promise.allSettled([ask(own, party), ask(own, party)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('what is known about a request', () => {
  const letterOf = (own: Actor) =>
    as(own, async (session) => {
      const place = { bucket: 'capitalAccounts', name: 'Bank letter.pdf', size: 10, type: 'application/pdf' } as const;
      const { bucket, key, id } = await registerFile(session, place);
      await fileStored(session, { bucket, key, size: 10, checksum: 'x' });
      return { key, id };
    });

  test.each([
    ['an investor', investor],
    ['a borrower', borrower],
  ])('the bank letter of %s is read by those who decide, and by nobody else', async (_, make) => {
    const { party, own } = await make();
    const { key, id } = await letterOf(own);
    const request = await ask(own, party, { letter: key });
    expect(request.letterId).toBe(id);
    const shown = await as(manager(), (session) => getAccountApproval(session, request.id));
    expect(shown.request?.letter).toMatchObject({ id, name: 'Bank letter.pdf' });
    const others = [manager({ managerId: newId() }), manager({ blockedDocuments: [`${party.kind}/${party.id}`] })];
    for (const other of [...others, (await investor()).own])
      await expect(as(other, (session) => readableFile(session, id))).rejects.toMatchObject({ code: 'notFound' });
    await expect(
      as(manager(), ({ query }) => query('update account_requests set letter_id = null where id = $1', [request.id])),
    ).rejects.toThrow();
  });

  test('a file that somebody else uploaded, or that does not exist, is no letter of it', async () => {
    const { party, own } = await investor();
    const other = await investor();
    const { key } = await letterOf(other.own);
    const { key: managers } = await letterOf(manager());
    for (const letter of [key, managers, 'nothing'])
      await expect(ask(own, party, { letter })).rejects.toMatchObject({
        flags: { letter: 'is not a file that you uploaded' },
      });
  });

  const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';
  const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  test.each<[string, string | null, readonly (readonly [string | null, number])[], string | null, boolean | null]>([
    ['another browser than days ago is new', SAFARI, [[CHROME, 3]], 'Safari on iPhone', true],
    [
      'the browser of days ago is not new, in a later version',
      SAFARI.replaceAll('18', '19'),
      [[SAFARI, 3]],
      'Safari on iPhone',
      false,
    ],
    ['the first sign-in that is known says nothing', SAFARI, [[SAFARI, 0]], 'Safari on iPhone', null],
    [
      'this sign-in alone makes no device known',
      SAFARI,
      [
        [SAFARI, 0],
        [CHROME, 2],
      ],
      'Safari on iPhone',
      true,
    ],
    ['a request without a browser has no device', null, [[CHROME, 3]], null, null],
  ])('%s', async (_, agent, signIns, device, isNewDevice) => {
    const { party, own } = await investor();
    const userId = await as(SYSTEM, async ({ em, now }) => {
      const id = newId(now);
      const roleId = newId(now);
      em.create(Role, { id: roleId, title: roleId, level: 12, permissions: ['LPs/read'] });
      const name = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
      const of = { type: 'LP', assoc: { LP: { id: party.id } }, lpId: party.id, managerId: tenant.managerId, roleId };
      em.create(User, { id, ...name, ...of } as never);
      await em.flush();
      for (const [signedInWith, daysAgo] of signIns) {
        const at = new Date(now.getTime() - daysAgo * 86_400_000 - 60_000);
        em.create(RefreshToken, {
          tokenHash: newId(),
          familyId: newId(),
          userId: id,
          successorSalt: 'x',
          agent: signedInWith,
          signedInAt: at,
          createdAt: at,
          expiresAt: new Date(at.getTime() + 6 * 86_400_000),
        });
      }
      return id;
    });
    const request = await database.store.as(
      { ...own, userId },
      (session) => requestAccount(session, { party, body: accountRequestSchema.parse({ currency: 'USD', bank: NEW }) }),
      { agent },
    );
    expect([request.device, request.isNewDevice]).toEqual([device, isNewDevice]);
  });

  test('the approvals show the next payment to its party, with its date, while it waits', async () => {
    const made = await as(SYSTEM, (session) => makeTenant(session));
    const boss = (fields: Partial<UserActor> = {}) =>
      testActor({ type: 'manager', managerId: made.managerId, ...fields });
    for (const change of [
      'update lp_commitments set max_commitment = 1000, active_commitment = 1000',
      `update contributions set purposes = '[{"title": "Investments", "kind": "investments", "amount": "100"}]'`,
      'update distributions set principal = 40',
    ])
      await database.query(`${change} where manager_id = $1`, [made.managerId]);
    const lp = made.lpIds[0]!;
    const own = testActor({ type: 'LP', managerId: null, lpIds: [lp], permissions: ['LPs/read'] });
    const { obligations } = await as(boss(), (session) => listObligations(session, { direction: 'out', party: lp }));
    const request = await ask(own, { kind: 'LPs', id: lp }, { currency: obligations[0]!.currency });
    const listed = async (actor = boss()) =>
      (
        await as(actor, (session) => listApprovals(session, { tab: 'mine', kind: 'payoutAccount', skip: 0, limit: 9 }))
      ).approvals.map(({ id, amounts, due }) => [id, ...amounts.map(({ sum }) => Number(sum)), due]);
    expect(await listed()).toEqual([[request.id, Number(obligations[0]!.open), obligations[0]!.dueDate]]);
    const euros = await ask(own, { kind: 'LPs', id: lp }, { currency: 'CHF' });
    expect(await listed()).toContainEqual([euros.id, null]);
    await as(boss(), (session) => declineAccountRequest(session, { id: request.id, reason: 'Not known to them' }));
    const decided = await as(boss(), (session) =>
      listApprovals(session, { tab: 'decided', kind: 'payoutAccount', skip: 0, limit: 9 }),
    );
    expect(decided.approvals.map(({ id, amounts, due }) => [id, amounts, due])).toEqual([[request.id, [], null]]);
  });
});

describe('who is told', () => {
  test('the people of the manager who decide, those of the investor when it is asked, and who asked when it is decided', async () => {
    const { party, own } = await investor();
    const [vikram, anita, mara, reader] = await as(SYSTEM, async ({ em, now }) => {
      const role = (permissions: PermissionKey[]) => {
        const id = newId(now);
        em.create(Role, { id, title: id, level: 12, permissions });
        return id;
      };
      const roles = {
        LP: role(['LPs/read']),
        manager: role(['LPs/read', 'LPs/write', 'entities/write']),
        reads: role(['LPs/read']),
      };
      const user = (type: 'LP' | 'manager', roleId: string) => {
        const id = newId(now);
        const assoc = type === 'LP' ? { LP: { id: party.id } } : { manager: { id: tenant.managerId } };
        const name = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
        const of = type === 'LP' ? { lpId: party.id } : {};
        const steps = { isReadPrivacyAndTerms: true, isConfirmedUserDetails: true };
        em.create(User, { id, ...name, ...steps, roleId, type, managerId: tenant.managerId, assoc, ...of } as never);
        return id;
      };
      return [user('LP', roles.LP), user('LP', roles.LP), user('manager', roles.manager), user('manager', roles.reads)];
    });
    const request = await ask({ ...own, userId: vikram! }, party);
    const told = async (kind: string, key: string) =>
      (await toldOf(kind, `${key}/${request.id}`)).map((one) => `${one.user_id} ${one.action_required}`).sort();
    expect(await told('accountWaits', 'account-waits')).toEqual([`${mara} true`]);
    expect(await told('bankDetailsChanged', 'account-asked')).toEqual([`${vikram} false`, `${anita} false`].sort());
    const inEuros = await ask({ ...own, userId: vikram! }, party, { currency: 'EUR' });
    await as(manager(), (session) => declineAccountRequest(session, { id: request.id, reason: 'Not known to them' }));
    expect(await told('accountWaits', 'account-waits')).toEqual([`${mara} false`]);
    // The one in the other currency still waits for them.
    expect(await toldOf('accountWaits', `account-waits/${inEuros.id}`)).toEqual([
      { user_id: mara, action_required: true },
    ]);
    expect(await told('accountDecided', 'account-decided')).toEqual([`${vikram} false`]);
    expect(reader).toBeDefined();
  });
});

describe('the second person', () => {
  test('is not who invited the user who asks', async () => {
    const { party, own } = await investor();
    const inviter = manager();
    const id = newId();
    const invite = (by: Actor) =>
      as(by, async (session) => {
        const assoc = { LP: { id: party.id } };
        const name = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
        const of = { type: 'LP', managerId: tenant.managerId, assoc, metadata: createdMetadata(session) };
        session.em.create(User, { id, ...name, ...of } as never);
      });
    await invite(inviter);
    const request = await ask({ ...own, userId: id }, party);
    const accept = (by: Actor) => as(by, (session) => acceptAccountRequest(session, { id: request.id, check: CHECK }));
    await expect(accept(inviter)).rejects.toThrow('You invited the user who requested this account');
    await accept(manager({ userId: newId() }));
  });
});

describe('the database', () => {
  const change = (actor: Actor, id: string, set: string) =>
    as(actor, ({ query }) => query(`update account_requests set ${set} where id = $1`, [id]));

  test('refuses to change what was asked for, and what is decided', async () => {
    const { party, own } = await investor();
    const { id } = await ask(own, party);
    await expect(change(manager(), id, `bank = bank || '{"accountNumber": "99"}'`)).rejects.toThrow();
    await expect(change(manager(), id, `currency = 'EUR'`)).rejects.toThrow();
    await as(own, (session) => withdrawAccountRequest(session, { id }));
    await expect(change(manager(), id, `status = 'Requested', decided_by = null, decided_at = null`)).rejects.toThrow();
  });

  test('refuses that who asked decides, and that the investor accepts by itself', async () => {
    const { party, own } = await investor();
    const { id, requestedBy } = await ask(own, party);
    const decided = (by: string) =>
      `status = 'Accepted', decided_at = now(), decided_by = '{"id": "${by}", "name": "X Y"}'`;
    await expect(change(SYSTEM, id, decided(requestedBy.id))).rejects.toThrow();
    await expect(change(own, id, decided('65f0c2a1b3d4e5f601234567'))).rejects.toThrow();
  });
});

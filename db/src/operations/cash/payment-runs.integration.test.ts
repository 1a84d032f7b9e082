import type { SecondPersonRule } from '@tapeline/domain/approvals/second-person.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { paymentRunCreateSchema } from '@tapeline/domain/cash/payment-runs/payment-run.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { lpCreateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { calledBack } from '../../testing/call-back.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { findApproval, listApprovals } from '../approvals/approvals.ts';
import {
  changeDistribution,
  distribute,
  getDistribution,
  listDistributions,
  removeDistribution,
  removeDistributions,
  stepDistribution,
} from '../capital/distributions.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { getEntity, updateEntity } from '../entities/entities.ts';
import { createFund } from '../funds/change-funds.ts';
import { createLP, getLP } from '../investors/investors.ts';
import { chooseBorrowerAccount, confirmPayoutAccount } from '../investors/payout-accounts.ts';
import { changeSecondPerson, readSecondPerson } from '../managers/second-person.ts';
import { payablesOf, readPayingAccount } from './payables.ts';
import {
  downloadedFile,
  fileToRelease,
  getPaymentRun,
  listPaymentRuns,
  preparePaymentRun,
  releasePaymentRun,
  returnPayment,
  withdrawPaymentRun,
} from './payment-runs.ts';

let database: TestDatabase;
let managerId: string;
let fund: string;
let account: string;
let companies: string[];
let people: Record<'ada' | 'ben' | 'cleo', UserActor>;

const NEVER: SecondPersonRule = { when: 'never', amount: null };
const TODAY = new Date().toISOString().slice(0, 10);

const as = <Result>(actor: UserActor, work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(actor, work);

const bank = (title: string, accountNumber: string) => ({
  title,
  accountNumber,
  address: '1 High Street',
  type: 'Business',
  abaOrRouting: '021000021',
  bankName: 'First Tidewater',
});

let named = 0;
/** An investor with a commitment; its account in dollars is confirmed by Ben unless it is on hold or missing. */
async function investor(name: string, state: 'confirmed' | 'held' | 'none' = 'confirmed'): Promise<string> {
  named += 1;
  const title = `${name} ${named}`;
  const entity = {
    name: title,
    formalId: `F${named}-${managerId.slice(-6)}`,
    nationality: { country: 'US' },
    banks: [bank('Main account', `00${1000 + named}`)],
  };
  const payoutAccounts = state === 'none' ? [] : [{ currency: 'USD', account: 'Main account' }];
  const { id } = await as(people.ada, (session) =>
    createLP(session, lpCreateSchema.parse({ title, entity, payoutAccounts })),
  );
  if (state === 'confirmed') await confirm(id);
  await as(people.ada, (session) =>
    createCommitment(
      session,
      commitmentCreateSchema.parse({
        fund,
        investor: { id, kind: 'LP' },
        closingDate: '2025-01-31',
        maxCommitment: 100_000_000,
      }),
    ),
  );
  return id;
}
const confirm = (id: string) =>
  as(people.ben, async (session) => {
    const payout = (await getLP(session, id)).payoutAccounts.find(({ confirmedBy }) => confirmedBy === null);
    await confirmPayoutAccount(session, { id: payout!.id, check: calledBack() });
  });
const changeBank = (id: string, accountNumber: string) =>
  as(people.ada, async (session) => {
    const stored = await getEntity(session, (await getLP(session, id)).entityId);
    const banks = [bank('Main account', accountNumber)];
    await updateEntity(session, { id: stored.id, body: entityUpdateSchema.parse({ ...stored, banks }) });
  });

const bodyOfDistribution = (id: string, callNumber: string, sum: string) => ({
  fund,
  investor: { id, kind: 'LP' },
  cutOffDate: '2025-07-01',
  callNumber,
  distributionKind: 'Interest',
  principal: { sum: 0, currency: 'USD' },
  components: [{ title: 'Interest', actionType: 'INTEREST', amount: { sum, currency: 'USD' } }],
});

let distributions = 0;
/** An issued distribution of interest to some investors: what each is owed. */
async function owe(
  amounts: Readonly<Record<string, string>>,
): Promise<Map<string, { kind: 'distribution'; id: string }>> {
  distributions += 1;
  const number = `D${distributions}`;
  const bodies = Object.entries(amounts).map(([id, sum]) =>
    distributionCreateSchema.parse(bodyOfDistribution(id, number, sum)),
  );
  return as(people.ada, async (session) => {
    const [first] = await distribute(session, bodies);
    const [header] = await session.query<{ id: string; version: number }>(
      'select id, version from distribution_events where id = $1',
      [first!.activityId],
    );
    await stepDistribution(session, { ...header!, status: 'Active' });
    const { documents } = await listDistributions(session, { filter: JSON.stringify({ callNumber: number }) });
    return new Map(documents.map((one) => [one.investorLPId ?? '', { kind: 'distribution' as const, id: one.id }]));
  });
}

const bodyOf = (payables: readonly { kind: string; id: string }[], changes: object = {}) =>
  paymentRunCreateSchema.parse({
    bankAccount: account,
    executeOn: TODAY,
    format: 'NACHA',
    originator: '1234567890',
    payables,
    ...changes,
  });
const prepare = (payables: readonly { kind: string; id: string }[], actor = people.ada, changes: object = {}) =>
  as(actor, (session) => preparePaymentRun(session, bodyOf(payables, changes)));
const release = (actor: UserActor, { id, version }: { id: string; version: number }) =>
  as(actor, (session) => releasePaymentRun(session, { id, version }));
const read = (id: string) => as(people.ada, (session) => getPaymentRun(session, id));
const payables = () =>
  as(people.ada, async (session) => payablesOf(session, await readPayingAccount(session, account)));

/** A run of one payment of an investor of its own. */
async function runOf(amount: string, name = 'Rao Family Trust') {
  const id = await investor(name);
  const owed = await owe({ [id]: amount });
  return { investor: id, payable: owed.get(id)!, run: await prepare([...owed.values()]) };
}

/** The limit of the manager: two proposals, because it may be a looser one. */
async function setLimit(payments: SecondPersonRule): Promise<void> {
  for (const actor of [people.ada, people.ben]) {
    await as(actor, async (session) => {
      const { version, rules } = await readSecondPerson(session);
      await changeSecondPerson(session, { version, rules: { ...rules, payments } });
    });
  }
}

/** The bank paid a part of what is owed. */
const allocate = (documentId: string, amount: string) =>
  as(people.cleo, async (session) => {
    const payment = newId();
    await session.query(
      `insert into payments (id, manager_id, bank_account_id, fund_id, direction, amount, currency, booked_on, valued_on)
       values ($1, $2, $3, $4, 'out', $5, 'USD', $6, $6)`,
      [payment, managerId, account, fund, amount, TODAY],
    );
    await session.query(
      `insert into allocations (id, manager_id, payment_id, obligation_kind, document_id, currency, amount, paid_on)
       values ($1, $2, $3, 'distribution', $4, 'USD', $5, $6)`,
      [newId(), managerId, payment, documentId, amount, TODAY],
    );
  });

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    const tenant = await makeTenant(session);
    managerId = tenant.managerId;
    companies = tenant.companies.map(({ id }) => id);
    const roleId = newId(session.now);
    session.em.create(Role, { id: roleId, title: 'Everything', level: 5, permissions: [...PERMISSION_KEYS] } as never);
    /** A user whom messages reach. */
    const person = (firstName: string): UserActor => {
      const userId = newId(session.now);
      const own = { firstName, lastName: 'Ray', email: `${userId}@example.test` };
      session.em.create(User, {
        id: userId,
        ...own,
        isReadPrivacyAndTerms: true,
        isConfirmedUserDetails: true,
        roleId,
        type: 'manager',
        assoc: { manager: { id: managerId } },
        managerId,
      });
      return { ...testActor({ type: 'manager', managerId }), userId, ...own };
    };
    people = { ada: person('Ada'), ben: person('Ben'), cleo: person('Cleo') };
    await session.em.flush();
  });
  await as(people.ada, async (session) => {
    const body = {
      title: 'Quay Fund',
      type: 'SMA',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 5000,
      hardCap: 900000000,
    };
    const created = await createFund(session, fundCreateSchema.parse(body));
    fund = created.fund.id;
  });
  account = await payingAccount();
});
afterAll(() => database.close());

async function payingAccount(): Promise<string> {
  const id = newId();
  await database.store.as(SYSTEM, (session) =>
    session.query(
      `insert into bank_accounts (id, manager_id, fund_id, title, bank_name, account_number, bic, currency, opening_date, code)
       values ($1, $2, $3, 'Distribution account', 'First Tidewater', '5120001', 'FRTDUS33', 'USD', '2025-01-01', 1)`,
      [id, managerId, fund],
    ),
  );
  await database.store.as(SYSTEM, (session) =>
    session.query(
      `update entities set banks = $2 where id = (select coalesce(f.entity_id, m.entity_id) from funds f join managers m on m.id = f.manager_id where f.id = $1)`,
      [fund, JSON.stringify([bank('Distributions', '5120001')])],
    ),
  );
  return id;
}

const from = (sum: string, currency = 'USD'): SecondPersonRule => ({ when: 'from', amount: { sum, currency } });
const by = (name: keyof typeof people) => ({ entity: { id: people[name].userId } });
const FORBIDDEN = { code: 'forbidden' };
/** What a release stands still at, so that its process can end meanwhile. */
const STAND = 760_114;

describe('a payment run', () => {
  test('is prepared with the confirmed account of each payee, and released by somebody else with a file', async () => {
    const [first, second] = [await investor('Rao Family Trust'), await investor('Adeyemi Foundation')];
    const owed = await owe({ [first]: '94500.00', [second]: '1250.50' });
    const run = await prepare([...owed.values()]);
    expect(run).toMatchObject({
      status: 'Prepared',
      count: 2,
      file: null,
      needsTwo: false,
      prepared: by('ada'),
    });
    expect(run.total).toMatch(/^95750\.5/);
    expect(run.lines.map(({ payee, state }) => [payee.routingNumber, state])).toEqual([
      ['021000021', 'prepared'],
      ['021000021', 'prepared'],
    ]);
    const written = await as(people.ben, (session) => fileToRelease(session, run));
    const released = await release(people.ben, run);
    expect(released).toMatchObject({ status: 'Released', released: by('ben'), file: written!.file });
    expect(written!.bytes.toString()).toContain('RAO FAMILY TRUST');
    expect(written!.bytes).toHaveLength(950);
    expect(released.lines.map(({ state }) => state)).toEqual(['sent', 'sent']);
  });

  test('names payees without an account, on hold and in another run, and prepares nothing of them', async () => {
    const none = await investor('Kowhai', 'none');
    const held = await investor('Bayani', 'held');
    const { investor: taken, payable, run } = await runOf('10.00', 'Sakura');
    const owed = await owe({ [none]: '1.00', [held]: '2.00' });
    const blocks = new Map((await payables()).map((one) => [one.lpId, one.block]));
    expect([none, held, taken].map((id) => blocks.get(id))).toEqual(['noAccount', 'held', 'inRun']);
    await expect(prepare([owed.get(none)!, owed.get(held)!, payable])).rejects.toMatchObject({
      code: 'badRequest',
      flags: {
        'payables.0': expect.stringMatching(/^Kowhai \d+ has no bank details/),
        'payables.1': expect.stringMatching(/^Bayani \d+: the bank details are on hold/),
        'payables.2': expect.stringMatching(`payment run ${run.code} pays this already`),
      },
    });
    await confirm(held);
    const { count } = await prepare([owed.get(held)!]);
    expect(count).toBe(1);
  });

  test('is not prepared for yesterday, without the right, for another account or in a form that the bank refuses', async () => {
    const id = await investor('Okavango');
    const owed = [...(await owe({ [id]: '100000000.00' })).values()];
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await expect(prepare(owed, people.ada, { executeOn: yesterday })).rejects.toMatchObject({
      flags: { executeOn: 'must not be in the past' },
    });
    const reader = { ...people.ada, permissions: ['payments/read' as const] };
    await expect(prepare(owed, reader)).rejects.toMatchObject(FORBIDDEN);
    await expect(prepare(owed, people.ada, { bankAccount: newId() })).rejects.toMatchObject({ code: 'notFound' });
    await expect(prepare(owed)).rejects.toMatchObject({
      flags: { 'payables.0': expect.stringContaining('the amount is above 99999999.99') },
    });
    expect(await prepare(owed, people.ada, { format: 'CSV' })).toMatchObject({ format: 'CSV' });
  });

  test('has a payment that no other run has, when two people prepare it at once', async () => {
    const id = await investor('Meridian');
    const owed = [...(await owe({ [id]: '70.00' })).values()];
    const outcomes = await Promise.allSettled([prepare(owed, people.ada), prepare(owed, people.ben)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = outcomes.filter((one) => one.status === 'rejected');
    expect(refused!.reason).toMatchObject({ code: 'badRequest' });
  });

  test('is not released by who prepared it, in the database neither, nor without the right', async () => {
    const { run } = await runOf('100.00');
    await expect(release(people.ada, run)).rejects.toMatchObject(FORBIDDEN);
    const file = (await as(people.ben, (session) => fileToRelease(session, run)))!.file;
    const direct = (actor: UserActor) =>
      as(actor, (session) =>
        session.query(`update payment_runs set status = 'Released', file = $2 where id = $1`, [
          run.id,
          JSON.stringify(file),
        ]),
      );
    await expect(direct(people.ada)).rejects.toMatchObject(FORBIDDEN);
    await expect(
      database.store.as(SYSTEM, (session) =>
        session.query(`update payment_runs set status = 'Released', file = $2 where id = $1`, [
          run.id,
          JSON.stringify(file),
        ]),
      ),
    ).rejects.toMatchObject(FORBIDDEN);
    const writer = { ...people.ben, permissions: ['payments/read' as const, 'payments/write' as const] };
    await expect(release(writer, run)).rejects.toMatchObject(FORBIDDEN);
    await direct(people.ben);
    expect(await read(run.id)).toMatchObject({ status: 'Released', released: by('ben') });
  });

  test('is released once when two people release it at once', async () => {
    const { run } = await runOf('100.00');
    const outcomes = await Promise.allSettled([release(people.ben, run), release(people.cleo, run)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const recorded = await database.store.as(SYSTEM, (session) =>
      session.query(`select from history where document_id = $1 and fields @> array['released']`, [run.id]),
    );
    expect(recorded).toHaveLength(1);
  });

  test('is not released by a process that dies meanwhile, and once by the next', async () => {
    const { run } = await runOf('100.00');
    await database.query(
      `create function stand() returns trigger language plpgsql as
         $$ begin perform pg_advisory_xact_lock_shared(${STAND}); return new; end $$`,
    );
    await database.query('create trigger stand before update on payment_runs for each row execute function stand()');
    const standing = () =>
      database.query<{ pid: number }>(`select pid from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`);
    try {
      await database.store.as(SYSTEM, async (session) => {
        await session.query(`select pg_advisory_xact_lock(${STAND})`);
        const outcome = release(people.ben, run).then(
          () => 'released',
          () => 'ended',
        );
        await expect.poll(standing, { timeout: 10_000 }).toHaveLength(1);
        const [{ pid }] = (await standing()) as [{ pid: number }];
        await database.query('select pg_terminate_backend($1)', [pid]);
        expect(await outcome).toBe('ended');
      });
    } finally {
      await database.query('drop function stand() cascade');
    }
    expect(await read(run.id)).toMatchObject({ status: run.status, version: run.version, released: null });
    const mails = () => database.query('select from outbox where document_id = $1', [run.id]);
    const before = (await mails()).length;
    await release(people.cleo, run);
    await expect(release(people.ben, run)).rejects.toMatchObject({ code: 'badRequest' });
    expect(await read(run.id)).toMatchObject({ status: 'Released', released: by('cleo') });
    const recorded = await database.query(
      `select from history where document_id = $1 and fields @> array['released']`,
      [run.id],
    );
    expect([recorded.length, (await mails()).length - before]).toEqual([1, 1]);
  });

  test('is not released once an account was changed, even after the new one is confirmed', async () => {
    const { run, investor: id } = await runOf('100.00', 'Norrland');
    await changeBank(id, '666');
    await expect(release(people.ben, run)).rejects.toMatchObject({
      flags: { 'payments.0': expect.stringMatching(/^Norrland \d+: the bank details were changed and are on hold/) },
    });
    await confirm(id);
    await expect(release(people.ben, run)).rejects.toMatchObject({
      flags: { 'payments.0': expect.stringMatching(/the bank details were changed since$/) },
    });
    const direct = as(people.ben, (session) =>
      session.query(`update payment_runs set status = 'Released', file = $2 where id = $1`, [
        run.id,
        JSON.stringify({ checksum: 'a'.repeat(64), size: 1 }),
      ]),
    );
    await expect(direct).rejects.toMatchObject({
      message: expect.stringContaining('bank details of a payee were changed'),
    });
    await as(people.ada, (session) =>
      withdrawPaymentRun(session, { id: run.id, version: run.version, reason: 'Changed' }),
    );
    const again = await prepare([{ kind: 'distribution', id: run.lines[0]!.id }]);
    expect((await release(people.ben, again)).lines[0]!.payee.accountNumber).toBe('666');
  });

  test('is not released once something else is owed', async () => {
    const { run, payable } = await runOf('100.00');
    await allocate(payable.id, '0.01');
    await expect(release(people.ben, run)).rejects.toMatchObject({
      flags: { 'payments.0': expect.stringContaining('another amount is owed now') },
    });
    await allocate(payable.id, '99.99');
    await expect(release(people.ben, run)).rejects.toMatchObject({
      flags: { 'payments.0': expect.stringContaining('no longer owed') },
    });
  });

  test('can be withdrawn with a reason until it is released, and its payments can be chosen again', async () => {
    const { run, payable } = await runOf('100.00');
    const withdraw = (one: { id: string; version: number }) =>
      as(people.cleo, (session) =>
        withdrawPaymentRun(session, { id: one.id, version: one.version, reason: 'Wrong day' }),
      );
    await expect(withdraw({ ...run, version: run.version + 1 })).rejects.toMatchObject({
      flags: { version: expect.any(String) },
    });
    const withdrawn = await withdraw(run);
    expect(withdrawn).toMatchObject({ status: 'Withdrawn', withdrawalReason: 'Wrong day' });
    expect(withdrawn.lines[0]!.state).toBe('withdrawn');
    await expect(release(people.ben, withdrawn)).rejects.toMatchObject({ code: 'badRequest' });
    const again = await prepare([payable]);
    const released = await release(people.ben, again);
    await expect(withdraw(released)).rejects.toMatchObject({ code: 'badRequest' });
  });

  test('has a file that is the same each time, and each download is in its history', async () => {
    const { run } = await runOf('100.00');
    const download = (actor: UserActor) => as(actor, (session) => downloadedFile(session, run.id));
    await expect(download(people.ben)).rejects.toMatchObject({ code: 'notFound' });
    const { file } = await release(people.ben, run);
    expect([await download(people.ben), await download(people.cleo)]).toEqual([file, file]);
    await expect(download({ ...people.ada, permissions: ['payments/read', 'payments/write'] })).rejects.toMatchObject(
      FORBIDDEN,
    );
    const recorded = await database.store.as(SYSTEM, (session) =>
      session.query<{ person: string }>(
        `select changed_by #>> '{entity,id}' as person from history where document_id = $1 and fields @> array['downloads'] and operation = 'Update' order by id`,
        [run.id],
      ),
    );
    expect(recorded.map(({ person }) => person)).toEqual([people.ben.userId, people.cleo.userId]);
  });

  test('keeps what it pays: that is not withdrawn or reissued until the run is withdrawn or the payment came back', async () => {
    const { run, payable, investor: id } = await runOf('100.00');
    const withdraw = () =>
      as(people.ada, (session) => removeDistributions(session, { ids: [payable.id], reason: 'Wrong' }));
    const header = () =>
      as(people.ada, async (session) => {
        const { activityId } = await getDistribution(session, payable.id);
        const [found] = await session.query<{ id: string; version: number }>(
          'select id, version from distribution_events where id = $1',
          [activityId],
        );
        return found!;
      });
    const withdrawWhole = async () => {
      const seen = await header();
      return as(people.ada, (session) => removeDistribution(session, { ...seen, reason: 'Wrong' }));
    };
    const reissue = async () => {
      const seen = await header();
      return as(people.ada, (session) =>
        changeDistribution(session, {
          ...seen,
          reason: 'Another amount',
          investors: 'same',
          terms: distributionCreateSchema.parse(bodyOfDistribution(id, `D${distributions}`, '90')),
        }),
      );
    };
    const direct = (sql: string) => database.store.as(SYSTEM, (session) => session.query(sql, [payable.id]));
    const directly = () =>
      direct(`update distributions set status = 'Removed', removal_reason = 'Wrong' where id = $1`);
    const deleted = () => direct('delete from distributions where id = $1');
    for (const attempt of [withdraw, withdrawWhole, reissue]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'badRequest',
        message: expect.stringContaining(`Payment run ${run.code} pays this. Withdraw the run`),
      });
    }
    for (const attempt of [directly, deleted]) await expect(attempt()).rejects.toThrow('A payment run pays this');
    const released = await release(people.ben, run);
    for (const attempt of [withdraw, withdrawWhole, reissue]) {
      await expect(attempt()).rejects.toThrow(/record the payment as returned/);
    }
    await expect(directly()).rejects.toThrow('A payment run pays this');
    await as(people.cleo, (session) =>
      returnPayment(session, { id: run.id, version: released.version, place: 0, reason: 'Account closed' }),
    );
    await expect(reissue()).resolves.toHaveLength(1);
    expect((await payables()).some(({ id: owed }) => owed === payable.id)).toBe(false);
  });

  test('that is withdrawn lets go of what it pays, and what is withdrawn at the same moment is not paid', async () => {
    const { run, payable } = await runOf('100.00');
    const withdraw = () =>
      as(people.ada, (session) => removeDistributions(session, { ids: [payable.id], reason: 'Wrong' }));
    await as(people.cleo, (session) =>
      withdrawPaymentRun(session, { id: run.id, version: run.version, reason: 'Wrong day' }),
    );
    const outcomes = await Promise.allSettled([withdraw(), prepare([payable])]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const open = await database.store.as(SYSTEM, (session) =>
      session.query(
        `select from payment_run_lines l join distributions d on d.id = l.document_id where d.id = $1 and l.is_open and d.status = 'Removed'`,
        [payable.id],
      ),
    );
    expect(open).toEqual([]);
  });

  test('is hidden with its history, its file and its approval from who cannot read all that it pays', async () => {
    const [first, second] = [await investor('Rao Family Trust'), await investor('Adeyemi Foundation')];
    const owed = await owe({ [first]: '10.00', [second]: '20.00' });
    const run = await release(people.ben, await prepare([...owed.values()]));
    const waiting = await prepare([...(await owe({ [first]: '1.00', [second]: '2.00' })).values()]);
    const commitment = async (id: string) =>
      (
        await database.store.as(SYSTEM, (session) =>
          session.query<{ commitment: string }>('select commitment_id as commitment from distributions where id = $1', [
            id,
          ]),
        )
      )[0]!.commitment;
    const seen = (blockedDocuments: string[]) =>
      as({ ...people.cleo, blockedDocuments }, async (session) => {
        const isFound = (work: Promise<unknown>) =>
          work.then(
            () => true,
            (error: { code: string }) => error.code !== 'notFound',
          );
        const ids = (await listPaymentRuns(session)).documents.map(({ id }) => id);
        const history = await session.query('select from history where document_id = $1', [run.id]);
        const { approvals } = await listApprovals(session, { tab: 'mine', kind: 'paymentRun', skip: 0, limit: 50 });
        return [
          ids.includes(run.id),
          await isFound(getPaymentRun(session, run.id)),
          await isFound(downloadedFile(session, run.id)),
          history.length > 0,
          approvals.some(({ id }) => id === waiting.id),
          (await findApproval(session, { kind: 'paymentRun', id: waiting.id })) !== null,
        ];
      });
    const all = (value: boolean) => Array.from({ length: 6 }, () => value);
    expect(await seen([])).toEqual(all(true));
    expect(await seen([`LPs/${newId()}`])).toEqual(all(true));
    const other = owed.get(second)!.id;
    const hiding = [`LPs/${second}`, `funds/${fund}`, `LPCommitments/${await commitment(other)}`];
    for (const block of hiding) expect(await seen([block]), block).toEqual(all(false));
    // Of one distribution, only the run that pays it.
    expect(await seen([`distributions/${other}`])).toEqual([false, false, false, false, true, true]);
    // What a hidden run pays cannot be chosen again.
    const blocked = { ...people.cleo, blockedDocuments: [`LPs/${second}`] };
    const offered = await as(blocked, async (session) =>
      payablesOf(session, await readPayingAccount(session, account)),
    );
    expect(
      offered.find(({ id }) => id === waiting.lines.find((line) => line.payee.name.startsWith('Rao'))?.id),
    ).toMatchObject({
      block: 'inRun',
      run: null,
    });
  });

  test('is not visible to other managers, investors and those who cannot see one of its payees', async () => {
    const { run, investor: id } = await runOf('100.00');
    const seen = (actor: UserActor) =>
      as(actor, async (session) => (await listPaymentRuns(session)).documents.some((one) => one.id === run.id));
    expect(await seen(people.cleo)).toBe(true);
    const other = await database.store.as(SYSTEM, (session) => makeTenant(session));
    const strangers = [
      testActor({ type: 'manager', managerId: other.managerId }),
      testActor({ type: 'LP', managerId, lpIds: [id] }),
      { ...people.cleo, blockedDocuments: [`LPs/${id}`] },
      { ...people.cleo, blockedDocuments: [`funds/${fund}`] },
    ];
    for (const actor of strangers) expect(await seen(actor)).toBe(false);
  });
});

test('A draw is paid to the account of the borrower that a second person confirmed', async () => {
  const [company] = companies;
  const drawn = await as(people.ada, async (session) => {
    const [draw] = await session.query<{ id: string; entityId: string }>(
      `update draws d set status = 'Approved' from companies c where c.id = d.company_id and c.id = $1
       returning d.id, c.entity_id as "entityId"`,
      [company],
    );
    const stored = await getEntity(session, draw!.entityId);
    const banks = [bank('Funding account', '771400981')];
    await updateEntity(session, { id: stored.id, body: entityUpdateSchema.parse({ ...stored, banks }) });
    return draw!;
  });
  const owed = async () => (await payables()).find(({ id }) => id === drawn.id);
  // A fund pays the draws of the notes that it holds.
  expect(await owed()).toBeUndefined();
  const holdings = [{ fund, targetPercentage: 100, actualPercentage: 100 }];
  await as(people.ada, (session) =>
    session.query(
      `update transactions set notes = (select jsonb_agg(note || jsonb_build_object('holdings', $2::jsonb)) from jsonb_array_elements(notes) as note) where company_id = $1`,
      [company, JSON.stringify(holdings)],
    ),
  );
  const currency = 'USD';
  expect(await owed()).toMatchObject({
    kind: 'draw',
    block: 'noAccount',
    reference: expect.stringMatching(/-W\d+-\d{3}-\d$/),
  });
  await as(people.ada, (session) =>
    chooseBorrowerAccount(session, { id: company!, currency, account: 'Funding account' }),
  );
  expect(await owed()).toMatchObject({ block: 'held', ending: '0981' });
  const request = await as(people.ben, async (session) => {
    const { approvals } = await listApprovals(session, { tab: 'mine', kind: 'payoutAccount', skip: 0, limit: 50 });
    return approvals.find(({ parentId }) => parentId === `companies/${company}`)!;
  });
  const check = { id: request.id, check: calledBack() };
  await expect(as(people.ada, (session) => confirmPayoutAccount(session, check))).rejects.toMatchObject({
    code: 'badRequest',
  });
  await as(people.ben, (session) => confirmPayoutAccount(session, check));
  const run = await prepare([{ kind: 'draw', id: drawn.id }]);
  expect(run.lines[0]!.payee).toMatchObject({ accountNumber: '771400981', routingNumber: '021000021' });
  await as(people.ben, async (session) => {
    const stored = await getEntity(session, drawn.entityId);
    const banks = [bank('Funding account', '666')];
    await updateEntity(session, { id: stored.id, body: entityUpdateSchema.parse({ ...stored, banks }) });
  });
  expect(await as(people.cleo, (session) => findApproval(session, { kind: 'paymentRun', id: run.id }))).toMatchObject({
    tab: 'mine',
    approval: { exceptions: [expect.any(String)], number: String(run.code) },
  });
  await expect(release(people.cleo, run)).rejects.toMatchObject({
    flags: { 'payments.0': expect.stringContaining('on hold until a second person confirms') },
  });
});

test('A run waits for those who can release it, and for others once they did', async () => {
  const { run } = await runOf('5.00');
  const tabOf = async (actor: UserActor) =>
    (await as(actor, (session) => findApproval(session, { kind: 'paymentRun', id: run.id })))?.tab ?? null;
  expect([await tabOf(people.ada), await tabOf(people.ben)]).toEqual(['others', 'mine']);
  expect(await tabOf({ ...people.cleo, permissions: ['payments/read', 'payments/write'] })).toBeNull();
  await release(people.ben, run);
  expect([await tabOf(people.ada), await tabOf(people.ben)]).toEqual(['decided', 'decided']);
});

describe('messages about a run', () => {
  /** Who was told, and whether the request is still open. */
  const told = (id: string, kind: 'runWaits' | 'runDecided') =>
    database.query<{ name: string; isOpen: boolean }>(
      `select u.first_name as name, n.title, n.description, n.action_required as "isOpen", n.done_by as "doneBy"
       from notifications n join users u on u.id = n.user_id where n.kind = $2 and n.document_id = $1 order by n.created_at, 1`,
      [id, kind],
    );
  const mailed = async (id: string) =>
    (await database.query('select kind from outbox where document_id = $1', [id])).length;

  test('ask those who may release it, once, and tell who prepared it of the release', async () => {
    const { run } = await runOf('5.50');
    expect(await told(run.id, 'runWaits')).toMatchObject(
      ['Ben', 'Cleo'].map((name) => ({
        name,
        title: `Payment run ${run.code} waits for a release`,
        isOpen: true,
        description: expect.stringContaining('Payments: 1 payment, 5.50 USD in total'),
      })),
    );
    expect(await mailed(run.id)).toBe(2);
    await release(people.ben, run);
    expect(await told(run.id, 'runWaits')).toMatchObject(
      ['Ben', 'Cleo'].map((name) => ({ name, isOpen: false, doneBy: 'Ben Ray' })),
    );
    expect(await told(run.id, 'runDecided')).toMatchObject([
      { name: 'Ada', description: expect.stringContaining(`Ben Ray has released payment run ${run.code}`) },
    ]);
  });

  test('ask nobody who may not release', async () => {
    await database.query(
      `update roles set permissions = array_remove(permissions, 'payments/release')
      where id = (select role_id from users where id = $1)`,
      [people.ben.userId],
    );
    const { run } = await runOf('5.60');
    await database.query(
      `update roles set permissions = array_append(permissions, 'payments/release')
      where id = (select role_id from users where id = $1)`,
      [people.ben.userId],
    );
    expect(await told(run.id, 'runWaits')).toEqual([]);
  });

  test('say why somebody else withdrew it, and nothing to who did so alone', async () => {
    const withdraw = (actor: UserActor, { id, version }: { id: string; version: number }) =>
      as(actor, (session) => withdrawPaymentRun(session, { id, version, reason: 'Wrong day' }));
    const { run } = await runOf('6.00');
    await withdraw(people.cleo, run);
    expect(await told(run.id, 'runWaits')).toMatchObject([{ isOpen: false }, { isOpen: false }]);
    expect(await told(run.id, 'runDecided')).toMatchObject([
      { name: 'Ada', description: expect.stringContaining('Reason: Wrong day') },
    ]);
    const { run: own } = await runOf('6.50');
    await withdraw(people.ada, own);
    expect(await told(own.id, 'runWaits')).toMatchObject([{ isOpen: false }, { isOpen: false }]);
    expect(await told(own.id, 'runDecided')).toEqual([]);
  });

  test('name the payee of a payment that came back', async () => {
    const { run } = await runOf('7.00');
    const released = await release(people.ben, run);
    await as(people.cleo, (session) =>
      returnPayment(session, { id: run.id, version: released.version, place: 0, reason: 'Account closed' }),
    );
    expect(await told(run.id, 'runDecided')).toMatchObject([
      { name: 'Ada', title: `Payment run ${run.code} was released` },
      {
        title: `Payment run ${run.code} has a payment that came back`,
        description: expect.stringMatching(/Reason: Rao Family Trust \d+: Account closed/),
      },
    ]);
  });

  test('ask for the second release whoever has not released it', async () => {
    await setLimit({ when: 'always', amount: null });
    const { run } = await runOf('8.00');
    const first = await release(people.ben, run);
    expect(await told(run.id, 'runWaits')).toMatchObject([
      { name: 'Ben', isOpen: false },
      { name: 'Cleo', isOpen: false },
      { name: 'Cleo', isOpen: true, description: expect.stringContaining('Ben Ray has released it already') },
    ]);
    await release(people.cleo, first);
    expect((await told(run.id, 'runWaits')).filter(({ isOpen }) => isOpen)).toEqual([]);
    expect(await told(run.id, 'runDecided')).toMatchObject([{ name: 'Ada' }]);
    await setLimit(NEVER);
  });
});

test('A payment that came back is owed again, also after the bank statement said that it was paid', async () => {
  const { run, payable } = await runOf('100.00');
  const back = (one: { id: string; version: number }, place = 0) =>
    as(people.cleo, (session) =>
      returnPayment(session, { id: one.id, version: one.version, place, reason: 'Account closed' }),
    );
  await expect(back(run)).rejects.toMatchObject({ flags: { payments: 'was not sent' } });
  const released = await release(people.ben, run);
  await allocate(payable.id, '100.00');
  expect((await read(run.id)).lines[0]!.state).toBe('paid');
  expect((await payables()).some(({ id }) => id === payable.id)).toBe(false);
  await expect(back(released, 1)).rejects.toMatchObject({ code: 'notFound' });
  const returned = await back(released);
  expect(returned).toMatchObject({ returns: 1, lines: [{ state: 'returned', returnReason: 'Account closed' }] });
  await expect(back(returned)).rejects.toMatchObject({ flags: { payments: 'was not sent' } });
  expect((await payables()).find(({ id }) => id === payable.id)).toMatchObject({ block: null });
  expect((await release(people.ben, await prepare([payable]))).status).toBe('Released');
});

test('A payment that came back takes back what the run paid, and nothing that was paid before it', async () => {
  const id = await investor('Kauri Pensions');
  const owed = await owe({ [id]: '100.00' });
  const [payable] = [...owed.values()];
  await allocate(payable!.id, '40.00');
  const released = await release(people.ben, await prepare([payable!]));
  expect(released.lines[0]!.amount).toMatch(/^60/);
  await allocate(payable!.id, '25.00');
  await allocate(payable!.id, '35.00');
  await as(people.cleo, (session) =>
    returnPayment(session, { id: released.id, version: released.version, place: 0, reason: 'Account closed' }),
  );
  const parts = await database.store.as(SYSTEM, (session) =>
    session.query<{ amount: string; isReversed: boolean; version: number; by: string | null }>(
      `select a.amount::float::text as amount, a.reversed_at is not null as "isReversed", p.version, p.metadata #>> '{changedBy,entity,id}' as by
       from allocations a join payments p on p.id = a.payment_id where a.document_id = $1 order by a.created_at`,
      [payable!.id],
    ),
  );
  expect(parts).toEqual([
    { amount: '40', isReversed: false, version: 1, by: null },
    { amount: '25', isReversed: true, version: 2, by: people.cleo.userId },
    { amount: '35', isReversed: true, version: 2, by: people.cleo.userId },
  ]);
  expect(Number((await payables()).find((one) => one.id === payable!.id)!.amount)).toBe(60);
});

describe('above the limit of the manager', () => {
  beforeAll(() => setLimit(from('1000')));
  afterAll(() => setLimit(NEVER));

  test('two people release a run, who are not who prepared it; below it one does', async () => {
    const { run: below } = await runOf('999.99');
    expect(await release(people.ben, below)).toMatchObject({ status: 'Released', firstReleased: null });
    const { run } = await runOf('1000.00');
    expect(run.needsTwo).toBe(true);
    expect(await as(people.ben, (session) => fileToRelease(session, run))).toBeNull();
    const first = await release(people.ben, run);
    expect(first).toMatchObject({ status: 'Prepared', firstReleased: by('ben'), file: null });
    await expect(release(people.ben, first)).rejects.toMatchObject(FORBIDDEN);
    await expect(release(people.ada, first)).rejects.toMatchObject(FORBIDDEN);
    const direct = as(people.ben, (session) =>
      session.query(`update payment_runs set status = 'Released', file = $2 where id = $1`, [
        run.id,
        JSON.stringify({ checksum: 'a'.repeat(64), size: 1 }),
      ]),
    );
    await expect(direct).rejects.toMatchObject(FORBIDDEN);
    expect(await release(people.cleo, first)).toMatchObject({ status: 'Released', released: by('cleo') });
  });

  test('a limit in another currency asks for two people always', async () => {
    await setLimit(from('1000', 'EUR'));
    const { run } = await runOf('1.00');
    expect(run.needsTwo).toBe(true);
    expect(await release(people.ben, run)).toMatchObject({ status: 'Prepared' });
    await setLimit(from('1000'));
  });
});

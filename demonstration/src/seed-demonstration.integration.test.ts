import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transaction } from '@tapeline/db/entities/lending.ts';
import { User } from '@tapeline/db/entities/people.ts';
import { listApprovals } from '@tapeline/db/operations/approvals/approvals.ts';
import { listContributions } from '@tapeline/db/operations/capital/contributions.ts';
import { selectionFigures, selectionReturns } from '@tapeline/db/operations/capital/figures.ts';
import { listPaymentRuns } from '@tapeline/db/operations/cash/payment-runs.ts';
import { listStatementFiles } from '@tapeline/db/operations/cash/statement-files.ts';
import { fundCommitmentsAt, investorCommitmentsAt } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { listEntities } from '@tapeline/db/operations/entities/entities.ts';
import { listCommitments, listFunds } from '@tapeline/db/operations/funds/funds.ts';
import { listMainFunds } from '@tapeline/db/operations/funds/main-funds.ts';
import { historyOf, listHistory } from '@tapeline/db/operations/history/history.ts';
import { loadActor } from '@tapeline/db/operations/identity/load-actor.ts';
import { noteStanding } from '@tapeline/db/operations/interest/note-standing.ts';
import { listExpiringRecords } from '@tapeline/db/operations/investors/expiring-records.ts';
import { listLPGroups } from '@tapeline/db/operations/investors/groups.ts';
import { listInvoices } from '@tapeline/db/operations/invoices/invoices.ts';
import { latestMappingOf, listMappings } from '@tapeline/db/operations/mappings/mappings.ts';
import { deliveriesOf } from '@tapeline/db/operations/outbox/deliveries.ts';
import { listRepayments } from '@tapeline/db/operations/repayments/repayments.ts';
import { listServiceProviders } from '@tapeline/db/operations/service-providers/service-providers.ts';
import { listTables, removeTable, titlesInUse, updateTable } from '@tapeline/db/operations/tables/tables.ts';
import { listTransactions, notesForTape } from '@tapeline/db/operations/transactions/transactions.ts';
import { createAdmin, seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { LIST_NAMES, tableUpdateSchema } from '@tapeline/domain/tables/table.schema.ts';
import { openFileStore } from '@tapeline/lake/storage/file-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeDemonstration, requireSecondPerson } from './changes.ts';
import { addDemonstrationDeliveries } from './deliveries.ts';
import { CREDIT_FUND, EUROPEAN_FUND } from './names.ts';
import { addDemonstrationPayments } from './payment-runs.ts';
import { seedDemonstration } from './seed-demonstration.ts';

/** Shortly after midnight, when most times of the day are still to come. */
const SEEDED_AT = new Date(Math.min(Date.now(), Date.parse(`${new Date().toISOString().slice(0, 10)}T00:10:00.000Z`)));

let database: TestDatabase;
/** The real times at which the seeding began and ended, for what the entities date themselves. */
const ran = { from: 0, to: 0 };
/** Which of two concurrent seed runs created the portfolio. */
let seeded: boolean[];
beforeAll(async () => {
  database = await createTestDatabase();
  ran.from = Date.now();
  const seed = () => database.store.as(SYSTEM, (session) => seedDemonstration({ ...session, now: SEEDED_AT }));
  seeded = await Promise.all([seed(), seed()]);
  ran.to = Date.now();
});
afterAll(() => database.close());

async function actorOf(email: string) {
  const user = await database.store.as(SYSTEM, ({ em }) => em.findOneOrFail(User, { email }));
  return (await loadActor(database.store, user.id))!;
}

test('Seeding twice, at once or again, makes one portfolio', async () => {
  expect(seeded.toSorted()).toEqual([false, true]);
  await database.store.as(SYSTEM, seedFoundations);
  const [counts] = await database.store.as(SYSTEM, ({ query }) =>
    query('select (select count(*)::int from roles) as roles, (select count(*)::int from permissions) as permissions'),
  );
  expect(counts).toEqual({ roles: 5, permissions: 42 });
});

test('Nothing has happened after the seeding', async () => {
  const tables = await database.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like '%migrations%'`,
  );
  const times = await database.query<{ name: string; time: string }>(
    tables
      .map(
        ({ name }) =>
          `select '${name}' as name, found[1] as time from ${name} as t,
             regexp_matches((to_jsonb(t) - 'recorded_at')::text, '"(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d[^"]*)"', 'g') as found`,
      )
      .join(' union all '),
  );
  expect(times.length).toBeGreaterThan(500);
  const toCome = times.filter(({ time }) => {
    const at = Date.parse(time);
    return at > SEEDED_AT.getTime() && (at < ran.from || at > ran.to);
  });
  expect(toCome).toEqual([]);
});

test('The manager finds its companies, their mappings and a facility with an Active contract in force', async () => {
  const manager = await actorOf('manager@tapeline.test');
  await database.store.as(manager, async (session) => {
    const companies = await listCompanies(session, { sort: '{"entity.name":1}' });
    expect(companies.documents.map((company) => company.name)).toEqual([
      'Alder Auto',
      'Keystone Dental Partners LLC',
      'Northwind Consumer Loans',
      'Severn Motor Finance Limited',
    ]);
    expect((await listMappings(session)).total).toBe(2);
    const northwind = companies.documents[2]!;
    expect(await latestMappingOf(session, northwind.id)).toMatchObject({ mappingVersion: 1 });
    const [facility] = (await listTransactions(session, { sort: '{"code":1}' })).documents;
    expect(facility).toMatchObject({ title: 'Northwind warehouse facility', status: 'Active' });
    const notes = await notesForTape(session, { companyId: northwind.id, cutOffDate: '2026-10-31' });
    expect(notes.map((note) => [note.noteTitle, note.contract?.status])).toEqual([['Senior', 'Active']]);
  });
});

test('The fund closed at its target, with every investor in by its last closing', async () => {
  const manager = await actorOf('manager@tapeline.test');
  await database.store.as(manager, async (session) => {
    const [listed] = (await listFunds(session)).documents;
    const { fund, commitments } = listed!;
    expect(fund).toMatchObject({ title: 'Harbour Private Credit I', targetSize: '125000000', hardCap: '150000000' });
    expect(commitments).toEqual({
      investors: 3,
      totals: [{ currency: 'USD', maxCommitment: '125000000', activeCommitment: '125000000' }],
    });
    const joined = (await listCommitments(session, { filter: { fund: fund.id } })).documents.map(
      (commitment) => commitment.closingDate,
    );
    expect([...new Set(joined.map((date) => date <= String(fund.closingDate)))]).toEqual([true]);
    // The fund lends no more than its investors have committed.
    const facilities = (await listTransactions(session, { sort: '{"code":1}' })).documents;
    expect(facilities.map(({ title, maxCommitments }) => [title, maxCommitments])).toEqual([
      ['Northwind warehouse facility', [{ sum: '65000000', currency: 'USD' }]],
      ['Severn motor receivables facility', [{ sum: '36000000', currency: 'GBP' }]],
      ['Keystone dental term loan', [{ sum: '12000000', currency: 'USD' }]],
      ['Alder Auto growth equity', [{ sum: '6000000', currency: 'USD' }]],
    ]);
    for (const { notes } of facilities) expect(notes[0]?.holdings?.[0]).toMatchObject({ fund: fund.id });
  });
});

test('An investor finds its own commitment alone', async () => {
  const investor = await actorOf('investor@tapeline.test');
  await database.store.as(investor, async (session) => {
    const own = (await listCommitments(session, { sort: { maxCommitment: 1 } })).documents;
    expect(own.map(({ maxCommitment, Class, percentage }) => [maxCommitment, Class, percentage])).toEqual([
      ['18000000', 'HCF2-A', '21.17647059'],
      ['60000000', 'A', '48.00000000'],
    ]);
    const funds = (await listFunds(session, { sort: { title: 1 } })).documents;
    expect(funds.map(({ fund }) => fund.title)).toEqual([CREDIT_FUND, 'Harbour Private Credit I']);
    // Its share is of all that is committed: 85 and 125 million.
    const today = session.now.toISOString().slice(0, 10);
    const shares = ['21.17647059', '48'];
    const inFunds = await investorCommitmentsAt(session, investor.lpIds[0]!, today);
    expect(inFunds.map(({ percentage }) => percentage)).toEqual(shares);
    const { commitments } = await fundCommitmentsAt(session, funds[0]!.fund.id, today);
    expect(commitments.map(({ percentage }) => percentage)).toEqual(shares.slice(0, 1));
    expect(Object.values(funds[0]!.fund.partyNames)).toContain('Harbour Credit GP II LLC');
  });
});

test('The manager has funds in two currencies, with closings, a transfer, and a main fund', async () => {
  const manager = await actorOf('manager@tapeline.test');
  await database.store.as(manager, async (session) => {
    const { documents } = await listFunds(session, { sort: { title: 1 } });
    expect(
      documents.map(({ fund, commitments }) => [
        fund.title,
        commitments.investors,
        commitments.totals.map(({ currency, activeCommitment }) => `${activeCommitment} ${currency}`),
      ]),
    ).toEqual([
      [CREDIT_FUND, 9, ['85000000 USD']],
      ['Harbour Credit Fund III', 6, ['65000000 USD']],
      [EUROPEAN_FUND, 4, ['30000000 EUR']],
      ['Harbour Private Credit I', 3, ['125000000 USD']],
    ]);
    const fund = documents[0]!.fund;
    const today = session.now.toISOString().slice(0, 10);
    const { commitments } = await fundCommitmentsAt(session, fund.id, today);
    const transferred = commitments.filter(({ deltas }) => deltas.some((delta) => 'transfer' in delta));
    expect(transferred.map(({ investorTitle, active }) => [investorTitle, active])).toEqual([
      ['Pennine Teachers Pension Scheme', '12000000'],
      ['St Bride Endowment', '11000000'],
    ]);
    const [main] = (await listMainFunds(session)).documents;
    expect(main?.members.map(({ title }) => title)).toEqual([CREDIT_FUND, 'Harbour Private Credit I']);
  });
});

test('The purposes of calls are in use, and their list stays', async () => {
  const manager = await actorOf('manager@tapeline.test');
  await database.store.as(
    manager,
    async (session) => {
      const [purposes] = (await listTables(session, { filter: { name: LIST_NAMES.callPurposes } })).documents;
      expect(await titlesInUse(session, purposes!)).toContain('management fee');
      const values = [...purposes!.values.map(({ title }) => title), 'Fund expenses'];
      const body = tableUpdateSchema.parse({ name: purposes!.name, values, version: purposes!.version });
      await updateTable(session, { id: purposes!.id, body });
      await expect(removeTable(session, purposes!.id)).rejects.toThrow('Retire its values instead');
    },
    { rollback: true },
  );
});

test('The second tenant sees nothing of the first', async () => {
  const stranger = await actorOf('manager2@tapeline.test');
  await database.store.as(stranger, async (session) => {
    expect((await listTransactions(session)).total).toBe(0);
    expect((await listMappings(session)).total).toBe(0);
    expect((await listCompanies(session)).documents.map((company) => company.name)).toEqual([
      'Fernhill Equipment Finance',
    ]);
  });
});

test('Every seeded account has the rights of its role', async () => {
  const rights = async (email: string) => (await actorOf(email)).permissions;
  expect(await rights('admin@tapeline.test')).toHaveLength(42);
  expect(await rights('manager@tapeline.test')).not.toContain('managers/write');
  expect((await rights('analyst@tapeline.test')).filter((key) => key.endsWith('/write'))).toEqual([
    'assets/write',
    'assets/ETL/write',
    'transactionDraw/write',
  ]);
  expect(await rights('borrower@tapeline.test')).toContain('assets/write');
  expect(await rights('borrower@tapeline.test')).not.toContain('funds/read');
  expect(await rights('investor@tapeline.test')).toEqual([
    'LPs/read',
    'LPs/commitments/read',
    'contributions/read',
    'distributions/read',
    'announcements/read',
    'funds/read',
  ]);
});

test('An admin account is made once, and never out of another kind of user', async () => {
  const make = (email: string) => database.store.as(SYSTEM, (session) => createAdmin(session, { email }));
  expect(await make('First@Example.com')).toBe(true);
  expect(await make('first@example.com')).toBe(false);
  await expect(make('manager@tapeline.test')).rejects.toThrow('already a user of another kind');
});

test('People of every type act for the organizations, some of them invited or disabled', async () => {
  const counted = await database.store.as(SYSTEM, ({ query }) =>
    query<{ type: string; statuses: string[]; people: number }>(
      `select type, array_agg(distinct status order by status) as statuses, count(*)::int as people
       from users where email not like '%@tapeline.test' and type <> 'admin' group by type order by type`,
    ),
  );
  expect(counted).toEqual([
    { type: 'LP', statuses: ['Active', 'Pending'], people: 7 },
    { type: 'LPGroup', statuses: ['Active', 'Pending'], people: 2 },
    { type: 'company', statuses: ['Active', 'Disabled', 'Pending'], people: 9 },
    { type: 'manager', statuses: ['Active', 'Disabled', 'Pending'], people: 12 },
  ]);
  const amina = await actorOf('amina.farouk@harbourcredit.test');
  expect(amina.permissions).toContain('repayments/write');
  expect(amina.permissions).not.toContain('distributions/read');
});

test('Base rates have two years of fixings, and facilities draws with repayments that paid the interest', async () => {
  const manager = await actorOf('manager@tapeline.test');
  await database.store.as(manager, async (session) => {
    const [rates] = (await listTables(session, { filter: { name: 'Base rates' } })).documents;
    expect(rates?.values).toHaveLength(210);
    const balances = async (title: string, asOf = '2026-10-31') => {
      const { managerId, notes } = await session.em.findOneOrFail(Transaction, { title });
      return noteStanding(session, { managerId, note: notes[0]!, asOf });
    };
    const northwind = await balances('Northwind warehouse facility');
    expect(northwind.position.balance).toEqual([{ sum: '22740000', currency: 'USD' }]);
    // The invoice to 1 October is paid, and with the repayments before it all interest to this day.
    const [accrued] = (await balances('Northwind warehouse facility', '2026-10-01')).interest ?? [];
    expect(Number(accrued?.accrued)).toBeGreaterThan(100_000);
    expect(Number(northwind.interest?.[0]?.paid)).toBe(Number(accrued?.accrued));
    const keystone = await balances('Keystone dental term loan');
    expect(keystone.position.balance).toEqual([{ sum: '8750000', currency: 'USD' }]);
    expect(Number(keystone.interest?.[0]?.paid)).toBeGreaterThan(400_000);
    expect((await listRepayments(session)).total).toBe(10);
    const { documents } = await listInvoices(session);
    expect(documents.map(({ number, status, noteTitle }) => [number, status, noteTitle])).toEqual([
      [3, 'Active', 'Senior'],
      [2, 'Active', 'Senior'],
      [1, 'Active', 'Term loan'],
      [1, 'Active', 'Senior'],
    ]);
    // Its invoice adds 1.5% of 8,750,000 for 61 days to the principal.
    const grown = await balances('Keystone dental term loan', '2026-11-30');
    expect(grown.position.balance).toEqual([{ sum: '8772239.58', currency: 'USD' }]);
    const [open, half, , paid] = documents;
    expect(Number(paid?.open)).toBe(0);
    expect(Number(half?.received)).toBeCloseTo(Number(half?.amount) / 2, 1);
    expect(Number(open?.open)).toBe(Number(open?.amount));
  });
});

// Last, because it changes the portfolio.
test('The history has changes of several weeks, each by who made it and after the creation of its document', async () => {
  await database.store.as(SYSTEM, changeDemonstration);
  const manager = await actorOf('manager@tapeline.test');
  const changes = await database.store.read(manager, async (session) => {
    const { documents } = await listHistory(session, {
      filter: { 'changedBy.name': 'Mara Holt', operation: 'Update' },
    });
    // Publishing an announcement counts its recipients, which is a change of it.
    return documents.filter(({ resource }) => resource !== 'announcements');
  });
  // Six changes, an increase at a later closing, two transfers of two commitments each, two funds that joined the main fund, the records of six investors, four invoices that were issued, and the parts of three investors of a call and a distribution that are netted.
  expect(changes).toHaveLength(29);
  expect(new Set(changes.map(({ resource }) => resource))).toEqual(
    new Set(['funds', 'entities', 'companies', 'LPCommitments', 'LPs', 'invoices', 'contributions', 'distributions']),
  );
  for (const change of changes) {
    expect(change.changedBy.entity).toEqual({ id: manager.userId, firstName: 'Mara', lastName: 'Holt' });
    expect(change.changedAt.getTime()).toBeLessThan(change.recordedAt.getTime());
    const { documents } = await database.store.read(manager, (session) =>
      historyOf(session, [{ resource: change.resource, ids: [change.documentId] }]),
    );
    expect(documents.at(-1)).toMatchObject({ operation: 'Insert' });
    expect(documents.at(-1)!.changedAt.getTime()).toBeLessThan(change.changedAt.getTime());
  }
});

test('A distribution and a write-off wait for a second person, and everything else is issued as before', async () => {
  const issued = () => database.query(`select count(*)::int as count from contributions where status = 'Active'`);
  const before = await issued();
  await database.store.as(SYSTEM, requireSecondPerson);
  expect(await issued()).toEqual(before);
  const waiting = async (email: string, kind: 'distribution' | 'writeOff' = 'distribution') => {
    const actor = await actorOf(email);
    const { approvals } = await database.store.read(actor, (session) =>
      listApprovals(session, { tab: 'mine', kind, skip: 0, limit: 50 }),
    );
    // In no order, which depends on the day of the month that the demonstration is loaded on.
    return approvals.map(({ number, secondPerson: by }) => [number, by?.isNeeded, by?.preparedBy].join(', ')).sort();
  };
  // Mara entered number 3, which is split by the waterfall, and number 2 of a closing: she can submit it, and Helen sees it from then on.
  expect(await waiting('manager@tapeline.test')).toEqual([
    // It is netted with a call, and both are below the limits.
    '2, false, Mara Holt',
    '2, true, Mara Holt',
    '3, true, Mara Holt',
    '6, true, Helen Marsh',
  ]);
  expect(await waiting('helen.marsh@harbourcredit.test')).toEqual(['2, false, Mara Holt']);
  expect(await waiting('manager@tapeline.test', 'writeOff')).toEqual([
    expect.stringMatching(/^[-\d]+, true, Helen Marsh$/),
  ]);
  expect(await waiting('helen.marsh@harbourcredit.test', 'writeOff')).toEqual([]);
});

test('A payment run waits for the first user, one was released and one withdrawn', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tapeline-runs-'));
  const objects = await openFileStore({ home, appSecret: 'a secret of sixteen', publicUrl: 'http://localhost' });
  await addDemonstrationPayments(database.store, objects);
  const manager = await actorOf('manager@tapeline.test');
  const { documents } = await database.store.as(manager, (session) => listPaymentRuns(session));
  expect(documents.map(({ status }) => status).sort()).toEqual(['Prepared', 'Released', 'Withdrawn']);
  const { approvals } = await database.store.read(manager, (session) =>
    listApprovals(session, { tab: 'mine', kind: 'paymentRun', skip: 0, limit: 50 }),
  );
  expect(approvals).toHaveLength(1);
  await objects.close();
  await rm(home, { recursive: true });
});

test('A bank has delivered a file that was refused, and a credit was given back', async () => {
  const home = await mkdtemp(join(tmpdir(), 'tapeline-deliveries-'));
  const objects = await openFileStore({ home, appSecret: 'a secret of sixteen', publicUrl: 'http://localhost' });
  await addDemonstrationDeliveries(database.store, objects);
  const manager = await actorOf('manager@tapeline.test');
  const { documents } = await database.store.as(manager, (session) => listStatementFiles(session));
  expect(documents.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['Refused', expect.stringContaining('Deliver CSV files to the folder of their bank account')],
  ]);
  const returned = await database.query(`select amount::text from allocations where obligation_kind = 'credit'`);
  expect(returned).toEqual([{ amount: '1000' }, { amount: '1000' }]);
  await objects.close();
  await rm(home, { recursive: true });
});

test('Investors and borrowers have asked for other accounts', async () => {
  const rows = await database.query(`select status from account_requests order by status`);
  expect(rows).toEqual([{ status: 'Declined' }, { status: 'Requested' }]);
});

test('Announcements show emails with their results, one that was not delivered, and a withdrawal', async () => {
  const rows = await database.query<{ id: string; title: string; status: string }>(
    `select id, title, status from announcements order by title`,
  );
  expect(rows.map(({ title, status }) => [title, status])).toEqual([
    ['Annual meeting on 12 March', 'Active'],
    ['New subscription account', 'Removed'],
  ]);
  const manager = await actorOf('manager@tapeline.test');
  for (const { id, status } of rows) {
    const { rows: emails, failed } = await database.store.as(manager, (session) =>
      deliveriesOf(session, 'announcements', [id]),
    );
    expect(failed).toBe(status === 'Removed' ? 2 : 1);
    expect(emails.filter((email) => email.status === 'Sent').length).toBeGreaterThan(0);
    expect(emails.some(({ kind }) => kind === 'noticeWithdrawn')).toBe(status === 'Removed');
    expect(new Set(emails.map((email) => email.status))).toEqual(new Set(['Failed', 'Sent']));
  }
});

test('The records of investors are in every state', async () => {
  const rows = await database.store.as(SYSTEM, ({ query }) =>
    query<{ status: string; payouts: { confirmedBy: object | null }[]; title: string }>(
      'select title, kyc_status as status, payout_accounts as payouts from lps',
    ),
  );
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['notStarted', 'inReview', 'passed', 'refused']));
  const confirmed = rows.flatMap(({ payouts }) => payouts.map(({ confirmedBy }) => confirmedBy !== null));
  expect([confirmed.includes(true), confirmed.includes(false)]).toEqual([true, true]);
  const { records, expired, total } = await database.store.as(await actorOf('manager@tapeline.test'), (session) =>
    listExpiringRecords(session, { limit: 10 }),
  );
  expect(records.map(({ title, expiries }) => [title, expiries[0]?.what])).toEqual([
    ['Kestrel Insurance plc', 'KYC'],
    ['Rheinblick Versorgungswerk', 'W-8BEN-E'],
  ]);
  expect([expired, total]).toEqual([1, 2]);
});

test('Organizations have believable details, in their own tenants', async () => {
  const manager = await actorOf('manager@tapeline.test');
  await database.store.as(manager, async (session) => {
    const groups = (await listLPGroups(session, { sort: { title: 1 } })).documents;
    expect(groups.map(({ title, investors }) => [title, investors])).toEqual([
      ['Charitable endowments', 1],
      ['Northern pension schemes', 2],
      ['Rheinblick', 2],
    ]);
    expect((await listServiceProviders(session)).total).toBe(6);
    expect((await listEntities(session, { category: 'Investor' })).total).toBe(6);
  });
  const [counts] = await database.query<{ managers: number; entities: number; domains: number }>(
    `select (select count(*)::int from managers) as managers, (select count(*)::int from entities) as entities,
       (select count(*)::int from entities where category <> '[]' and contacts = '[]') as domains`,
  );
  expect(counts).toMatchObject({ managers: 4, domains: 0 });
  expect(counts!.entities).toBeGreaterThan(40);
});

test('The funds have called, distributed and been valued, and every figure is known', async () => {
  const manager = await actorOf('manager@tapeline.test');
  await database.store.as(manager, async (session) => {
    const figures = await selectionFigures(session, { currency: 'USD' });
    expect(figures.nav).not.toBeNull();
    expect(Number(figures.tvpi)).toBeGreaterThan(1);
    const { net, gross } = await selectionReturns(session, { currency: 'USD' });
    expect(net.rate).toBeGreaterThan(0.02);
    expect(net.rate).toBeLessThan(0.15);
    expect(Number(gross.rate)).toBeGreaterThan(Number(net.rate));
    const { documents } = await listContributions(session, { filter: { 'fund.title': CREDIT_FUND }, limit: 500 });
    const statuses = new Set(documents.map(({ status }) => status));
    expect([...statuses].sort()).toEqual(['Active', 'Draft', 'Upcoming']);
    for (const { unfunded } of documents) expect(unfunded.after).not.toMatch(/^-/);
  });
});

test('A draft distribution is split by the waterfall of each investor’s terms', async () => {
  const parts = await database.query<{ total: string; carry: string; traced: boolean }>(
    `select (d.principal + (d.components -> 0 ->> 'amount')::numeric + (d.components -> 1 ->> 'amount')::numeric)::text as total,
       d.components -> 2 ->> 'amount' as carry, d.basis -> 0 ? 'waterfall' as traced
     from distributions d join funds f on f.id = d.fund_id
     where f.title = 'Harbour European Credit Fund' and d.call_number = '3'`,
  );
  expect(parts.length).toBe(4);
  expect(sum(parts.map(({ total }) => total))).toBe('21500000');
  expect([...new Set(parts.map(({ carry, traced }) => traced && Number(carry) > 0))]).toEqual([true]);
});

import { readEnvironment } from '@tapeline/db/environment.ts';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { readNotesOverview } from '@tapeline/db/operations/monitoring/note-overview.ts';
import { listLimitRooms } from '@tapeline/db/operations/monitoring/room-in-limits.ts';
import { listLatestTapesWithErrors, listTapesByCompany } from '@tapeline/db/operations/monitoring/tapes-by-company.ts';
import { listTapesDue } from '@tapeline/db/operations/monitoring/tapes-due.ts';
import { searchDocuments } from '@tapeline/db/operations/search/search.ts';
import { listTapes } from '@tapeline/db/operations/tapes/tapes.ts';
import { listContracts } from '@tapeline/db/operations/transactions/contracts.ts';
import { listNoteUtilization } from '@tapeline/db/operations/transactions/note-utilization.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import { openStore, type Session, SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { addBorrowers } from '@tapeline/db/testing/many-documents.ts';
import { makeTenant } from '@tapeline/db/testing/tenants.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import pg from 'pg';
import { openProduct } from '../measuring/product.ts';
import { median, numberOption, percentile95, printLoad, say } from '../measuring/rounds.ts';

// What the documents of all other tenants cost a tenant: the same reads by the same tenant, first alone in the database
// and then among the others.

const tenants = numberOption('tenants', 100);
const facilities = numberOption('facilities', 100);
const rounds = numberOption('rounds', 15);
const PAGE = { skip: 20, limit: 50 };

async function readOverview(session: Session): Promise<void> {
  await readNotesOverview(session, { withBases: true, ...PAGE, exceptions: 50 });
  await listTapesByCompany(session, { limit: 50 });
  await listLatestTapesWithErrors(session, { limit: 50 });
  await listTapesDue(session, { limit: 50 });
  await listLimitRooms(session, { limit: 50 });
}

/** What screens and calls of lending read, each in a transaction of its own. */
const READS: Readonly<Record<string, (session: Session, actor: UserActor) => Promise<unknown>>> = {
  'companies, sorted': (session) => listCompanies(session, { ...PAGE, sort: { 'entity.name': 1 } }),
  'transactions, filtered': (session) => listTransactions(session, { ...PAGE, filter: { type: 'AssetBackedLending' } }),
  'loan tapes': (session) => listTapes(session, { ...PAGE, sort: { cutOffDate: -1 } }),
  contracts: (session) => listContracts(session, PAGE),
  draws: (session) => listDraws(session, PAGE),
  utilization: (session) => listNoteUtilization(session, PAGE, { withBases: true }),
  'overview of lending': readOverview,
};

const product = await openProduct({ extent: 'database' });
const client = new pg.Client({ connectionString: product.superuserUrl });
// A server that is stopped reports it here; the next query throws.
client.on('error', () => {});
await client.connect();

async function addTenants(from: number, to: number): Promise<string[]> {
  const managers: string[] = [];
  for (let tenant = from; tenant < to; tenant += 1) {
    managers.push(
      await store.as(SYSTEM, async (session) => {
        const { managerId, companies } = await makeTenant(session);
        const numbers = { from: tenant * facilities + 1, count: facilities };
        await addBorrowers(session, { like: companies[0]!.id, ...numbers });
        return managerId;
      }),
    );
  }
  await client.query('vacuum analyze');
  return managers;
}

type Times = Map<string, number[]>;

async function readAll(actor: UserActor): Promise<Times> {
  const times: Times = new Map([...Object.keys(READS), 'search'].map((name) => [name, []]));
  for (let round = -3; round < rounds; round += 1) {
    const timed = async (name: string, work: () => Promise<unknown>) => {
      const started = performance.now();
      await work();
      if (round >= 0) times.get(name)!.push(performance.now() - started);
    };
    for (const [name, read] of Object.entries(READS)) {
      await timed(name, () => store.as(actor, (session) => read(session, actor)));
    }
    await timed('search', () =>
      store.read(actor, (session) => searchDocuments({ ...session, actor }, `borrower 000${10 + (round % 50)}`)),
    );
  }
  return times;
}

const store = await openStore({ ...readEnvironment(product.environment), databasePoolSize: 2 });
try {
  const [managerId = ''] = await addTenants(0, 1);
  const actor = testActor({ type: 'manager', managerId });
  printLoad();
  const alone = await readAll(actor);
  const started = performance.now();
  await addTenants(1, tenants);
  const seconds = (performance.now() - started) / 1000;
  const among = await readAll(actor);
  const [size] = (
    await client.query<{ size: string }>('select pg_size_pretty(pg_database_size(current_database())) as size')
  ).rows;
  say(
    `${tenants} tenants, ${(tenants * facilities).toLocaleString('en')} facilities with as many contracts, tapes, borrowing bases and draws: ${size?.size}; added in ${seconds.toFixed(0)} s`,
  );
  for (const [name, times] of among) {
    const before = alone.get(name)!;
    say(
      `${name.padEnd(24)} alone ${median(before).toFixed(1).padStart(6)} ms   among others ${median(times).toFixed(1).padStart(6)} ms   p95 ${percentile95(times).toFixed(1).padStart(6)} ms   ${(median(times) / median(before)).toFixed(2)}`,
    );
  }
  // An admin's overview is over every tenant: it grows with all of them.
  const ofAll: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const asked = performance.now();
    await store.as(testActor({ type: 'admin' }), readOverview);
    if (round >= 0) ofAll.push(performance.now() - asked);
  }
  say(`an admin's overview of lending, over all tenants: ${median(ofAll).toFixed(0)} ms`);
  printLoad();
  const all = (times: Times) => [...times.values()].reduce((sum, each) => sum + median(each), 0);
  say(
    `ratio tenants ${(all(among) / all(alone)).toFixed(2)} (reads of a tenant of ${facilities} facilities among ${tenants} against the same reads of it alone)`,
  );
} finally {
  await store.close();
  await client.end();
  await product.close();
}

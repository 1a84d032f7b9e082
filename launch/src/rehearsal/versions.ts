import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabase } from '@tapeline/db/check-database.ts';
import { migrate } from '@tapeline/db/migrate.ts';
import { callCapital } from '@tapeline/db/operations/capital/contributions.ts';
import { distribute } from '@tapeline/db/operations/capital/distributions.ts';
import { createCommitment } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { createFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { addLPs } from '@tapeline/db/operations/investors/investors.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { openStore, type Session, type Store, SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { seedFirstPortfolio } from '@tapeline/demonstration/portfolios.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { lpCreateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { compare, sum } from '@tapeline/domain/money/decimal.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { claimAnyPort } from '../ports/ports.ts';
import type { PostgresBinaries } from '../postgres/binaries.ts';
import { asSuperuser, type Cluster, connectionUrl, prepareCluster } from '../postgres/cluster.ts';
import { installedPostgres, installPostgres } from '../postgres/other-binaries.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import { describeSchema, expectSameLines } from './database.ts';
import { ensure, type Steps } from './steps.ts';

/** The newest release of each supported version that the registry has. Version 18 is that of the dependencies. */
const RELEASES = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17'];
const MINE = 18;
const INVESTORS = 200;
const MEASURED_INVESTORS = 5;
const TURNS = 3;
const ROUNDS = 10;
/** With the compiler in use, the same takes 10 to 30 times longer. */
const MAX_RATIO = 1.5;
const PASSWORD = 'only for a rehearsal';
export const INSTALL_ONE = 'Install the package of your distribution.';

interface Version {
  name: string;
  /** Null: those of the dependencies. */
  programs: PostgresBinaries | null;
}

/** What must be the same with every version. */
interface Outcome {
  schema: string[];
  figures: string;
}

/**
 * Tries every supported version of PostgreSQL with the defaults of a distribution: migrates, compares the schema, has a
 * fund call and distribute capital, and compares the time of an insert with the just-in-time compiler on and off.
 */
export async function tryVersions(folder: string, steps: Steps, say: (line: string) => void): Promise<void> {
  const versions: Version[] = [{ name: `${MINE}, as installed with the program`, programs: null }];
  for (const release of RELEASES) {
    const programs = await steps.step(`get PostgreSQL ${release}`, () => installPostgres(release, process.env, say));
    versions.push({ name: release.replace(/-.*/, ''), programs });
  }
  const installed = installedPostgres();
  for (const [major, programs] of installed) versions.push({ name: `${major} of the distribution`, programs });
  let expected: Outcome | null = null;
  let measured = 0;
  for (const { name, programs } of versions) {
    await steps.attempt(`PostgreSQL ${name}: migrations, a fund of ${INVESTORS} investors`, () =>
      withCluster(folder, programs, async (cluster) => {
        const { outcome, store, actor } = await useDatabase(cluster, steps);
        try {
          expected ??= outcome;
          expectSameLines(expected.schema, outcome.schema, `the schema differs from that of version ${MINE}`);
          ensure(outcome.figures === expected.figures, `the figures differ: ${outcome.figures}`);
          steps.note(`${outcome.schema.length} parts of the schema; figures ${outcome.figures}`);
          if (await compareCompiler(cluster, store, actor, steps)) measured += 1;
        } finally {
          await store.close();
        }
      }),
    );
  }
  if (measured === 0) say(`skipped: the just-in-time compiler, which no PostgreSQL here has. ${INSTALL_ONE}`);
}

/** An owner may also MAINTAIN its tables, which is a right of its own (`m`) from version 17. */
const withoutMaintain = (line: string): string =>
  line.startsWith('rights ') ? line.replace('=arwdDxtm/', '=arwdDxt/') : line;

export async function withCluster(
  folder: string,
  programs: PostgresBinaries | null,
  work: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  const claim = await claimAnyPort();
  const cluster: Cluster = {
    dataFolder: join(folder, 'data'),
    port: claim.port,
    superuserPassword: PASSWORD,
    throwAway: true,
    ...(programs && { programs }),
  };
  const supervisor = createSupervisor({
    runFolder: join(folder, '..', 'run'),
    logFolder: join(folder, '..', 'logs'),
    say: () => {},
  });
  try {
    await supervisor.start([await prepareCluster(cluster, () => {})]);
    await work(cluster);
  } finally {
    await supervisor.stop();
    claim.release();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Creates the roles of the guide and an empty database. @returns the version of the server */
export const createDatabase = (cluster: Cluster): Promise<string> =>
  asSuperuser(cluster, 'postgres', async (client) => {
    for (const role of ['tapeline_owner', 'tapeline_app']) {
      await client.query(`create role ${role} login password '${PASSWORD}'`);
    }
    await client.query('create database tapeline owner tapeline_owner');
    const { rows } = await client.query<{ version: string }>('select version()');
    return rows[0]!.version;
  });

/** The addresses of its database for the program and for the owner of the tables. */
export function addressesOf({ port }: Cluster): { databaseUrl: string; databaseAdminUrl: string } {
  const urlOf = (user: string) => connectionUrl({ user, password: PASSWORD, port, database: 'tapeline' });
  return { databaseUrl: urlOf('tapeline_app'), databaseAdminUrl: urlOf('tapeline_owner') };
}

/** Prepares the database as the guide says, and uses it. */
async function useDatabase(cluster: Cluster, steps: Steps): Promise<{ outcome: Outcome; store: Store; actor: Actor }> {
  steps.note(await createDatabase(cluster));
  const { databaseUrl, databaseAdminUrl } = addressesOf(cluster);
  await migrate(databaseAdminUrl);
  const { problems } = await checkDatabase({ databaseUrl, databaseAdminUrl });
  ensure(problems.length === 0, problems.join('\n'));
  const store = await openStore({ databaseUrl, databasePoolSize: 2 });
  try {
    const actor = await store.as(SYSTEM, async (session) => {
      await seedFoundations(session);
      const emailOf = (person: string) => `${person}@example.test`;
      const { managerId } = await seedFirstPortfolio(session, {
        managerName: 'Harbour',
        emails: {
          manager: emailOf('manager'),
          analyst: emailOf('analyst'),
          borrower: emailOf('borrower'),
          investor: emailOf('investor'),
        },
      });
      return testActor({ type: 'manager', managerId });
    });
    const figures = await store.as(actor, callAndDistribute);
    return { outcome: { schema: (await describeSchema(cluster)).map(withoutMaintain), figures }, store, actor };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const investors = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => {
    const title = `${name} ${index + 1}`;
    return lpCreateSchema.parse({ title, entity: { name: title, formalId: title, nationality: { country: 'US' } } });
  });

/** A fund whose investors commit different sums. @returns the sums and a digest of every part */
export async function callAndDistribute(session: Session, title = 'Versions Fund'): Promise<string> {
  const usd = (amount: number) => ({ sum: amount, currency: 'USD' });
  const committed = Array.from({ length: INVESTORS }, (_, index) => 100_000 + 1_000 * index + 0.01 * index);
  const terms = { type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 50_000_000, hardCap: 60_000_000 };
  const { fund } = await createFund(session, fundCreateSchema.parse({ title, ...terms }));
  for (const [index, investor] of (await addLPs(session, investors(INVESTORS, `Investor of ${title}`))).entries()) {
    await createCommitment(
      session,
      commitmentCreateSchema.parse({
        fund: fund.id,
        investor: { id: investor!.id, kind: 'LP' },
        closingDate: '2025-01-31',
        maxCommitment: Number(committed[index]!.toFixed(2)),
      }),
    );
  }
  const called = await callCapital(
    session,
    contributionCreateSchema.parse({
      fund: fund.id,
      cutOffDate: '2025-03-03',
      dueDate: '2025-03-17',
      callNumber: '1',
      amount: usd(10_000_000.07),
      callPurposes: [{ title: 'Investments', kind: 'investments', amount: 10_000_000.07 }],
      status: 'Active',
    }),
  );
  const paid = await distribute(session, [
    distributionCreateSchema.parse({
      fund: fund.id,
      cutOffDate: '2025-06-30',
      callNumber: '1',
      distributionKind: 'Interest and Principal',
      principal: usd(1_000_000.03),
      components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(500_000.01) }],
      pdfOptions: { recallableDistribution: true },
      status: 'Active',
    }),
  ]);
  await session.query('set constraints all immediate');
  const total = sum(called.map(({ amount }) => amount));
  ensure(called.length === INVESTORS && paid.length === INVESTORS, `${called.length} and ${paid.length} parts`);
  ensure(compare(total, '10000000.07') === 0, `${total} is called`);
  const returned = sum(paid.flatMap(({ principal }) => principal ?? []));
  ensure(compare(returned, '1000000.03') === 0, `${returned} of principal is returned`);
  const parts = [
    ...called.map(({ amount, unfunded }) => [amount, unfunded]),
    ...paid.map(({ principal, totals }) => [principal, totals]),
  ];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
  return `${total} called, ${returned} of principal returned, digest ${digest}`;
}

/**
 * Compares the insert of investors with the compiler on and off in the server's configuration: every connection turns it
 * off for itself. @returns false if this server has no compiler
 */
async function compareCompiler(cluster: Cluster, store: Store, actor: Actor, steps: Steps): Promise<boolean> {
  const isThere = await asSuperuser(cluster, 'tapeline', async (client) => {
    await client.query('set jit = on');
    const { rows } = await client.query<{ there: boolean }>('select pg_jit_available() as there');
    return rows[0]!.there;
  });
  if (!isThere) return false;
  const insertMs = async (isForced: boolean): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < (isForced ? 1 : ROUNDS); round += 1) {
      await store.as(
        actor,
        async (session) => {
          if (isForced) await session.query('set local jit = on');
          const startedAt = performance.now();
          await addLPs(session, investors(MEASURED_INVESTORS, 'Measured'));
          times.push(performance.now() - startedAt);
        },
        { rollback: true },
      );
    }
    return Math.min(...times);
  };
  const configured = async (jit: 'on' | 'off') => {
    await asSuperuser(cluster, 'tapeline', async (client) => {
      await client.query(`alter system set jit = ${jit}`);
      await client.query('select pg_reload_conf()');
    });
    return insertMs(false);
  };
  // With large tables, the estimated cost of a policy alone is above the usual limit.
  await asSuperuser(cluster, 'tapeline', (client) => client.query('alter system set jit_above_cost = 0'));
  let [off, on] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // By turns, so that other work of the machine slows both.
  for (let turn = 0; turn < TURNS; turn += 1) {
    off = Math.min(off, await configured('off'));
    on = Math.min(on, await configured('on'));
  }
  const forced = await insertMs(true);
  const ratio = on / off;
  steps.note(
    `${MEASURED_INVESTORS} investors: ${off.toFixed(0)} ms with jit=off in the server, ${on.toFixed(0)} ms with jit=on (ratio ${ratio.toFixed(2)}), ${forced.toFixed(0)} ms if the connection used it`,
  );
  ensure(forced > MAX_RATIO * off, 'the compiler makes no difference here, so this shows nothing');
  ensure(ratio < MAX_RATIO, `the compiler makes inserts ${ratio.toFixed(1)} times slower`);
  return true;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { checkDatabase } from '@tapeline/db/check-database.ts';
import { migrate } from '@tapeline/db/migrate.ts';
import { FOLDED } from '@tapeline/db/migrations/version.ts';
import { openStore } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import pg, { escapeIdentifier } from 'pg';
import { asSuperuser, type Cluster } from '../postgres/cluster.ts';
import { installedPostgres } from '../postgres/other-binaries.ts';
import { describeSchema, expectSameLines } from './database.ts';
import { copyByDump } from './dump.ts';
import { ensure, type Steps } from './steps.ts';
import { addressesOf, callAndDistribute, createDatabase, INSTALL_ONE, withCluster } from './versions.ts';

const FOLDER = fileURLToPath(new URL('./old-databases/', import.meta.url));

/**
 * A database with the demonstration of its time, that the commit of `FOLDED` migrated. `pg_dump` of PostgreSQL
 * 15 wrote it (`--no-owner --inserts`).
 */
interface OldDatabase {
  /** The commit that made it. */
  readonly commit: string;
  readonly date: string;
  /** A query of today's tables, and what it must tell. */
  readonly figures: readonly (readonly [query: string, answer: string])[];
}

const sumOf = (column: string, table: string) => `select round(sum(${column}), 2) || ' of ' || count(*) from ${table}`;
const COMMITTED = sumOf('max_commitment', 'lp_commitments');
const CALLED = sumOf('amount', 'contributions');
const PAID = sumOf('total_distributed', 'distributions');

const TRANSFERRED = sumOf(`(delta ->> 'amount')::numeric`, 'lp_commitments, jsonb_array_elements(deltas) as delta');

const OLD_DATABASES: readonly OldDatabase[] = [
  { commit: '8dd73e0b', date: '2026-11-22', figures: [[COMMITTED, '155000000.00 of 4']] },
  {
    commit: 'ea4c8639',
    date: '2026-11-23',
    figures: [
      [COMMITTED, '273000000.00 of 17'],
      [CALLED, '147650000.00 of 104'],
      [PAID, '16635000.00 of 56'],
      [TRANSFERRED, '5500000.00 of 4'],
    ],
  },
  {
    commit: '1ca2f178',
    date: '2026-11-26',
    figures: [
      [COMMITTED, '273000000.00 of 17'],
      [CALLED, '147650000.00 of 104'],
      [PAID, '19225000.00 of 65'],
      [TRANSFERRED, '5500000.00 of 4'],
    ],
  },
];

/** A database as an early commit left it, which only the commit of `FOLDED` can migrate. */
const TOO_OLD = { file: '8dd73e0b', migrations: 16 };

/** Fills an empty database with what `pg_dump` wrote. @param url of the owner of the database */
export async function loadDump(url: string, file: string): Promise<void> {
  const dump = brotliDecompressSync(readFileSync(join(FOLDER, `${file}.sql.br`))).toString();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(dump);
  } finally {
    await client.end();
  }
}

/**
 * Upgrades databases from before the baseline as the guide says: migrates, and compares the whole schema with that of a new
 * database. What their columns hold stays, their sums are exact, and they are used. Then each is copied to another server with
 * pg_dump. One that has only some of the migrations of before is refused, and stays as it is.
 */
export async function upgradeOldDatabases(folder: string, steps: Steps, say: (line: string) => void): Promise<void> {
  // That of the distribution, which has pg_dump.
  const programs = [...installedPostgres().values()].at(-1) ?? null;
  if (programs === null) say(`skipped: copies by pg_dump, which no PostgreSQL here has. ${INSTALL_ONE}`);
  let fresh: readonly string[] = [];
  await steps.step('the schema of a new database', () =>
    withCluster(folder, programs, async (cluster) => {
      await createDatabase(cluster);
      await migrate(addressesOf(cluster).databaseAdminUrl);
      fresh = await describeSchema(cluster);
    }),
  );
  for (const old of OLD_DATABASES) {
    const { commit, date } = old;
    await steps.attempt(`a database of ${commit} (${date}) from before the baseline is upgraded, and used`, () =>
      withCluster(folder, programs, async (cluster) => {
        const actor = await upgrade(cluster, steps, old, fresh);
        if (programs) await copyByDump(cluster, programs, { folder, actor, steps });
      }),
    );
  }
  await steps.attempt(`a database with ${TOO_OLD.migrations} of the migrations of before is refused`, () =>
    withCluster(folder, programs, refuse),
  );
}

const queryIn =
  (cluster: Cluster): Query =>
  (sql) =>
    asSuperuser(cluster, 'tapeline', async (client) => (await client.query(sql)).rows as never);

async function refuse(cluster: Cluster): Promise<void> {
  await createDatabase(cluster);
  const { databaseUrl, databaseAdminUrl } = addressesOf(cluster);
  await loadDump(databaseAdminUrl, TOO_OLD.file);
  const before = [await describeSchema(cluster), await digestColumns(queryIn(cluster))];
  const wanted = `it has ${TOO_OLD.migrations} of the ${FOLDED.count} migrations that were folded`;
  for (const repair of [false, true]) {
    const said = await migrate(databaseAdminUrl, { repair }).then(
      () => 'nothing was refused',
      (error: Error) => error.message,
    );
    ensure(said.includes(wanted) && said.includes(`commit ${FOLDED.commit} first`), said);
  }
  const { problems } = await checkDatabase({ databaseUrl, databaseAdminUrl });
  ensure(
    problems.some((problem) => problem.includes(wanted)),
    problems.join('\n'),
  );
  ensure(
    isDeepStrictEqual([await describeSchema(cluster), await digestColumns(queryIn(cluster))], before),
    'the database that was refused has changed',
  );
}

/** @returns a user of a manager in the database */
async function upgrade(
  cluster: Cluster,
  steps: Steps,
  { commit, figures }: OldDatabase,
  fresh: readonly string[],
): Promise<Actor> {
  await createDatabase(cluster);
  const { databaseUrl, databaseAdminUrl } = addressesOf(cluster);
  await loadDump(databaseAdminUrl, `${commit}-${FOLDED.last}`);
  const query = queryIn(cluster);
  const before = await digestColumns(query);
  const { ran } = await migrate(databaseAdminUrl);
  const { ran: again } = await migrate(databaseAdminUrl);
  ensure(again.length === 0, `a second migration ran ${again.join(', ')}`);
  const { problems } = await checkDatabase({ databaseUrl, databaseAdminUrl });
  ensure(problems.length === 0, problems.join('\n'));
  expectSameLines(fresh, await describeSchema(cluster), 'the upgraded schema differs from a new one');

  const after = await digestColumns(query);
  const changed = [...before].filter(([column, digest]) => after.get(column) !== digest).map(([column]) => column);
  ensure(changed.length === 0, `the contents changed of ${changed.join(', ')}`);
  for (const [select, answer] of figures) {
    const [found] = await query<{ answer: string }>(`select (${select})::text as answer`);
    ensure(found?.answer === answer, `${select}: ${found?.answer} instead of ${answer}`);
  }
  steps.note(`${ran.length} migrations after the baseline; ${before.size} columns with values hold the same`);
  const [manager] = await query<{ id: string }>('select min(id::text) as id from managers');
  const actor = testActor({ type: 'manager', managerId: manager!.id });
  const store = await openStore({ databaseUrl, databasePoolSize: 2 });
  try {
    steps.note(await store.as(actor, (session) => callAndDistribute(session)));
  } finally {
    await store.close();
  }
  return actor;
}

type Query = <Row>(sql: string) => Promise<Row[]>;

/**
 * What later migrations add to rows that exist, left out of the digests: who issues calls now reads, writes and releases
 * payments.
 */
const WITHOUT_LATER: { readonly [table: string]: { readonly [column: string]: string } } = {
  roles: {
    permissions: `array(select key from unnest(permissions) with ordinality as one (key, place)
      where key not like 'payments/%' order by place)`,
    version: `version - ('payments/read' = any (permissions))::integer`,
  },
};
const WITHOUT_LATER_ROWS: { readonly [table: string]: string } = {
  history: `not (resource = 'roles' and operation = 'Update' and updated_fields @? '$[*].new[*] ? (@ == "payments/read")')`,
};

/** A digest of all values of each column that has any and is not computed, by "table.column". */
export async function digestColumns(query: Query): Promise<Map<string, string>> {
  const columns = await query<{ table: string; column: string }>(
    `select table_name as "table", column_name as "column" from information_schema.columns join information_schema.tables
       using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'mikro_orm%' and is_generated = 'NEVER'
     order by 1, 2`,
  );
  const digests = new Map<string, string>();
  for (const { table, column } of columns) {
    const name = WITHOUT_LATER[table]?.[column] ?? escapeIdentifier(column);
    const rows = WITHOUT_LATER_ROWS[table] ?? 'true';
    const [row] = await query<{ digest: string | null }>(
      `select md5(string_agg((${name})::text, E'\\n' order by (${name})::text)) as digest from ${escapeIdentifier(table)} where (${name}) is not null and ${rows}`,
    );
    if (row?.digest) digests.set(`${table}.${column}`, row.digest);
  }
  return digests;
}

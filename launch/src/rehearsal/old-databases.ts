import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { checkDatabase } from '@tapeline/db/check-database.ts';
import { migrate, OtherSchema } from '@tapeline/db/migrate.ts';
import { openStore } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { escapeIdentifier } from 'pg';
import { asSuperuser, type Cluster, superuserUrl } from '../postgres/cluster.ts';
import { installedPostgres } from '../postgres/other-binaries.ts';
import { describeSchema, expectSameLines } from './database.ts';
import { copyByDump } from './dump.ts';
import { ensure, type Steps } from './steps.ts';
import { addressesOf, callAndDistribute, createDatabase, INSTALL_ONE, withCluster } from './versions.ts';

const FOLDER = fileURLToPath(new URL('./old-databases/', import.meta.url));

/** A database of an earlier commit with the demonstration of its time, as pg_dump of PostgreSQL 15 wrote it. */
interface OldDatabase {
  readonly commit: string;
  readonly date: string;
  readonly migrations: number;
  /** A query of today's tables, and what it must tell. */
  readonly figures: readonly (readonly [query: string, answer: string])[];
}

const sumOf = (column: string, table: string) => `select round(sum(${column}), 2) || ' of ' || count(*) from ${table}`;
const COMMITTED = sumOf('max_commitment', 'lp_commitments');
const CALLED = sumOf('amount', 'contributions');
const PAID = sumOf('total_distributed', 'distributions');

const TRANSFERRED = sumOf(`(delta ->> 'amount')::numeric`, 'lp_commitments, jsonb_array_elements(deltas) as delta');

const OLD_DATABASES: readonly OldDatabase[] = [
  { commit: '8dd73e0b', date: '2026-11-22', migrations: 16, figures: [[COMMITTED, '155000000.00 of 4']] },
  {
    commit: 'ea4c8639',
    date: '2026-11-23',
    migrations: 38,
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
    migrations: 64,
    figures: [
      [COMMITTED, '273000000.00 of 17'],
      [CALLED, '147650000.00 of 104'],
      [PAID, '19225000.00 of 65'],
      [TRANSFERRED, '5500000.00 of 4'],
    ],
  },
];

/** What migrations change on purpose: "table.column". */
const CHANGED = new Set([
  // 97-transfers-without-names and 105-transfers-in-history take the names of other investors from them.
  'lp_commitments.deltas',
  'history.updated_fields',
  // 120-capital-activities takes what lines shared from them: their header says it.
  'contributions.metadata',
  'distributions.metadata',
  // 121-holding-class-of-before stores the class of their shares.
  'contributions.holding_class',
  'distributions.holding_class',
  // 120-capital-activities also puts calls and distributions into the index of the search again, in which one of the databases had none.
  ...['company_id', 'document_id', 'fund_id', 'issued', 'kind', 'line', 'lp_id', 'manager_id', 'word'].map(
    (name) => `search_words.${name}`,
  ),
  // 122-documents-of-before counts and names again what earlier migrations did not see.
  ...['id', 'collection', 'manager_id', 'status', 'count'].map((name) => `document_counts.${name}`),
  'users.organization',
  'users.role_title',
  'funds.party_names',
]);

/**
 * Upgrades databases of earlier commits as the guide says: migrates, repairs where the migration asks for it, and compares
 * the whole schema with that of a new database. What their columns hold stays, their sums are exact, and they are used. Then
 * each is copied to another server with pg_dump.
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
    const { commit, date, migrations } = old;
    await steps.attempt(`a database of ${commit} (${date}, ${migrations} migrations) is upgraded, and used`, () =>
      withCluster(folder, programs, async (cluster) => {
        const actor = await upgrade(cluster, steps, old, fresh);
        if (programs) await copyByDump(cluster, programs, { folder, actor, steps });
      }),
    );
  }
}

/** @returns a user of a manager in the database */
async function upgrade(
  cluster: Cluster,
  steps: Steps,
  { commit, migrations, figures }: OldDatabase,
  fresh: readonly string[],
): Promise<Actor> {
  await createDatabase(cluster);
  const dump = brotliDecompressSync(readFileSync(join(FOLDER, `${commit}.sql.br`))).toString();
  // Checks of that time do not find their functions with an empty search path.
  const input = dump.replace(
    /^SELECT pg_catalog\.set_config\('search_path', '', false\);$/m,
    'SET search_path = public;',
  );
  execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', superuserUrl(cluster, 'tapeline')], {
    input,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const before = await digestColumns(cluster);
  const { databaseUrl, databaseAdminUrl } = addressesOf(cluster);
  const asked = await migrate(databaseAdminUrl).then(
    ({ ran }) => ({ ran, repaired: [] as readonly string[] }),
    (error) => {
      if (!(error instanceof OtherSchema)) throw error;
      return migrate(databaseAdminUrl, { repair: true });
    },
  );
  const { ran: again } = await migrate(databaseAdminUrl);
  ensure(again.length === 0, `a second migration ran ${again.join(', ')}`);
  const { problems } = await checkDatabase({ databaseUrl, databaseAdminUrl });
  ensure(problems.length === 0, problems.join('\n'));
  expectSameLines(fresh, await describeSchema(cluster), 'the upgraded schema differs from a new one');

  const after = await digestColumns(cluster);
  const kept = [...before].filter(([column]) => after.has(column) && !CHANGED.has(column));
  const changed = kept.filter(([column, digest]) => after.get(column) !== digest).map(([column]) => column);
  ensure(changed.length === 0, `the contents changed of ${changed.join(', ')}`);
  for (const [query, answer] of figures) {
    const found = await asSuperuser(cluster, 'tapeline', async (client) => {
      const { rows } = await client.query<{ answer: string }>(`select (${query})::text as answer`);
      return rows[0]?.answer;
    });
    ensure(found === answer, `${query}: ${found} instead of ${answer}`);
  }
  steps.note(
    `${migrations} migrations, ${asked.repaired.length} repairs and ${asked.ran.length} more; ${kept.length} of ${before.size} columns with values hold the same`,
  );
  const managerId = await asSuperuser(cluster, 'tapeline', async (client) => {
    const { rows } = await client.query<{ id: string }>('select min(id::text) as id from managers');
    return rows[0]!.id;
  });
  const actor = testActor({ type: 'manager', managerId });
  const store = await openStore({ databaseUrl, databasePoolSize: 2 });
  try {
    steps.note(await store.as(actor, (session) => callAndDistribute(session)));
  } finally {
    await store.close();
  }
  return actor;
}

/** A digest of all values of each column that has any and is not computed, by "table.column". */
function digestColumns(cluster: Cluster): Promise<Map<string, string>> {
  return asSuperuser(cluster, 'tapeline', async (client) => {
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `select table_name as "table", column_name as "column" from information_schema.columns join information_schema.tables
         using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'mikro_orm%' and is_generated = 'NEVER'
       order by 1, 2`,
    );
    const digests = new Map<string, string>();
    for (const { table, column } of columns) {
      const name = escapeIdentifier(column);
      const { rows } = await client.query<{ digest: string | null }>(
        `select md5(string_agg(${name}::text, E'\\n' order by ${name}::text)) as digest from ${escapeIdentifier(table)} where ${name} is not null`,
      );
      const digest = rows[0]?.digest;
      if (digest) digests.set(`${table}.${column}`, digest);
    }
    return digests;
  });
}

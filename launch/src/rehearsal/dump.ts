import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { checkDatabase } from '@tapeline/db/check-database.ts';
import { openStore } from '@tapeline/db/store.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import type { PostgresBinaries } from '../postgres/binaries.ts';
import { asSuperuser, type Cluster, superuserUrl } from '../postgres/cluster.ts';
import { countRows, describeSchema, expectSameLines } from './database.ts';
import { ensure, type Steps } from './steps.ts';
import { addressesOf, callAndDistribute, createDatabase, withCluster } from './versions.ts';

/**
 * Copies a database with pg_dump to another server, which has only the roles and the empty database of the guide, and uses
 * it there as the application: schema, rights and rows are the same, and the copy reads and writes as the original did.
 * @param programs those of a distribution, which has pg_dump and pg_restore
 * @param actor a user of a manager in the database
 */
export async function copyByDump(
  cluster: Cluster,
  programs: PostgresBinaries,
  { folder, actor, steps }: { folder: string; actor: Actor; steps: Steps },
): Promise<void> {
  const program = (name: string) => join(dirname(programs.postgres), name);
  const dump = execFileSync(program('pg_dump'), ['--format=custom', superuserUrl(cluster, 'tapeline')], {
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [schema, rows] = [await describeSchema(cluster), await countRows(cluster)];
  await withCluster(`${folder}-elsewhere`, programs, async (elsewhere) => {
    await createDatabase(elsewhere);
    const restoring = ['--exit-on-error', '--single-transaction', '--dbname', superuserUrl(elsewhere, 'tapeline')];
    execFileSync(program('pg_restore'), restoring, { input: dump, stdio: ['pipe', 'ignore', 'pipe'] });
    expectSameLines(schema, await describeSchema(elsewhere), 'the schema of the copy differs');
    const copied = await countRows(elsewhere);
    const differing = [...rows].filter(([table, count]) => copied.get(table) !== count).map(([table]) => table);
    ensure(differing.length === 0, `the copy has other rows in ${differing.join(', ')}`);
    const { databaseUrl, databaseAdminUrl } = addressesOf(elsewhere);
    const { problems } = await checkDatabase({ databaseUrl, databaseAdminUrl });
    ensure(problems.length === 0, problems.join('\n'));
    await expectRowSecurity(elsewhere);
    const store = await openStore({ databaseUrl, databasePoolSize: 2 });
    try {
      const figures = await store.as(actor, (session) => callAndDistribute(session, 'Fund of the copy'));
      steps.note(`a copy by pg_dump of ${(dump.length / 1e6).toFixed(1)} MB, used elsewhere: ${figures}`);
    } finally {
      await store.close();
    }
  });
}

/** The application's role, without a user, sees no row of a manager. */
async function expectRowSecurity(cluster: Cluster): Promise<void> {
  const count = await asSuperuser(cluster, 'tapeline', async (client) => {
    await client.query('set role tapeline_app');
    const { rows } = await client.query<{ count: string }>('select count(*) from funds');
    return Number(rows[0]!.count);
  });
  ensure(count === 0, `the application's role sees ${count} funds of the copy without a user`);
}

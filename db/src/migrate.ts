import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { ENTITIES } from './entities/index.ts';
import { MIGRATIONS } from './migrations/index.ts';

// Any two processes that migrate at once must take turns; the number only has to be ours.
const MIGRATION_LOCK = 7_241_904;

/**
 * Brings the database up to date, as the owner of its tables. Safe to run from several processes at once.
 * @param adminUrl a role that may create tables, domains, policies and (once) the program's role
 * @returns the names of the migrations that ran
 */
export async function migrate(adminUrl: string): Promise<string[]> {
  const orm = new MikroORM({
    clientUrl: adminUrl,
    entities: [...ENTITIES],
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, transactional: true, allOrNothing: true },
    pool: { min: 0, max: 2 },
    logger: () => undefined,
  });
  try {
    return await orm.em.transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
      const ran = await orm.migrator.up();
      return ran.map((migration) => migration.name);
    });
  } finally {
    await orm.close();
  }
}

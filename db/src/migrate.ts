import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { ENTITIES } from './entities/index.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { APP_ROLE } from './migrations/tenant-table.ts';
import { compareMigrations, versionProblem } from './migrations/version.ts';

// Processes that migrate at the same time must take turns. The number only has to be unique to us.
const MIGRATION_LOCK = 7_241_904;

/**
 * Migrates the database to the latest version, as the owner of its tables. Safe to run from several processes at once.
 * @param adminUrl a role that can create tables, domains, policies and (once) the program's role
 * @param options.to stops after this migration
 * @returns the names of the migrations that ran
 * @throws if the tables are those of a later version
 */
export async function migrate(adminUrl: string, options: { to?: string } = {}): Promise<string[]> {
  const orm = new MikroORM({
    clientUrl: adminUrl,
    entities: [...ENTITIES],
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, transactional: true, allOrNothing: true },
    pool: { min: 0, max: 2 },
    ensureDatabase: false,
    // The ORM itself reads neither sslmode nor any other parameter of the address.
    driverOptions: { connectionString: adminUrl },
    logger: () => undefined,
  });
  try {
    return await orm.em.transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
      const [table] = await em.execute<{ exists: boolean }[]>(
        `select to_regclass('mikro_orm_migrations') is not null as exists`,
      );
      const before = table?.exists ? await em.execute<{ name: string }[]>('select name from mikro_orm_migrations') : [];
      const { later } = compareMigrations(before.map(({ name }) => name));
      if (later.length > 0) throw new Error(versionProblem({ missing: [], later }) ?? '');
      const ran = await orm.migrator.up(options);
      // A starting program compares them with its own.
      await em.execute(`grant select on mikro_orm_migrations to ${APP_ROLE}`);
      return ran.map((migration) => migration.name);
    });
  } finally {
    await orm.close();
  }
}

import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { CompiledQuery } from 'kysely';
import { ENTITIES } from './entities/index.ts';
import { BASELINE, MIGRATIONS } from './migrations/index.ts';
import { APP_ROLE } from './migrations/tenant-table.ts';
import { checksumOf, compareMigrations, type RanMigration, recognize, versionProblem } from './migrations/version.ts';
import { compareSchemas, describeDifference, type SchemaDifference } from './schema/compare-schemas.ts';
import type { Execute } from './schema/describe-schema.ts';
import { describeBoth } from './schema/fresh-schema.ts';
import { repairSchema } from './schema/repair-schema.ts';
import { CannotStart } from './start-up.ts';

// Processes that migrate at the same time must take turns. The number only has to be unique to us.
const MIGRATION_LOCK = 7_241_904;

export interface Migrated {
  readonly ran: string[];
  /** What was repaired, each in a few words. */
  readonly repaired: string[];
}

/** The tables are not those that the migrations make. */
export class OtherSchema extends CannotStart {}

const MAX_NAMED = 10;

/** A line for each of the first of them. */
const listed = (differences: readonly SchemaDifference[]): string =>
  differences.length === 0
    ? ''
    : `\n- ${firstFew(differences.map(describeDifference), { most: MAX_NAMED, separator: '\n- ' })}`;

/** What differs between the tables of a database and those that its migrations make; null if nothing does. */
export function schemaProblem(differences: readonly SchemaDifference[]): string | null {
  if (differences.length === 0) return null;
  return `The tables are not those that the migrations make:${listed(differences)}\nBack up the database, then run \`npm run migrate -- --repair\`.`;
}

/** The migrations that a database has run, as it stores them; null if it has no tables. */
export async function storedMigrations(execute: Execute): Promise<RanMigration[] | null> {
  const [table] = await execute<{ exists: boolean }>(
    `select to_regclass('mikro_orm_migrations') is not null as exists`,
  );
  if (!table?.exists) return null;
  // Early versions stored no checksums.
  return execute<RanMigration>(
    `select name, to_jsonb(m) ->> 'checksum' as checksum from mikro_orm_migrations m order by id`,
  );
}

/**
 * Migrates the database to the latest version, as the owner of its tables, and compares its tables with those of a fresh
 * database. Safe to run from several processes at once. Everything happens in one transaction: if it fails, nothing
 * has changed.
 * @param adminUrl a role that can create tables, schemas, domains, policies and (once) the program's role
 * @param options.to stops after this migration
 * @param options.repair first makes the tables what the migrations that ran make today
 * @throws OtherSchema if the tables are those of a later version, or not those that the migrations make
 */
export async function migrate(adminUrl: string, options: { to?: string; repair?: boolean } = {}): Promise<Migrated> {
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
      const execute: Execute = (sql, values = []) =>
        em
          .getKysely<unknown>()
          .executeQuery(CompiledQuery.raw(sql, [...values]))
          .then(({ rows }) => rows as never);
      await execute('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      const stored = await storedMigrations(execute);
      const difference = compareMigrations(stored ?? []);
      const problem = versionProblem({
        ...difference,
        missing: [],
        changed: options.repair ? [] : difference.changed,
      });
      if (problem) throw new OtherSchema(problem);
      const before = await recordBaseline(execute, stored ?? []);
      const repaired = options.repair && stored ? await repair(execute, before) : [];
      const up = () =>
        orm.migrator.up({
          transaction: em.getTransactionContext(),
          ...(options.to === undefined ? {} : { to: options.to }),
        });
      const ran = await upOrWhatDiffers(execute, before, up);
      // A starting program compares them with its own.
      await execute(`grant select on mikro_orm_migrations to ${APP_ROLE}`);
      await execute('alter table mikro_orm_migrations add column if not exists checksum text');
      const now = (await storedMigrations(execute)) ?? [];
      const { expected, found } = await describeBoth(
        execute,
        now.map(({ name }) => name),
      );
      const differing = schemaProblem(compareSchemas(expected, found));
      if (differing) throw new OtherSchema(differing);
      for (const migration of MIGRATIONS) {
        await execute(
          'update mikro_orm_migrations set checksum = $2 where name = $1 and checksum is distinct from $2',
          [migration.name, checksumOf(migration)],
        );
      }
      return { ran: ran.map((migration) => migration.name), repaired };
    });
  } finally {
    await orm.close();
  }
}

/**
 * Records the baseline in place of the migrations that were folded into it. At the end, the tables are compared with it.
 * @returns the names of the migrations that ran
 */
async function recordBaseline(execute: Execute, stored: readonly RanMigration[]): Promise<string[]> {
  const names = stored.map(({ name }) => name);
  const ran = recognize(names);
  const folded = names.filter((name) => !ran.includes(name));
  if (folded.length > 0) {
    await execute('delete from mikro_orm_migrations where name = any ($1)', [folded]);
    for (const { name } of BASELINE) await execute('insert into mikro_orm_migrations (name) values ($1)', [name]);
  }
  return ran;
}

/**
 * Runs migrations. One that fails was most often written for tables that earlier migrations make today, and not as they
 * were made here.
 * @throws OtherSchema with what differs, if that is so; otherwise the error of the migration
 */
async function upOrWhatDiffers<T>(execute: Execute, before: readonly string[], up: () => Promise<T>): Promise<T> {
  await execute('savepoint before_migrations');
  try {
    return await up();
  } catch (error) {
    await execute('rollback to savepoint before_migrations');
    const { expected, found } = await describeBoth(execute, before);
    const differing = schemaProblem(compareSchemas(expected, found));
    throw differing ? new OtherSchema(differing, { cause: error }) : error;
  }
}

/** @throws OtherSchema if something can't be repaired without losing data */
async function repair(execute: Execute, before: readonly string[]): Promise<string[]> {
  const { repaired, left } = await repairSchema(execute, before);
  if (left.length > 0) {
    throw new OtherSchema(
      `The tables can't be repaired, and nothing was changed:${listed(left)}\nIf something of your own is named here, or calls a function that is, remove it, repair, and make it again. Otherwise move the data: make a backup with the version that made this database, and restore it into an empty one.`,
    );
  }
  return repaired.map(describeDifference);
}

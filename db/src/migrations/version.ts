import { createHash } from 'node:crypto';
import { MIGRATIONS } from './index.ts';

/** A migration that a database has run. */
export interface RanMigration {
  readonly name: string;
  /** Of what it did, see `checksumOf`; null if it ran before checksums were kept. */
  readonly checksum: string | null;
}

/** How the migrations that a database has run differ from those of this version. */
export interface VersionDifference {
  readonly missing: readonly string[];
  /** Those of a later version, or of one before 01-foundations. */
  readonly later: readonly string[];
  /** Those that did something else when they ran. */
  readonly changed: readonly string[];
}

/** The SQL statements of a migration. */
export function statementsOf({ class: Migration }: (typeof MIGRATIONS)[number]): string[] {
  const migration = new Migration(null as never, null as never);
  migration.up();
  return migration.getQueries().map(String);
}

/** Migrations that had another name when some databases ran them. `npm run migrate -- --repair` renames them, and brings their tables up to date. */
export const RENAMED: Readonly<Record<string, string>> = { '44-live-notifications': '44-communication' };

const checksums = new Map<string, string>();

/** Identifies what a migration does: the first 16 hexadecimal digits of the SHA-256 of its statements. */
export function checksumOf(migration: (typeof MIGRATIONS)[number]): string {
  let checksum = checksums.get(migration.name);
  if (checksum === undefined) {
    checksum = createHash('sha256').update(statementsOf(migration).join('\n')).digest('hex').slice(0, 16);
    checksums.set(migration.name, checksum);
  }
  return checksum;
}

export function compareMigrations(ran: readonly RanMigration[]): VersionDifference {
  const known = new Map(MIGRATIONS.map((migration) => [migration.name, migration]));
  const names = new Set(ran.map(({ name }) => name));
  const isChanged = ({ name, checksum }: RanMigration) => {
    const migration = known.get(name);
    return migration !== undefined && checksum !== null && checksum !== checksumOf(migration);
  };
  return {
    missing: [...known.keys()].filter((name) => !names.has(name)),
    later: [...names].filter((name) => !known.has(name) && !(name in RENAMED)),
    changed: ran.filter((one) => one.name in RENAMED || isChanged(one)).map(({ name }) => name),
  };
}

export const NO_TABLES = 'The database has no tables yet. Run `npm run migrate`.';

/** What to do about the difference, in one sentence; null if there is none. */
export function versionProblem({ missing, later, changed }: VersionDifference): string | null {
  const early = later.find((name) => /^00\d-/.test(name));
  if (early !== undefined) {
    return `The database was made by an early version of Tapeline (${early}) that can't be upgraded. Move its data: export it with that version, and import it into an empty database.`;
  }
  if (later.length > 0) {
    return `The database was migrated by a later version of Tapeline (${later[0]}). Run that version, or restore a backup of this one.`;
  }
  if (changed.length > 0) {
    return `The migration ${changed[0]} did something else when this database ran it. Run \`npm run migrate -- --repair\`.`;
  }
  if (missing.length === 0) return null;
  const count = missing.length === 1 ? 'migration is' : 'migrations are';
  return `${missing.length} ${count} missing, from ${missing[0]}. Run \`npm run migrate\`.`;
}

import { createHash } from 'node:crypto';
import { BASELINE, MIGRATIONS } from './index.ts';

/** A migration that a database has run. */
export interface RanMigration {
  readonly name: string;
  /** Of what it did, see `checksumOf`; null if it ran before checksums were kept. */
  readonly checksum: string | null;
}

/**
 * The migrations that were folded into the baseline: how many there were, the last of them, and a commit that has them. What
 * they had made is what the baseline makes, so a database or a backup with all of them has what the baseline has.
 */
export const FOLDED = {
  count: 82,
  last: '124-grids-of-collections',
  commit: '81b465fc',
} as const;

/** How the migrations that a database has run differ from those of this version. */
export interface VersionDifference {
  readonly missing: readonly string[];
  /** Those that were folded into the baseline, if not all of them ran: only a version that has them can run the others. */
  readonly folded: readonly string[];
  /** Those of a later version. */
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

const KNOWN = new Map(MIGRATIONS.map((migration) => [migration.name, migration]));

/** Folded migrations have numbers up to the last one's, and names that no migration of today has. */
const isFolded = (name: string): boolean =>
  !KNOWN.has(name) && Number.parseInt(name, 10) <= Number.parseInt(FOLDED.last, 10);

/** The names of what ran, with the baseline in place of the migrations that were folded into it, if all of these ran. */
export function recognize(stored: readonly string[]): string[] {
  const folded = stored.filter(isFolded);
  if (folded.length !== FOLDED.count || !folded.includes(FOLDED.last)) return [...stored];
  return [...BASELINE.map(({ name }) => name), ...stored.filter((name) => !folded.includes(name))];
}

export function compareMigrations(stored: readonly RanMigration[]): VersionDifference {
  const ran = recognize(stored.map(({ name }) => name));
  const isChanged = ({ name, checksum }: RanMigration) => {
    const migration = KNOWN.get(name);
    return migration !== undefined && checksum !== null && checksum !== checksumOf(migration);
  };
  return {
    missing: [...KNOWN.keys()].filter((name) => !ran.includes(name)),
    folded: ran.filter(isFolded),
    later: ran.filter((name) => !KNOWN.has(name) && !isFolded(name)),
    changed: stored.filter(isChanged).map(({ name }) => name),
  };
}

export const NO_TABLES = 'The database has no tables yet. Run `npm run migrate`.';

/** Why a database or a backup with only some of the folded migrations is refused, and what to do. */
export const beforeBaseline = (what: 'database' | 'backup', { length }: readonly string[]): string =>
  `The ${what} was made by an earlier version of Tapeline: it has ${length} of the ${FOLDED.count} migrations that were folded into the baseline. Nothing was changed. ${
    what === 'database' ? 'Run `npm run migrate` of' : 'Restore it with'
  } commit ${FOLDED.commit} first, which has all of them, as "From before the baseline" in docs/operating/production.md says.`;

/** What to do about the difference, in a few sentences; null if there is none. */
export function versionProblem({ missing, folded, later, changed }: VersionDifference): string | null {
  if (later.length > 0) {
    return `The database was migrated by a later version of Tapeline (${later[0]}). Run that version, or restore a backup of this one.`;
  }
  if (folded.length > 0) return beforeBaseline('database', folded);
  if (changed.length > 0) {
    return `The migration ${changed[0]} did something else when this database ran it. Run \`npm run migrate -- --repair\`.`;
  }
  if (missing.length === 0) return null;
  const count = missing.length === 1 ? 'migration is' : 'migrations are';
  return `${missing.length} ${count} missing, from ${missing[0]}. Run \`npm run migrate\`.`;
}

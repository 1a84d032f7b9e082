import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The code in a sign-in email: six digits on a separate line. Null if there is none. */
export function codeOfMail(mail: string): string | null {
  return /^(\d{6})\r?$/m.exec(mail)?.[1] ?? null;
}

/** File names of the emails to an address, oldest first. Names start with the time of sending. */
export async function mailsTo(mailFolder: string, email: string): Promise<string[]> {
  const names = await readdir(mailFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name.endsWith(`-${email}.eml`)).sort();
}

/** The newest code among the emails to an address that are not in `before`. Null if there is none yet. */
export async function newestCode(
  mailFolder: string,
  email: string,
  before: ReadonlySet<string>,
): Promise<string | null> {
  for (const name of (await mailsTo(mailFolder, email)).reverse()) {
    if (before.has(name)) continue;
    const code = codeOfMail(await readFile(join(mailFolder, name), 'utf8'));
    if (code) return code;
  }
  return null;
}

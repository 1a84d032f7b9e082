import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import PostalMime from 'postal-mime';
import { inject } from 'vitest';

const MAIL_WITHIN_MS = 60_000;
// Well within the ten minutes of an access token: no test but that of the session itself comes to the refresh cookie.
const KEPT_FOR_MS = 5 * 60_000;

/** A cookie as a browser gives it and takes it back. */
export interface KeptCookie {
  name: string;
  value: string;
  domain: string;
  path: string;
  expires: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Lax' | 'Strict' | 'None';
}

/** The names of the mails to an address; ask before a mail is provoked, so that the next one is known as new. */
export async function mailsTo(email: string): Promise<string[]> {
  const names = await readdir(inject('mailFolder')).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith(`-${email}.eml`)).sort();
}

/** The code of the mail that came to the address since; waits for it. */
export async function codeOfNewMail(email: string, before: readonly string[]): Promise<string> {
  const deadline = Date.now() + MAIL_WITHIN_MS;
  while (Date.now() < deadline) {
    const fresh = (await mailsTo(email)).filter((name) => !before.includes(name)).at(-1);
    if (fresh) {
      const mail = await PostalMime.parse(await readFile(join(inject('mailFolder'), fresh)));
      const code = /^(\d{6})$/m.exec(mail.text ?? '')?.[1];
      if (code) return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail with a code came for ${email}`);
}

/** Where the sign-ins of one product under test are kept for all test files: an account may ask for few codes. */
function keptAt(email: string): string {
  const product = createHash('sha256')
    .update(`${inject('productUrl')} ${inject('mailFolder')}`)
    .digest('hex')
    .slice(0, 12);
  return join(tmpdir(), `tapeline-browser-${product}`, `${email}.json`);
}

/** The cookies of a sign-in that an earlier test made; null where there is none that still lasts. */
export async function keptSignIn(email: string): Promise<KeptCookie[] | null> {
  const age = await stat(keptAt(email)).then(
    (entry) => Date.now() - entry.mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  return age < KEPT_FOR_MS ? (JSON.parse(await readFile(keptAt(email), 'utf8')) as KeptCookie[]) : null;
}

/** Keeps the cookies of a sign-in for the tests after this one; none of them may sign it out. */
export async function keepSignIn(email: string, cookies: readonly KeptCookie[]): Promise<void> {
  await mkdir(dirname(keptAt(email)), { recursive: true });
  await writeFile(keptAt(email), JSON.stringify(cookies), { mode: 0o600 });
}

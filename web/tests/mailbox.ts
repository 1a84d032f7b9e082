import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { inject, vi } from 'vitest';

const MAIL_WITHIN_MS = 60_000;

/**
 * File names of the emails to an address. Call this before triggering an email, so that the new one can be identified.
 */
export async function mailsTo(email: string): Promise<string[]> {
  const names = await readdir(inject('mailFolder')).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith(`-${email}.eml`)).sort();
}

/** Waits for a new email to the address and returns what the pattern finds in its text. */
function findInNewMail(email: string, before: readonly string[], pattern: RegExp): Promise<string> {
  return vi.waitFor(
    async () => {
      // Another email may come at the same time, for example about a late tape.
      const fresh = (await mailsTo(email)).filter((name) => !before.includes(name)).reverse();
      for (const name of fresh) {
        const mail = await PostalMime.parse(await readFile(join(inject('mailFolder'), name)));
        const found = pattern.exec(mail.text ?? '')?.[1];
        if (found !== undefined) return found;
      }
      throw new Error(`none of ${fresh.length} new mails to ${email} has ${pattern}`);
    },
    { timeout: MAIL_WITHIN_MS, interval: 50 },
  );
}

/** Waits for a new email to the address and returns its code. */
export const codeOfNewMail = (email: string, before: readonly string[]) => findInNewMail(email, before, /^(\d{6})$/m);

/** Waits for a new email to the address and returns its link. */
export const linkOfNewMail = (email: string, before: readonly string[]) =>
  findInNewMail(email, before, /^(https?:\/\/\S+)$/m);

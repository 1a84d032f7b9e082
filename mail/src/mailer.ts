import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mails } from '@tapeline/telemetry/metrics.ts';
import { inDetail } from '@tapeline/telemetry/traces.ts';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import { openMailServer } from './mail-server.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. Line breaks are kept. */
  readonly text: string;
  /** The same as HTML. */
  readonly html?: string;
  /** Makes the mail recognizable if it is sent again after an interruption: the same id and time each time. */
  readonly identity?: { readonly messageId: string; readonly at: Date };
}

export interface Mailer {
  /** Whether emails reach anyone: false only in production without SMTP_URL. */
  readonly delivers: boolean;
  /** Sends the mail. Outside production, also writes it to the mail folder. Throws if sending or writing fails. */
  send(mail: Mail): Promise<void>;
  /** Throws if the mail server cannot be reached, and sends nothing. */
  probe(): Promise<void>;
}

/** The part of the program's environment that sending needs. */
export interface MailSettings {
  readonly home: string;
  readonly nodeEnv: 'development' | 'production' | 'test';
  readonly smtpUrl: string | null;
  /** The sender of every email: "Tapeline <no-reply@example.com>". */
  readonly mailFrom: string;
}

/** Names to try for two different mails to one address within the same millisecond. */
const MAX_COLLISIONS = 1000;

/** The folder where mails are kept outside production. */
export const mailFolder = (settings: Pick<MailSettings, 'home'>): string => join(settings.home, 'mail');

/**
 * "2026-11-02T09-14-31.123Z-ann@example.com.eml": sorts by time, and contains only characters allowed in file names.
 */
export function mailFileName(at: Date, to: string): string {
  const address = to.replaceAll(/[^A-Za-z0-9@._+-]/g, '_').slice(0, 120);
  return `${at.toISOString().replaceAll(':', '-')}-${address}.eml`;
}

const envelope = ({ identity, ...mail }: Mail, from: string) => ({
  from,
  ...mail,
  ...(identity ? { messageId: identity.messageId, date: identity.at } : {}),
});

async function compose(mail: Mail, from: string): Promise<Buffer> {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const composed = await composer.sendMail(envelope(mail, from));
  return composed.message as Buffer;
}

/** Writes the mail to the folder. One that is already there, recognized by its id, is not written twice. */
async function keep(folder: string, mail: Mail, from: string, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { identity } = mail;
  const at = identity?.at ?? now;
  // Readers of the folder must never see a partially written mail.
  const part = join(folder, `${mailFileName(at, mail.to)}.${crypto.randomUUID()}.part`);
  await writeFile(part, await compose(mail, from));
  if (!identity) return rename(part, join(folder, mailFileName(at, mail.to)));
  try {
    for (let later = 0; later < MAX_COLLISIONS; later++) {
      const path = join(folder, mailFileName(new Date(at.getTime() + later), mail.to));
      try {
        return await link(part, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        if ((await readFile(path, 'utf8')).includes(identity.messageId)) return;
      }
    }
    throw new Error(`the mail folder has ${MAX_COLLISIONS} mails of one moment`);
  } finally {
    await rm(part, { force: true });
  }
}

/** Whether the error comes from the mail server or the way to it, and not from the mail itself. */
export const isMailFault = (error: unknown): boolean =>
  /^E[A-Z]+$/.test((error as { code?: string }).code ?? '') ||
  (error as { responseCode?: number }).responseCode !== undefined;

/** Whether the mail server refused this mail or its recipient for good (a 5xx reply), so that trying again is useless. */
export function isRejectedForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500;
}

export function createMailer(settings: MailSettings, log: Logger, now: () => Date = () => new Date()): Mailer {
  const smtp = settings.smtpUrl ? openMailServer(settings.smtpUrl) : null;
  const keepsFiles = settings.nodeEnv !== 'production';
  const from = settings.mailFrom;
  return {
    delivers: keepsFiles || smtp !== null,
    async probe() {
      await smtp?.verify();
    },
    async send(mail) {
      try {
        if (keepsFiles) await keep(mailFolder(settings), mail, from, now());
        if (smtp) await inDetail('send email', { kind: 'client' }, () => smtp.sendMail(envelope(mail, from)));
        else if (!keepsFiles) {
          log.error('SMTP_URL is not set: an email was not sent');
          mails.add(1, { outcome: 'failed' });
          return;
        }
      } catch (error) {
        mails.add(1, { outcome: 'failed' });
        throw error;
      }
      mails.add(1, { outcome: 'sent' });
    },
  };
}

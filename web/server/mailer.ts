import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '@tapeline/db/environment.ts';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. Line breaks are kept. */
  readonly text: string;
}

export interface Mailer {
  /** Sends the mail. Outside production, also writes it to the mail folder. Throws if sending or writing fails. */
  send(mail: Mail): Promise<void>;
}

const SENDER = 'Tapeline <no-reply@tapeline.test>';

/** The folder where mails are kept outside production. */
export const mailFolder = (environment: Pick<Environment, 'home'>): string => join(environment.home, 'mail');

/**
 * "2026-11-02T09-14-31.123Z-ann@example.com.eml": sorts by time, and contains only characters allowed in file names.
 */
export function mailFileName(at: Date, to: string): string {
  const address = to.replaceAll(/[^A-Za-z0-9@._+-]/g, '_').slice(0, 120);
  return `${at.toISOString().replaceAll(':', '-')}-${address}.eml`;
}

async function compose(mail: Mail): Promise<Buffer> {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const composed = await composer.sendMail({ from: SENDER, ...mail });
  return composed.message as Buffer;
}

export function createMailer(
  environment: Pick<Environment, 'home' | 'nodeEnv' | 'smtpUrl'>,
  log: Logger,
  now: () => Date = () => new Date(),
): Mailer {
  const smtp = environment.smtpUrl ? createTransport(environment.smtpUrl) : null;
  const keepsFiles = environment.nodeEnv !== 'production';
  return {
    async send(mail) {
      if (keepsFiles) {
        const folder = mailFolder(environment);
        await mkdir(folder, { recursive: true });
        const path = join(folder, mailFileName(now(), mail.to));
        // Readers of the folder must never see a partially written mail.
        await writeFile(`${path}.part`, await compose(mail));
        await rename(`${path}.part`, path);
      }
      if (smtp) await smtp.sendMail({ from: SENDER, ...mail });
      else if (!keepsFiles)
        log.error({ to: mail.to, subject: mail.subject }, 'SMTP_URL is not set: the email was not sent');
    },
  };
}

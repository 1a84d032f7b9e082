import { createTransport } from 'nodemailer';

/** A mail server that does not answer within these times counts as failed. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
const TIMEOUTS_OF_A_CHECK = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

const THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Whether STARTTLS is required. Otherwise a password would cross the network unencrypted if the server, or somebody on the
 * way to it, does not offer encryption. `?ignoreTLS=true` at the end of the address allows that.
 */
export function requiresTls(smtpUrl: string): boolean {
  const { hostname, password, searchParams } = new URL(smtpUrl);
  return password !== '' && !THIS_MACHINE.test(hostname) && !searchParams.has('ignoreTLS');
}

/** The way to a mail server. @param smtpUrl as SMTP_URL */
export const openMailServer = (smtpUrl: string, timeouts = TIMEOUTS) =>
  createTransport({ url: smtpUrl, ...(requiresTls(smtpUrl) ? { requireTLS: true } : {}), ...timeouts });

/** Connects to the mail server and signs in, and sends nothing. @throws what the server or the network answered */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const transport = openMailServer(smtpUrl, TIMEOUTS_OF_A_CHECK);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

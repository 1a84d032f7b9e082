import { createTransport } from 'nodemailer';

const TIMEOUTS = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** Connects to the mail server and signs in, and sends nothing. @throws what the server or the network answered */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

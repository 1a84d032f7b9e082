import { setTimeout as wait } from 'node:timers/promises';
import { dueCalls, remindersNow, remindOfCalls } from '@tapeline/db/operations/cash/reminders.ts';
import { sendSecretMail } from '@tapeline/db/operations/identity/secret-mails.ts';
import { listUnreportedLateTapes } from '@tapeline/db/operations/monitoring/tapes-due.ts';
import { mailLateTape } from '@tapeline/db/operations/outbox/late-tape-mails.ts';
import {
  type ClaimedMail,
  claimBeside,
  claimMail,
  investorsOfMails,
  NOT_SENT,
  recipientOf,
  recordFailure,
  recordSent,
  recordSkipped,
} from '@tapeline/db/operations/outbox/sending.ts';
import { isServiceFault, reasonOf } from '@tapeline/db/service-faults.ts';
import { type Session, systemActor } from '@tapeline/db/store.ts';
import { digestMail } from '@tapeline/domain/mail/digest.ts';
import { type AboutInvestor, joinedText, mailHtml, mailText } from '@tapeline/domain/mail/mail.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { isMailFault, isRejectedForGood, type Mailer } from '@tapeline/mail/mailer.ts';
import { inSpan } from '@tapeline/telemetry/traces.ts';
import type { MailActivities, SentMail } from '@tapeline/workflows/mail/activities.ts';
import type { WorkerContext } from '../context.ts';
import { eachApart, togetherOrApart } from '../failures.ts';

const SENDER = systemActor('Mail');
/** Longer than the timeouts of one attempt: an email of a killed sender is tried again after this time. */
const LEASE_MS = 120_000;
/** After this many failures in a row the mail server is taken to be down, and the rest waits for the next run. */
const MAX_FAILURES = 3;
/** A run ends before its activity would time out. The next one continues. */
const LONGEST_RUN_MS = 5 * 60_000;

/** What sending needs, apart from what every activity has. */
interface MailContext extends Pick<WorkerContext, 'store' | 'log'> {
  readonly mailer: Mailer;
  /** The address of the product for its users, for the links. */
  readonly publicUrl: string;
  /** Opens emails with codes and links to sign in. */
  readonly appSecret: string;
}

export function createMailActivities(context: MailContext): MailActivities {
  return {
    sendDueMail: () => sendDueMail(context),
    remindOfLateTapes: () => remindOfLateTapes(context),
    remindOfDueCalls: () => remindOfDueCalls(context),
  };
}

/** Sends what is due. @param options.leaseMs for tests */
export async function sendDueMail(
  context: MailContext,
  { leaseMs = LEASE_MS, now = () => new Date() }: { leaseMs?: number; now?: () => Date } = {},
): Promise<SentMail> {
  const done: SentMail = { sent: 0, failed: 0, ended: 0 };
  const { store, mailer, log } = context;
  if (!mailer.delivers) {
    log.warn('SMTP_URL is not set: queued emails wait');
    return done;
  }
  const until = Date.now() + LONGEST_RUN_MS;
  const secretSender = {
    send: mailer.send,
    probe: mailer.probe,
    isFinal: isRejectedForGood,
    appSecret: context.appSecret,
    publicUrl: context.publicUrl,
  };
  for (let failures = 0; failures < MAX_FAILURES && Date.now() < until; ) {
    // Codes go first: whoever asked for one waits for it.
    const secret = await sendSecretMail(store, secretSender, { now: now() });
    if (secret) {
      if (secret.error) log.warn({ err: secret.error }, 'an email to sign in could not be sent, and waits');
      done[secret.result] += 1;
      failures = secret.result === 'failed' ? failures + 1 : 0;
      continue;
    }
    const claimed = await store.as(SENDER, (session) => claimTogether(session, leaseMs), { now: now() });
    const [first] = claimed;
    if (!first) break;
    const result = await inSpan('email', { kind: 'consumer', parent: first.traceparent }, () =>
      attempt(context, claimed, now),
    );
    done[result] += 1;
    failures = result === 'failed' ? failures + 1 : 0;
  }
  if (done.sent + done.failed + done.ended > 0) log.info(done, 'emails sent');
  return done;
}

/** The messages of the next email, the first one first; empty if none is due. */
async function claimTogether(session: Session, leaseMs: number): Promise<ClaimedMail[]> {
  const mail = await claimMail(session, { leaseMs });
  if (!mail) return [];
  const beside = await claimBeside(session, mail, { leaseMs });
  // Every attempt has the same order, and so the same id.
  return [mail, ...beside].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Sends one email with all these messages, which are to one person. Those that the person is no longer to get are left
 * out. A sender that is killed between the mail server's answer and the record sends the email again, with the same id.
 */
async function attempt(
  context: MailContext,
  claimed: readonly ClaimedMail[],
  now: () => Date,
): Promise<keyof SentMail> {
  const { store, mailer, publicUrl, log } = context;
  let mails = claimed;
  try {
    const found: Awaited<ReturnType<typeof recipientOf>>[] = [];
    await eachOf(store, claimed, now, async (session, mail) => void found.push(await recipientOf(session, mail)));
    const readable = claimed.filter((_, index) => found[index] !== null);
    const reminders = await remindersOf(store, readable, now);
    mails = readable.filter((mail) => mail.kind !== 'callDue' || reminders.has(mail.documentId));
    for (const [reason, some] of [
      [NOT_SENT.noReader, claimed.filter((mail) => !readable.includes(mail))],
      [NOT_SENT.nothingOpen, readable.filter((mail) => !mails.includes(mail))],
    ] as const) {
      await eachOf(store, some, now, (session, mail) => recordSkipped(session, mail, reason));
    }
    const [first] = mails;
    const recipient = found.find((one) => one !== null);
    if (!first || !recipient) return 'ended';
    const content = await contentOf(store, mails, reminders, now);
    const addressed = { ...first, ...content, firstName: recipient.firstName };
    await mailer.send({
      to: recipient.email,
      subject: addressed.subject,
      text: mailText(addressed, publicUrl),
      html: mailHtml(addressed, publicUrl),
      identity: { messageId: `<${first.id}@${new URL(publicUrl).hostname}>`, at: new Date(first.dueAt) },
    });
  } catch (error) {
    const message = reasonOf(error);
    // An email that cannot be composed or addressed fails in the same way each time.
    const isFinal = isRejectedForGood(error) || !(isMailFault(error) || isServiceFault(error));
    let givesUp = false;
    await eachOf(store, mails, now, async (session, mail) => {
      givesUp = await recordFailure(session, mail, { error: message, isFinal });
    });
    const fields = { err: error, mailIds: mails.map(({ id }) => id), attempts: mails[0]?.attempts };
    if (givesUp) log.error(fields, 'an email could not be sent, and is given up');
    else log.warn(fields, 'an email could not be sent, and is tried again later');
    return givesUp ? 'ended' : 'failed';
  }
  await recordAccepted(store, mails, now);
  return 'sent';
}

type Reminders = Awaited<ReturnType<typeof remindersNow>>;

/** What the reminders among messages say now: what is open may have changed since they were queued. */
async function remindersOf(
  store: MailContext['store'],
  mails: readonly ClaimedMail[],
  now: () => Date,
): Promise<Reminders> {
  const reminding = mails.filter(({ kind }) => kind === 'callDue');
  if (reminding.length === 0) return new Map();
  return store.as(SENDER, (session) => remindersNow(session, reminding), { now: now() });
}

/** What differs from the first message, as it was queued, in an email with reminders or with several messages. */
async function contentOf(
  store: MailContext['store'],
  mails: readonly ClaimedMail[],
  reminders: Reminders,
  now: () => Date,
): Promise<Partial<ReturnType<typeof digestMail>> & { about?: AboutInvestor[] }> {
  const reminderOf = ({ kind, documentId }: ClaimedMail) =>
    kind === 'callDue' ? reminders.get(documentId) : undefined;
  const textOf = (mail: ClaimedMail, isWhole: boolean): string => {
    const reminder = reminderOf(mail);
    if (!reminder) return mail.text;
    const contact = reminder.contact(mail.contactEmail);
    return [...reminder.ofCall, ...(isWhole ? ['', ...reminder.own] : []), '', ...contact].join('\n').trim();
  };
  const [first] = mails;
  if (first && mails.length === 1) return { text: textOf(first, true) };
  if (first?.isDigest) {
    return digestMail(
      mails.map((mail) => ({ ...mail, subject: [mail.subject, reminderOf(mail)?.inBrief].filter(Boolean).join(': ') })),
    );
  }
  const inBriefOf = (id: string) => reminders.get(id)?.inBrief ?? null;
  const about = await store.as(SENDER, (session) => investorsOfMails(session, mails, inBriefOf), { now: now() });
  return { about, text: joinedText(mails.map((mail) => textOf(mail, false))) };
}

/** Records the same of several messages, in one transaction. */
const eachOf = (
  store: MailContext['store'],
  mails: readonly ClaimedMail[],
  now: () => Date,
  record: (session: Session, mail: ClaimedMail) => Promise<void>,
): Promise<void> =>
  store.as(
    SENDER,
    async (session) => {
      for (const mail of mails) await record(session, mail);
    },
    { now: now() },
  );

/** Waits before the record of a sent email is tried again: less than the lease, after which it is sent again. */
const RECORD_AGAIN_MS = [250, 1000, 4000, 15_000];

/** Records that the mail server has accepted an email, before anything else is done; also if PostgreSQL restarts just then. */
async function recordAccepted(
  store: MailContext['store'],
  mails: readonly ClaimedMail[],
  now: () => Date,
): Promise<void> {
  const record = () => eachOf(store, mails, now, recordSent);
  for (const ms of RECORD_AGAIN_MS) {
    try {
      return await record();
    } catch (error) {
      if (!isServiceFault(error)) throw error;
      await wait(ms);
    }
  }
  return record();
}

/** Late tapes that one run reports. The next day reports the rest, which is more than any installation has. */
const MAX_LATE_TAPES = 1000;

async function remindOfLateTapes({ store, log }: MailContext): Promise<{ tapes: number }> {
  const late = await store.as(SENDER, (session) => listUnreportedLateTapes(session, { limit: MAX_LATE_TAPES }));
  // One transaction for each, so that a failure keeps what is done, and the next attempt continues.
  const jobOf = ({ companyId, cutOffDate }: (typeof late)[number]) =>
    `${WORKFLOW_IDS.lateTapes()}/${companyId}/${cutOffDate}`;
  await eachApart({ store, log }, 'remindOfLateTapes', late, jobOf, async (tape) => {
    const told = await store.as(SENDER, (session) => mailLateTape(session, tape));
    log.info({ companyId: tape.companyId, cutOffDate: tape.cutOffDate, told }, 'a tape is late');
  });
  return { tapes: late.length };
}

const CALLS_AT_A_TIME = 500;

async function remindOfDueCalls({ store, log }: MailContext): Promise<{ told: number }> {
  let told = 0;
  for (let after = ''; ; ) {
    const page = { after, limit: CALLS_AT_A_TIME };
    const calls = await store.as(SENDER, (session) => dueCalls(session, page));
    const jobOf = (id: string) => `${WORKFLOW_IDS.dueCalls()}/${id}`;
    await togetherOrApart({ store, log }, 'remindOfDueCalls', calls, jobOf, async (some) => {
      told += await store.as(SENDER, (session) => remindOfCalls(session, some));
    });
    const last = calls.at(-1);
    if (last === undefined) break;
    after = last;
  }
  if (told > 0) log.info({ told }, 'investors were reminded of calls');
  return { told };
}

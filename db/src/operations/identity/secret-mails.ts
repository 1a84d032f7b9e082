import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { AddressLetter } from '@tapeline/domain/identity/address-changes.ts';
import { newId } from '../../ids.ts';
import { type Session, type Store, systemActor } from '../../store.ts';
import { composeAddressMail } from './address-changes.ts';
import { hashToken } from './secrets.ts';

const SENDER = systemActor('Mail');
/** Longer than the timeouts of one attempt: an email of a killed sender is tried again after this time. */
const LEASE_MS = 60_000;
/** Whoever asked for a code waits for it, so the waits do not grow. */
const RETRY_MS = 30_000;
const [ALGORITHM, IV_BYTES, TAG_BYTES] = ['aes-256-gcm', 12, 16] as const;

/** An email with a code or a link that signs somebody in. */
export interface SecretMailContent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const keyOf = (appSecret: string) => Buffer.from(hkdfSync('sha256', appSecret, '', 'secret mails', 32));

/** Encrypts an email, so that whoever reads the database or a backup cannot sign in with it. */
export function sealMail(appSecret: string, mail: SecretMailContent): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(appSecret), iv);
  const content = Buffer.concat([cipher.update(JSON.stringify(mail), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
}

/** @throws if it was sealed with another secret or changed */
function openMail(appSecret: string, sealed: string): SecretMailContent {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, keyOf(appSecret), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const content = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(content.toString('utf8')) as SecretMailContent;
}

/**
 * Queues an email that its caller tries to send at once, after the commit. If that fails, senders try again until it
 * expires.
 */
export async function queueSecretMail(
  session: Session,
  mail: {
    readonly email: string;
    readonly sealed: string;
    readonly isWanted: boolean;
    readonly clientHash?: string;
    /** Forgotten if the email cannot be sent. */
    readonly limitedCalls?: readonly string[];
    readonly expiresAt: Date;
  },
): Promise<string> {
  const { now } = session;
  const id = newId(now);
  await session.query(
    `insert into secret_mails (id, client_hash, email, sealed, is_wanted, limited_calls, next_attempt_at, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      mail.clientHash ?? null,
      mail.email,
      mail.sealed,
      mail.isWanted,
      [...(mail.limitedCalls ?? [])],
      new Date(now.getTime() + LEASE_MS),
      now,
      mail.expiresAt,
    ],
  );
  return id;
}

interface Claimed {
  readonly id: string;
  readonly sealed: string;
  readonly letter: AddressLetter | null;
  readonly isWanted: boolean;
}

export interface SecretMailSender {
  send(
    mail: SecretMailContent & { readonly identity: { readonly messageId: string; readonly at: Date } },
  ): Promise<void>;
  /** Throws if an email could not be sent now. */
  probe(): Promise<void>;
  /** Whether trying again is useless. */
  isFinal(error: unknown): boolean;
  readonly appSecret: string;
  /** The address of the product for its users. */
  readonly publicUrl: string;
}

/**
 * Sends one email: the named one, or the one that has been due longest. For an address without an account it only asks
 * whether an email could be sent, so that nobody can tell the two apart.
 * @returns what became of it; null if none is due
 */
export async function sendSecretMail(
  store: Store,
  sender: SecretMailSender,
  options: { readonly id?: string; readonly now?: Date } = {},
): Promise<{ result: 'sent' | 'failed' | 'ended'; error?: unknown } | null> {
  const { id = null, now = new Date() } = options;
  const claimed = await store.as(
    SENDER,
    async ({ query }) => {
      const [row] = await query<Claimed & { createdAt: string }>(
        `update secret_mails set attempts = attempts + 1, next_attempt_at = $3
         where id = (select id from secret_mails where status = 'Queued' and expires_at > $1
           and case when $2::text is null then next_attempt_at <= $1 else id = $2 end
           order by next_attempt_at, id limit 1 for update skip locked)
         returning id, sealed, letter, is_wanted as "isWanted", to_json(created_at) #>> '{}' as "createdAt"`,
        [now, id, new Date(now.getTime() + LEASE_MS)],
      );
      return row ?? null;
    },
    { now },
  );
  if (!claimed) return null;
  try {
    if (claimed.isWanted) {
      const { hostname } = new URL(sender.publicUrl);
      const identity = { messageId: `<${claimed.id}@${hostname}>`, at: new Date(claimed.createdAt) };
      const mail = claimed.letter
        ? composeAddressMail(claimed.letter, sender)
        : openMail(sender.appSecret, claimed.sealed);
      await sender.send({ ...mail, identity });
    } else await sender.probe();
  } catch (error) {
    const isFinal = sender.isFinal(error);
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 1000);
    await store.as(SENDER, (session) => recordFailure(session, claimed, { message, isFinal, now }), { now });
    return { result: isFinal ? 'ended' : 'failed', error };
  }
  const status = claimed.isWanted ? 'Sent' : 'Skipped';
  await store.as(
    SENDER,
    ({ query }) =>
      query(`update secret_mails set status = $2, sealed = '', last_error = null where id = $1 and status = 'Queued'`, [
        claimed.id,
        status,
      ]),
    { now },
  );
  return { result: 'sent' };
}

/** What could not be sent does not count against the limits of whoever asked for it. */
async function recordFailure(
  { query }: Session,
  { id }: Claimed,
  { message, isFinal, now }: { message: string; isFinal: boolean; now: Date },
): Promise<void> {
  await query(
    `with failed as (
       update secret_mails set last_error = $2, next_attempt_at = $3, limited_calls = '{}',
         status = case when $4 then 'Failed' else status end, sealed = case when $4 then '' else sealed end
       where id = $1 and status = 'Queued' returning id
     )
     delete from limited_calls where id = any((select limited_calls from secret_mails where id = $1)::text[])
       and exists (select from failed)`,
    [id, message, new Date(now.getTime() + RETRY_MS), isFinal],
  );
}

/** Whether the latest code that this browser requested for the address waits for the mail server. */
export async function isMailDelayed(
  store: Store,
  { clientToken, email }: { clientToken: string; email: string },
): Promise<boolean> {
  const [latest] = await store.as(SENDER, (session) =>
    session.query<{ delayed: boolean }>(
      `select status = 'Queued' and last_error is not null and expires_at > $3 as delayed from secret_mails
       where client_hash = $1 and email = $2 order by created_at desc, id desc limit 1`,
      [hashToken(clientToken), email, session.now],
    ),
  );
  return latest?.delayed ?? false;
}

import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  ADDRESS_CHANGE,
  type AddressKind,
  type AddressLetter,
  addressMail,
} from '@tapeline/domain/identity/address-changes.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { type CallOrigin, changedBy } from '../../changed-by.ts';
import { emailTakenRefusal } from '../../database-refusals.ts';
import { User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session, type Store, SYSTEM } from '../../store.ts';
import { changedMetadata, recordAs } from '../metadata.ts';
import { rightsOfUserBeyond } from '../users/user-access.ts';
import { countLimitedCall } from './limits.ts';
import { loadActor, loadActorOfAnyStatus } from './load-actor.ts';
import { isSameHash, linkToken } from './secrets.ts';

const [DAY_MS, HOUR_MS] = [86_400_000, 3_600_000];

/** How many letters about changes of others an address gets, and a person causes, in an hour. */
const PER_RECIPIENT = { calls: 5, windowMs: HOUR_MS };
const PER_SENDER = { calls: 300, windowMs: HOUR_MS };

/** What a link of an email about an address does. */
export type AddressLink = 'confirm' | 'stop';

const purposeOf = (link: AddressLink, change: string): string => `address change/${link}/${change}`;
const tokenOf = (appSecret: string, link: AddressLink, change: string): string =>
  `${change}.${linkToken(appSecret, purposeOf(link, change))}`;

/** The id of the change that a token belongs to. Null unless the program made the token for this use. */
function changeOf(appSecret: string, link: AddressLink, token: string): string | null {
  const [change = '', ...rest] = token.split('.');
  return /^[0-9a-f]{24}$/.test(change) && isSameHash(rest.join('.'), linkToken(appSecret, purposeOf(link, change)))
    ? change
    : null;
}

/** The email of a letter as it is sent, with its links. */
export const composeAddressMail = (letter: AddressLetter, sender: { appSecret: string; publicUrl: string }) => {
  const address = (link: AddressLink) =>
    sender.publicUrl + MAIL_PAGES.addressChange(link, tokenOf(sender.appSecret, link, letter.change));
  return addressMail(letter, { confirm: address('confirm'), stop: address('stop') });
};

/** A change of an address that opens an account. */
export interface PendingAddressChange {
  readonly user: Pick<User, 'id' | 'email' | 'firstName'>;
  readonly kind: AddressKind;
  /** What signed in before, and what will. */
  readonly from: string | null;
  readonly next: string | null;
  /** Whether it has taken effect. An email does once somebody who receives it confirms it. */
  readonly isConfirmed: boolean;
}

interface Letters {
  readonly letters: readonly AddressLetter[];
  readonly until: Date;
}

async function queueLetters(session: Session, { letters, until }: Letters): Promise<void> {
  if (letters.length === 0) return;
  await session.query(
    `insert into secret_mails (id, email, sealed, letter, is_wanted, next_attempt_at, created_at, expires_at)
     select one.id, one.letter ->> 'to', '', one.letter, true, $2, $2, $3
     from jsonb_to_recordset($1) as one (id text, letter jsonb)`,
    [JSON.stringify(letters.map((letter) => ({ id: newId(session.now), letter }))), session.now, until],
  );
  session.announce('mailQueued');
}

/** Counts letters that somebody else than the owner causes. Owners enter codes, which have limits of their own. */
async function countLetters(session: Session, letters: readonly AddressLetter[]): Promise<void> {
  const { actor } = session;
  if (actor.kind !== 'user') return;
  // Always lock in the same order, so that two calls cannot deadlock.
  for (const to of letters.map((letter) => letter.to).sort()) {
    await countLimitedCall(session, {
      [`address/from/${actor.userId}`]: PER_SENDER,
      [`address/to/${to}`]: PER_RECIPIENT,
    });
  }
}

const nameOf = ({ actor }: Session): string =>
  actor.kind === 'user' ? `${actor.firstName} ${actor.lastName}` : actor.name;

/**
 * Records changes of addresses and queues the emails about them, in the transaction of the changes: the new address is
 * asked to confirm, and the old ones are told how to stop it. A new request replaces one that was not confirmed.
 * @param by the name of the person who makes the change; the actor if omitted
 * @throws Refusal tooMany for more than 5 letters to an address, or 300 of an actor, in an hour
 */
export async function announceAddressChanges(
  session: Session,
  changes: readonly PendingAddressChange[],
  by = nameOf(session),
): Promise<void> {
  if (changes.length === 0) return;
  const { now } = session;
  const ends = (isConfirmed: boolean) =>
    new Date(now.getTime() + (isConfirmed ? ADDRESS_CHANGE.stopHours * HOUR_MS : ADDRESS_CHANGE.confirmDays * DAY_MS));
  const rows = changes.map((change) => ({ id: newId(now), ...change, expiresAt: ends(change.isConfirmed) }));
  await asProgram(session, async () => {
    await endOpenRequests(
      session,
      changes.flatMap(({ kind, user }) => (kind === 'email' ? [user.id] : [])),
    );
    await session.query(
      `insert into address_changes (id, user_id, kind, old_address, new_address, by_name, by_user_id, created_at, confirmed_at, expires_at)
       select id, user_id, kind, old_address, new_address, $2, $4, $3, case when is_confirmed then $3::timestamptz end, expires_at
       from jsonb_to_recordset($1) as one (id text, user_id text, kind text, old_address text, new_address text,
         is_confirmed boolean, expires_at timestamptz)`,
      [
        JSON.stringify(
          rows.map(({ id, user, kind, from, next, isConfirmed, expiresAt }) => ({
            id,
            user_id: user.id,
            kind,
            old_address: from,
            new_address: next,
            is_confirmed: isConfirmed,
            expires_at: expiresAt,
          })),
        ),
        by,
        now,
        session.actor.kind === 'user' ? session.actor.userId : null,
      ],
    );
    await countLetters(
      session,
      rows.flatMap((row) => lettersOf(row, by)),
    );
    for (const isConfirmed of [false, true]) {
      const letters = rows.filter((row) => row.isConfirmed === isConfirmed).flatMap((row) => lettersOf(row, by));
      await queueLetters(session, { letters, until: ends(isConfirmed) });
    }
  });
}

function lettersOf({ id, user, kind, from, next }: PendingAddressChange & { id: string }, by: string): AddressLetter[] {
  const letter = { change: id, firstName: user.firstName, by, from, next };
  if (kind === 'email') {
    return [
      { ...letter, kind: 'confirm', to: next ?? '' },
      { ...letter, kind: 'requested', to: from ?? '' },
    ];
  }
  // Who has only the old recovery email left must hear of another one too. Whoever got into a mailbox that is removed
  // cannot restore it.
  return [...new Set([user.email, ...(from && next ? [from] : [])])].map((to) => ({
    ...letter,
    kind: 'recoveryChanged',
    to,
  }));
}

/** Ends the requests for another email that these users have not confirmed. */
const endOpenRequests = (session: Session, userIds: readonly string[]) =>
  session.query(
    `update address_changes set ended_at = $2
     where user_id = any ($1) and kind = 'email' and confirmed_at is null and ended_at is null`,
    [userIds, session.now],
  );

/** Cancels requests for another email: their links end. The caller clears `pendingEmail`. */
export const cancelEmailRequests = (session: Session, userIds: readonly string[]): Promise<unknown> =>
  asProgram(session, () => endOpenRequests(session, userIds));

/** Until when the requests for another email of these users can be confirmed. Those that have ended are not in it. */
export async function openEmailRequests(
  session: Session,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await asProgram(session, () =>
    session.query<{ userId: string; until: string }>(
      `select user_id as "userId", to_json(expires_at) #>> '{}' as until from address_changes
       where user_id = any ($1) and kind = 'email' and confirmed_at is null and ended_at is null and expires_at > $2`,
      [[...userIds], session.now],
    ),
  );
  return new Map(rows.map(({ userId, until }) => [userId, new Date(until)]));
}

/** Those of these emails that an account has, in any tenant. */
export async function emailsInUse(session: Session, emails: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await asProgram(session, () =>
    session.query<{ email: string }>(`select email from users where email = any ($1) and status <> 'Removed'`, [
      emails,
    ]),
  );
  return new Set(rows.map(({ email }) => email));
}

/** Whether another account has confirmed a recovery email. */
export const isRecoveryEmailTaken = async (session: Session, email: string, userId: string): Promise<boolean> =>
  (await session.em.count(User, {
    confirmedRecoveryEmail: email,
    id: { $ne: userId },
    status: { $ne: 'Removed' },
  })) > 0;

interface ChangeRow {
  id: string;
  userId: string;
  kind: AddressKind;
  from: string | null;
  next: string | null;
  by: string;
  byUserId: string | null;
  isConfirmed: boolean;
  createdAt: string;
  expiresAt: string;
}

const OPEN_CHANGE = `select c.id, c.user_id as "userId", c.kind, c.old_address as "from", c.new_address as next, c.by_name as by,
    c.by_user_id as "byUserId", c.confirmed_at is not null as "isConfirmed", c.created_at as "createdAt", c.expires_at as "expiresAt"
  from address_changes c join users u on u.id = c.user_id and u.status not in ('Disabled', 'Removed')
  where c.id = $1 and c.ended_at is null and c.expires_at > $2`;

interface LinkUse {
  readonly appSecret: string;
  readonly link: AddressLink;
  readonly token: string;
  readonly now: Date;
}

/** What a link is about, without using it. Null if it is unknown or has ended, or the change was confirmed before. */
export async function findAddressChange(store: Store, { appSecret, link, token, now }: LinkUse) {
  const id = changeOf(appSecret, link, token);
  if (id === null) return null;
  const [found] = await store.read(SYSTEM, (session) => session.query<ChangeRow>(OPEN_CHANGE, [id, now]));
  if (!found || (link === 'confirm' && found.isConfirmed)) return null;
  const { kind, from, next, by, isConfirmed } = found;
  return { kind, from, next, by, isConfirmed, expiresAt: new Date(found.expiresAt) };
}

const linkEnded = () => new Refusal('badRequest', 'This link is no longer valid.');

/** Runs work on the change of a link and its user, recorded as the user's own: they received the link. @returns the user's id */
async function useLink(
  store: Store,
  { appSecret, link, token, now, origin }: LinkUse & { readonly origin: CallOrigin },
  work: (session: Session, user: User, change: ChangeRow) => Promise<void>,
): Promise<string> {
  const id = changeOf(appSecret, link, token);
  if (id === null) throw linkEnded();
  return store.as(
    SYSTEM,
    async (session) => {
      const [change] = await session.query<ChangeRow>(`${OPEN_CHANGE} for update`, [id, now]);
      if (!change || (link === 'confirm' && change.isConfirmed)) throw linkEnded();
      const user = await session.em.findOneOrFail(User, { id: change.userId });
      const actor = (await loadActorOfAnyStatus(store, user.id)) ?? SYSTEM;
      await recordAs(session, changedBy({ actor, origin, now }));
      await work(session, user, change);
      user.metadata = changedMetadata({ ...session, actor, origin, now }, user.metadata);
      await session.em.flush();
      return user.id;
    },
    { now, ...origin },
  );
}

/**
 * Makes a new address the email of its account. That signs the account out everywhere. The old address is told, and can
 * stop the change for 72 hours.
 * @returns the id of the user
 * @throws Refusal badRequest if the link has ended, whoever asked for the change could not ask for it any more, or
 *   another account has this email by now
 */
export const confirmEmail = (
  store: Store,
  command: Omit<LinkUse, 'link'> & { readonly origin: CallOrigin },
): Promise<string> =>
  useLink(store, { ...command, link: 'confirm' }, async (session, user, change) => {
    const { from, next, by } = change;
    if (next === null || user.pendingEmail !== next) throw linkEnded();
    if (change.byUserId !== null) {
      const actor = await loadActor(store, change.byUserId);
      if (actor === null || (await rightsOfUserBeyond({ ...session, actor }, user)).length > 0) throw linkEnded();
    }
    if ((await emailsInUse(session, [next])).has(next)) throw emailTakenRefusal();
    const until = new Date(session.now.getTime() + ADDRESS_CHANGE.stopHours * HOUR_MS);
    await session.query('update address_changes set confirmed_at = $2, expires_at = $3 where id = $1', [
      change.id,
      session.now,
      until,
    ]);
    user.pendingEmail = null;
    user.email = next;
    const letter = { kind: 'changed', change: change.id, firstName: user.firstName, by, from, next } as const;
    await queueLetters(session, { letters: [{ ...letter, to: from ?? '' }], until });
  });

/**
 * Stops a change: the address from before signs in again. What was changed after it is stopped with it, because whoever
 * got in could have made it. If the change had taken effect, the account is signed out everywhere. A recovery email that
 * another account has confirmed by now is not restored.
 * @returns the id of the user
 * @throws Refusal badRequest if the link has ended, or another account has the address by now
 */
export const stopAddressChange = (
  store: Store,
  command: Omit<LinkUse, 'link'> & { readonly origin: CallOrigin },
): Promise<string> =>
  useLink(store, { ...command, link: 'stop' }, async (session, user, change) => {
    const undone = await session.query<Pick<ChangeRow, 'kind' | 'from' | 'isConfirmed'>>(
      `with ended as (
         update address_changes set ended_at = $3
         where user_id = $1 and ended_at is null and (created_at, id) >= ($2::timestamptz, $4)
         returning id, kind, old_address as "from", confirmed_at is not null as "isConfirmed", created_at
       ) select kind, "from", "isConfirmed" from ended order by created_at, id`,
      [user.id, change.createdAt, session.now, change.id],
    );
    const before = (kind: AddressKind) => undone.find((one) => one.kind === kind && one.isConfirmed);
    const [email, recovery] = [before('email'), before('recoveryEmail')];
    user.pendingEmail = null;
    if (email?.from && email.from !== user.email) {
      if ((await emailsInUse(session, [email.from])).has(email.from)) throw emailTakenRefusal();
      user.email = email.from;
    }
    if (recovery) {
      const restored =
        recovery.from && !(await isRecoveryEmailTaken(session, recovery.from, user.id)) ? recovery.from : null;
      user.recoveryEmail = restored;
      user.confirmedRecoveryEmail = restored;
    }
    if (!email && !recovery) return;
    for (const table of ['refresh_tokens', 'ownership_tokens', 'sign_in_codes', 'magic_links']) {
      await session.query(`delete from ${table} where user_id = $1`, [user.id]);
    }
  });

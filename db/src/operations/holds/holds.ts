import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { DecideHeld, HeldItem, Hold } from '@tapeline/domain/holds/hold.schema.ts';
import { newId } from '../../ids.ts';
import { asProgram, BLOCKED_FOR_ACTOR, type Session } from '../../store.ts';
import { requirePermission } from '../permission.ts';

/** A restore concerns all managers, so only administrators see and decide what it holds, also while they act for one. */
export async function asAdministrator<Result>(
  session: Session,
  permission: 'managers/read' | 'managers/write',
  work: () => Promise<Result>,
): Promise<Result> {
  requirePermission(session, permission);
  if (session.actor.kind === 'user' && session.actor.type !== 'admin') throw new Refusal('forbidden');
  return asProgram(session, work);
}

/**
 * Holds the emails that a restored backup has queued, and those that jobs queue from now on. Codes and links to sign in
 * that were not sent are dropped, and calendar addresses end: whoever needs one asks again. Called as the program, before any worker starts.
 * @param command.backupAt when the backup was made
 * @returns how many emails are held
 */
export async function holdRestored(session: Session, { backupAt }: { backupAt: Date }): Promise<number> {
  const { query, now } = session;
  const [hold] = await query<{ id: string }>(
    `insert into holds (id, kind, backup_at, started_at) values ($1, 'email', $2, $3)
     on conflict (kind) where ended_at is null do update set backup_at = excluded.backup_at, started_at = excluded.started_at
     returning id`,
    [newId(now), backupAt, now],
  );
  const held = await query(`update outbox set status = 'Held', hold_id = $1 where status = 'Queued' returning id`, [
    hold?.id,
  ]);
  await query(
    `update secret_mails set status = 'Skipped', sealed = '', last_error = 'Dropped: a backup was restored'
     where status = 'Queued'`,
  );
  // One that was replaced or turned off since the backup would open again.
  await query('delete from calendar_feeds');
  return held.length;
}

/** The latest holds, newest first: at most 100. None if no backup was ever restored. */
export const listHolds = (session: Session): Promise<Hold[]> =>
  asAdministrator(session, 'managers/read', () =>
    session.query<Hold>(
      `select id, kind, to_json(backup_at) #>> '{}' as "backupAt", to_json(started_at) #>> '{}' as "startedAt",
         to_json(ended_at) #>> '{}' as "endedAt",
         (select count(*)::int from outbox where status = 'Held' and hold_id = holds.id) as held
       from holds order by started_at desc, id desc limit 100`,
    ),
  );

/** A page of what is held, the oldest first, and the number of all. What is about a blocked document is not named. */
export const listHeldItems = (
  session: Session,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ rows: HeldItem[]; total: number }> =>
  asAdministrator(session, 'managers/read', async () => {
    const [counted] = await session.query<{ total: number }>(
      `select count(*)::int as total from outbox where status = 'Held'`,
    );
    const rows = await session.query<HeldItem>(
      `select o.id, 'email' as kind,
         case when o.owners && ${BLOCKED_FOR_ACTOR} then 'About a document that is blocked for you' else o.subject end as title,
         coalesce(o.contact_email, u.email) as to,
         coalesce(o.contact_name, u.first_name || ' ' || u.last_name) as name,
         to_json(o.created_at) #>> '{}' as "createdAt", o.page
       from outbox o left join users u on u.id = o.user_id
       where o.status = 'Held' order by o.id offset $1 limit $2`,
      [skip, limit],
    );
    return { rows, total: counted?.total ?? 0 };
  });

/**
 * Releases or drops what is held. A released email is sent as soon as it is due, to people who may still see its document.
 * @returns how many items; what somebody else has decided meanwhile does not count
 * @throws Refusal forbidden; badRequest if none of the named items is held
 */
export async function decideHeld(session: Session, command: DecideHeld): Promise<number> {
  const { actor, now } = session;
  const decided = await asAdministrator(session, 'managers/write', () =>
    session.query(
      `update outbox set status = case when $1 then 'Queued' else 'Skipped' end,
         last_error = case when $1 then null else 'Not sent: an administrator dropped it after a restore' end,
         next_attempt_at = greatest(not_before, $2), hold_decided_at = $2, hold_decided_by = $3
       where status = 'Held' and ($4::text[] is null or id = any ($4)) returning id`,
      [command.decision === 'Release', now, actor.kind === 'user' ? actor.userId : null, command.ids ?? null],
    ),
  );
  if (decided.length === 0 && command.ids) {
    throw new Refusal('badRequest', 'None of these is held any more: somebody else has decided');
  }
  if (decided.length > 0 && command.decision === 'Release') session.announce('mailQueued');
  return decided.length;
}

/**
 * Ends the hold, so that what jobs do is no longer held.
 * @throws Refusal forbidden; notFound; badRequest while items wait for a decision
 */
export const endHold = (session: Session, { id }: { id: string }): Promise<void> =>
  asAdministrator(session, 'managers/write', async () => {
    // Transactions that hold an email keep the row from changing until they have committed.
    const [open] = await session.query<{ isEnded: boolean }>(
      'select ended_at is not null as "isEnded" from holds where id = $1 for update',
      [id],
    );
    if (!open) throw new Refusal('notFound');
    if (open.isEnded) return;
    const [counted] = await session.query<{ held: number }>(
      `select count(*)::int as held from outbox where status = 'Held' and hold_id = $1`,
      [id],
    );
    if (counted?.held) {
      throw new Refusal('badRequest', `Release or drop what is held first: ${counted.held} items wait for a decision`);
    }
    await session.query('update holds set ended_at = $2, ended_by = $3 where id = $1', [
      id,
      session.now,
      session.actor.kind === 'user' ? session.actor.userId : null,
    ]);
  });

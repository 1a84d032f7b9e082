import {
  type ChosenChannels,
  channelOf,
  DEFAULT_DIGEST_HOUR,
  isRequiredKind,
  kindsOf,
  type NotificationSettings,
} from '@tapeline/domain/communication/notification-settings.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { NotificationSetting } from '../../entities/notification.ts';
import { findDocuments, type ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';

/**
 * SQL of the first digest from a moment on.
 * @param from SQL of the moment
 * @param hour SQL of the hour in UTC
 */
export function nextDigest(from: string, hour: string): string {
  const today = `date_trunc('day', ${from}, 'UTC') + make_interval(hours => ${hour})`;
  return `(${today} + case when ${today} < ${from} then interval '24 hours' else interval '0' end)`;
}

function requireUser({ actor }: Pick<ReadSession, 'actor'>): UserActor {
  if (actor.kind !== 'user') throw new Refusal('forbidden');
  return actor;
}

/** How the actor is told of each kind of message that it can get, and when its digest is sent. */
export async function readNotificationSettings(session: ReadSession): Promise<NotificationSettings> {
  const { type, userId } = requireUser(session);
  const [stored] = await findDocuments(session, NotificationSetting, 'where user_id = $1', [userId]);
  const chosen = stored?.channels ?? {};
  return {
    channels: Object.fromEntries(kindsOf(type).map((kind) => [kind, channelOf(kind, chosen)])),
    digestHour: stored?.digestHour ?? DEFAULT_DIGEST_HOUR,
  };
}

/**
 * Stores how the actor is told from now on. Emails that wait for a digest follow: they wait for the new hour, or are sent
 * at once if their kind is. Those of kinds that are no longer emailed are dropped when they are due.
 * @param settings as `notificationSettingsSchema` returns them for the type of the actor
 */
export async function saveNotificationSettings(session: Session, settings: NotificationSettings): Promise<void> {
  const { type, userId } = requireUser(session);
  const { channels, digestHour } = settings;
  const chosen: ChosenChannels = Object.fromEntries(
    kindsOf(type).flatMap((kind) => (isRequiredKind(kind) ? [] : [[kind, channelOf(kind, channels)]])),
  );
  await session.query(
    `insert into notification_settings (user_id, channels, digest_hour, changed_at) values ($1, $2, $3, $4)
     on conflict (user_id) do update set channels = excluded.channels, digest_hour = excluded.digest_hour,
       changed_at = excluded.changed_at`,
    [userId, JSON.stringify(chosen), digestHour, session.now],
  );
  await asProgram(session, () =>
    session.query(
      `update outbox o set is_digest = due.is_digest, not_before = due.at, next_attempt_at = due.at
       from (select id, $2::jsonb ->> kind is distinct from 'email' as is_digest,
           case when $2::jsonb ->> kind = 'email' then $4::timestamptz else ${nextDigest('$4::timestamptz', '$3::int')} end as at
         from outbox where user_id = $1 and is_digest and status = 'Queued' and attempts = 0) due
       where o.id = due.id`,
      [userId, JSON.stringify(chosen), digestHour, session.now],
    ),
  );
  session.announce('mailQueued');
}

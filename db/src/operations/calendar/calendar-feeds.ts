import { type CalendarDate, fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { type Session, type Store, SYSTEM } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { countLimitedCall } from '../identity/limits.ts';
import { loadActor } from '../identity/load-actor.ts';
import { isSameHash, linkToken } from '../identity/secrets.ts';
import { type CalendarEvents, listCalendarEvents } from './calendar-events.ts';

/** Calendar programs ask every few minutes at most, and a person has several of them. */
export const FEED_LIMIT = { calls: 60, windowMs: 3_600_000 };

/** Days before today and after it that a feed has, so that what is over stays in the calendar for a while. */
const [PAST_DAYS, COMING_DAYS] = [30, 365];
/** Calendar programs take files of this size without trouble. */
export const MAX_FEED_EVENTS = 5000;

/** The address at which a person's calendar programs read what is due. */
export interface OwnCalendarFeed {
  readonly id: string;
  /** ISO instants; `readAt` is null if no program has read it yet. */
  readonly createdAt: string;
  readonly readAt: string | null;
}

/**
 * Whoever has the address reads without signing in, so there is none for administrators, who see everything.
 * @throws Refusal forbidden
 */
function requireOwner({ actor }: Pick<ReadSession, 'actor'>): UserActor {
  if (actor.kind !== 'user' || actor.type === 'admin') {
    throw new Refusal('forbidden', 'An administrator has no calendar address');
  }
  return actor;
}

/** Whether the actor can have a calendar address. */
export const mayHaveFeed = ({ type }: Pick<UserActor, 'type'>): boolean => type !== 'admin';

/** The actor's own feed; null if there is none. */
export async function ownFeed(session: ReadSession): Promise<OwnCalendarFeed | null> {
  const [feed] = await session.query<OwnCalendarFeed>(
    `select id, to_json(created_at) #>> '{}' as "createdAt", to_json(read_at) #>> '{}' as "readAt"
     from calendar_feeds where user_id = (select actor_user())`,
  );
  return feed ?? null;
}

/** Creates the actor's feed. One that existed is replaced: its address stops working. @throws Refusal forbidden */
export async function renewFeed(session: Session): Promise<void> {
  const { userId } = requireOwner(session);
  await session.query(
    `insert into calendar_feeds (id, user_id, created_at) values ($1, $2, $3)
     on conflict (user_id) do update set id = excluded.id, created_at = excluded.created_at, read_at = null`,
    [newId(session.now), userId, session.now],
  );
}

/** Ends the actor's feed: its address stops working. */
export async function removeFeed(session: Session): Promise<void> {
  await session.query('delete from calendar_feeds where user_id = $1', [requireOwner(session).userId]);
}

const tokenOf = (appSecret: string, id: string): string => linkToken(appSecret, `calendar feed/${id}`);

/** The secret of a feed's address. It is not stored, so a copy of the database opens no calendar. */
export const feedKey = (appSecret: string, { id }: Pick<OwnCalendarFeed, 'id'>): string =>
  `${id}.${tokenOf(appSecret, id)}`;

/**
 * Whose calendar a key opens, as the user is now. Null if it was never made, was replaced or removed, or if its user can
 * no longer sign in.
 * @throws Refusal tooMany beyond `FEED_LIMIT`
 */
export async function openFeed(
  store: Store,
  { appSecret, key, now }: { appSecret: string; key: string; now: Date },
): Promise<UserActor | null> {
  const [id = '', ...rest] = key.split('.');
  if (!/^[0-9a-f]{24}$/.test(id) || !isSameHash(rest.join('.'), tokenOf(appSecret, id))) return null;
  const userId = await store.as(
    SYSTEM,
    async (session) => {
      const [feed] = await session.query<{ userId: string }>(
        'select user_id as "userId" from calendar_feeds where id = $1',
        [id],
      );
      if (!feed) return null;
      await countLimitedCall(session, { [`calendar-feed/${id}`]: FEED_LIMIT });
      await session.query('update calendar_feeds set read_at = $2 where id = $1', [id, now]);
      return feed.userId;
    },
    { now },
  );
  const actor = userId && (await loadActor(store, userId));
  return actor && mayHaveFeed(actor) && actor.onboarding.length === 0 ? actor : null;
}

/**
 * What the actor can see that is due from 30 days ago to a year ahead, the earliest first.
 * @returns `until` the last day of the feed: earlier if there are more than 5,000 events
 */
export async function feedEvents(session: ReadSession): Promise<CalendarEvents & { until: CalendarDate }> {
  const today = toEpochDay(todayOf(session));
  const until = fromEpochDay(today + COMING_DAYS);
  const found = await listCalendarEvents(session, {
    from: fromEpochDay(today - PAST_DAYS),
    to: until,
    limit: MAX_FEED_EVENTS,
  });
  const last = found.events.at(-1);
  return { ...found, until: last && found.total > found.events.length ? last.day : until };
}

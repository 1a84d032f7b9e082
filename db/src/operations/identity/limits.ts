import { tooSoon } from '@tapeline/domain/errors/refusal.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';

export interface CallLimit {
  readonly calls: number;
  readonly windowMs: number;
}

/** Serializes calls under one key, so that the count includes all of them. */
async function lock(session: Session, key: string): Promise<void> {
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}

async function note(session: Session, key: string): Promise<string> {
  const id = newId(session.now);
  await session.query('insert into limited_calls (id, limit_key, called_at) values ($1, $2, $3)', [
    id,
    key,
    session.now,
  ]);
  return id;
}

/**
 * Counts one call under each key, or refuses it (tooMany, with the time to wait) if a key has reached its limit within
 * the window. A refused call is not counted, so waiting always helps.
 * @returns the ids of what was counted
 */
export async function countLimitedCall(
  session: Session,
  limits: Readonly<Record<string, CallLimit>>,
): Promise<string[]> {
  const counted: string[] = [];
  // Always lock in the same order, so that two calls cannot deadlock.
  for (const key of Object.keys(limits).sort()) {
    const limit = limits[key] as CallLimit;
    await lock(session, key);
    const since = new Date(session.now.getTime() - limit.windowMs);
    // The call that must leave the window before another one is allowed.
    const [blocking] = await session.query<{ called_at: string }>(
      'select called_at from limited_calls where limit_key = $1 and called_at > $2 order by called_at desc offset $3 limit 1',
      [key, since, limit.calls - 1],
    );
    if (blocking) throw tooSoon((Date.parse(blocking.called_at) - since.getTime()) / 1000);
    counted.push(await note(session, key));
  }
  return counted;
}

/**
 * Counts one call under the key. Never refuses.
 * @returns the number of calls within the window, including this one, and its id
 */
export async function countCall(
  session: Session,
  key: string,
  windowMs: number,
): Promise<{ calls: number; id: string }> {
  await lock(session, key);
  const id = await note(session, key);
  const since = new Date(session.now.getTime() - windowMs);
  const [made] = await session.query<{ calls: number }>(
    'select count(*)::int as calls from limited_calls where limit_key = $1 and called_at > $2',
    [key, since],
  );
  return { calls: made?.calls ?? 0, id };
}

import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';

export interface CallLimit {
  readonly calls: number;
  readonly windowMs: number;
}

/**
 * Counts one call under each key, or refuses it (tooMany) when a key has had its calls within the window.
 * A refused call is not counted: waiting the window out always helps.
 */
export async function countLimitedCall(session: Session, limits: Readonly<Record<string, CallLimit>>): Promise<void> {
  // In one order, so that two calls never wait for each other's locks.
  for (const key of Object.keys(limits).sort()) {
    const limit = limits[key] as CallLimit;
    await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    const since = new Date(session.now.getTime() - limit.windowMs);
    await session.query('delete from limited_calls where limit_key = $1 and called_at <= $2', [key, since]);
    const [made] = await session.query<{ calls: number }>(
      'select count(*)::int as calls from limited_calls where limit_key = $1',
      [key],
    );
    if ((made?.calls ?? 0) >= limit.calls) throw new Refusal('tooMany');
    await session.query('insert into limited_calls (id, limit_key, called_at) values ($1, $2, $3)', [
      newId(session.now),
      key,
      session.now,
    ]);
  }
}

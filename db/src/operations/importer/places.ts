import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Session } from '../../store.ts';
import { tenantOf } from '../permission.ts';

/** Limit of import checks, and of imports within a request, that run at once in one tenant. */
export const MAX_AT_ONCE = 4;

const RETRY = { retryAfterSeconds: 5 };
const NOUNS = { check: 'import check', import: 'import' } as const;

/**
 * Refuses instead of waiting: each user has one check and one import at a time, and each tenant a few, so that one tenant
 * does not take all the connections. The place is free again when the transaction ends.
 * @throws Refusal tooMany while others run
 */
export async function takePlace(session: Session, what: keyof typeof NOUNS): Promise<void> {
  const { actor } = session;
  const noun = NOUNS[what];
  const [own] = await session.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended($1 || '-place/' || $2, 0)) as taken`,
    [what, actor.kind === 'user' ? actor.userId : actor.name],
  );
  if (!own?.taken)
    throw new Refusal('tooMany', `You have another ${noun} in progress. Try again when it has ended.`, RETRY);
  const places = await session.query<{ place: number }>(
    `select place from generate_series(1, ${MAX_AT_ONCE}) as place
     where pg_try_advisory_xact_lock(hashtextextended($1 || '-places/' || $2 || '/' || place, 0)) limit 1`,
    [what, await tenantOf(session)],
  );
  if (places.length > 0) return;
  throw new Refusal(
    'tooMany',
    `Your organization has ${MAX_AT_ONCE} ${noun}s in progress, which is the limit. Try again when one of them has ended.`,
    RETRY,
  );
}

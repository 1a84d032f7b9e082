import { RateRefresh } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';

/** How an attempt to get rates ended. */
export type RefreshOutcome =
  | { readonly outcome: 'updated' | 'unchanged'; readonly ratesOn: string; readonly currencyCount: number }
  | { readonly outcome: 'failed'; readonly reason: string };

/** Attempts that are kept: some months of daily refreshes, and always the last that succeeded. */
const KEPT = 200;
const LONGEST_REASON = 1000;

/** Records how a refresh ended, and forgets the oldest ones. */
export async function recordRefresh(session: Session, ended: RefreshOutcome): Promise<void> {
  session.em.create(RateRefresh, {
    id: newId(session.now),
    at: session.now,
    outcome: ended.outcome,
    ratesOn: ended.outcome === 'failed' ? null : ended.ratesOn,
    currencyCount: ended.outcome === 'failed' ? null : ended.currencyCount,
    reason: ended.outcome === 'failed' ? ended.reason.slice(0, LONGEST_REASON) : null,
  });
  await session.em.flush();
  await session.query(
    `delete from rate_refreshes where id in (select id from rate_refreshes order by at desc, id desc offset ${KEPT})
     and id <> coalesce((select id from rate_refreshes where outcome <> 'failed' order by at desc, id desc limit 1), '')`,
  );
}

export interface EndedRefresh {
  readonly at: string;
  readonly outcome: 'updated' | 'unchanged' | 'failed';
  readonly ratesOn: string | null;
  readonly currencyCount: number | null;
  readonly reason: string | null;
}

/** The last refresh that succeeded and the last that failed; null if there is none. Only administrators see them. */
export async function lastRefreshes({
  query,
}: Pick<Session, 'query'>): Promise<{ succeeded: EndedRefresh | null; failed: EndedRefresh | null }> {
  const found = await query<EndedRefresh>(
    `select distinct on (outcome = 'failed') at, outcome, rates_on as "ratesOn", currency_count as "currencyCount", reason
     from rate_refreshes order by outcome = 'failed', at desc, id desc`,
  );
  return {
    succeeded: found.find(({ outcome }) => outcome !== 'failed') ?? null,
    failed: found.find(({ outcome }) => outcome === 'failed') ?? null,
  };
}

import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { type CurrencyRoll, explainedBy } from '@tapeline/domain/pools/roll-forward.ts';
import { openTape } from '../../../commands/pool-analyses.server.ts';
import { rollPair } from '../../../commands/roll-forward.server.ts';
import type { Screen } from '../../../http/screen.server.ts';
import type { TransactionPage } from './transaction-page.server.ts';

/** Why a certified pool became that of the next certificate. */
export interface ExplainedPool {
  readonly roll: CurrencyRoll;
  /** The two tapes, if their current assets are those of the certificates. */
  readonly tapes: { readonly before: string; readonly after: string } | null;
}

/**
 * Why the relevant pool of the certificate before became that of the latest one, from the assets that both were
 * calculated from. Null if the tapes do not explain it to the last digit, or if the assets are not visible.
 */
export async function readRollForward(
  { context, db, actor }: Screen,
  { tab }: Pick<TransactionPage, 'tab'>,
): Promise<ExplainedPool | null> {
  const certificate = tab.view === 'overview' ? tab.certificate : null;
  const [pool] = certificate?.figures ?? [];
  if (!certificate?.earlier || !pool?.before || !pool.now || !can(actor, 'assets/read')) return null;
  try {
    const before = await openTape(context, db, certificate.earlier.tapeId, certificate.earlier.id);
    const after = await openTape(context, db, certificate.tapeId, certificate.id);
    if (before.published.manifest.unstableIds || after.published.manifest.unstableIds) return null;
    const rolled = await rollPair(context, db, before, after);
    const certified = { currency: certificate.currency, before: pool.before, now: pool.now };
    const roll = rolled && explainedBy(rolled.forward, certified);
    if (!roll) return null;
    const isCurrent = !before.published.isEarlier && !after.published.isEarlier;
    return { roll, tapes: isCurrent ? { before: before.tape.id, after: after.tape.id } : null };
  } catch (error) {
    // The assets of a past calculation may have been removed, or be hidden from this user.
    if (isRefusal(error)) return null;
    throw error;
  }
}

import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { explains, type RollForward } from '@tapeline/domain/pools/roll-forward.ts';
import { openTape, rollForwardOf } from '../../../commands/pool-analyses.server.ts';
import type { Screen } from '../../../http/screen.server.ts';
import type { TransactionPage } from './transaction-page.server.ts';

/**
 * Why the relevant pool of the certificate before became that of the latest one, from the assets that both were
 * calculated from. Null if the tapes do not explain it to the last digit, or if the assets are not visible.
 */
export async function readRollForward(
  { context, db, actor }: Screen,
  { tab }: Pick<TransactionPage, 'tab'>,
): Promise<RollForward | null> {
  const certificate = tab.view === 'overview' ? tab.certificate : null;
  const [pool] = certificate?.figures ?? [];
  if (!certificate?.earlier || !pool?.before || !pool.now || !can(actor, 'assets/read')) return null;
  try {
    const before = await openTape(context, db, certificate.earlier.tapeId, certificate.earlier.id);
    const after = await openTape(context, db, certificate.tapeId, certificate.id);
    if (before.published.manifest.unstableIds || after.published.manifest.unstableIds) return null;
    const forward = await rollForwardOf(context, before, after);
    const certified = { currency: certificate.currency, before: pool.before, now: pool.now };
    return forward && explains(forward, certified) ? forward : null;
  } catch (error) {
    // The assets of a past calculation may have been removed, or be hidden from this user.
    if (isRefusal(error)) return null;
    throw error;
  }
}

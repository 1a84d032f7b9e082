import { isDeepStrictEqual } from 'node:util';
import type { StoredEqualizationTerms } from '@tapeline/domain/closings/equalization-terms.schema.ts';
import type { Session } from '../../store.ts';
import { lockedFund } from '../capital/split-over-investors.ts';
import { storeChange } from '../metadata.ts';
import { requirePermission } from '../permission.ts';

/**
 * Sets by what terms later closings of a fund are equalized; nothing if they are these already.
 * @throws Refusal forbidden without `funds/write`, if they are others; notFound
 */
export async function setEqualizationTerms(
  session: Session,
  fundId: string,
  terms: StoredEqualizationTerms,
): Promise<void> {
  const fund = await lockedFund(session, fundId, null);
  if (isDeepStrictEqual({ ...fund.equalization }, { ...terms })) return;
  requirePermission(session, 'funds/write');
  await storeChange(session, fund, { equalization: terms });
}

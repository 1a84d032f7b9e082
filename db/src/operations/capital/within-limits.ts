import type { CapitalLimit } from '@tapeline/domain/capital/capital-limits.ts';
import { asProgram, type Session } from '../../store.ts';
import { beyondLimits, commitmentsById, ledgersOf, refuseBeyond } from './ledgers.ts';
import { recordTransfers } from './record-transfers.ts';

/**
 * Checks, after a change was written, that no investor's capital is beyond a limit on any day. What the actor cannot see
 * counts as well.
 * @param flag the field that caused it
 * @param limits those that the change can break
 * @throws Refusal badRequest with the names and amounts
 */
export async function requireWithinLimits(
  session: Session,
  commitmentIds: readonly string[],
  { flag, limits }: { flag: string; limits: readonly CapitalLimit[] },
): Promise<void> {
  const ids = [...new Set([...commitmentIds, ...(await recordTransfers(session, commitmentIds))])];
  const beyond = await asProgram(session, async () => {
    const ledgers = await ledgersOf(session, ids);
    const rows = await commitmentsById(session, ids);
    const investors = rows.map(({ id, title, currency }) => ({ title, currency, ledger: ledgers.get(id)! }));
    return beyondLimits(investors, limits);
  });
  refuseBeyond(beyond, flag);
}

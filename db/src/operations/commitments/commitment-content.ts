import { CapitalAccount, Contribution, Distribution, Nav, WriteOff } from '../../entities/capital.ts';
import type { LPCommitment } from '../../entities/funds.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { recordTransfers } from '../capital/record-transfers.ts';
import { tellWithdrawn } from '../capital/tell-investors.ts';
import { changedMetadata } from '../metadata.ts';

const STATEMENTS = `capital_accounts a join lp_commitments c on c.fund_id = a.fund_id
  and a.class is not distinct from c.class and a.investor_lp_id is not distinct from c.investor_lp_id
  and a.investor_fund_id is not distinct from c.investor_fund_id`;

/** The documents of commitments that are not removed, in words: "2 calls", "1 NAV". */
export async function commitmentContent(session: ReadSession, ids: readonly string[]): Promise<string[]> {
  const of = (table: string) =>
    `(select count(*)::int from ${table} where commitment_id = any ($1) and status <> 'Removed')`;
  const [found] = await session.query<Record<'calls' | 'distributions' | 'navs' | 'writeOffs' | 'statements', number>>(
    `select ${of('contributions')} as calls, ${of('distributions')} as distributions, ${of('navs')} as navs,
       ${of('write_offs')} as "writeOffs",
       (select count(*)::int from ${STATEMENTS} where c.id = any ($1) and a.status <> 'Removed') as statements`,
    [[...ids]],
  );
  const counted = (count: number | undefined, one: string) =>
    count ? [`${count} ${one}${count === 1 ? '' : 's'}`] : [];
  return [
    ...counted(found?.calls, 'call'),
    ...counted(found?.distributions, 'distribution'),
    ...counted(found?.navs, 'NAV'),
    ...counted(found?.writeOffs, 'write-off'),
    ...counted(found?.statements, 'statement'),
  ];
}

const REASON = 'The commitment was removed';

/**
 * Removes (soft delete) everything that belongs to these commitments, in the same transaction, and tells whoever was told
 * of it.
 */
export async function removeContent(session: Session, commitments: readonly LPCommitment[]): Promise<void> {
  const { em } = session;
  const of = { commitmentId: { $in: commitments.map(({ id }) => id) }, status: { $ne: 'Removed' as const } };
  const statements = await em.find(CapitalAccount, {
    status: { $ne: 'Removed' },
    $or: commitments.map(({ fundId, Class, investorLPId, investorFundId }) => ({
      fundId,
      Class: Class ?? null,
      investorLPId: investorLPId ?? null,
      investorFundId: investorFundId ?? null,
    })),
  });
  const contributions = await em.find(Contribution, of);
  const distributions = await em.find(Distribution, of);
  const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);
  await tellWithdrawn(session, 'contributions', ids(contributions));
  await tellWithdrawn(session, 'distributions', ids(distributions));
  await tellWithdrawn(session, 'capital_accounts', ids(statements));
  const documents = [
    ...contributions,
    ...distributions,
    ...(await em.find(Nav, of)),
    ...(await em.find(WriteOff, of)),
    ...statements,
  ];
  for (const document of documents) {
    document.status = 'Removed';
    document.removalReason = REASON;
    document.metadata = changedMetadata(session, document.metadata);
  }
  await recordTransfers(
    session,
    commitments.map(({ id }) => id),
  );
}

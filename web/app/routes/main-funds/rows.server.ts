import { listMainFunds, type MainFundView } from '@tapeline/db/operations/funds/main-funds.ts';
import type { Session } from '@tapeline/db/store.ts';

const rowOf = ({ members, metadata, closingDate, ...fund }: MainFundView) => ({
  id: fund.id,
  code: fund.code,
  title: fund.title,
  type: fund.type,
  strategy: fund.strategy,
  currency: fund.currency,
  targetSize: fund.targetSize,
  hardCap: fund.hardCap,
  members: members.length,
  closingDate: closingDate ?? null,
  status: fund.status,
  metadata: { iat: metadata.iat ?? null },
});

/** A page of main funds as rows. */
export async function mainFundRows(session: Session, query: unknown) {
  const { documents, total } = await listMainFunds(session, query);
  return { rows: documents.map(rowOf), total };
}

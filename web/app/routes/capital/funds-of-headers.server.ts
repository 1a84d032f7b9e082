import { listFunds } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';

/** The titles of visible funds by their ids. */
export async function fundTitles(session: Session, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const { documents } = await listFunds(session, { filter: { id: { in: wanted } }, limit: wanted.length });
  return new Map(documents.map(({ fund }) => [fund.id, fund.title]));
}

/** The fund of a header; null if it is not visible. */
export async function fundOfHeader(session: Session, id: string) {
  const { documents } = await listFunds(session, { filter: { id }, limit: 1 });
  return documents[0]?.fund ?? null;
}

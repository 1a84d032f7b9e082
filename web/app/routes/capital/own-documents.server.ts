import { type ContributionView, listContributions } from '@tapeline/db/operations/capital/contributions.ts';
import { type DistributionView, listDistributions } from '@tapeline/db/operations/capital/distributions.ts';
import type { Page } from '@tapeline/db/operations/listing/list-documents.ts';
import type { Session } from '@tapeline/db/store.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { paths } from '../../paths.ts';
import { fundTitles } from './funds-of-headers.server.ts';
import type { OwnDocument } from './own-documents.tsx';

interface Listed {
  rows: OwnDocument[];
  total: number;
}

const titlesOf = (session: Session, documents: readonly { fundId: string }[]) =>
  fundTitles(
    session,
    documents.map(({ fundId }) => fundId),
  );

/** The rows of calls or distributions. @param own what differs between the two */
async function rowsOf<View extends ContributionView | DistributionView>(
  session: Session,
  { documents, total }: Page<View>,
  own: (view: View) => Pick<OwnDocument, 'to' | 'dueDate' | 'amount'>,
): Promise<Listed> {
  const titles = await titlesOf(session, documents);
  const rows = documents.map((one) => ({
    id: one.id,
    fund: titles.get(one.fundId) ?? null,
    investor: one.investor?.title ?? null,
    ...pick(one, 'callNumber', 'cutOffDate', 'currency', 'status'),
    noticeId: one.file ? (one.fileId ?? null) : null,
    ...own(one),
  }));
  return { rows, total };
}

/** A page of the calls of the investor who is signed in. */
export const ownCalls = async (session: Session, query: object): Promise<Listed> =>
  rowsOf(session, await listContributions(session, query), ({ dueDate, amount, activityId }) => ({
    to: paths.capitalCall(activityId),
    dueDate,
    amount,
  }));

/** A page of the distributions of the investor who is signed in. */
export const ownDistributions = async (session: Session, query: object): Promise<Listed> =>
  rowsOf(session, await listDistributions(session, query), ({ totals, activityId }) => ({
    to: paths.distribution(activityId),
    dueDate: null,
    amount: totals.totalDistributed,
  }));

import { listContributions } from '@tapeline/db/operations/capital/contributions.ts';
import { listDistributions } from '@tapeline/db/operations/capital/distributions.ts';
import { listCapitalAccounts } from '@tapeline/db/operations/capital/statements.ts';
import type { Session } from '@tapeline/db/store.ts';
import { paths } from '../paths.ts';
import { fundTitles } from './funds-of-bundles.server.ts';
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

/** A page of the calls of the investor who is signed in. */
export async function ownCalls(session: Session, query: object): Promise<Listed> {
  const { documents, total } = await listContributions(session, query);
  const titles = await titlesOf(session, documents);
  const rows = documents.map((one) => ({
    id: one.id,
    to: paths.capitalCall(one.metadata.bundleId ?? one.id),
    fund: titles.get(one.fundId) ?? null,
    investor: one.investor?.title ?? null,
    callNumber: one.callNumber,
    cutOffDate: one.cutOffDate,
    dueDate: one.dueDate,
    amount: one.amount,
    currency: one.currency,
    status: one.status,
    noticeId: one.file ? (one.fileId ?? null) : null,
  }));
  return { rows, total };
}

/** A page of the distributions of the investor who is signed in. */
export async function ownDistributions(session: Session, query: object): Promise<Listed> {
  const { documents, total } = await listDistributions(session, query);
  const titles = await titlesOf(session, documents);
  const rows = documents.map((one) => ({
    id: one.id,
    to: paths.distribution(one.metadata.bundleId ?? one.id),
    fund: titles.get(one.fundId) ?? null,
    investor: one.investor?.title ?? null,
    callNumber: one.callNumber,
    cutOffDate: one.cutOffDate,
    dueDate: null,
    amount: one.totals.totalDistributed,
    currency: one.currency,
    status: one.status,
    noticeId: one.file ? (one.fileId ?? null) : null,
  }));
  return { rows, total };
}

/** A page of the capital account statements of the investor who is signed in, the latest first. */
export async function ownStatements(session: Session, limit: number) {
  const { documents, total } = await listCapitalAccounts(session, { sort: { cutOffDate: -1 }, limit });
  const funds = documents.flatMap(({ fundId }) => (fundId ? [{ fundId }] : []));
  const titles = await titlesOf(session, funds);
  const rows = documents.map((one) => ({
    id: one.id,
    fund: titles.get(one.fundId ?? '') ?? null,
    investor: one.investor?.title ?? null,
    cutOffDate: one.cutOffDate,
    currency: one.currency,
    closing: one.statement?.periods.sinceInception.lines?.closing ?? null,
    fileId: one.file ? (one.fileId ?? null) : null,
  }));
  return { rows, total };
}

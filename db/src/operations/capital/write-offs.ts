import { roundedWithin } from '@tapeline/domain/capital/split.ts';
import type { WriteOffChange, WriteOffCreate } from '@tapeline/domain/capital/write-off.schema.ts';
import { atItem } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { WriteOff } from '../../entities/capital.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import { listOf } from '../listing/define-lists.ts';
import { totalDocuments } from '../listing/list-figures.ts';
import { viewsOf } from '../listing/views.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { refuseSentTwice } from '../sent-requests/sent-requests.ts';
import { warnOfFuture } from '../warnings.ts';
import { type ChangeableCapital, changeDocuments, removeDocuments, visibleOf } from './capital-changes.ts';
import type { HeaderCommand } from './change-headers.ts';
import { ISSUES_OF_LINES, type IssueState, settleLines, withIssueStates } from './issue-approval.ts';
import { issueSeen, returnParts, type SeenParts, submitParts } from './issue-requests.ts';
import { commitmentSql } from './notices.ts';
import { recordTransfers } from './record-transfers.ts';
import { copiedFrom, lockedFund, requireAmounts, splitOverInvestors } from './split-over-investors.ts';
import { requireWithinLimits } from './within-limits.ts';

export const WRITE_OFFS = listOf('writeOffs', commitmentSql('t.status'));

const COLLECTION: ChangeableCapital<WriteOff> = {
  listable: WRITE_OFFS,
  write: 'funds/write',
  editable: ['Draft', 'Active'],
};

/** One investor's part of a write-off. */
export type WriteOffView = WriteOff & { investor: InvestorName | null; secondPerson: IssueState | null };

const VIEWS = viewsOf(
  WRITE_OFFS,
  [INVESTORS_OF_PAGE, ISSUES_OF_LINES],
  (all, [investors, issues], session): WriteOffView[] =>
    withIssueStates(session, withInvestors(all, investors), issues),
);
export const listWriteOffs = VIEWS.list;

async function writeOff(session: Session, body: WriteOffCreate): Promise<WriteOff[]> {
  const fund = await lockedFund(session, body.fund, body.Class);
  requireAmounts(fund, { amount: body.amount });
  await refuseSentTwice(session, { noun: 'write-off', flag: 'amount', sent: body });
  const metadata = createdMetadata(session, { bundleId: newId(session.now) });
  return asProgram(session, async () => {
    const split = await splitOverInvestors(session, { ...body, fund, lines: [body.amount.sum] });
    const { cutOffDate } = body;
    const ofInvestors = split.map((part) => ({ ...part, code: part.commitment.code }));
    const parts = roundedWithin(ofInvestors, minorUnitDigits(fund.currency), {
      limit: 'writtenOff',
      from: cutOffDate,
      counted: [0],
      withDocument: (ledger, [amount = '0']) => ({
        ...ledger,
        writeOffs: [...ledger.writeOffs, { cutOffDate, amount }],
      }),
    });
    const created = parts.map(({ commitment, amounts }) =>
      session.em.create(WriteOff, {
        id: newId(session.now),
        ...copiedFrom(commitment),
        status: body.status ?? 'Active',
        cutOffDate: body.cutOffDate,
        amount: amounts[0]!,
        metadata,
      }),
    );
    await session.em.flush();
    return created;
  });
}

/**
 * Writes off capital, all or none: split over the investors of the fund or class, or for one investor.
 * @param bodies as `writeOffCreateSchema` returns them
 * @throws Refusal forbidden without `funds/write`; notFound; badRequest with flags, naming the item, and if more is
 *   written off than the net capital called
 */
export async function createWriteOffs(session: Session, bodies: readonly WriteOffCreate[]): Promise<WriteOffView[]> {
  requirePermission(session, 'funds/write');
  const created: WriteOff[] = [];
  for (const [index, body] of bodies.entries()) {
    try {
      created.push(...(await writeOff(session, body)));
    } catch (error) {
      throw atItem(error, index);
    }
  }
  await requireCalledBefore(session, created);
  warnOfFuture(session, 'The write-off', created);
  return VIEWS.all(session, await visibleOf(session, WRITE_OFFS, created));
}

/** @throws Refusal badRequest if more is written off than the net capital called */
const requireCalledBefore = (session: Session, writeOffs: readonly WriteOff[]): Promise<void> =>
  requireWithinLimits(
    session,
    writeOffs.map(({ commitmentId }) => commitmentId),
    { flag: 'amount', limits: ['writtenOff'] },
  );

/** Changes write-offs, all or none. @throws Refusal as `changeDocuments`, and as `createWriteOffs` */
export async function changeWriteOffs(session: Session, items: readonly WriteOffChange[]): Promise<WriteOffView[]> {
  const moved: Pick<WriteOff, 'id' | 'cutOffDate'>[] = [];
  const { documents, changed } = await changeDocuments(session, COLLECTION, items, (one, item) => {
    if (item.amount) requireAmounts(one, { amount: item.amount });
    if (item.cutOffDate && item.cutOffDate !== one.cutOffDate) moved.push({ id: one.id, cutOffDate: item.cutOffDate });
    return { cutOffDate: item.cutOffDate, amount: item.amount?.sum } as Partial<WriteOff>;
  });
  await requireCalledBefore(session, changed);
  warnOfFuture(session, 'The write-off', moved);
  await settleLines(session, WRITE_OFFS, changed);
  return VIEWS.all(session, documents);
}

/** What was written off in one step is prepared and issued together. */
const ISSUED_WRITE_OFFS = {
  table: 'write_offs',
  changes: COLLECTION,
  views: VIEWS.all,
  issue: changeWriteOffs,
} as const;

/** Submits write-offs for issue by a second person, all or none. @throws Refusal as `submitParts` */
export const submitWriteOffs = (session: Session, parts: SeenParts) => submitParts(session, ISSUED_WRITE_OFFS, parts);

/** Returns submitted write-offs to who prepared them, all or none. @throws Refusal as `returnParts` */
export const returnWriteOffs = (session: Session, parts: SeenParts, why: string) =>
  returnParts(session, ISSUED_WRITE_OFFS, parts, why);

/** Issues the drafts of a write-off as they were seen. @throws Refusal as `issueSeen` */
export const issueWriteOffs = (session: Session, command: HeaderCommand) =>
  issueSeen(session, ISSUED_WRITE_OFFS, command);

/** Removes write-offs (soft delete), all or none. @throws Refusal as `removeDocuments` */
export async function removeWriteOffs(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  const removed = await removeDocuments(session, COLLECTION, command);
  await recordTransfers(
    session,
    removed.map(({ commitmentId }) => commitmentId),
  );
  await settleLines(session, WRITE_OFFS, removed);
}

/** The write-offs that match the query's filter, added up by currency. */
export async function totalWriteOffs(
  session: ReadSession,
  query: { filter?: unknown } = {},
): Promise<{ currency: string; totalWriteOffs: DecimalText }[]> {
  const totals = await totalDocuments(session, WRITE_OFFS, query, { amount: 't.amount' });
  return totals.map(({ currency, sums }) => ({ currency, totalWriteOffs: sums.amount }));
}

import type { WriteOffChange, WriteOffCreate } from '@tapeline/domain/capital/write-off.schema.ts';
import { atItem } from '@tapeline/domain/errors/refusal.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { WriteOff } from '../../entities/capital.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { INVESTORS_OF_PAGE, type InvestorName, withInvestors } from '../funds/funds.ts';
import {
  defineListable,
  listDocuments,
  type Page,
  readForDocuments,
  totalDocuments,
} from '../listing/list-documents.ts';
import { createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { type ChangeableCapital, changeDocuments, removeDocuments, visibleOf } from './capital-changes.ts';
import { requireWithinLimits } from './ledgers.ts';
import { commitmentFields } from './notices.ts';
import { copiedFrom, lockedFund, refuse, requireAmounts, splitOverInvestors } from './split-over-investors.ts';

export const WRITE_OFFS = defineListable(
  WriteOff,
  'write_offs',
  [['amount', 'Amount', 'decimal', 't.amount', 'currency']],
  commitmentFields('t.status'),
);

const COLLECTION: ChangeableCapital<WriteOff> = {
  listable: WRITE_OFFS,
  write: 'funds/write',
  editable: ['Draft', 'Active'],
};

/** One investor's part of a write-off. */
export type WriteOffView = WriteOff & { investor: InvestorName | null };

/** A page of the write-offs that the actor can see. */
export async function listWriteOffs(session: ReadSession, query: unknown = {}): Promise<Page<WriteOffView>> {
  const { documents, total, rows } = await listDocuments(session, WRITE_OFFS, query, {
    statements: [INVESTORS_OF_PAGE],
  });
  return { documents: withInvestors(documents, rows[0]), total };
}

async function viewWriteOffs(session: ReadSession, writeOffs: readonly WriteOff[]): Promise<WriteOffView[]> {
  const [rows] = await readForDocuments(session, WRITE_OFFS, writeOffs, [INVESTORS_OF_PAGE]);
  return withInvestors(writeOffs, rows);
}

/** Seconds within which the same write-off is the same form sent twice. */
const SENT_TWICE_SECONDS = 5;

/**
 * Write-offs have no number that tells one from another. Runs with the fund locked, so that of two that are sent at once
 * the second sees the first.
 * @param own bundles of the same list, which may repeat one
 * @throws Refusal badRequest for a write-off that was saved a moment ago
 */
async function requireNotSentTwice(session: Session, body: WriteOffCreate, own: ReadonlySet<string>): Promise<void> {
  const saved = await asProgram(session, () =>
    session.query<{ id: string }>(
      `select metadata ->> 'bundleId' as id from write_offs
       where fund_id = $1 and cut_off_date = $2 and status <> 'Removed'
         and (metadata ->> 'iat')::timestamptz > $3::timestamptz - interval '${SENT_TWICE_SECONDS} seconds'
       group by 1 having sum(amount) = $4
         and ($5::text is null or bool_and(coalesce(investor_lp_id, investor_fund_id) = $5))
         and ($6::text is null or bool_and(class = $6))`,
      [
        body.fund,
        body.cutOffDate,
        session.now.toISOString(),
        body.amount.sum,
        body.investor?.id ?? null,
        body.Class ?? null,
      ],
    ),
  );
  if (saved.every(({ id }) => own.has(id))) return;
  const { sum, currency } = body.amount;
  refuse(`A write-off of ${sum} ${currency} on this day was saved a moment ago. Look whether it is this one`, {
    amount: 'was saved a moment ago',
  });
}

async function writeOff(session: Session, body: WriteOffCreate, own: ReadonlySet<string>): Promise<WriteOff[]> {
  const fund = await lockedFund(session, body.fund, body.Class);
  requireAmounts(fund, { amount: body.amount });
  await requireNotSentTwice(session, body, own);
  const metadata = createdMetadata(session, { bundleId: newId(session.now) });
  return asProgram(session, async () => {
    const parts = await splitOverInvestors(session, { ...body, fund, lines: [body.amount.sum] });
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
  for (const [place, body] of bodies.entries()) {
    try {
      const own = new Set(created.flatMap(({ metadata }) => metadata.bundleId ?? []));
      created.push(...(await writeOff(session, body, own)));
    } catch (error) {
      throw atItem(error, place);
    }
  }
  await requireCalledBefore(session, created);
  return viewWriteOffs(session, await visibleOf(session, WRITE_OFFS, created));
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
  const { documents, changed } = await changeDocuments(session, COLLECTION, items, (one, item) => {
    if (item.amount) requireAmounts(one, { amount: item.amount });
    return { cutOffDate: item.cutOffDate, amount: item.amount?.sum } as Partial<WriteOff>;
  });
  await requireCalledBefore(session, changed);
  return viewWriteOffs(session, documents);
}

/** Removes write-offs (soft delete), all or none. @throws Refusal as `removeDocuments` */
export async function removeWriteOffs(
  session: Session,
  command: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<void> {
  await removeDocuments(session, COLLECTION, command);
}

/** The write-offs that match the query's filter, added up by currency. */
export async function totalWriteOffs(
  session: ReadSession,
  query: { filter?: unknown } = {},
): Promise<{ currency: string; totalWriteOffs: DecimalText }[]> {
  const totals = await totalDocuments(session, WRITE_OFFS, query, { amount: 't.amount' });
  return totals.map(({ currency, sums }) => ({ currency, totalWriteOffs: sums.amount }));
}

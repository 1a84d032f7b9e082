import { leastUnfundedFrom } from '@tapeline/domain/capital/capital-figures.ts';
import { activeCommitmentAt } from '@tapeline/domain/commitments/active-commitment.ts';
import {
  type CommitmentTransfer,
  maximumFor,
  transferDeltas,
  withDelta,
} from '@tapeline/domain/commitments/transfer.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { flagsAt, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { compare, type DecimalText, isNegative } from '@tapeline/domain/money/decimal.ts';
import { formatAmount, writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { LPCommitment } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { ledgersOf } from '../capital/ledgers.ts';
import { type CommitmentView, FUNDS, getCommitment, LP_COMMITMENTS, viewCommitments } from '../funds/funds.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { lockFundsOf } from './change-commitments.ts';
import { requireInvestor } from './commitment-investors.ts';

/** One side of a transfer on its day. */
export interface TransferSide {
  readonly title: string;
  readonly before: DecimalText;
  readonly after: DecimalText;
  readonly maxBefore: DecimalText;
  readonly maxAfter: DecimalText;
}

/** What a transfer will do. Nothing is changed yet. */
export interface TransferPlan {
  readonly date: string;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly Class: string | null;
  /** The most that can be transferred on the day. */
  readonly unfunded: DecimalText;
  readonly from: TransferSide;
  readonly to: TransferSide;
  /** The recipient has no commitment to the fund and class yet; it gets one, with the fees of the transferor. */
  readonly isNew: boolean;
}

/** The name of an investor that need not have a commitment yet. */
async function nameOf(session: Session, { id, kind }: CommitmentTransfer['to']): Promise<string> {
  const table = kind === 'LP' ? 'lps' : 'funds';
  const [found] = await session.query<{ title: string }>(`select title from ${table} where id = $1`, [id]);
  if (!found) throw new Refusal('notFound');
  return found.title;
}

const investorOf = ({ investorLPId, investorFundId }: LPCommitment) => investorLPId ?? investorFundId;

/** Checks everything, and finds both commitments. */
async function prepare(session: Session, body: CommitmentTransfer) {
  requirePermission(session, 'LPs/commitments/write');
  const from = await getDocument(session, LP_COMMITMENTS, body.commitment);
  if (from.version !== body.version) throw staleRefusal(from, body.version);
  const fund = await getDocument(session, FUNDS, from.fundId);
  const Class = from.Class ?? null;
  if (from.status !== 'Active')
    refuse(`A commitment that is ${from.status} cannot be transferred`, { commitment: 'must be Active' });
  if (body.Class != null && body.Class !== Class) {
    refuse('A transfer stays within the class of the commitment', { Class: 'must be the class of the commitment' });
  }
  if (investorOf(from) === body.to.id) {
    refuse('Choose another investor to transfer to', { 'to.id': 'is the investor that transfers' });
  }
  await flagsAt(requireInvestor(session, fund, body.to), () => 'to.id');
  const { id, kind } = body.to;
  const to = await session.em.findOne(LPCommitment, {
    fundId: fund.id,
    investorLPId: kind === 'LP' ? id : null,
    investorFundId: kind === 'fund' ? id : null,
    Class,
    status: { $ne: 'Removed' },
  });
  if (to && to.status !== 'Active') {
    refuse(`The investor's commitment is ${to.status}`, { 'to.id': `has a commitment that is ${to.status}` });
  }
  for (const side of [from, ...(to ? [to] : [])]) {
    if (body.date >= side.closingDate) continue;
    refuse('The transfer is before the closing date of a commitment', {
      date: `must be on or after ${formatCalendarDate(side.closingDate)}, the closing date of the ${side === from ? 'transferor' : 'recipient'}`,
    });
  }
  const problem = documentSumProblem(fund.currency, { sum: body.amount, currency: null });
  if (problem !== null) refuse(`Enter an amount in ${fund.currency}, the currency of the fund`, { amount: problem });
  const [view] = await viewCommitments(session, [from]);
  const names = { from: view?.investor?.title ?? 'another investor', to: await nameOf(session, body.to) };
  const ledger = (await ledgersOf(session, [from.id])).get(from.id)!;
  const { amount: unfunded } = leastUnfundedFrom(ledger, body.date);
  const most = isNegative(unfunded) ? '0' : unfunded;
  if (compare(body.amount, most) > 0) {
    const amount = { sum: most, currency: fund.currency };
    refuse(
      `${names.from} has ${writtenAmount(amount)} unfunded from ${formatCalendarDate(body.date)} on. Transfer at most that`,
      {
        amount: `must be at most ${formatAmount(amount)}, what is unfunded from that day on`,
      },
    );
  }
  return { from, to, fund, names, unfunded: most };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Both commitments with their change; the recipient's maximum rises if needed. */
function changesOf({ to }: Prepared, { date, amount }: CommitmentTransfer, id: string) {
  const { given, received } = transferDeltas({ id, date, amount });
  const taking = to ?? { closingDate: date, activeCommitment: '0', deltas: [], maxCommitment: '0' };
  const after = withDelta(taking, received);
  return { given, received, taking, after, maxAfter: maximumFor(after, taking.maxCommitment) };
}

/**
 * What a transfer would do, for review.
 * @throws Refusal as `transferCommitment`
 */
export async function planTransfer(session: Session, body: CommitmentTransfer): Promise<TransferPlan> {
  const prepared = await prepare(session, body);
  const { from, to, fund, names, unfunded } = prepared;
  const { given, taking, after, maxAfter } = changesOf(prepared, body, newId(session.now));
  const { date, amount } = body;
  return {
    date,
    amount,
    currency: fund.currency,
    Class: from.Class ?? null,
    unfunded,
    from: {
      title: names.from,
      before: activeCommitmentAt(from, date),
      after: activeCommitmentAt(withDelta(from, given), date),
      maxBefore: from.maxCommitment,
      maxAfter: from.maxCommitment,
    },
    to: {
      title: names.to,
      before: activeCommitmentAt(taking, date),
      after: activeCommitmentAt(after, date),
      maxBefore: taking.maxCommitment,
      maxAfter,
    },
    isNew: to === null,
  };
}

/**
 * Transfers unfunded commitment to another investor of the same fund and class: a change of both commitments on the
 * same day. An investor without a commitment gets one, with the same fees.
 * @param body as `commitmentTransferSchema` returns it
 * @throws Refusal forbidden without `LPs/commitments/write`; notFound; badRequest with flags if the amount is above what
 *   is unfunded from the day on, the day is before a closing date, the recipient is the transferor or not an investor of
 *   the manager, the class is another, or the version is stale
 */
export async function transferCommitment(
  session: Session,
  body: CommitmentTransfer,
): Promise<{ from: CommitmentView; to: CommitmentView }> {
  requirePermission(session, 'LPs/commitments/write');
  await lockFundsOf(session, [body.commitment]);
  const prepared = await prepare(session, body);
  const { from, fund } = prepared;
  const { given, received, maxAfter } = changesOf(prepared, body, newId(session.now));
  const plain = ({ title = null, ...delta }: typeof given) => ({ ...delta, title });
  from.deltas = [...from.deltas, plain(given)];
  from.metadata = changedMetadata(session, from.metadata);
  const { id, kind } = body.to;
  const to =
    prepared.to ??
    session.em.create(LPCommitment, {
      id: newId(session.now),
      managerId: fund.managerId,
      fundId: fund.id,
      investorKind: kind,
      investorLPId: kind === 'LP' ? id : null,
      investorFundId: kind === 'fund' ? id : null,
      Class: from.Class ?? null,
      currency: fund.currency,
      closingDate: body.date,
      maxCommitment: maxAfter,
      activeCommitment: '0',
      fees: from.fees,
      metadata: createdMetadata(session),
    });
  to.deltas = [...to.deltas, plain(received)];
  to.maxCommitment = maxAfter;
  if (prepared.to) to.metadata = changedMetadata(session, to.metadata);
  await session.em.flush();
  return { from: await getCommitment(session, from.id), to: await getCommitment(session, to.id) };
}

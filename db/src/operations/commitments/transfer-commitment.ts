import {
  type CapitalFigures,
  type CapitalLedger,
  capitalFigures,
  leastUnfundedFrom,
  totalFigures,
} from '@tapeline/domain/capital/capital-figures.ts';
import { CAPITAL_LIMITS } from '@tapeline/domain/capital/capital-limits.ts';
import { transferInterest } from '@tapeline/domain/capital/transferred-interest.ts';
import { activeCommitmentAt, deltaProblems } from '@tapeline/domain/commitments/active-commitment.ts';
import {
  type CommitmentTransfer,
  maximumFor,
  ONE_EXTENT,
  PRICE_OF_INTEREST,
  transferDeltas,
  withDelta,
} from '@tapeline/domain/commitments/transfer.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { flagsAt, Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { requireRule } from '@tapeline/domain/errors/rule.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { compare, type DecimalText, isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { formatAmount, writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Transfer } from '../../entities/capital.ts';
import { LPCommitment } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import { asProgram, type Session } from '../../store.ts';
import { positionsAt } from '../capital/figures.ts';
import { ledgersOf } from '../capital/ledgers.ts';
import { requireWithinLimits } from '../capital/within-limits.ts';
import { uploadedFiles } from '../files/files.ts';
import { type CommitmentView, FUNDS, getCommitment, LP_COMMITMENTS, viewCommitments } from '../funds/funds.ts';
import { getDocument } from '../listing/list-documents.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import { lockFundsOf } from './change-commitments.ts';
import { requireInvestor } from './commitment-investors.ts';
import { getTransfer, type TransferView } from './transfers.ts';

/** One side of a transfer on its day. */
export interface TransferSide {
  readonly title: string;
  readonly before: DecimalText;
  readonly after: DecimalText;
  readonly maxBefore: DecimalText;
  readonly maxAfter: DecimalText;
  readonly figures: BeforeAndAfter;
}

/** Figures of the day of the transfer. */
export interface BeforeAndAfter {
  readonly before: CapitalFigures;
  readonly after: CapitalFigures;
}

/** What a transfer does. */
export interface TransferPlan {
  readonly date: string;
  /** What is committed with it. */
  readonly amount: DecimalText;
  /** Of the interest; null if only unfunded commitment is transferred. */
  readonly sharePercent: DecimalText | null;
  readonly price: DecimalText | null;
  readonly currency: string;
  readonly Class: string | null;
  /** The most unfunded commitment that can be transferred on the day. */
  readonly unfunded: DecimalText;
  readonly from: TransferSide;
  readonly to: TransferSide;
  /** The recipient has no commitment to the fund and class yet; it gets one, with the fees of the transferor. */
  readonly isNew: boolean;
  /** Of all commitments to the fund, those that the actor cannot see as well. */
  readonly fund: BeforeAndAfter;
  /** As it would be stored. */
  readonly transfer: TransferView;
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
  for (const field of ['amount', 'price'] as const) {
    const entered = body[field];
    const problem = entered == null ? null : documentSumProblem(fund.currency, { sum: entered, currency: null });
    if (problem !== null) refuse(`Enter an amount in ${fund.currency}, the currency of the fund`, { [field]: problem });
  }
  requireRule(ONE_EXTENT, body, 'Enter what is transferred');
  requireRule(PRICE_OF_INTEREST, body, 'Only a share of the interest has a purchase price');
  const [view] = await viewCommitments(session, [from]);
  const names = { from: view?.investor?.title ?? 'another investor', to: await nameOf(session, body.to) };
  const ledgers = await asProgram(session, () => ledgersOf(session, [from.id, ...(to ? [to.id] : [])]));
  const ledger = ledgers.get(from.id)!;
  const { amount: unfunded } = leastUnfundedFrom(ledger, body.date);
  const most = isNegative(unfunded) ? '0' : unfunded;
  if (body.amount != null && compare(body.amount, most) > 0) {
    const amount = { sum: most, currency: fund.currency };
    refuse(
      `${names.from} has ${writtenAmount(amount)} unfunded from ${formatCalendarDate(body.date)} on. Transfer at most that`,
      {
        amount: `must be at most ${formatAmount(amount)}, what is unfunded from that day on`,
      },
    );
  }
  if (body.sharePercent != null) await requireNothingLater(session, [from, ...(to ? [to] : [])], body.date);
  return {
    from,
    to,
    fund,
    names,
    unfunded: most,
    document: await documentOf(session, body),
    amount: committedWith(body, { ledger, to: ledgers.get(to?.id ?? ''), fund }),
  };
}

/** Where the documents of transfers are. */
export const TRANSFER_BUCKET = 'capitalAccounts';

/** The id of the file of a transfer. @throws Refusal badRequest (flag on `document`) */
async function documentOf(session: Session, { document }: CommitmentTransfer): Promise<string | null> {
  if (document == null) return null;
  const file = (await uploadedFiles(session, { bucket: TRANSFER_BUCKET, keysOrIds: [document] })).get(document);
  if (file) return file.id;
  refuse('The document does not exist, or its upload is incomplete. Upload it first', {
    document: 'is not an uploaded file',
  });
}

/** A commitment that holds nothing yet. */
const nothingFrom = (date: string): CapitalLedger => ({
  commitment: { closingDate: date, activeCommitment: '0', deltas: [] },
  calls: [],
  distributions: [],
  writeOffs: [],
  navs: [],
});

/** What is committed with a transfer. @throws Refusal badRequest for the share of an interest in which nothing is left */
function committedWith(
  { amount, sharePercent, date, price = null }: CommitmentTransfer,
  { ledger, to, fund }: { ledger: CapitalLedger; to: CapitalLedger | undefined; fund: { currency: string } },
): DecimalText {
  if (sharePercent == null) return amount ?? '0';
  const { commitment } = transferInterest(ledger, to ?? nothingFrom(date), {
    id: '',
    date,
    sharePercent,
    price,
    digits: minorUnitDigits(fund.currency),
  });
  if (isNegative(commitment) || isZero(commitment)) {
    refuse('Nothing of the commitment is left to transfer on that day', {
      sharePercent: 'leaves nothing to transfer on that day',
    });
  }
  return commitment;
}

/**
 * A NAV that was recorded for the day or later is of what each held without the transfer, and a later transfer is of what
 * was left without it.
 */
async function requireNothingLater(session: Session, sides: readonly LPCommitment[], date: string): Promise<void> {
  const [later] = await asProgram(session, () =>
    session.query<{ day: string; isNav: boolean }>(
      `select day::text as day, is_nav as "isNav" from (
         select cut_off_date as day, true as is_nav from navs
           where commitment_id = any ($1) and status in ('Active', 'Closed') and cut_off_date >= $2::date
         union all select date, false from transfers where share_percent is not null and date > $2::date
           and (commitment_id = any ($1) or to_commitment_id = any ($1))
       ) as later order by day desc limit 1`,
      [sides.map(({ id }) => id), date],
    ),
  );
  if (!later) return;
  const day = formatCalendarDate(later.day);
  if (later.isNav) {
    refuse(`A NAV of one of the two is recorded for ${day}, of what it held without this transfer`, {
      date: `must be after ${day}, for which a NAV is recorded`,
    });
  }
  refuse(`An interest of one of the two was transferred on ${day}`, {
    date: `must be on or after ${day}, the day of another transfer`,
  });
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Both commitments with their change; the recipient's maximum rises if needed. */
function changesOf({ to, amount }: Prepared, { date }: CommitmentTransfer, id: string) {
  const { given, received } = transferDeltas({ id, date, amount });
  const taking = to ?? { closingDate: date, activeCommitment: '0', deltas: [], maxCommitment: '0' };
  const after = withDelta(taking, received);
  return { given, received, taking, after, maxAfter: maximumFor(after, taking.maxCommitment) };
}

/** The figures of all commitments to a fund on a day. */
const fundFigures = (session: Session, fundId: string, cutOffDate: string): Promise<CapitalFigures> =>
  asProgram(session, async () => totalFigures(await positionsAt(session, { fundId, cutOffDate })));

const figuresOf = (session: Session, id: string, date: string): Promise<CapitalFigures> =>
  asProgram(session, async () => capitalFigures((await ledgersOf(session, [id])).get(id)!, date));

/**
 * Transfers as `transferCommitment` does, and says what it changes. The caller rolls the transaction back.
 * @throws Refusal as `transferCommitment`
 */
export async function planTransfer(session: Session, body: CommitmentTransfer): Promise<TransferPlan> {
  const prepared = await prepare(session, body);
  const { from, to, fund, names, unfunded, amount } = prepared;
  const { given, taking, after, maxAfter } = changesOf(prepared, body, newId(session.now));
  const { date, sharePercent = null, price = null } = body;
  const committed = [
    activeCommitmentAt(from, date),
    activeCommitmentAt(withDelta(from, given), date),
    activeCommitmentAt(taking, date),
    activeCommitmentAt(after, date),
  ] as const;
  const [maxFrom, maxTo] = [from.maxCommitment, taking.maxCommitment];
  const before = {
    from: await figuresOf(session, from.id, date),
    to: to ? await figuresOf(session, to.id, date) : capitalFigures(nothingFrom(date), date),
    fund: await fundFigures(session, fund.id, date),
  };
  const made = await transferCommitment(session, body);
  return {
    date,
    amount,
    sharePercent,
    price,
    currency: fund.currency,
    Class: from.Class ?? null,
    unfunded,
    from: {
      title: names.from,
      before: committed[0],
      after: committed[1],
      maxBefore: maxFrom,
      maxAfter: maxFrom,
      figures: { before: before.from, after: await figuresOf(session, made.from.id, date) },
    },
    to: {
      title: names.to,
      before: committed[2],
      after: committed[3],
      maxBefore: maxTo,
      maxAfter,
      figures: { before: before.to, after: await figuresOf(session, made.to.id, date) },
    },
    isNew: to === null,
    fund: { before: before.fund, after: await fundFigures(session, fund.id, date) },
    transfer: await getTransfer(session, made.id),
  };
}

/**
 * Transfers unfunded commitment, or a share of the interest, to another investor of the same fund and class: a change of
 * both commitments on the same day. With the interest, the same share of what was called, paid and valued before counts
 * for the new holder from that day on. An investor without a commitment gets one, with the same fees.
 * @param body as `commitmentTransferSchema` returns it
 * @throws Refusal forbidden without `LPs/commitments/write`; notFound; badRequest with flags if the amount is above what
 *   is unfunded from the day on, the day is before a closing date, the recipient is the transferor or not an investor of
 *   the manager, the class is another, the document is no uploaded file, or the version is stale
 */
export async function transferCommitment(
  session: Session,
  body: CommitmentTransfer,
): Promise<{ id: string; from: CommitmentView; to: CommitmentView }> {
  requirePermission(session, 'LPs/commitments/write');
  await lockFundsOf(session, [body.commitment]);
  const prepared = await prepare(session, body);
  const { from, fund } = prepared;
  const link = newId(session.now);
  const { given, received, maxAfter } = changesOf(prepared, body, link);
  const plain = ({ title = null, ...delta }: typeof given) => ({ ...delta, title });
  from.deltas = [...from.deltas, plain(given)];
  if (deltaProblems(from, from.maxCommitment).size > 0) {
    refuse('The commitment was reduced after that day, so that less than this is left', {
      date: 'must be after the last reduction of the commitment',
    });
  }
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
  const isInterest = body.sharePercent != null;
  session.em.create(Transfer, {
    id: link,
    managerId: fund.managerId,
    fundId: fund.id,
    Class: from.Class ?? null,
    currency: fund.currency,
    commitmentId: from.id,
    toCommitmentId: to.id,
    date: body.date,
    amount: prepared.amount,
    sharePercent: body.sharePercent ?? null,
    price: body.price ?? null,
    documentId: prepared.document,
    isDue: isInterest,
  });
  // Records what moves with an interest.
  await requireWithinLimits(session, [from.id, to.id], {
    flag: isInterest ? 'sharePercent' : 'amount',
    limits: isInterest ? CAPITAL_LIMITS : ['called'],
  });
  return { id: link, from: await getCommitment(session, from.id), to: await getCommitment(session, to.id) };
}

import {
  capitalFlows,
  capitalSeries,
  type FigureSeries,
  returnOf,
  returnOnPrices,
} from '@tapeline/domain/capital/capital-figures.ts';
import { type ShownReturn, shownReturn } from '@tapeline/domain/returns/shown-return.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { type CommitmentView, getCommitment } from '../funds/funds.ts';
import { ledgersOf } from './ledgers.ts';

/** A commitment with its return and the course of its figures until today. */
export type CommitmentDetails = CommitmentView & {
  /** A fraction; null if there is none. */
  netIrr: number | null;
  series: { netCapitalCalled: FigureSeries; recallableCapital: FigureSeries };
};

/** @throws Refusal notFound */
export async function commitmentDetails(session: Session, id: string): Promise<CommitmentDetails> {
  const commitment = await getCommitment(session, id);
  const ledger = (await ledgersOf(session, [id])).get(id)!;
  const at = todayOf(session);
  return { ...commitment, netIrr: returnOf([ledger], at, 'net').rate, series: capitalSeries(ledger, at) };
}

/** The returns of an interest that was bought: its own, and that on the price. Null for any other commitment. */
export async function returnsOfPurchase(
  session: ReadSession,
  id: string,
): Promise<{ interest: ShownReturn; price: ShownReturn } | null> {
  const ledger = (await ledgersOf(session, [id])).get(id);
  const at = todayOf(session);
  const price = ledger ? returnOnPrices(ledger, at) : null;
  if (!ledger || !price) return null;
  const first = capitalFlows(ledger, at, 'net')
    .map(({ when }) => when)
    .sort()[0];
  const bought = ledger.navs.find(({ transfer }) => transfer?.price != null)?.cutOffDate;
  return { interest: shownReturn(returnOf([ledger], at, 'net'), first, at), price: shownReturn(price, bought, at) };
}

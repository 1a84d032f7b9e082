import { capitalSeries, type FigureSeries, returnOf } from '@tapeline/domain/capital/capital-figures.ts';
import type { Session } from '../../store.ts';
import { type CommitmentView, getCommitment } from '../funds/funds.ts';
import { ledgersOf } from './ledgers.ts';
import { today } from './notices.ts';

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
  const at = today(session);
  return { ...commitment, netIrr: returnOf([ledger], at, 'net').rate, series: capitalSeries(ledger, at) };
}

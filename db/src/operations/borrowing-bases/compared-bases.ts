import { requireComparable } from '@tapeline/domain/borrowing-base/causes/explain-difference.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { BorrowingBase } from '../../entities/lending.ts';
import type { Session } from '../../store.ts';
import { requirePermission } from '../permission.ts';
import { generationPrefix } from '../tapes/tapes.ts';
import { listBorrowingBaseFigures } from './borrowing-base-figures.ts';
import { getBorrowingBase } from './borrowing-bases.ts';

/** Two certificates of a facility. */
export interface ComparedBases {
  readonly earlier: BorrowingBase;
  readonly later: BorrowingBase;
}

/**
 * The certificates that the actor sees: the later one is that of the later cut-off date, or of one date the one that was
 * calculated last.
 * @throws Refusal notFound; badRequest for those of two facilities or currencies, and for one with itself
 */
export async function comparedBases(session: Session, [one, other]: readonly [string, string]): Promise<ComparedBases> {
  requirePermission(session, 'borrowingBase/read');
  // Causes name the rules and limits of the contracts.
  requirePermission(session, 'transactions/read');
  const bases = [await getBorrowingBase(session, one), await getBorrowingBase(session, other)];
  // An id begins with the time at which the document was created.
  const placeOf = ({ cutOffDate, id }: BorrowingBase) => `${cutOffDate} ${id}`;
  const [earlier, later] = bases.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)) as [BorrowingBase, BorrowingBase];
  if (earlier.id === later.id) throw new Refusal('badRequest', 'Choose another certificate to compare with');
  if (earlier.transactionId !== later.transactionId) {
    throw new Refusal('badRequest', 'Only certificates of the same facility can be compared');
  }
  requireComparable(earlier.result, later.result);
  return { earlier, later };
}

/** The certificate of the cut-off date before, of the same note; null for the first one. */
export async function certificateBefore(
  session: Session,
  { noteId, cutOffDate }: Pick<BorrowingBase, 'noteId' | 'cutOffDate'>,
): Promise<string | null> {
  const figures = await listBorrowingBaseFigures(session, { noteIds: [noteId], until: cutOffDate, perNote: 36 });
  return figures.filter((figure) => figure.cutOffDate < cutOffDate).at(-1)?.id ?? null;
}

/**
 * Where a comparison is stored: its figures, and the effect on each asset. Neither changes, because a certificate does
 * not; they are calculated again once they have been removed.
 */
export function comparisonKeys({ earlier, later }: ComparedBases): { figures: string; assets: string } {
  const prefix = `${generationPrefix(later.tapeId, later.generationId)}compared/v1/${earlier.id}-${later.id}`;
  return { figures: `${prefix}.json`, assets: `${prefix}.parquet` };
}

import { getCommitment, getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classNameOf, classTitle } from '@tapeline/domain/funds/class-title.ts';
import type { Screen } from '../../../http/screen.server.ts';

/**
 * The commitment in the address, with its fund.
 * @throws Refusal notFound, also for a commitment to another fund
 */
export async function readCommitment(session: Session, { params }: Pick<Screen, 'params'>) {
  const fund = await getFund(session, params.id ?? '');
  const commitment = await getCommitment(session, params.commitment ?? '');
  if (commitment.fundId !== fund.id) throw new Refusal('notFound');
  const ofClass = fund.classes.find(({ uniqueKey }) => uniqueKey === commitment.Class);
  return {
    fund: { id: fund.id, title: fund.title, currency: fund.currency, managerId: fund.managerId },
    commitment,
    className: ofClass ? classTitle(ofClass.name) : classNameOf([], commitment.Class),
    title: commitment.investor?.title ?? 'Commitment',
  };
}

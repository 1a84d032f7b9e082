import { fundCommitmentsAt } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import type { Session } from '@tapeline/db/store.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { FundOfForm } from './fund-of-form.server.ts';

/** The visible commitments in force to a fund, the largest first. */
export async function commitmentsOfForm(session: Session, fund: FundOfForm, date: string) {
  const { commitments } = await fundCommitmentsAt(session, fund.id, date);
  return commitments.flatMap(({ id, status, investorId, investorKind, investorTitle, Class, percentage }) =>
    status === 'Draft'
      ? []
      : [
          {
            id,
            investorId,
            investorKind,
            Class,
            className: classNameOf(fund.classes, Class),
            title: investorTitle ?? 'n/a',
            percentage,
          },
        ],
  );
}

import { statementInvestors } from '@tapeline/db/operations/capital/statements.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { classesOfMainFund, getMainFund } from '@tapeline/db/operations/funds/main-funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { addDays } from '@tapeline/domain/dates/calendar-date.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { fundOfUrl } from '../fund-of-form.server.ts';

/** The fund in `?fund=`, or the main fund in `?mainFund=`. @throws Refusal notFound */
export async function documentsOwner(session: Session, { searchParams }: URL) {
  const fundId = searchParams.get('fund');
  const mainFundId = searchParams.get('mainFund');
  if (fundId && isId(fundId)) {
    const { id, title, classes } = await getFund(session, fundId);
    return {
      title,
      classes: classes.map(({ name, uniqueKey }) => ({ value: uniqueKey, label: name })),
      of: { fund: id },
      backTo: paths.fund(id, { view: 'documents' }),
      draftsAt: paths.fund(id, { view: 'documents', select: 'drafts' }),
    };
  }
  if (mainFundId && isId(mainFundId)) {
    const { id, title } = await getMainFund(session, mainFundId);
    const classes = (await classesOfMainFund(session, id)).map(({ key, title: label }) => ({ value: key, label }));
    return {
      title,
      classes,
      of: { mainFund: id },
      backTo: paths.mainFund(id),
      draftsAt: paths.mainFund(id, { select: 'drafts' }),
    };
  }
  throw new Refusal('notFound');
}

/** The owner in the address; or, if there is none, the funds to choose from. */
export async function askedOwner(session: Session, screen: Pick<Screen, 'url' | 'actor'>) {
  const { searchParams } = screen.url;
  if (searchParams.has('fund') || searchParams.has('mainFund')) {
    return { owner: await documentsOwner(session, screen.url), choice: null };
  }
  return { owner: null, choice: (await fundOfUrl(session, screen)).choice };
}

type Owner = Awaited<ReturnType<typeof documentsOwner>>;

/** The investors of the fund or main fund, by name. */
export const investorsOfOwner = (session: Session, { of }: Pick<Owner, 'of'>) =>
  statementInvestors(session, { fundId: of.fund ?? null, mainFundId: of.mainFund ?? null });

/** The end of the latest quarter before a day. */
export function lastQuarterEnd(today: string): string {
  const month = Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1;
  return addDays(`${today.slice(0, 4)}-${String(month).padStart(2, '0')}-01`, -1);
}

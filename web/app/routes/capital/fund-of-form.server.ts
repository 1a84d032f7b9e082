import { fundChoices, getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { countsOf } from '../../components/forms/choice-search.tsx';
import type { Screen } from '../../http/screen.server.ts';

/** What a form shows of its fund. @throws Refusal notFound */
export async function readFund(session: Session, fundId: string) {
  const { id, title, currency, classes, status, managerId } = await getFund(session, fundId);
  return { id, title, currency, classes, status, managerId };
}

/**
 * The fund in `?fund=`, or the only one that there is, or the funds to choose from.
 * @throws Refusal notFound for a fund that is not visible
 */
export async function fundOfUrl(session: Session, { url, actor }: Pick<Screen, 'url' | 'actor'>) {
  const asked = url.searchParams.get('fund') ?? '';
  if (isId(asked)) return { fund: await readFund(session, asked), choice: null };
  const found = await fundChoices(session, actor.managerId ?? '', { search: url.searchParams.get('find') });
  const [only] = found.total === 1 ? found.choices : [];
  if (only) return { fund: await readFund(session, only.id), choice: null };
  return {
    fund: null,
    choice: {
      funds: found.choices.map(({ id, name }) => ({ value: id, label: name })),
      counts: countsOf(found),
    },
  };
}

export type FundOfForm = Awaited<ReturnType<typeof readFund>>;
export type FundChoice = NonNullable<Awaited<ReturnType<typeof fundOfUrl>>['choice']>;

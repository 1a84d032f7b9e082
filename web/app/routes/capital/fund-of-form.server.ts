import { fundChoices, getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { countsOf } from '../../components/forms/choice-search.tsx';
import type { Screen } from '../../http/screen.server.ts';

/**
 * The fund in `?fund=`, or the funds to choose from.
 * @throws Refusal notFound for a fund that is not visible
 */
export async function fundOfUrl(session: Session, { url, actor }: Pick<Screen, 'url' | 'actor'>) {
  const asked = url.searchParams.get('fund') ?? '';
  if (isId(asked)) {
    const { id, title, currency, classes, status, managerId } = await getFund(session, asked);
    return { fund: { id, title, currency, classes, status, managerId }, choice: null };
  }
  const found = await fundChoices(session, actor.managerId ?? '', { search: url.searchParams.get('find') });
  return {
    fund: null,
    choice: {
      funds: found.choices.map(({ id, name }) => ({ value: id, label: name })),
      counts: countsOf(found),
    },
  };
}

export type FundOfForm = NonNullable<Awaited<ReturnType<typeof fundOfUrl>>['fund']>;
export type FundChoice = NonNullable<Awaited<ReturnType<typeof fundOfUrl>>['choice']>;

import { fundChoices } from '@tapeline/db/operations/funds/funds.ts';
import { lpChoices } from '@tapeline/db/operations/investors/investors.ts';
import type { Session } from '@tapeline/db/store.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { countsOf } from '../../../components/forms/choice-search.tsx';
import type { Screen } from '../../../http/screen.server.ts';

/**
 * The investors and funds that can commit to a fund, narrowed by the searches of the address.
 * @param chosen the investor that is always offered
 */
export async function investorChoices(
  session: Session,
  { url, actor }: Screen,
  fund: { id: string; managerId: string },
  chosen: string | null = null,
) {
  const search = url.searchParams;
  const lps = can(actor, 'LPs/read')
    ? await lpChoices(session, fund.managerId, { search: search.get('findInvestor'), chosen })
    : null;
  const funds = await fundChoices(session, fund.managerId, { search: search.get('findFund'), chosen });
  const optionsOf = (choices: readonly { id: string; name: string }[]) =>
    choices.map(({ id, name }) => ({ value: id, label: name }));
  return {
    investors: optionsOf(lps?.choices ?? []),
    funds: optionsOf(funds.choices.filter(({ id }) => id !== fund.id)),
    counts: { investors: lps && countsOf(lps), funds: countsOf(funds) },
  };
}

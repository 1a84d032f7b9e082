import { ChoiceSearch } from '../../../components/forms/choice-search.tsx';
import type { investorChoices } from './investor-choices.server.ts';

/** The searches above a form that chooses an investor. */
export function InvestorSearches({ counts }: Pick<Awaited<ReturnType<typeof investorChoices>>, 'counts'>) {
  return (
    <>
      {counts.investors ? (
        <ChoiceSearch
          id="find-investor"
          name="findInvestor"
          noun={['investor', 'investors']}
          counts={counts.investors}
        />
      ) : null}
      <ChoiceSearch id="find-fund" name="findFund" noun={['fund', 'funds']} counts={counts.funds} />
    </>
  );
}

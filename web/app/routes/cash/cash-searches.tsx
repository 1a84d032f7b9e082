import { ChoiceSearch } from '../../components/forms/choice-search.tsx';
import type { openChoices, partyChoices } from './cash-choices.server.ts';

/** The search above a form that chooses what a payment pays. */
export const OpenSearch = ({ counts }: Pick<Awaited<ReturnType<typeof openChoices>>, 'counts'>) => (
  <ChoiceSearch id="find-open" name="findOpen" noun={['open amount', 'open amounts']} counts={counts} />
);

/** The searches above a form that chooses whom a payment is with. */
export function PartySearches({ counts }: Pick<Awaited<ReturnType<typeof partyChoices>>, 'counts'>) {
  const { investors, borrowers } = counts;
  return (
    <>
      {investors ? (
        <ChoiceSearch id="find-investor" name="findInvestor" noun={['investor', 'investors']} counts={investors} />
      ) : null}
      {borrowers ? (
        <ChoiceSearch id="find-borrower" name="findBorrower" noun={['borrower', 'borrowers']} counts={borrowers} />
      ) : null}
    </>
  );
}

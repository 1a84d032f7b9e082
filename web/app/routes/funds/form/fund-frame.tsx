import { ChoiceSearch } from '../../../components/forms/choice-search.tsx';
import type { fundFormChoices } from './fund-choices.server.ts';

/** The searches above the form, for registers with more entries than a field lists. */
export function FundSearches({ counts }: Pick<Awaited<ReturnType<typeof fundFormChoices>>, 'counts'>) {
  const { entities, providers, mainFunds } = counts;
  return (
    <>
      {entities ? (
        <ChoiceSearch id="find-entity" name="findEntity" noun={['entity', 'entities']} counts={entities} />
      ) : null}
      <ChoiceSearch
        id="find-provider"
        name="findProvider"
        noun={['service provider', 'service providers']}
        counts={providers}
      />
      <ChoiceSearch id="find-main-fund" name="findMainFund" noun={['main fund', 'main funds']} counts={mainFunds} />
    </>
  );
}

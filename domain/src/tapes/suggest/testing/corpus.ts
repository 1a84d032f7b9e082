import holdoutEntities from './corpus/holdout-entities.json' with { type: 'json' };
import holdoutInstitutions from './corpus/holdout-institutions.json' with { type: 'json' };
import holdoutLanguages from './corpus/holdout-languages.json' with { type: 'json' };
import holdoutLenders from './corpus/holdout-lenders.json' with { type: 'json' };
import holdoutMarketplaces from './corpus/holdout-marketplaces.json' with { type: 'json' };
import holdoutSystems from './corpus/holdout-systems.json' with { type: 'json' };
import tunedBusiness from './corpus/tuned-business.json' with { type: 'json' };
import tunedConsumer from './corpus/tuned-consumer.json' with { type: 'json' };
import tunedCores from './corpus/tuned-cores.json' with { type: 'json' };
import tunedInstitutions from './corpus/tuned-institutions.json' with { type: 'json' };
import tunedLanguages from './corpus/tuned-languages.json' with { type: 'json' };
import tunedMortgages from './corpus/tuned-mortgages.json' with { type: 'json' };
import tunedPeople from './corpus/tuned-people.json' with { type: 'json' };
import tunedPublicLenders from './corpus/tuned-public-lenders.json' with { type: 'json' };
import tunedReceivables from './corpus/tuned-receivables.json' with { type: 'json' };
import tunedSecuritisations from './corpus/tuned-securitisations.json' with { type: 'json' };
import tunedSystems from './corpus/tuned-systems.json' with { type: 'json' };
import type { CorpusTape } from './corpus-tape.ts';

/** Public schemas that the suggestions are tuned on. */
export const TUNED = [
  tunedBusiness,
  tunedConsumer,
  tunedCores,
  tunedInstitutions,
  tunedLanguages,
  tunedMortgages,
  tunedPeople,
  tunedPublicLenders,
  tunedReceivables,
  tunedSecuritisations,
  tunedSystems,
].flat() as unknown as readonly CorpusTape[];

/** Schemas of other lenders, countries and systems that nothing is tuned on: they show the quality on an unknown tape. */
export const HOLDOUT = [
  holdoutEntities,
  holdoutInstitutions,
  holdoutLanguages,
  holdoutLenders,
  holdoutMarketplaces,
  holdoutSystems,
].flat() as unknown as readonly CorpusTape[];

import { z } from 'zod';
import holdoutEntities from './corpus/holdout-entities.json' with { type: 'json' };
import holdoutExportLanguages from './corpus/holdout-export-languages.json' with { type: 'json' };
import holdoutExports from './corpus/holdout-exports.json' with { type: 'json' };
import holdoutInstitutions from './corpus/holdout-institutions.json' with { type: 'json' };
import holdoutLanguages from './corpus/holdout-languages.json' with { type: 'json' };
import holdoutLenders from './corpus/holdout-lenders.json' with { type: 'json' };
import holdoutLoanSystems from './corpus/holdout-loan-systems.json' with { type: 'json' };
import holdoutMarketplaces from './corpus/holdout-marketplaces.json' with { type: 'json' };
import holdoutSystems from './corpus/holdout-systems.json' with { type: 'json' };
import tunedBusiness from './corpus/tuned-business.json' with { type: 'json' };
import tunedConsumer from './corpus/tuned-consumer.json' with { type: 'json' };
import tunedCores from './corpus/tuned-cores.json' with { type: 'json' };
import tunedExtractLanguages from './corpus/tuned-extract-languages.json' with { type: 'json' };
import tunedExtracts from './corpus/tuned-extracts.json' with { type: 'json' };
import tunedInstitutions from './corpus/tuned-institutions.json' with { type: 'json' };
import tunedLanguages from './corpus/tuned-languages.json' with { type: 'json' };
import tunedLendingSoftware from './corpus/tuned-lending-software.json' with { type: 'json' };
import tunedLendingSoftwareLanguages from './corpus/tuned-lending-software-languages.json' with { type: 'json' };
import tunedMoreLanguages from './corpus/tuned-more-languages.json' with { type: 'json' };
import tunedMortgages from './corpus/tuned-mortgages.json' with { type: 'json' };
import tunedPeople from './corpus/tuned-people.json' with { type: 'json' };
import tunedPublicLenders from './corpus/tuned-public-lenders.json' with { type: 'json' };
import tunedReceivables from './corpus/tuned-receivables.json' with { type: 'json' };
import tunedSecuritisations from './corpus/tuned-securitisations.json' with { type: 'json' };
import tunedServicers from './corpus/tuned-servicers.json' with { type: 'json' };
import tunedSystems from './corpus/tuned-systems.json' with { type: 'json' };
import tunedWorldLanguages from './corpus/tuned-world-languages.json' with { type: 'json' };
import { type CorpusTape, corpusTapeSchema } from './corpus-tape.ts';

const tapesOf = (...files: readonly unknown[]): readonly CorpusTape[] =>
  files.flatMap((file) => z.array(corpusTapeSchema).parse(file));

/** Public schemas that the suggestions are tuned on. */
export const TUNED = tapesOf(
  tunedBusiness,
  tunedConsumer,
  tunedCores,
  tunedExtractLanguages,
  tunedExtracts,
  tunedInstitutions,
  tunedLanguages,
  tunedLendingSoftware,
  tunedLendingSoftwareLanguages,
  tunedMoreLanguages,
  tunedMortgages,
  tunedPeople,
  tunedPublicLenders,
  tunedReceivables,
  tunedSecuritisations,
  tunedServicers,
  tunedSystems,
  tunedWorldLanguages,
);

/** Schemas of other lenders, countries and systems that nothing is tuned on: they show the quality on an unknown tape. */
export const HOLDOUT = tapesOf(
  holdoutEntities,
  holdoutExportLanguages,
  holdoutExports,
  holdoutInstitutions,
  holdoutLanguages,
  holdoutLenders,
  holdoutLoanSystems,
  holdoutMarketplaces,
  holdoutSystems,
);

import { companyChoices, companyCurrenciesOf } from '@tapeline/db/operations/companies/company-choices.ts';
import { latestMappingsOfEach, mappingChoices } from '@tapeline/db/operations/mappings/mappings.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { proposes } from '../../../commands/proposals.server.ts';
import { mayCreateCompany } from '../../../components/organizations/quick-company.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

/** Number of mapping versions offered for each company that is not selected. A search finds any of them. */
const VERSIONS_OF_EACH = 10;

/** The options of the upload form: visible companies with their mappings, and the currencies. */
export async function readUploadChoices(screen: Screen) {
  const { actor, context, url } = screen;
  const asked = url.searchParams.get('company');
  const { picker, mappings, mappingCounts, currencyOf } = await screen.db(async (session) => {
    const found = await companyChoices(session, { search: url.searchParams.get('find'), chosen: asked });
    const ids = found.choices.map(({ id }) => id);
    const chosenIds = ids.filter((id) => id === asked || found.total === 1);
    const search = url.searchParams.get('findMapping');
    const searched = await mappingChoices(session, { companyIds: search ? ids : chosenIds, search });
    const others = await latestMappingsOfEach(session, {
      companyIds: search ? [] : ids.filter((id) => !chosenIds.includes(id)),
      limit: VERSIONS_OF_EACH,
    });
    const shown = [...searched.choices, ...others];
    const { total } = search ? searched : await mappingChoices(session, { companyIds: ids });
    return {
      currencyOf: await companyCurrenciesOf(session, ids),
      picker: found,
      mappings: shown,
      mappingCounts: { search: searched.search, total, found: search ? searched.found : total, listed: shown.length },
    };
  });
  const { choices } = picker;
  const [first] = choices;
  const company = choices.find(({ id }) => id === asked) ?? (picker.total === 1 ? first : undefined);
  return {
    companyId: company?.id ?? null,
    picker,
    companies: choices.map(({ id, name }) => ({
      id,
      name,
      // Otherwise from the latest mapping, which is the one that an upload uses.
      currency: currencyOf.get(id) ?? mappings.find((mapping) => mapping.companyId === id)?.currency ?? null,
    })),
    mappings,
    mappingCounts,
    /** Only the manager can calculate a borrowing base. */
    mayCalculate: !proposes(actor),
    mayCreateCompany: mayCreateCompany(actor),
    mayMakeMapping: can(actor, 'assets/ETL/write') && context.screenPaths.includes(paths.newMapping()),
  };
}

export type UploadChoices = Awaited<ReturnType<typeof readUploadChoices>>;

import { listMappings } from '@tapeline/db/operations/mappings/mappings.ts';
import { listCompanies } from '@tapeline/db/operations/people/people.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { paths } from '../paths.ts';
import type { Screen } from '../screen.server.ts';

const MOST = 500;

/** What can be chosen in the upload form: companies in sight with their mappings, and the currencies. */
export async function readUploadChoices(screen: Screen) {
  const { actor, context, url } = screen;
  const { companies, mappings } = await screen.db(async (session) => ({
    companies: (await listCompanies(session, { sort: { 'entity.name': 1 }, limit: MOST })).documents,
    mappings: (await listMappings(session, { sort: { code: -1 }, limit: MOST })).documents,
  }));
  const asked = url.searchParams.get('company');
  const [first] = companies;
  const company = companies.find(({ id }) => id === asked) ?? (companies.length === 1 ? first : undefined);
  return {
    companyId: company?.id ?? null,
    companies: companies.map(({ id, entity }) => ({
      id,
      name: entity.name,
      // The latest mapping's, which is the one an upload takes.
      currency: mappings.find((mapping) => mapping.companyId === id)?.primaryCurrency ?? null,
    })),
    mappings: mappings.map(({ id, companyId, mappingVersion, loanTapeSheetName, metadata }) => ({
      id,
      companyId,
      version: mappingVersion,
      sheet: loanTapeSheetName,
      savedAt: metadata.iat,
    })),
    currencies: CURRENCIES.map(({ code, name }) => ({ value: code, label: `${code}, ${name}` })),
    mayMakeMapping: can(actor, 'assets/ETL/write') && context.screenPaths.includes(paths.newMapping()),
  };
}

export type UploadChoices = Awaited<ReturnType<typeof readUploadChoices>>;

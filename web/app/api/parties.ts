import type { CompanyView } from '@tapeline/db/operations/companies/companies.ts';
import type { LPView } from '@tapeline/db/operations/investors/investors.ts';
import type { ManagerView } from '@tapeline/db/operations/managers/managers.ts';
import { baseOf } from './documents.ts';
import { entityBody } from './entities.ts';

/** The fields of a manager, a company or an investor in wire format, with its entity embedded. */
export const partyBody = (party: ManagerView | CompanyView | LPView) => ({
  ...baseOf(party),
  entity: entityBody(party.entity),
  domains: party.domains,
});

import {
  COMPANIES,
  createCompany,
  getCompany,
  listCompanies,
  updateCompany,
} from '@tapeline/db/operations/companies/companies.ts';
import { companyCreateSchema, companySchema, companyUpdateSchema } from '@tapeline/domain/companies/company.schema.ts';
import type { Endpoint } from './endpoint.ts';
import { partyBody } from './parties.ts';
import { ofCollection, resource } from './resource.ts';

export const companyEndpoints: readonly Endpoint[] = resource({
  ...ofCollection('companies'),
  response: companySchema,
  toBody: (company) => ({ ...partyBody(company), externalCode: company.externalCode ?? null }),
  list: { listable: COMPANIES, load: listCompanies },
  get: getCompany,
  create: { body: companyCreateSchema, run: createCompany },
  update: { body: companyUpdateSchema, run: updateCompany },
});

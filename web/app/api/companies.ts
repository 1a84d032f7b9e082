import {
  COMPANIES,
  type CompanyView,
  createCompany,
  getCompany,
  listCompanies,
  updateCompany,
} from '@tapeline/db/operations/companies/companies.ts';
import {
  chooseBorrowerAccount,
  confirmPayoutAccount,
  shownPayout,
} from '@tapeline/db/operations/investors/payout-accounts.ts';
import { companyCreateSchema, companySchema, companyUpdateSchema } from '@tapeline/domain/companies/company.schema.ts';
import { refuse } from '@tapeline/domain/errors/refusal.ts';
import {
  payoutAccountSchema,
  payoutConfirmationSchema,
  shownPayoutsSchema,
} from '@tapeline/domain/investors/investor-record.schema.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { partyBody } from './parties.ts';
import { ofCollection, resource } from './resource.ts';

const payoutsOf = ({ payoutAccounts }: CompanyView) => ({ body: payoutAccounts.map(shownPayout) });

export const companyEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('companies'),
    response: companySchema,
    toBody: (company) => ({ ...partyBody(company), externalCode: company.externalCode ?? null }),
    list: { listable: COMPANIES, load: listCompanies },
    get: getCompany,
    create: { body: companyCreateSchema, run: createCompany },
    update: { body: companyUpdateSchema, run: updateCompany },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/companies/{id}/payoutAccounts',
    access: 'companies/read',
    summary: 'List the accounts that draws of a company are paid to, one for each currency',
    params: idParamsSchema,
    response: shownPayoutsSchema,
    handle: ({ params, db }) => db(async (session) => payoutsOf(await getCompany(session, params.id))),
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/companies/{id}/payoutAccounts',
    access: 'companies/write',
    summary: 'Choose the account that draws of a company in a currency are paid to. A second person confirms it',
    params: idParamsSchema,
    body: payoutAccountSchema,
    response: shownPayoutsSchema,
    handle: ({ params: { id }, body, db }) =>
      db(async (session) => {
        await chooseBorrowerAccount(session, { id, ...body });
        return payoutsOf(await getCompany(session, id));
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/crud/companies/{id}/confirmPayoutAccount',
    access: 'companies/write',
    summary:
      'Confirm the account that draws in a currency are paid to. Nobody confirms an account that they chose or changed. Also needs entities/write',
    params: idParamsSchema,
    body: payoutConfirmationSchema,
    response: shownPayoutsSchema,
    handle: ({ params: { id }, body: { currency, check }, db }) =>
      db(async (session) => {
        const { payoutAccounts } = await getCompany(session, id);
        const payout =
          payoutAccounts.find((one) => one.currency === currency) ??
          refuse('The company has no account in this currency', { currency: 'has no pay-out account' });
        await confirmPayoutAccount(session, { id: payout.id, check });
        return payoutsOf(await getCompany(session, id));
      }),
  }),
];

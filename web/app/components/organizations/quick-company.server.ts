import { data } from '@remix-run/node';
import { createCompany } from '@tapeline/db/operations/companies/companies.ts';
import { type Intent, intent } from '../../http/screen.server.ts';
import { QUICK_COMPANY, quickCompanyOf, quickCompanySchema } from './quick-company.ts';

/**
 * The intent that creates a company inside another form. It answers the form as it was entered, with the new company
 * chosen.
 * @param formIntent the form's own intent
 * @param field the form's field for the company
 */
export const quickCompany = (formIntent: string, field: 'company' | 'companyId'): Readonly<Record<string, Intent>> => ({
  [QUICK_COMPANY]: intent({
    permission: 'companies/write',
    schema: quickCompanySchema,
    async run(form, { db }) {
      const { id, entity } = await db((session) => createCompany(session, quickCompanyOf(form)));
      const { newCompany: _, ...entered } = form;
      return data({
        intent: formIntent,
        done: false,
        lastResult: { initialValue: { ...entered, [field]: id } },
        company: { id, name: entity.name },
      });
    },
  }),
});

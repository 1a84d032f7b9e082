import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createCompany } from '@tapeline/db/operations/companies/companies.ts';
import { newPartySchema } from '../../../components/organizations/entity-form.ts';
import { actOnOrganization } from '../../../components/organizations/images-of-form.server.ts';
import { entityReferenceOf, newPartyData } from '../../../components/organizations/organization-page.server.ts';
import { NewParty } from '../../../components/organizations/party-screens.tsx';
import { intent, readScreenOfManager } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const meta: MetaFunction = () => [{ title: 'New company · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New company' }] };

export const loader = (args: LoaderFunctionArgs) => readScreenOfManager(args, 'companies/write', newPartyData);

export const action = (args: ActionFunctionArgs) =>
  actOnOrganization(args, {
    create: intent({
      permission: 'companies/write',
      schema: newPartySchema,
      async run(form, { db }) {
        const body = { entity: entityReferenceOf(form), domains: form.domains };
        const { id } = await db((session) => createCompany(session, body));
        return redirect(paths.company(id));
      },
    }),
  });

export default function NewCompany() {
  const data = useLoaderData<typeof loader>();
  return (
    <NewParty
      {...data}
      noun="company"
      facts="A borrower or originator, with its legal entity"
      schema={newPartySchema}
      answer={useActionData<typeof action>()}
      domainsHint="Domains of the email addresses of its people, one per line, for example northwind.test"
      cancelTo={paths.companies()}
      registerTo={paths.entities()}
    />
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

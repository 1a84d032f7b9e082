import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createLP } from '@tapeline/db/operations/investors/investors.ts';
import { actOnOrganization } from '../../components/organizations/images-of-form.server.ts';
import { groupOf, InvestorFields, newInvestorSchema } from '../../components/organizations/investor-form.tsx';
import { entityReferenceOf, newPartyData } from '../../components/organizations/organization-page.server.ts';
import { NewParty } from '../../components/organizations/party-screens.tsx';
import { intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';
import { groupChoices } from './group-choices.server.ts';

export const meta: MetaFunction = () => [{ title: 'New investor · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New investor' }] };

export const loader = (args: LoaderFunctionArgs) =>
  readScreenOfManager(args, 'LPs/write', async (screen) => ({
    ...(await newPartyData(screen)),
    groups: await screen.db((session) => groupChoices(session, null)),
  }));

export const action = (args: ActionFunctionArgs) =>
  actOnOrganization(args, {
    create: intent({
      permission: 'LPs/write',
      schema: newInvestorSchema,
      async run(form, { db }) {
        const { title, domains } = form;
        const body = { title, domains, entity: entityReferenceOf(form), group: groupOf(form) };
        const { id } = await db((session) => createLP(session, body));
        return redirect(paths.investor(id));
      },
    }),
  });

export default function NewInvestor() {
  const { groups, ...data } = useLoaderData<typeof loader>();
  return (
    <NewParty
      {...data}
      noun="investor"
      facts="A limited partner, with its legal entity"
      schema={newInvestorSchema}
      answer={useActionData<typeof action>()}
      own={<InvestorFields groups={groups} />}
      domainsHint="Domains of the email addresses of its people, one per line, for example calder.test"
      cancelTo={paths.investors()}
      registerTo={paths.entities()}
    />
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';

import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createManager } from '@tapeline/db/operations/managers/managers.ts';

import { actOnOrganization } from '../../../components/organizations/images-of-form.server.ts';
import { entityReferenceOf, newPartyData } from '../../../components/organizations/organization-page.server.ts';
import { NewParty } from '../../../components/organizations/party-screens.tsx';
import { intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { ManagerFields, newManagerSchema } from './manager-fields.tsx';

export const meta: MetaFunction = () => [{ title: 'New manager · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New manager' }] };

export const loader = (args: LoaderFunctionArgs) => readScreen(args, 'managers/write', newPartyData);

export const action = (args: ActionFunctionArgs) =>
  actOnOrganization(args, {
    create: intent({
      permission: 'managers/write',
      schema: newManagerSchema,
      async run(form, { db }) {
        const body = {
          entity: entityReferenceOf(form),
          domains: form.domains,
          endsIdleSessions: form.endsIdleSessions,
        };
        const { id } = await db((session) => createManager(session, body));
        return redirect(paths.manager(id));
      },
    }),
  });

export default function NewManager() {
  const data = useLoaderData<typeof loader>();
  return (
    <NewParty
      {...data}
      noun="manager"
      facts="A fund manager. It has its own companies, investors, funds and users, which no other manager sees."
      schema={newManagerSchema}
      own={<ManagerFields />}
      answer={useActionData<typeof action>()}
      domainsHint="Domains of the email addresses of its people, one per line, for example harbour.test"
      cancelTo={paths.managers()}
      registerTo={paths.entities()}
    />
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

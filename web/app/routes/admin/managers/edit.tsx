import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getManager, updateManager } from '@tapeline/db/operations/managers/managers.ts';
import { can } from '@tapeline/domain/people/actor.ts';

import { actOnOrganization } from '../../../components/organizations/images-of-form.server.ts';
import {
  changeEntity,
  formData,
  sameEntity,
  shownEntity,
} from '../../../components/organizations/organization-page.server.ts';
import { EditParty } from '../../../components/organizations/party-screens.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { ManagerFields, managerEditSchema } from './manager-fields.tsx';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.name ?? 'manager'} · Tapeline` },
];
export const handle: CrumbHandle<{ id: string; name: string }> = {
  crumbs: ({ data: { id, name } }) => [{ label: name, to: paths.manager(id) }, { label: 'Edit' }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'managers/write', ({ db, params, actor }) =>
    db(async (session) => {
      const { id, version, status, domains, endsIdleSessions, entity } = await getManager(session, params.id ?? '');
      return {
        id,
        name: entity.name,
        entity: shownEntity(entity),
        editsEntity: can(actor, 'entities/write'),
        values: { domains: domains.join('\n'), endsIdleSessions, status, partyVersion: String(version) },
        ...(await formData(session)),
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  actOnOrganization(args, {
    save: intent({
      permission: 'managers/write',
      schema: managerEditSchema,
      async run({ entity, entityVersion, partyVersion: version, ...form }, { db, params }) {
        const { id } = await db(async (session) => {
          const { id, entityId } = await getManager(session, params.id ?? '');
          if (entity) await changeEntity(session, entityId, entity, entityVersion);
          return updateManager(session, { id, body: { ...form, entity: sameEntity(entityId), version } });
        });
        return redirect(paths.manager(id));
      },
    }),
  });

export default function EditManager() {
  const { id, ...data } = useLoaderData<typeof loader>();
  return (
    <EditParty
      {...data}
      noun="manager"
      schema={managerEditSchema}
      own={<ManagerFields />}
      answer={useActionData<typeof action>()}
      domainsHint="Domains of the email addresses of its people, one per line, for example harbour.test"
      statusNote="The users of a disabled manager cannot sign in. Its documents are kept."
      cancelTo={paths.manager(id)}
    />
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

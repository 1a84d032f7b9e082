import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getCompany, updateCompany } from '@tapeline/db/operations/companies/companies.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { partyEditSchema } from '../../../components/organizations/entity-form.ts';
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

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.name ?? 'company'} · Tapeline` },
];
export const handle: CrumbHandle<{ id: string; name: string }> = {
  crumbs: ({ data: { id, name } }) => [{ label: name, to: paths.company(id) }, { label: 'Edit' }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'companies/write', ({ db, params, actor }) =>
    db(async (session) => {
      const { id, version, status, domains, entity } = await getCompany(session, params.id ?? '');
      return {
        id,
        name: entity.name,
        entity: shownEntity(entity),
        editsEntity: can(actor, 'entities/write'),
        values: { domains: domains.join('\n'), status, partyVersion: String(version) },
        ...(await formData(session)),
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  actOnOrganization(args, {
    save: intent({
      permission: 'companies/write',
      schema: partyEditSchema,
      async run({ entity, entityVersion, partyVersion: version, domains, status }, { db, params }) {
        const { id } = await db(async (session) => {
          const { id, entityId } = await getCompany(session, params.id ?? '');
          if (entity) await changeEntity(session, entityId, entity, entityVersion);
          return updateCompany(session, { id, body: { entity: sameEntity(entityId), domains, status, version } });
        });
        return redirect(paths.company(id));
      },
    }),
  });

export default function EditCompany() {
  const { id, ...data } = useLoaderData<typeof loader>();
  return (
    <EditParty
      {...data}
      noun="company"
      schema={partyEditSchema}
      answer={useActionData<typeof action>()}
      domainsHint="Domains of the email addresses of its people, one per line, for example northwind.test"
      statusNote="A disabled company keeps its documents"
      cancelTo={paths.company(id)}
    />
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getLP, updateLP } from '@tapeline/db/operations/investors/investors.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { actOnOrganization } from '../../components/organizations/images-of-form.server.ts';
import { groupOf, InvestorFields, investorEditSchema } from '../../components/organizations/investor-form.tsx';
import {
  changeEntity,
  formData,
  sameEntity,
  shownEntity,
} from '../../components/organizations/organization-page.server.ts';
import { EditParty } from '../../components/organizations/party-screens.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';
import { groupChoices } from './group-choices.server.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.name ?? 'investor'} · Tapeline` },
];
export const handle: CrumbHandle<{ id: string; name: string }> = {
  crumbs: ({ data: { id, name } }) => [{ label: name, to: paths.investor(id) }, { label: 'Edit' }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'LPs/write', ({ db, params, actor }) =>
    db(async (session) => {
      const { id, version, status, title, domains, entity, groupId } = await getLP(session, params.id ?? '');
      return {
        id,
        name: title,
        entity: shownEntity(entity),
        editsEntity: can(actor, 'entities/write'),
        values: { title, groupId: groupId ?? '', domains: domains.join('\n'), status, partyVersion: String(version) },
        groups: await groupChoices(session, groupId ?? null),
        ...(await formData(session)),
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  actOnOrganization(args, {
    save: intent({
      permission: 'LPs/write',
      schema: investorEditSchema,
      async run(form, { db, params }) {
        const { title, domains, status, partyVersion: version } = form;
        const { id } = await db(async (session) => {
          const { id, entityId } = await getLP(session, params.id ?? '');
          if (form.entity) await changeEntity(session, entityId, form.entity, form.entityVersion);
          const body = { title, domains, status, version, group: groupOf(form), entity: sameEntity(entityId) };
          return updateLP(session, { id, body });
        });
        return redirect(paths.investor(id));
      },
    }),
  });

export default function EditInvestor() {
  const { id, groups, ...data } = useLoaderData<typeof loader>();
  return (
    <EditParty
      {...data}
      noun="investor"
      schema={investorEditSchema}
      answer={useActionData<typeof action>()}
      own={<InvestorFields groups={groups} />}
      domainsHint="Domains of the email addresses of its people, one per line, for example calder.test"
      statusNote="A disabled investor keeps its commitments and documents"
      cancelTo={paths.investor(id)}
    />
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';

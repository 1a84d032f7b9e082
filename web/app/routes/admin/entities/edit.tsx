import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getEntity } from '@tapeline/db/operations/entities/entities.ts';
import { z } from 'zod';
import { LinkButton } from '../../../components/forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { EntityFields } from '../../../components/organizations/entity-fields.tsx';
import { entityFormSchema, partyLabel, versionField } from '../../../components/organizations/entity-form.ts';
import { actOnOrganization } from '../../../components/organizations/images-of-form.server.ts';
import { changeEntity, formData, shownEntity } from '../../../components/organizations/organization-page.server.ts';
import { HiddenField } from '../../../components/organizations/party-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.entity.name ?? 'entity'} · Tapeline` },
];
export const handle: CrumbHandle<{ entity: { id: string; name: string } }> = {
  crumbs: ({ data: { entity } }) => [{ label: entity.name, to: paths.entity(entity.id) }, { label: 'Edit' }],
};

const schema = z.object({ entity: entityFormSchema, entityVersion: versionField });

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'entities/write', ({ db, params }) =>
    db(async (session) => ({
      entity: shownEntity(await getEntity(session, params.id ?? '')),
      ...(await formData(session)),
    })),
  );

export const action = (args: ActionFunctionArgs) =>
  actOnOrganization(args, {
    save: intent({
      permission: 'entities/write',
      schema,
      async run({ entity, entityVersion }, { db, params }) {
        const id = params.id ?? '';
        await db((session) => changeEntity(session, id, entity, entityVersion));
        return redirect(paths.entity(id));
      },
    }),
  });

export default function EditEntity() {
  const { entity, ...data } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, version, ...values } = entity;
  const [form] = useScreenForm('entity', schema, {
    lastResult: answer?.lastResult,
    defaultValue: { entity: values, entityVersion: String(version) },
  });
  return (
    <>
      <PageHeader title={`Edit ${entity.name}`} facts={['The change applies to every role of the entity']} />
      <ScreenForm form={form} intent="save" labels={partyLabel} encType="multipart/form-data">
        <HiddenField name="entityVersion" />
        <EntityFields {...data} />
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={paths.entity(id)} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

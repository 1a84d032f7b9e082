import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createEntity } from '@tapeline/db/operations/entities/entities.ts';
import { z } from 'zod';
import { LinkButton } from '../../../components/forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { EntityFields } from '../../../components/organizations/entity-fields.tsx';
import { entityFormSchema, partyLabel } from '../../../components/organizations/entity-form.ts';
import { actOnOrganization } from '../../../components/organizations/images-of-form.server.ts';
import { atEntity, formData, newEntityOf } from '../../../components/organizations/organization-page.server.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { intent, readScreenOfManager } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const meta: MetaFunction = () => [{ title: 'New entity · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New entity' }] };

const schema = z.object({ entity: entityFormSchema });

export const loader = (args: LoaderFunctionArgs) =>
  readScreenOfManager(args, 'entities/write', ({ db }) => db(formData));

export const action = (args: ActionFunctionArgs) =>
  actOnOrganization(args, {
    create: intent({
      permission: 'entities/write',
      schema,
      async run(form, { db }) {
        const { id } = await db((session) => atEntity(createEntity(session, newEntityOf(form.entity))));
        return redirect(paths.entity(id));
      },
    }),
  });

export default function NewEntity() {
  const data = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form] = useScreenForm('entity', schema, { lastResult: answer?.lastResult });
  return (
    <>
      <PageHeader title="New entity" facts={['A company, fund or person, for one or more roles']} />
      <ScreenForm form={form} intent="create" labels={partyLabel} encType="multipart/form-data">
        <EntityFields {...data} />
        <FormActions submit="Create entity" submitting="Creating">
          <LinkButton to={paths.entities()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

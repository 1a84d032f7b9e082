import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getEntity } from '@tapeline/db/operations/entities/entities.ts';
import { createServiceProvider } from '@tapeline/db/operations/service-providers/service-providers.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { EntityFacts } from '../../../components/organizations/entity-sections.tsx';
import { sameEntity, shownEntity } from '../../../components/organizations/organization-page.server.ts';
import { HiddenField } from '../../../components/organizations/party-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { act, intent, readScreenOfManager } from '../../../http/screen.server.ts';
import { pathsOf } from '../../paths.ts';
import { PROVIDER_LABELS, ProviderFields, providerFormSchema } from './provider-form.tsx';

const PATHS = pathsOf('serviceProviders');

export const meta: MetaFunction = () => [{ title: 'New service provider · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New service provider' }] };

const schema = providerFormSchema.extend({ entityId: idSchema.optional() });

export const loader = (args: LoaderFunctionArgs) =>
  readScreenOfManager(args, 'funds/write', ({ db, url }) =>
    db(async (session) => {
      const entityId = url.searchParams.get('entity');
      return { entity: entityId ? shownEntity(await getEntity(session, entityId)) : null };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    create: intent({
      permission: 'funds/write',
      schema,
      async run({ entityId, ...form }, { db }) {
        const entities = entityId ? [sameEntity(entityId)] : [];
        const { id } = await db((session) => createServiceProvider(session, { ...form, entities }));
        return redirect(PATHS.document(id));
      },
    }),
  });

export default function NewServiceProvider() {
  const { entity } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('service-provider', schema, {
    lastResult: answer?.lastResult,
    defaultValue: entity ? { entityId: entity.id, title: entity.name } : {},
  });
  return (
    <>
      <PageHeader title="New service provider" facts={['Its entities are added on its page']} />
      <ScreenForm form={form} intent="create" labels={PROVIDER_LABELS}>
        {entity ? <HiddenField name="entityId" /> : null}
        <ProviderFields fields={fields} />
        {entity ? <EntityFacts entity={entity} /> : null}
        <FormActions submit="Create service provider" submitting="Creating">
          <LinkButton to={PATHS.list()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  getServiceProvider,
  updateServiceProvider,
} from '@tapeline/db/operations/service-providers/service-providers.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { versionField } from '../../../components/organizations/entity-form.ts';
import { sameEntity } from '../../../components/organizations/organization-page.server.ts';
import { HiddenField } from '../../../components/organizations/party-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { pathsOf } from '../../paths.ts';
import { PROVIDER_LABELS, ProviderFields, providerFormSchema } from './provider-form.tsx';

const PATHS = pathsOf('serviceProviders');

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.values.title ?? 'service provider'} · Tapeline` },
];
export const handle: CrumbHandle<{ id: string; values: { title: string } }> = {
  crumbs: ({ data: { id, values } }) => [{ label: values.title, to: PATHS.document(id) }, { label: 'Edit' }],
};

const schema = providerFormSchema.extend({ providerVersion: versionField });

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/write', ({ db, params }) =>
    db(async (session) => {
      const { id, version, title, type, description } = await getServiceProvider(session, params.id ?? '');
      return { id, values: { title, type, description: description ?? '', providerVersion: String(version) } };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    save: intent({
      permission: 'funds/write',
      schema,
      async run({ providerVersion: version, ...form }, { db, params }) {
        const { id } = await db(async (session) => {
          const { id, entityIds } = await getServiceProvider(session, params.id ?? '');
          return updateServiceProvider(session, {
            id,
            body: { ...form, entities: entityIds.map(sameEntity), version },
          });
        });
        return redirect(PATHS.document(id));
      },
    }),
  });

export default function EditServiceProvider() {
  const { id, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('service-provider', schema, {
    lastResult: answer?.lastResult,
    defaultValue: values,
  });
  return (
    <>
      <PageHeader title={`Edit ${values.title}`} />
      <ScreenForm form={form} intent="save" labels={PROVIDER_LABELS}>
        <HiddenField name="providerVersion" />
        <ProviderFields fields={fields} />
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={PATHS.document(id)} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

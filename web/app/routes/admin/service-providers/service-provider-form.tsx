import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getEntity } from '@tapeline/db/operations/entities/entities.ts';
import {
  createServiceProvider,
  getServiceProvider,
  updateServiceProvider,
} from '@tapeline/db/operations/service-providers/service-providers.ts';
import { TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { EntityFacts } from '../../../components/organizations/entity-sections.tsx';
import { sameEntity, shownEntity } from '../../../components/organizations/organization-page.server.ts';
import { named } from '../../../components/page/page-name.ts';
import { Panel } from '../../../components/page/section.tsx';
import { act, intent, readScreen, readScreenOfManager } from '../../../http/screen.server.ts';
import { pathsOf } from '../../../paths.ts';
import {
  newProviderDescription,
  newProviderSchema,
  providerEditDescription,
  providerEditSchema,
} from './provider-schema.ts';

const PATHS = pathsOf('serviceProviders');

export const handle = named<typeof loader>(({ stored }) =>
  stored ? [[stored.values.title, PATHS.document(stored.id)], 'Edit'] : ['New service provider'],
);

const LABELS = { title: 'Title', type: 'Type', description: 'Description' };

/** What service providers usually do for funds; others can be entered. */
const TYPES = [
  'Administrator',
  'Auditor',
  'Custodian',
  'Depositary',
  'Legal counsel',
  'Tax adviser',
  'Trustee',
  'Verification agent',
];

const readNew = readScreenOfManager('funds/write', ({ db, url }) =>
  db(async (session) => {
    const entityId = url.searchParams.get('entity');
    return { stored: null, entity: entityId ? shownEntity(await getEntity(session, entityId)) : null };
  }),
);
const readStored = readScreen('funds/write', ({ db, params }) =>
  db(async (session) => {
    const { id, version, title, type, description } = await getServiceProvider(session, params.id ?? '');
    const values = { title, type, description: description ?? '', providerVersion: String(version) };
    return { stored: { id, values }, entity: null };
  }),
);
export const loader = (args: LoaderFunctionArgs) => (args.params.id ? readStored(args) : readNew(args));

export const action = act({
  create: intent({
    permission: 'funds/write',
    schema: newProviderSchema,
    async run({ entityId, ...form }, { db }) {
      const entities = entityId ? [sameEntity(entityId)] : [];
      const { id } = await db((session) => createServiceProvider(session, { ...form, entities }));
      return redirect(PATHS.document(id));
    },
  }),
  save: intent({
    permission: 'funds/write',
    schema: providerEditSchema,
    async run({ providerVersion: version, ...form }, { db, params }) {
      const { id } = await db(async (session) => {
        const { id, entityIds } = await getServiceProvider(session, params.id ?? '');
        const body = { ...form, entities: entityIds.map(sameEntity), version };
        return updateServiceProvider(session, { id, body });
      });
      return redirect(PATHS.document(id));
    },
  }),
});

export default function ServiceProviderForm() {
  const { stored, entity } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="service provider"
      stored={stored?.values.title ?? null}
      facts={stored ? [] : ['Its entities are added on its page']}
      description={stored ? providerEditDescription : newProviderDescription}
      answer={useActionData<typeof action>()}
      values={stored?.values ?? (entity ? { entityId: entity.id, title: entity.name } : {})}
      sentBack={stored ? ['providerVersion'] : entity ? ['entityId'] : []}
      labels={LABELS}
      cancelTo={stored ? PATHS.document(stored.id) : PATHS.list()}
    >
      {({ title, type, description }) => (
        <>
          <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
            <TextField field={title} label={LABELS.title} />
            <TextField field={type} label={LABELS.type} list="provider-types" autoComplete="off" />
            <datalist id="provider-types">
              {TYPES.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
            <TextareaField field={description} label={LABELS.description} rows={4} className="sm:col-span-2" />
          </Panel>
          {entity ? <EntityFacts entity={entity} /> : null}
        </>
      )}
    </FormPage>
  );
}

import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createEntity, getEntity } from '@tapeline/db/operations/entities/entities.ts';
import { z } from 'zod';
import { actOnOrganization } from '../../../commands/organization-form.server.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { EntityFields } from '../../../components/organizations/entity-fields.tsx';
import { entityFormSchema, partyLabel, versionField } from '../../../components/organizations/entity-form.ts';
import {
  atEntity,
  changeEntity,
  formData,
  newEntityOf,
  shownEntity,
} from '../../../components/organizations/organization-page.server.ts';
import { named } from '../../../components/page/page-name.ts';
import { intent, readScreen, readScreenOfManager } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

export const handle = named<typeof loader>(({ entity }) =>
  entity ? [[entity.name, paths.entity(entity.id)], 'Edit'] : ['New entity'],
);

const newSchema = z.object({ entity: entityFormSchema });
const editSchema = newSchema.extend({ entityVersion: versionField });

const readNew = readScreenOfManager('entities/write', ({ db }) =>
  db(async (session) => ({ entity: null, ...(await formData(session)) })),
);
const readStored = readScreen('entities/write', ({ db, params }) =>
  db(async (session) => ({
    entity: shownEntity(await getEntity(session, params.id ?? '')),
    ...(await formData(session)),
  })),
);
export const loader = (args: LoaderFunctionArgs) => (args.params.id ? readStored(args) : readNew(args));

export const action = actOnOrganization({
  create: intent({
    permission: 'entities/write',
    schema: newSchema,
    async run(form, { db }) {
      const { id } = await db((session) => atEntity(createEntity(session, newEntityOf(form.entity))));
      return redirect(paths.entity(id));
    },
  }),
  save: intent({
    permission: 'entities/write',
    schema: editSchema,
    async run({ entity, entityVersion }, { db, params: { id = '' } }) {
      await db((session) => changeEntity(session, id, entity, entityVersion));
      return redirect(paths.entity(id));
    },
  }),
});

export default function EntityForm() {
  const { entity: stored, ...suggestions } = useLoaderData<typeof loader>();
  const { id = '', version, ...entity } = stored ?? {};
  return (
    <FormPage
      noun="entity"
      stored={stored?.name ?? null}
      facts={[
        stored ? 'The change applies to every role of the entity' : 'A company, fund or person, for one or more roles',
      ]}
      schema={stored ? editSchema : newSchema}
      answer={useActionData<typeof action>()}
      {...(stored ? { values: { entity, entityVersion: String(version) }, sentBack: ['entityVersion'] } : {})}
      labels={partyLabel}
      encType="multipart/form-data"
      cancelTo={stored ? paths.entity(id) : paths.entities()}
    >
      <EntityFields {...suggestions} />
    </FormPage>
  );
}

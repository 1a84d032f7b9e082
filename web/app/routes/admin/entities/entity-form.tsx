import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createEntity, getEntity } from '@tapeline/db/operations/entities/entities.ts';
import { giveFundEntity } from '@tapeline/db/operations/funds/change-funds.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { actOnOrganization } from '../../../commands/organization-form.server.ts';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { EntityFields } from '../../../components/organizations/entity-fields.tsx';
import { enteredEntity, partyLabel } from '../../../components/organizations/entity-form.ts';
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
import { entityEditDescription, entityEditSchema, newEntityDescription, newEntitySchema } from './entity-schemas.ts';

export const handle = named<typeof loader>(({ entity }) =>
  entity ? [[entity.name, paths.entity(entity.id)], 'Edit'] : ['New entity'],
);

/** Whether the address asks for a bank account. */
const asksForBank = (url: URL) => url.searchParams.get('add') === 'bank';

/** The fund that the address gives the new entity to; null if it names none. */
const fundOf = (url: URL) => url.searchParams.get('fund');

const readNew = readScreenOfManager('entities/write', ({ db, url, actor }) =>
  db(async (session) => {
    const fund = fundOf(url);
    const given = fund && can(actor, 'funds/write') ? await getFund(session, fund) : null;
    return {
      entity: null,
      fund: given && { id: given.id, title: given.title },
      asksForBank: asksForBank(url),
      ...(await formData(session)),
    };
  }),
);
const readStored = readScreen('entities/write', ({ db, params, url }) =>
  db(async (session) => ({
    entity: shownEntity(await getEntity(session, params.id ?? '')),
    fund: null,
    asksForBank: asksForBank(url),
    ...(await formData(session)),
  })),
);
export const loader = (args: LoaderFunctionArgs) => (args.params.id ? readStored(args) : readNew(args));

export const action = actOnOrganization({
  create: intent({
    permission: 'entities/write',
    schema: newEntitySchema,
    async run(form, { db, url }) {
      const fund = fundOf(url);
      const { id } = await db(async (session) => {
        const entity = await atEntity(createEntity(session, newEntityOf(form.entity)));
        if (fund) await giveFundEntity(session, { id: fund, entityId: entity.id });
        return entity;
      });
      return redirect(fund ? paths.fund(fund, { view: 'terms' }) : paths.entity(id));
    },
  }),
  save: intent({
    permission: 'entities/write',
    schema: entityEditSchema,
    async run({ entity, entityVersion }, { db, params: { id = '' } }) {
      await db((session) => changeEntity(session, id, entity, entityVersion));
      return redirect(paths.entity(id));
    },
  }),
});

/** An account to fill in, where one is asked for and there is none. */
const firstBank = (holder: string) => ({ title: 'Main account', accountName: holder });

export default function EntityForm() {
  const { entity: stored, fund, ...suggestions } = useLoaderData<typeof loader>();
  const { id = '', version, ...given } = stored ? enteredEntity(stored) : {};
  const entity = { ...(fund ? { name: fund.title } : {}), ...given };
  const name = entity.name ?? '';
  const banks = suggestions.asksForBank && !stored?.banks.length ? { banks: [firstBank(name)] } : {};
  return (
    <FormPage
      noun="entity"
      stored={stored?.name ?? null}
      facts={[
        fund
          ? `The legal entity of ${fund.title}. Notices of its calls state the bank account.`
          : stored
            ? 'The change applies to every role of the entity'
            : 'A company, fund or person, for one or more roles',
      ]}
      description={stored ? entityEditDescription : newEntityDescription}
      answer={useActionData<typeof action>()}
      values={{ entity: { ...entity, ...banks }, ...(stored ? { entityVersion: String(version) } : {}) }}
      sentBack={stored ? ['entityVersion'] : []}
      labels={partyLabel}
      encType="multipart/form-data"
      cancelTo={stored ? paths.entity(id) : fund ? paths.fund(fund.id) : paths.entities()}
    >
      <EntityFields {...suggestions} />
    </FormPage>
  );
}

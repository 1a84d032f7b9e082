import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { listEntities } from '@tapeline/db/operations/entities/entities.ts';
import {
  getServiceProvider,
  updateServiceProvider,
} from '@tapeline/db/operations/service-providers/service-providers.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { countryName } from '@tapeline/domain/entities/countries.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { MAX_ENTITIES } from '@tapeline/domain/service-providers/service-provider.collection.ts';
import { z } from 'zod';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { Button } from '../../../components/forms/button.tsx';
import { inputClass } from '../../../components/forms/fields.tsx';
import { versionField } from '../../../components/forms/version-field.ts';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { sameEntity } from '../../../components/organizations/organization-page.server.ts';
import { Chip, StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import { DataTable, TableSection } from '../../../components/tables/data-table.tsx';
import { act, intent, readScreen, type Screen } from '../../../http/screen.server.ts';
import { paths, pathsOf } from '../../../paths.ts';

const PATHS = pathsOf('serviceProviders');

export const handle = named<typeof loader>(({ title }) => [title]);

/** Entities that a search offers. The search says how many there are. */
const MAX_FOUND = 20;

export const loader = readScreen('funds/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const provider = await getServiceProvider(session, params.id ?? '');
    const { id, version, status, title, type, description, metadata } = provider;
    const find = (url.searchParams.get('find') ?? '').trim().slice(0, 200);
    const mayWrite = can(actor, 'funds/write');
    const filter = { name: { like: containing(find) }, id: { nin: [...provider.entityIds, provider.id] } };
    const found =
      mayWrite && can(actor, 'entities/read') && find
        ? await listEntities(session, { filter, sort: { name: 1 }, limit: MAX_FOUND })
        : null;
    const rowOf = (entity: (typeof provider.entities)[number]) => ({
      id: entity.id,
      name: entity.name,
      formalId: entity.formalId,
      country: countryName(entity.nationality.country),
    });
    return {
      id,
      version,
      status,
      title,
      type,
      description: description ?? null,
      createdAt: metadata.iat,
      history: await documentHistory(session, [{ resource: 'serviceProviders', ids: [id] }], url.searchParams),
      entities: provider.entities.map(rowOf),
      find,
      found: found && { total: found.total, rows: found.documents.map(rowOf) },
      mayWrite,
      mayReadEntities: can(actor, 'entities/read'),
    };
  }),
);

const entitySchema = z.object({ entity: idSchema, providerVersion: versionField });

/** Changes the list of entities and nothing else. */
const changeEntities = (next: (ids: readonly string[], id: string) => string[]) =>
  intent({
    permission: 'funds/write',
    schema: entitySchema,
    async run({ entity, providerVersion: version }, { db, params }: Screen) {
      await db(async (session) => {
        const { id, title, type, description, entityIds } = await getServiceProvider(session, params.id ?? '');
        const entities = next(entityIds, entity).map(sameEntity);
        await updateServiceProvider(session, { id, body: { title, type, description, entities, version } });
      });
      return null;
    },
  });

export const action = act({
  add: changeEntities((ids, id) => [...ids.filter((one) => one !== id), id]),
  remove: changeEntities((ids, id) => ids.filter((one) => one !== id)),
});

type Provider = ReturnType<typeof useLoaderData<typeof loader>>;

function EntityAction({
  intent: name,
  row,
  version,
  children,
}: {
  intent: 'add' | 'remove';
  row: Provider['entities'][number];
  version: number;
  children: string;
}) {
  return (
    <ActionForm
      intent={name}
      values={{ entity: row.id, providerVersion: String(version) }}
      tone="quiet"
      className="relative z-10"
    >
      {children}
      <span className="sr-only"> {row.name}</span>
    </ActionForm>
  );
}

function Entities({ provider }: { provider: Provider }) {
  const { entities, version, mayWrite, mayReadEntities } = provider;
  return (
    <TableSection
      title="Entities"
      note={`At most ${MAX_ENTITIES}`}
      narrow="list"
      caption="Entities of the service provider"
      rows={entities}
      rowTo={(row) => (mayReadEntities ? paths.entity(row.id) : null)}
      empty={<EmptyState title="No entities yet">Find an entity of the register below to add it.</EmptyState>}
      columns={[
        { head: 'Name', name: (row) => row.name, length: 60 },
        { head: 'Formal id', cell: (row) => <span className="font-mono">{row.formalId}</span> },
        { head: 'Country', cell: (row) => row.country },
        ...(mayWrite
          ? [
              {
                head: <span className="sr-only">Action</span>,
                cell: (row: Provider['entities'][number]) => (
                  <EntityAction intent="remove" row={row} version={version}>
                    Remove
                  </EntityAction>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function AddEntity({ provider }: { provider: Provider }) {
  const { find, found, version } = provider;
  return (
    <PanelSection title="Add an entity" note="From the register">
      <Form method="get" preventScrollReset className="flex flex-wrap items-center gap-2 p-3">
        <input
          type="search"
          name="find"
          key={find}
          defaultValue={find}
          maxLength={200}
          aria-label="Find an entity by name"
          placeholder="Find by name"
          className={inputClass('sm:max-w-60')}
        />
        <Button type="submit">Find</Button>
        <span className="text-xs text-ink-3" role="status">
          {found ? `${formatCount(found.total, 'entity', 'entities')} found` : ''}
          {found && found.rows.length < found.total ? `. The first ${found.rows.length} are listed.` : ''}
        </span>
      </Form>
      {found && found.rows.length > 0 ? (
        <DataTable
          narrow="list"
          caption="Entities found"
          rows={found.rows}
          columns={[
            { head: 'Name', name: (row) => row.name, length: 60 },
            { head: 'Formal id', cell: (row) => <span className="font-mono">{row.formalId}</span> },
            { head: 'Country', cell: (row) => row.country },
            {
              head: <span className="sr-only">Action</span>,
              cell: (row) => (
                <EntityAction intent="add" row={row} version={version}>
                  Add
                </EntityAction>
              ),
            },
          ]}
        />
      ) : null}
    </PanelSection>
  );
}

export default function ServiceProviderScreen() {
  const provider = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.lastResult.error;
  const { id, title, type, status, description, createdAt, entities, history, mayWrite, mayReadEntities } = provider;
  return (
    <>
      <PageHeader
        title={<Name length={60}>{title}</Name>}
        chip={<StatusChip dot status={status} />}
        facts={[
          <Chip key="type">{type}</Chip>,
          formatCount(entities.length, 'entity', 'entities'),
          <>
            created <DateText value={createdAt} />
          </>,
        ]}
        primary={mayWrite ? { label: 'Edit', to: PATHS.edit(id) } : null}
      />
      {problem ? <Notice tone="danger">{String(Object.values(problem).flat()[0] ?? '')}</Notice> : null}
      {description ? (
        <PanelSection title="Description" padded>
          <p className="max-w-[80ch] text-sm whitespace-pre-wrap">{description}</p>
        </PanelSection>
      ) : null}
      <Entities provider={provider} />
      {mayWrite && mayReadEntities && entities.length < MAX_ENTITIES ? <AddEntity provider={provider} /> : null}
      {history ? <HistorySection history={history} all={{ resource: 'serviceProviders', id: id }} /> : null}
    </>
  );
}

import { useLoaderData } from '@remix-run/react';
import { connectionsOf } from '@tapeline/db/operations/entities/connections.ts';
import { getEntity } from '@tapeline/db/operations/entities/entities.ts';
import { EVERY_COLLECTION } from '@tapeline/domain/collections/collections.ts';
import { inSentence } from '@tapeline/domain/documents/field-labels.ts';
import { countryName } from '@tapeline/domain/entities/countries.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { Connections, EntityFacts, EntityLists } from '../../../components/organizations/entity-sections.tsx';
import { shownEntity } from '../../../components/organizations/organization-page.server.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

export const handle = named<typeof loader>(({ entity }) => [entity.name]);

export const loader = readScreen('entities/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const entity = await getEntity(session, params.id ?? '');
    const connections = await connectionsOf(session, entity.id);
    const isManager = connections.rows.some(({ kind }) => kind === 'managers');
    return {
      entity: shownEntity(entity),
      createdAt: entity.metadata.iat,
      connections,
      history: await documentHistory(session, [{ resource: 'entities', ids: [entity.id] }], url.searchParams),
      // Only an admin who is not acting for a manager changes a manager's entity.
      mayEdit:
        can(actor, 'entities/write') && (!isManager || (can(actor, 'managers/write') && actor.managerId === null)),
      newRoles: EVERY_COLLECTION.flatMap(([, { takesEntity, write, page, one }]) =>
        takesEntity && write && can(actor, write)
          ? [{ noun: inSentence(one), to: `${page}/new?entity=${entity.id}` }]
          : [],
      ),
    };
  }),
);

export default function EntityScreen() {
  const { entity, createdAt, connections, history, mayEdit, newRoles } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={<Name length={60}>{entity.name}</Name>}
        facts={[
          countryName(entity.nationality.country),
          formatCount(connections.total, 'role'),
          <>
            created <DateText value={createdAt} />
          </>,
        ]}
        actions={
          <>
            {newRoles.map(({ noun, to }) => (
              <LinkButton key={to} to={to}>
                New {noun}
              </LinkButton>
            ))}
            {mayEdit ? (
              <LinkButton to={paths.editEntity(entity.id)} tone="primary">
                Edit
              </LinkButton>
            ) : null}
          </>
        }
      />
      <EntityFacts entity={entity} />
      <EntityLists entity={entity} />
      <Connections title="Roles" rows={connections.rows} />
      {history ? <HistorySection history={history} all={{ resource: 'entities', id: entity.id }} /> : null}
    </>
  );
}

import { useLoaderData } from '@remix-run/react';
import { countsOfManagers, getManager, NO_COUNTS } from '@tapeline/db/operations/managers/managers.ts';
import { SESSION_LIMITS } from '@tapeline/domain/identity/session-limits.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { EntityFacts, EntityLists, PeopleAndFiles } from '../../../components/organizations/entity-sections.tsx';
import { connectedTo, shownEntity } from '../../../components/organizations/organization-page.server.ts';
import { StatusChip } from '../../../components/page/chip.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';

export const handle = named<typeof loader>(({ entity }) => [entity.name]);

export const loader = readScreen('managers/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const { id, status, domains, endsIdleSessions, metadata, entity } = await getManager(session, params.id ?? '');
    return {
      id,
      status,
      domains,
      endsIdleSessions,
      createdAt: metadata.iat,
      entity: shownEntity(entity),
      counts: (await countsOfManagers(session, [id])).get(id) ?? NO_COUNTS,
      connected: await connectedTo(session, { kind: 'manager', id }, entity.id),
      history: await documentHistory(
        session,
        [
          { resource: 'managers', ids: [id] },
          { resource: 'entities', ids: [entity.id] },
        ],
        url.searchParams,
      ),
      mayWrite: can(actor, 'managers/write') && actor.managerId === null,
      mayInvite: status === 'Active' && can(actor, 'users/write'),
    };
  }),
);

export default function ManagerScreen() {
  const { id, status, domains, endsIdleSessions, createdAt, entity, counts, connected, history, mayWrite, mayInvite } =
    useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={<Name>{entity.name}</Name>}
        chip={<StatusChip dot status={status} />}
        facts={[
          formatCount(counts.companies, 'borrower'),
          formatCount(counts.investors, 'investor'),
          formatCount(counts.funds, 'fund'),
          <>
            created <DateText value={createdAt} />
          </>,
          ...(endsIdleSessions ? [`sign-ins end after ${SESSION_LIMITS.idleMinutes} idle minutes`] : []),
        ]}
        actions={
          mayInvite ? (
            <LinkButton to={paths.newUser({ organization: `manager/${id}` })}>Invite a user</LinkButton>
          ) : null
        }
        primary={mayWrite ? { label: 'Edit', to: paths.editManager(id) } : null}
      />
      <EntityFacts entity={entity} />
      <EntityLists entity={entity} />
      <PeopleAndFiles connected={connected} domains={domains} />
      {history ? <HistorySection history={history} all={{ resource: 'managers', id: id }} /> : null}
    </>
  );
}

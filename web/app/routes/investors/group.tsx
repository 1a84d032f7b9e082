import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getLPGroup, updateLPGroup } from '@tapeline/db/operations/investors/groups.ts';
import { listLPs } from '@tapeline/db/operations/investors/investors.ts';
import { lpTitleSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { documentHistory } from '../../commands/history.server.ts';
import { DateText, Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { versionField } from '../../components/forms/version-field.ts';
import { HistorySection } from '../../components/history/action-list.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Pagination } from '../../components/page/pagination.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { TableSection } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle = named<typeof loader>(({ title }) => [title]);

const PER_PAGE = 50;
const groupFormSchema = z.object({ title: lpTitleSchema, groupVersion: versionField });

export const loader = readScreen('LPs/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const { id, title, version, metadata } = await getLPGroup(session, params.id ?? '');
    const query = { filter: { 'group.id': id }, sort: { title: 1 }, skip: skipOf(url.searchParams), limit: PER_PAGE };
    const { documents, total } = await listLPs(session, query);
    return {
      id,
      title,
      version,
      createdAt: metadata.iat,
      mayWrite: can(actor, 'LPs/write'),
      history: await documentHistory(session, [{ resource: 'LPGroups', ids: [id] }], url.searchParams),
      total,
      investors: documents.map((investor) => ({
        id: investor.id,
        title: investor.title,
        status: investor.status,
        users: investor.lastVisitedStats.totalUsers,
      })),
    };
  }),
);

export const action = act({
  rename: intent({
    permission: 'LPs/write',
    schema: groupFormSchema,
    async run({ title, groupVersion: version }, { db, params }) {
      const { id } = await db((session) => updateLPGroup(session, { id: params.id ?? '', body: { title, version } }));
      return redirect(paths.investorGroup(id));
    },
  }),
});

function Rename({ title, version }: { title: string; version: number }) {
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof groupFormSchema>>('group', {
    lastResult: answer?.lastResult,
    defaultValue: { title, groupVersion: String(version) },
    required: ['title'],
  });
  return (
    <PanelSection title="Title" note="Of the group, for each of its investors" className="max-w-[46rem] p-4">
      <ScreenForm form={form} intent="rename" labels={{ title: 'Title' }}>
        <HiddenField name="groupVersion" />
        <TextField field={fields.title} label="Title" />
        <FormActions submit="Rename" submitting="Saving" tone="plain" />
      </ScreenForm>
    </PanelSection>
  );
}

export default function GroupScreen() {
  const { id, title, version, investors, total, createdAt, history, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={<Name length={60}>{title}</Name>}
        facts={[
          formatCount(total, 'investor'),
          'its users see the documents of each investor',
          <>
            created <DateText value={createdAt} unknown="Not recorded" />
          </>,
        ]}
      />
      <TableSection
        title="Investors"
        narrow="list"
        caption="Investors of the group"
        rows={investors}
        rowTo={(row) => paths.investor(row.id)}
        empty={<EmptyState title="No investors">Choose this group on an investor to add it.</EmptyState>}
        columns={[
          { head: 'Title', name: (row) => row.title, length: 60 },
          { head: 'Users', numeric: true, cell: (row) => row.users },
          { head: 'Status', status: (row) => row.status },
        ]}
        below={<Pagination total={total} limit={PER_PAGE} noun="investors" />}
      />
      {mayWrite ? <Rename key={version} title={title} version={version} /> : null}
      {history ? <HistorySection history={history} all={{ resource: 'LPGroups', id: id }} /> : null}
    </>
  );
}

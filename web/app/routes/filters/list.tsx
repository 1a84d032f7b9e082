import { Link, useActionData, useLoaderData } from '@remix-run/react';
import {
  createGroupFilter,
  listGroupFilters,
  removeGroupFilter,
} from '@tapeline/db/operations/group-filters/group-filters.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Filter } from 'lucide-react';
import { z } from 'zod';
import { formatCount } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { TableSection } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { filterChoices, filterOfForm } from './filter-choices.server.ts';
import { filterFormSchema } from './filter-form.ts';
import { FILTER_LABELS, FilterChoices } from './selection-fields.tsx';

export const handle = { title: 'Saved filters' };

const PAGE_LENGTH = 50;
export const loader = readScreen(null, ({ db, url }) =>
  db(async (session) => {
    const { documents, total } = await listGroupFilters(session, {
      sort: { title: 1 },
      skip: skipOf(url.searchParams),
      limit: PAGE_LENGTH,
    });
    return {
      total,
      rows: documents.map(({ id, title, fundIds, investorIds }) => ({
        id,
        title,
        funds: fundIds,
        investors: investorIds.length,
      })),
      ...(await filterChoices(session)),
    };
  }),
);

export const action = act({
  create: intent({
    permission: null,
    schema: filterFormSchema,
    async run(form, { db }) {
      await db((session) => createGroupFilter(session, filterOfForm(form)));
      return null;
    },
  }),
  remove: intent({
    permission: null,
    schema: z.object({ id: idSchema }),
    async run({ id }, { db }) {
      await db((session) => removeGroupFilter(session, id));
      return null;
    },
  }),
});

const fundsFilter = (funds: readonly string[]) => JSON.stringify({ id: { in: funds } });

export default function Filters() {
  const { rows, total, funds, investors } = useLoaderData<typeof loader>();
  const isEmpty = funds.length === 0 && investors.length === 0;
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof filterFormSchema>>('filter', {
    lastResult: answer?.intent === 'create' ? answer.lastResult : undefined,
    required: ['title'],
  });
  return (
    <>
      <PageHeader title="Saved filters" facts={[formatCount(total, 'filter'), 'only you can see them']} />
      <TableSection
        title="Your filters"
        narrow="list"
        caption="Your saved filters"
        rows={rows}
        empty={
          <EmptyState icon={Filter} title="No saved filters yet">
            {isEmpty
              ? 'A filter is a selection of funds and investors. There are none that you can see.'
              : 'Save a selection of funds and investors below, or save the funds of a chat’s answer.'}
          </EmptyState>
        }
        columns={[
          { head: 'Name', name: (row) => row.title, length: 60 },
          { head: 'Funds', figure: (row) => row.funds.length },
          { head: 'Investors', figure: (row) => row.investors },
          {
            head: 'Show',
            cell: (row) =>
              row.funds.length > 0 ? (
                <Link to={paths.funds({ filter: fundsFilter(row.funds) })} className="text-accent hover:underline">
                  Its funds<span className="sr-only"> of {row.title}</span>
                </Link>
              ) : null,
          },
          {
            head: <span className="sr-only">Edit</span>,
            cell: (row) => (
              <Link to={paths.editFilter(row.id)} className="tap-text text-accent hover:underline">
                Edit<span className="sr-only"> {row.title}</span>
              </Link>
            ),
          },
          {
            head: <span className="sr-only">Action</span>,
            cell: (row) => (
              <ActionForm intent="remove" values={{ id: row.id }} tone="quiet" className="max-sm:-ml-3">
                Delete
                <span className="sr-only"> {row.title}</span>
              </ActionForm>
            ),
          },
        ]}
        below={<Pagination total={total} limit={PAGE_LENGTH} noun="filters" />}
      />
      {isEmpty ? null : (
        <Section title="New filter">
          <ScreenForm key={total} form={form} intent="create" labels={FILTER_LABELS}>
            <Panel className="grid max-w-[46rem] gap-4 p-4">
              <TextField field={fields.title} label={FILTER_LABELS.title} autoComplete="off" />
              <FilterChoices name="funds" label={FILTER_LABELS.funds} choices={funds} />
              <FilterChoices name="investors" label={FILTER_LABELS.investors} choices={investors} />
              {fields.funds.errors ? <p className="text-xs text-danger">{fields.funds.errors.join('. ')}</p> : null}
            </Panel>
            <FormActions submit="Save filter" submitting="Saving" />
          </ScreenForm>
        </Section>
      )}
    </>
  );
}

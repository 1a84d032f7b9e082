import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { visibleNames } from '@tapeline/db/operations/chats/question-lists.ts';
import {
  createGroupFilter,
  listGroupFilters,
  removeGroupFilter,
} from '@tapeline/db/operations/group-filters/group-filters.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { groupFilterCreateSchema, MOST_IDS } from '@tapeline/domain/group-filters/group-filter.schema.ts';
import { Filter } from 'lucide-react';
import { z } from 'zod';
import { Figure, Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { ActionForm, FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';

export const meta: MetaFunction = () => [{ title: 'Saved filters · Tapeline' }];

const PAGE_LENGTH = 50;
const LABELS = { title: 'Name', funds: 'Funds', investors: 'Investors' };
const ids = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z.array(idSchema).max(MOST_IDS, `At most ${MOST_IDS}`),
);
const formSchema = groupFilterCreateSchema.pick({ title: true }).extend({ funds: ids, investors: ids });

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, null, ({ db, url }) =>
    db(async (session) => {
      const { documents, total } = await listGroupFilters(session, {
        sort: { title: 1 },
        skip: skipOf(url.searchParams),
        limit: PAGE_LENGTH,
      });
      const names = await visibleNames(session);
      const choices = (path: string) =>
        (names[path] ?? [])
          .map(({ value, words }) => ({ value: String(value), label: words[0] ?? '' }))
          .sort((a, b) => a.label.localeCompare(b.label));
      return {
        total,
        rows: documents.map(({ id, title, fundIds, investorIds }) => ({
          id,
          title,
          funds: fundIds,
          investors: investorIds.length,
        })),
        funds: choices('fund'),
        investors: choices('investor.id'),
      };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    create: intent({
      permission: null,
      schema: formSchema,
      async run({ title, funds, investors }, { db }) {
        const { data, error } = groupFilterCreateSchema.safeParse({ title, filters: { funds, investors } });
        if (error) throw refuseIssues(error.issues.map((issue) => ({ ...issue, path: ['funds'] })));
        await db((session) => createGroupFilter(session, data));
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

function Choices({
  name,
  label,
  choices,
}: {
  name: string;
  label: string;
  choices: readonly { value: string; label: string }[];
}) {
  return (
    <label className="grid gap-1 text-xs font-medium text-ink-2">
      {label}
      <select
        multiple
        name={name}
        size={6}
        className="rounded-md border border-field-line bg-paper p-1 text-sm text-ink"
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}

export default function Filters() {
  const { rows, total, funds, investors } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('filter', formSchema, {
    lastResult: answer?.intent === 'create' ? answer.lastResult : undefined,
  });
  return (
    <>
      <PageHeader title="Saved filters" facts={[formatCount(total, 'filter'), 'only you can see them']} />
      <Section title="Your filters">
        <Panel>
          <DataTable
            narrow="list"
            caption="Your saved filters"
            rows={rows}
            rowKey={(row) => row.id}
            empty={
              <EmptyState icon={Filter} title="No saved filters yet">
                Save a selection of funds and investors below, or save the funds of a chat’s answer.
              </EmptyState>
            }
            columns={[
              { key: 'title', head: 'Name', cell: (row) => <Name length={60}>{row.title}</Name> },
              { key: 'funds', head: 'Funds', numeric: true, cell: (row) => <Figure value={row.funds.length} /> },
              { key: 'investors', head: 'Investors', numeric: true, cell: (row) => <Figure value={row.investors} /> },
              {
                key: 'open',
                head: 'Show',
                cell: (row) =>
                  row.funds.length > 0 ? (
                    <Link to={paths.funds({ filter: fundsFilter(row.funds) })} className="text-accent hover:underline">
                      Its funds<span className="sr-only"> of {row.title}</span>
                    </Link>
                  ) : null,
              },
              {
                key: 'remove',
                head: <span className="sr-only">Action</span>,
                cell: (row) => (
                  <ActionForm intent="remove" values={{ id: row.id }} tone="quiet">
                    Delete
                    <span className="sr-only"> {row.title}</span>
                  </ActionForm>
                ),
              },
            ]}
          />
          <Pagination total={total} limit={PAGE_LENGTH} noun="filters" />
        </Panel>
      </Section>
      <Section title="New filter">
        <ScreenForm key={total} form={form} intent="create" labels={LABELS}>
          <Panel className="grid max-w-[46rem] gap-4 p-4">
            <TextField field={fields.title} label={LABELS.title} autoComplete="off" />
            <Choices name="funds" label={LABELS.funds} choices={funds} />
            <Choices name="investors" label={LABELS.investors} choices={investors} />
            {fields.funds.errors ? <p className="text-xs text-danger">{fields.funds.errors.join('. ')}</p> : null}
          </Panel>
          <FormActions submit="Save filter" submitting="Saving" />
        </ScreenForm>
      </Section>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';

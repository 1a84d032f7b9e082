import { type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { Form, Link, useLoaderData, useSearchParams } from '@remix-run/react';
import { companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { DRAWS, listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import { drawnNotes } from '@tapeline/db/operations/draws/drawable-notes.ts';
import { filteredTotals } from '@tapeline/db/operations/listing/list-documents.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { DRAW_STATUSES } from '@tapeline/domain/draws/draw.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { FilterBar } from '../../../components/filters/filter-bar.tsx';
import { joinDraft, viewFilter } from '../../../components/filters/filter-view.ts';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import {
  type ChoiceCounts,
  countsOf,
  Found,
  isSearched,
  type Noun,
  SearchBox,
} from '../../../components/forms/choice-search.tsx';
import { inputClass } from '../../../components/forms/fields.tsx';
import { AssetGrid } from '../../../components/grid/asset-grid.tsx';
import { rowsOfDocuments } from '../../../components/grid/document-rows.ts';
import { FIRST_ROWS, readSort } from '../../../components/grid/grid-columns.ts';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';

const COLUMNS = columnsOf('draws');

export const meta: MetaFunction = () => [{ title: 'Draws · Tapeline' }];

/** The draws that need someone come first. */
const DEFAULT_SORT = { 'metadata.iat': -1 } as const;

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactionDraw/read', async ({ db, url, actor }) => {
    const search = url.searchParams;
    const asked = (name: string) => search.get(name) ?? '';
    const status = DRAW_STATUSES.find((one) => one === asked('status')) ?? null;
    const [company, note] = [asked('company'), asked('note')];
    const { catalog } = DRAWS;
    const joined = joinDraft(search, catalog);
    if (joined && 'goTo' in joined) throw redirect(`${url.pathname}?${joined.goTo}`);
    const { text, chips, problem } = viewFilter(search.get('filter'), catalog);
    const filter = {
      ...(text ? { $and: [JSON.parse(text)] } : {}),
      ...(status ? { status } : {}),
      ...(company ? { company } : {}),
      ...(note ? { note } : {}),
    };
    const chosen = readSort(search.get('sort'), COLUMNS);
    const sort = Object.keys(chosen).length > 0 ? chosen : DEFAULT_SORT;
    return db(async (session) => {
      const found = await listDraws(session, { filter, sort, skip: skipOf(search), limit: FIRST_ROWS });
      const totals = await filteredTotals(session, DRAWS, { filter }, ['amountInMainCurrency.sum']);
      const documents = found.documents.map((draw) => ({ ...draw, transaction: { title: draw.transactionTitle } }));
      const companies = await companyChoices(session, { search: asked('findCompany'), chosen: company });
      const notes = await drawnNotes(session, { search: asked('findNote'), chosen: note });
      return {
        rows: rowsOfDocuments(documents, COLUMNS),
        total: found.total,
        totals,
        chips,
        problem,
        draft: joined && 'draft' in joined ? joined.draft : null,
        fields: catalog.fields.map((field) =>
          field.path === 'status' ? { ...field, values: [...DRAW_STATUSES] } : field,
        ),
        filter: Object.keys(filter).length > 0 ? JSON.stringify(filter) : null,
        status,
        company,
        note,
        companies: companies.choices,
        companyCounts: countsOf(companies),
        notes: notes.choices,
        noteCounts: countsOf(notes),
        mayRequest: can(actor, 'transactionDraw/write'),
      };
    });
  });

function Select({
  name,
  label,
  all,
  value,
  choices,
}: {
  name: string;
  label: string;
  all: string;
  value: string;
  choices: readonly { value: string; label: string }[];
}) {
  return (
    <select
      name={name}
      key={value}
      defaultValue={value}
      aria-label={label}
      className={inputClass('w-auto max-w-56 truncate')}
    >
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}

/** Finds what a list of choices does not show. Shown if there are more than it lists. */
function Find({ id, name, noun, counts }: { id: string; name: string; noun: Noun; counts: ChoiceCounts }) {
  if (!isSearched(counts)) return null;
  return (
    <>
      <SearchBox key={counts.search} id={id} name={name} noun={noun} search={counts.search} />
      <Found counts={counts} noun={noun} />
    </>
  );
}

function Filters() {
  const { status, company, note, companies, companyCounts, notes, noteCounts } = useLoaderData<typeof loader>();
  const searches = isSearched(companyCounts) || isSearched(noteCounts);
  const [search] = useSearchParams();
  const [sort, filter] = [search.get('sort'), search.get('filter')];
  return (
    <Form
      method="get"
      preventScrollReset
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full"
      onChange={(event) => {
        if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      {sort ? <input type="hidden" name="sort" value={sort} /> : null}
      {filter ? <input type="hidden" name="filter" value={filter} /> : null}
      <Select
        name="status"
        label="Status"
        all="Any status"
        value={status ?? ''}
        choices={DRAW_STATUSES.map((one) => ({ value: one, label: one === 'In Review' ? 'In review' : one }))}
      />
      <Select
        name="company"
        label="Company"
        all="All companies"
        value={company}
        choices={companies.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Find id="draws-find-company" name="findCompany" noun={['company', 'companies']} counts={companyCounts} />
      <Select
        name="note"
        label="Note"
        all="All notes"
        value={note}
        choices={notes.map(({ id, label }) => ({ value: id, label }))}
      />
      <Find id="draws-find-note" name="findNote" noun={['note', 'notes']} counts={noteCounts} />
      {searches ? (
        <Button type="submit">Find</Button>
      ) : (
        <noscript>
          <Button type="submit">Show</Button>
        </noscript>
      )}
    </Form>
  );
}

export default function Draws() {
  const { rows, total, totals, filter, chips, problem, draft, fields, mayRequest } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Draws"
        facts={[formatCount(total, 'draw request')]}
        actions={
          mayRequest ? (
            <LinkButton to={paths.newDraw()} tone="primary">
              Request a draw
            </LinkButton>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="danger" action={<Link to={paths.draws()}>Show all draws</Link>}>
          This filter is not valid: it {problem}. All draws are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="draws"
        source={{ list: '/crud/transactionDraws', scope: {}, format: 'json' }}
        columns={COLUMNS}
        rows={rows}
        total={total}
        totals={totals}
        filter={filter}
        tools={
          <>
            <Filters />
            <FilterBar chips={chips} fields={fields} draft={draft} />
          </>
        }
        defaultSort={DEFAULT_SORT}
        rowTo={(row) => paths.draw(String(row.id))}
        noun="draws"
        empty={
          filter ? 'Remove a filter, or choose another status, company or note.' : 'Nobody has requested a draw yet.'
        }
      />
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';

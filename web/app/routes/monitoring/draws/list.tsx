import { Form, useLoaderData, useSearchParams } from '@remix-run/react';
import { companyChoices } from '@tapeline/db/operations/companies/company-choices.ts';
import { drawnNotes } from '@tapeline/db/operations/draws/drawable-notes.ts';
import { columnsOf } from '@tapeline/domain/collections/collections.ts';
import { DRAW_STATUSES } from '@tapeline/domain/draws/draw.schema.ts';
import { type DrawStatus, isOpenDraw } from '@tapeline/domain/draws/states.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FilteredGrid } from '../../../components/filters/filtered-grid.tsx';
import { readFilteredList } from '../../../components/filters/filtered-list.ts';
import { Button } from '../../../components/forms/button.tsx';
import {
  type ChoiceCounts,
  countsOf,
  FoundCounts,
  isSearched,
  type Noun,
  SearchBox,
} from '../../../components/forms/choice-search.tsx';
import { Select } from '../../../components/forms/fields.tsx';
import type { GridRow } from '../../../components/grid/arrow-page.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DRAW_LIST } from './draw-list.server.ts';

const COLUMNS = columnsOf('draws');

const waits = ({ status }: GridRow) => isOpenDraw(status as DrawStatus);
const PARTS = [
  { title: 'Waiting for a decision', has: waits },
  { title: 'Decided', has: (row: GridRow) => !waits(row) },
];

export const handle = { title: 'Draws' };

export const loader = readScreen('transactionDraw/read', async (screen) => {
  const { db, url, actor } = screen;
  const asked = (name: string) => url.searchParams.get(name) ?? '';
  const status = DRAW_STATUSES.find((one) => one === asked('status')) ?? null;
  const [company, note] = [asked('company'), asked('note')];
  const chosen = Object.entries({ status, company, note }).flatMap(([path, value]) =>
    value ? [{ [path]: value }] : [],
  );
  const page = await readFilteredList(screen, DRAW_LIST, { conditions: chosen });
  return db(async (session) => {
    const companies = await companyChoices(session, { search: asked('findCompany'), chosen: company });
    const notes = await drawnNotes(session, { search: asked('findNote'), chosen: note });
    return {
      page,
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

/** Finds what a list of choices does not show. Shown if there are more than it lists. */
function Find({ id, name, noun, counts }: { id: string; name: string; noun: Noun; counts: ChoiceCounts }) {
  if (!isSearched(counts)) return null;
  return (
    <>
      <SearchBox key={counts.search} id={id} name={name} noun={noun} search={counts.search} />
      <FoundCounts counts={counts} noun={noun} />
    </>
  );
}

/** The conditions that are asked for most. */
function Choices() {
  const { status, company, note, companies, companyCounts, notes, noteCounts } = useLoaderData<typeof loader>();
  const searches = isSearched(companyCounts) || isSearched(noteCounts);
  const [search] = useSearchParams();
  const [sort, filter] = [search.get('sort'), search.get('filter')];
  return (
    <Form
      method="get"
      preventScrollReset
      className="flex flex-col gap-2"
      onChange={(event) => {
        if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      {sort ? <input type="hidden" name="sort" value={sort} /> : null}
      {filter ? <input type="hidden" name="filter" value={filter} /> : null}
      <Select
        key={status}
        defaultValue={status ?? ''}
        name="status"
        aria-label="Status"
        empty="Any status"
        choices={DRAW_STATUSES.map((one) => ({ value: one, label: one === 'In Review' ? 'In review' : one }))}
      />
      <Select
        key={company}
        defaultValue={company}
        name="company"
        aria-label="Borrower"
        empty="All borrowers"
        choices={companies.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Find id="draws-find-company" name="findCompany" noun={['borrower', 'borrowers']} counts={companyCounts} />
      <Select
        key={note}
        defaultValue={note}
        name="note"
        aria-label="Note"
        empty="All notes"
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
  const { page, mayRequest, status, company, note, companies, notes } = useLoaderData<typeof loader>();
  const set = [
    { name: 'status', label: 'Status', value: status },
    { name: 'company', label: 'Borrower', value: companies.find(({ id }) => id === company)?.name },
    { name: 'note', label: 'Note', value: notes.find(({ id }) => id === note)?.label },
  ].flatMap(({ value, ...named }) => (value ? [{ ...named, value }] : []));
  return (
    <FilteredGrid
      page={page}
      id="draws"
      title="Draws"
      noun={['draw', 'draws']}
      counted={['draw request', 'draw requests']}
      primary={mayRequest ? { label: 'Request a draw', to: paths.newDraw() } : null}
      search={null}
      quick={{ form: <Choices />, set }}
      source="/crud/transactionDraws"
      columns={COLUMNS}
      parts={PARTS}
      defaultSort={{ 'metadata.iat': -1 }}
      rowTo={paths.draw}
      empty="Nobody has requested a draw yet."
      unfound="Remove a filter, or choose another status, borrower or note."
    />
  );
}

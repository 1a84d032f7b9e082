import { useActionData, useLoaderData } from '@remix-run/react';
import { Hash } from 'lucide-react';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { ActionProblems } from '../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { Tabs } from '../../../components/page/tabs.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { type ActionAnswer, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { figureText, RemoveFigure, ReviewFigure } from './figure-actions.tsx';
import { FIGURES_PER_PAGE } from './figure-words.ts';
import { changeFigure, type FigureList, readFigures } from './figures.server.ts';

export const handle = named('Facility figures');

export const loader = readScreen('transactions/read', readFigures);

export const action = changeFigure;

type Row = FigureList['figures'][number];

const COLUMNS: readonly Column<Row>[] = [
  { head: 'Figure', name: ({ title }) => title, length: 60, under: ({ company }) => company },
  { head: 'As of', date: ({ date }) => date },
  { head: 'Value', numeric: true, cell: (row) => figureText(row) },
  {
    head: 'Entered by',
    cell: ({ enteredBy, remark, file }) => (
      <>
        <Name>{enteredBy}</Name>
        {remark ? <span className="block text-xs break-words text-ink-2">{remark}</span> : null}
        {file ? (
          <a href={paths.download(file)} className="tap-text relative z-[1] block text-xs text-accent hover:underline">
            Document
          </a>
        ) : null}
      </>
    ),
  },
];

const REVIEWED: Column<Row> = {
  head: 'Reviewed by',
  cell: ({ reviewedBy, reviewedAt }) => (
    <>
      {reviewedBy}
      <span className="block text-xs text-ink-2">
        <DateText value={reviewedAt?.slice(0, 10)} />
      </span>
    </>
  ),
};

const ACTIONS: Column<Row> = {
  head: <span className="sr-only">Actions</span>,
  control: true,
  cell: (figure) => (
    <span className="flex flex-wrap items-center justify-end gap-2 max-sm:justify-start">
      {figure.status !== 'Entered' ? null : figure.isOwn ? (
        <span className="text-xs text-ink-2">Someone else must review it</span>
      ) : (
        <ReviewFigure figure={figure} />
      )}
      <RemoveFigure figure={figure} />
    </span>
  ),
};

export default function FacilityFigures() {
  const { tab, counts, total, figures, mayChange } = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const isOpen = tab === 'review';
  const add = { label: 'Enter figures', to: paths.newFacilityFigure() };
  return (
    <>
      <PageHeader
        title="Facility figures"
        isPart
        facts={[
          'Dated figures of borrowers that no tape holds',
          'covenants read them once a second person has reviewed them',
        ]}
        actions={mayChange ? <LinkButton to={paths.pasteFigures()}>Paste figures</LinkButton> : null}
        primary={mayChange ? add : null}
      />
      <ActionProblems answer={answer} />
      <Tabs
        label="Figures"
        tabs={[
          { label: 'To review', to: paths.facilityFigures(), count: counts.review, current: isOpen },
          {
            label: 'Reviewed',
            to: paths.facilityFigures({ tab: 'reviewed' }),
            count: counts.reviewed,
            current: !isOpen,
          },
        ]}
      />
      <Panel>
        <DataTable
          caption={isOpen ? 'Figures to review' : 'Reviewed figures'}
          narrow="list"
          rows={figures}
          columns={[...COLUMNS, ...(isOpen ? [] : [REVIEWED]), ...(mayChange ? [ACTIONS] : [])]}
          rowTo={({ id }) => paths.facilityFigure(id)}
          empty={
            <EmptyState
              icon={Hash}
              title={isOpen ? 'No figures to review' : 'No reviewed figures yet'}
              action={mayChange ? <LinkButton to={add.to}>{add.label}</LinkButton> : null}
            >
              {isOpen
                ? 'Figures that are entered appear here until someone else has reviewed them.'
                : 'Enter sales, tangible net worth, cash or other figures that a covenant reads.'}
            </EmptyState>
          }
        />
        <Pagination total={total} limit={FIGURES_PER_PAGE} noun="figures" />
      </Panel>
    </>
  );
}

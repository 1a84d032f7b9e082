import { useLoaderData } from '@remix-run/react';
import {
  type BorrowingBaseFigures,
  listBorrowingBaseFigures,
  notesWithBorrowingBases,
  pageOfBorrowingBases,
} from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { type NoteName, noteNamesOf } from '@tapeline/db/operations/transactions/note-names.ts';
import { toNumber } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Scale } from 'lucide-react';
import { LineChart } from '../../../../components/charts/line-chart.tsx';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { Pagination } from '../../../../components/page/pagination.tsx';
import { Columns, Panel, PanelSection } from '../../../../components/page/section.tsx';
import { skipOf } from '../../../../components/page/skip.ts';
import { readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { pointLabels } from '../point-labels.ts';
import { BorrowingBaseTable, LatestTable } from './tables.tsx';

export const handle = { title: 'Borrowing bases' };

const PAGE_LENGTH = 50;
/** Notes in the table of the latest borrowing bases, and how far back each note is read. */
const NOTES_SHOWN = 50;
const POINTS = 24;
/** Notes in the chart over time. The rest are in the table. */
const DRAWN_NOTES = 4;

export const loader = readScreen('borrowingBase/read', async ({ db, url, actor }) =>
  db(async (session) => {
    const skip = skipOf(url.searchParams);
    const page = await pageOfBorrowingBases(session, { skip, limit: PAGE_LENGTH });
    const based = await notesWithBorrowingBases(session, { limit: NOTES_SHOWN });
    const recent = await listBorrowingBaseFigures(session, { noteIds: based.noteIds, perNote: POINTS });
    const names = await noteNamesOf(
      session,
      [...page.bases, ...recent].map(({ transactionId }) => transactionId),
    );
    const byNote = Map.groupBy(recent, ({ noteId }) => noteId);
    return {
      total: page.total,
      page: page.bases,
      notesTotal: based.total,
      series: based.noteIds.flatMap((noteId) => {
        const note = names.get(noteId);
        const bases = byNote.get(noteId);
        return note && bases ? [{ note, bases }] : [];
      }),
      notes: Object.fromEntries(names),
      canUpload: can(actor, 'assets/write'),
    };
  }),
);

function OverTime({ note, bases }: { note: NoteName; bases: readonly BorrowingBaseFigures[] }) {
  const currency = bases.at(-1)?.currency ?? '';
  const drawn = bases.filter((base) => base.currency === currency);
  return (
    <LineChart
      title={`${note.transactionTitle}, ${note.noteTitle}`}
      note={currency}
      points={pointLabels(drawn)}
      series={[
        { label: 'Eligible or performing', values: drawn.map((base) => toNumber(base.pool.sum)), colour: 4 },
        { label: 'Net borrowing base', values: drawn.map((base) => toNumber(base.netBB)), colour: 1 },
      ]}
    />
  );
}

export default function BorrowingBases() {
  const { total, page, notesTotal, series, notes, canUpload } = useLoaderData<typeof loader>();
  const drawn = series
    .filter(({ bases }) => bases.length > 1)
    .slice(0, DRAWN_NOTES)
    .map(({ note, bases }) => <OverTime key={note.noteId} note={note} bases={bases} />);
  if (total === 0) {
    return (
      <>
        <PageHeader title="Borrowing bases" />
        <Panel>
          <EmptyState
            icon={Scale}
            title="No borrowing bases yet"
            action={
              canUpload ? (
                <LinkButton tone="primary" to={paths.newTape()}>
                  Upload a tape
                </LinkButton>
              ) : null
            }
          >
            Upload a loan tape and calculate its borrowing base. Each note with an active contract has one.
          </EmptyState>
        </Panel>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Borrowing bases"
        facts={[formatCount(notesTotal, 'note'), formatCount(total, 'borrowing base')]}
      />
      <PanelSection
        title="Latest of each note"
        note={
          series.length < notesTotal
            ? `the ${series.length} notes of ${formatFigure(notesTotal)} with the latest cut-off dates`
            : 'current borrowing capacity by note'
        }
      >
        <LatestTable series={series} />
      </PanelSection>
      {drawn.length > 1 ? <Columns>{drawn}</Columns> : drawn}
      <PanelSection title="Over time" note="latest cut-off first">
        <BorrowingBaseTable bases={page} notes={notes} />
        <Pagination total={total} limit={PAGE_LENGTH} noun="borrowing bases" />
      </PanelSection>
    </>
  );
}

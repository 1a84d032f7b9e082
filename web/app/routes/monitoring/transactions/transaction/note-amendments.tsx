import { Form } from '@remix-run/react';
import { activeTranche } from '@tapeline/domain/facilities/in-force.ts';
import { DateText } from '../../../../components/figures/figures.tsx';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

type Page = FacilityTab<'terms'>;

/** An amendment starts with the terms that are shown. */
export const dayToAmend = ({ day, isAsked }: Page['tab']['onDay']): string | undefined => (isAsked ? day : undefined);

/** Whose terms are amended first: the active tranche's, or else the note's own. */
const amendedFirst = ({ transaction, note, tab: { onDay } }: Page): string => {
  const tranche = activeTranche(note) ?? note.tranches[0];
  return paths.amendTerms(transaction.id, note.id, { tranche: tranche?.sequence ?? 'note', day: dayToAmend(onDay) });
};

/** Chooses the day of which the terms below are. */
function AsOfDay({ page: { transaction, note, today, tab } }: { page: Page }) {
  const { day, isAsked, amendment, from } = tab.onDay;
  return (
    <Form method="get" className="no-print mt-3 flex flex-wrap items-center gap-2 text-sm">
      <input type="hidden" name="note" value={note.id} />
      <input type="hidden" name="view" value="terms" />
      <label htmlFor="terms-day" className="text-xs text-ink-2">
        Terms as of
      </label>
      <input
        id="terms-day"
        key={day}
        type="date"
        name="day"
        defaultValue={day}
        className="h-8 rounded-md border border-line-strong bg-paper px-2 text-sm max-sm:h-10"
      />
      <Button type="submit">Show</Button>
      {isAsked && day !== today ? (
        <MoreLink to={paths.transaction(transaction.id, { note: note.id, view: 'terms' })}>Show today</MoreLink>
      ) : null}
      <span className="text-xs text-ink-2">
        {amendment && from ? (
          <>
            {amendment}, from <DateText value={from} />
          </>
        ) : (
          'Original terms'
        )}
      </span>
    </Form>
  );
}

/** The versions of the terms of a note, the latest first, each with what it changed. */
export function NoteAmendments({ page }: { page: Page }) {
  const { canWrite, tab } = page;
  const { amendments } = tab;
  const action = canWrite ? <LinkButton to={amendedFirst(page)}>Amend the terms</LinkButton> : null;
  return (
    <TableSection
      title="Amendments"
      note={amendments.length === 0 ? undefined : 'the latest first'}
      more={amendments.length > 0 ? action : null}
      narrow="cards"
      rows={amendments}
      rowKey={({ id }) => id}
      rowTo={({ id }) => paths.amendment(id)}
      columns={[
        { head: 'From', card: 'date', date: ({ effectiveDate }) => effectiveDate },
        { head: 'Amendment', card: 'name', name: ({ title }) => title, length: 44 },
        {
          head: 'What it changes',
          wraps: true,
          cell: ({ changes }) =>
            changes.map((change) => (
              <span key={change} className="block">
                {change}
              </span>
            )),
        },
        {
          head: 'State',
          card: 'state',
          cell: ({ isInForce }) => (isInForce ? <Chip tone="good">In force</Chip> : <Chip>Agreed</Chip>),
        },
      ]}
      empty={
        <EmptyState title="No amendments" action={action}>
          When terms change from a day on, both versions stay: interest, fees and checks of each day use its own.
        </EmptyState>
      }
    >
      {amendments.length > 0 ? <AsOfDay page={page} /> : null}
    </TableSection>
  );
}

import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { TERMS } from '@tapeline/domain/facilities/terms-in-words.ts';
import { classNames } from '../../../../components/class-names.ts';
import { formatInstant } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { MoreLink, PanelSection } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { FacilityTab } from '../transaction-page.server.ts';
import { dayToAmend } from './note-amendments.tsx';

type Tranche = FacilityTab<'terms'>['note']['tranches'][number];

const CELL = 'border-t border-line px-3 py-1 text-left align-top text-sm font-normal whitespace-normal';

/** What the value of a tranche is, next to that of its note. */
function Value({ own, ofNote }: { own: readonly string[] | null; ofNote: readonly string[] | null }) {
  if (own === null) return <span className="text-ink-3">{ofNote === null ? '–' : 'as the note'}</span>;
  const differs = ofNote !== null && own.join('\n') !== ofNote.join('\n');
  return (
    <>
      {own.map((line) => (
        <span key={line} className={classNames('block', differs && 'font-medium')}>
          {line}
        </span>
      ))}
      {differs ? (
        <span className="mt-0.5 block">
          <Chip tone="accent">differs from the note</Chip>
        </span>
      ) : null}
    </>
  );
}

function TrancheHead({ page, tranche }: { page: FacilityTab<'terms'>; tranche: Tranche }) {
  const { transaction, note, canWrite, tab } = page;
  const { sequence, approval } = tranche;
  return (
    <th scope="col" className="min-w-52 px-3 py-2.5 text-left align-top text-sm font-normal">
      <span className="flex flex-wrap items-center gap-1.5">
        <b className="font-semibold">{tranche.title}</b>
        {tranche.sequenceActivated ? <Chip tone="good">Active</Chip> : <Chip>Not active</Chip>}
        {tranche.isDiscretional ? <Chip tone="warning">Discretionary</Chip> : null}
      </span>
      <span className="mt-0.5 block text-xs text-ink-3">
        {sequence}. in sequence, {tranche.type}
      </span>
      {approval ? (
        <span className="mt-0.5 block text-xs text-ink-2">
          Approved by {approval.user.firstName} {approval.user.lastName}, {formatInstant(approval.approvedAt)} UTC
        </span>
      ) : null}
      {canWrite ? (
        <span className="no-print mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-xs font-medium">
          <MoreLink to={paths.editTranche(transaction.id, note.id, sequence)}>Edit {tranche.title}</MoreLink>
          <MoreLink to={paths.amendTerms(transaction.id, note.id, { tranche: sequence, day: dayToAmend(tab.onDay) })}>
            Amend
          </MoreLink>
          {tranche.sequenceActivated ? null : (
            <MoreLink to={paths.activateTranche(transaction.id, note.id, sequence)}>Move to it</MoreLink>
          )}
          {note.tranches.length > 1 ? (
            <MoreLink to={paths.removeTranche(transaction.id, note.id, sequence)}>Remove</MoreLink>
          ) : null}
        </span>
      ) : null}
    </th>
  );
}

/** The terms of the note and its tranches side by side. A tranche's own terms override the note's. */
export function TrancheTable({ page }: { page: FacilityTab<'terms'> }) {
  const {
    transaction,
    note,
    canWrite,
    tab: { termNames, onDay },
  } = page;
  const termsOf = (sequence: number) => onDay.tranches.find((one) => one.sequence === sequence)?.terms ?? {};
  const tranches = note.tranches.toSorted((a, b) => a.sequence - b.sequence);
  const rows = TERMS.map(({ label, of }) => ({
    label,
    ofNote: of(onDay.terms ?? {}, termNames),
    own: tranches.map(({ sequence }) => of(termsOf(sequence), termNames)),
  })).filter(({ ofNote, own }) => ofNote !== null || own.some((value) => value !== null));
  return (
    <PanelSection
      title={onDay.isAsked ? `Terms as of ${formatCalendarDate(onDay.day)}` : 'Terms'}
      note="a tranche’s own terms override the note’s"
      more={
        canWrite ? (
          <span className="flex flex-wrap gap-3">
            <MoreLink to={paths.editNoteTerms(transaction.id, note.id)}>Edit terms of the note</MoreLink>
            <MoreLink to={paths.newTranche(transaction.id, note.id)}>New tranche</MoreLink>
          </span>
        ) : null
      }
    >
      {rows.length === 0 ? (
        <EmptyState
          title="No terms yet"
          action={
            canWrite ? (
              <LinkButton to={paths.newTranche(transaction.id, note.id)} tone="primary">
                New tranche
              </LinkButton>
            ) : null
          }
        >
          A tranche states the commitments, dates, interest and fees of the note.
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section aria-label="Terms of the note and its tranches" tabIndex={0} className="relative overflow-x-auto">
          <table className="w-full border-collapse">
            <caption className="sr-only">Terms of {note.title} and its tranches</caption>
            <thead>
              <tr>
                <th
                  scope="col"
                  className="w-44 min-w-32 px-3 py-2.5 text-left align-top text-xs font-medium text-ink-2"
                >
                  Term
                </th>
                <th scope="col" className="min-w-44 px-3 py-2.5 text-left align-top text-sm font-semibold">
                  {note.title}
                  <span className="mt-0.5 block text-xs font-normal text-ink-3">the note</span>
                </th>
                {tranches.map((tranche) => (
                  <TrancheHead key={tranche.sequence} page={page} tranche={tranche} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ label, ofNote, own }) => (
                <tr key={label}>
                  <th scope="row" className={classNames(CELL, 'text-xs text-ink-2')}>
                    {label}
                  </th>
                  <td className={CELL}>
                    {ofNote ? (
                      ofNote.map((line) => (
                        <span key={line} className="block">
                          {line}
                        </span>
                      ))
                    ) : (
                      <span className="text-ink-3">–</span>
                    )}
                  </td>
                  {tranches.map((tranche, at) => (
                    <td key={tranche.sequence} className={CELL}>
                      <Value own={own[at] ?? null} ofNote={ofNote} />
                    </td>
                  ))}
                </tr>
              ))}
              {tranches.some(({ condition }) => condition) ? (
                <tr>
                  <th scope="row" className={classNames(CELL, 'text-xs text-ink-2')}>
                    Condition
                    <span className="block text-ink-3">not checked by Tapeline</span>
                  </th>
                  <td className={CELL} />
                  {tranches.map((tranche) => (
                    <td key={tranche.sequence} className={CELL}>
                      {tranche.condition || <span className="text-ink-3">–</span>}
                    </td>
                  ))}
                </tr>
              ) : null}
            </tbody>
          </table>
        </section>
      )}
    </PanelSection>
  );
}

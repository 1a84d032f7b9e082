import type { ReactNode } from 'react';
import { Money } from '../../../../components/figures/figures.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Facts, MoreLink, PanelSection } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

const list = (texts: readonly string[] | null | undefined): ReactNode =>
  texts && texts.length > 0 ? (
    <ul className="list-disc pl-4">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  ) : (
    <span className="text-ink-3">None</span>
  );

/** Who holds the note. */
export function Holdings({ page }: { page: FacilityTab<'terms'> }) {
  const {
    transaction,
    note,
    canWrite,
    tab: { holdings, mayRemoveNote },
  } = page;
  const edit = canWrite ? (
    <span className="flex gap-4">
      <MoreLink to={paths.editNote(transaction.id, note.id)}>Edit {note.title}</MoreLink>
      {mayRemoveNote ? <MoreLink to={paths.removeNote(transaction.id, note.id)}>Remove {note.title}</MoreLink> : null}
    </span>
  ) : null;
  return (
    <TableSection
      title="Holdings"
      note="note holders"
      more={edit}
      rows={holdings}
      rowKey={(holding) => holding.name}
      empty={<EmptyState title="No holdings recorded" />}
      columns={[
        { head: 'Holder', name: (holding) => holding.name },
        { head: 'Target', percent: (holding) => holding.targetPercentage },
        { head: 'Actual', percent: (holding) => holding.actualPercentage },
      ]}
    />
  );
}

/** Who advises on the note, and what secures it. */
export function NoteParties({ page }: { page: FacilityTab<'terms'> }) {
  const { note, tab } = page;
  const named = (ids: readonly string[] | null | undefined) =>
    ids?.map((id) => tab.termNames[id] ?? 'An entity you don’t have access to');
  const rights = note.futureInvestmentRights;
  return (
    <PanelSection title="Documents and parties" padded>
      <Facts
        items={[
          { label: 'Security', value: list(note.security) },
          { label: 'Legal agreements', value: list(note.legalAgreements) },
          { label: 'Counsel of the borrower', value: list(named(note.counselsCompany)) },
          { label: 'Counsel of the manager', value: list(named(note.counselsManager)) },
          {
            label: 'Future investment rights',
            value: rights ? (
              <>
                <Money value={rights.amount} withCurrency />
                {rights.description ? <span className="block text-ink-2">{rights.description}</span> : null}
              </>
            ) : (
              <span className="text-ink-3">None</span>
            ),
          },
          { label: 'Operational', value: note.operational ? 'Yes' : 'No' },
        ]}
      />
    </PanelSection>
  );
}

import { LinkButton } from '../../../../components/forms/button.tsx';
import { Columns, Facts, PanelSection } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { FacilityTab } from '../transaction-page.server.ts';
import { CapitalStack } from './capital-stack.tsx';
import { CloseTransaction } from './close-transaction.tsx';
import { NoteAmendments } from './note-amendments.tsx';
import { Holdings, NoteParties } from './note-parties.tsx';
import { TrancheTable } from './tranche-table.tsx';

/** What is agreed: the terms of the note and its tranches, its parties and its rank. */
export function TermsTab({ page }: { page: FacilityTab<'terms'> }) {
  const { transaction, canWrite, companyName, type } = page;
  return (
    <>
      <NoteAmendments page={page} />
      <TrancheTable page={page} />
      <Columns>
        <div className="min-w-0">
          <Holdings page={page} />
          <CapitalStack page={page} />
        </div>
        <div className="min-w-0">
          <NoteParties page={page} />
          <PanelSection title="Facility" padded>
            <Facts
              items={[
                ...(companyName ? [{ label: 'Borrower', value: companyName }] : []),
                { label: 'Type', value: type },
                { label: 'Industries', value: transaction.industries.join(', ') || 'None' },
              ]}
            />
            {canWrite ? (
              <div className="mt-4 flex flex-wrap gap-2">
                <LinkButton to={paths.editTransaction(transaction.id)}>Edit</LinkButton>
                <LinkButton to={paths.newNote(transaction.id)}>New note</LinkButton>
                <CloseTransaction page={page} />
              </div>
            ) : null}
          </PanelSection>
        </div>
      </Columns>
    </>
  );
}

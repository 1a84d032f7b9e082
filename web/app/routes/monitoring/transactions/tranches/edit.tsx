import { useLoaderData } from '@remix-run/react';
import { actOnNote, readTranchePage, trancheOf } from '../edit-page.server.ts';
import { trancheEditDescription, trancheEditSchema } from '../forms/edit-forms.ts';
import { EditFrame, editCrumbs } from '../forms/edit-frame.tsx';
import { LoanTermsFields } from '../forms/terms-fields.tsx';
import { shownTerms, TERMS_LISTS } from '../forms/terms-form.ts';
import { TrancheFields } from '../forms/tranche-fields.tsx';

export { shouldRevalidate } from '../forms/edit-frame.tsx';

export const handle = editCrumbs('Edit tranche', ({ tranche }) => `Edit ${tranche?.title}`);

export const loader = readTranchePage;

export const action = actOnNote(
  trancheEditSchema,
  (note, fields, { params }) => {
    const stored = trancheOf(note, params.sequence);
    return { ...note, tranches: note.tranches.map((each) => (each === stored ? { ...each, ...fields } : each)) };
  },
  TERMS_LISTS,
);

export default function EditTranche() {
  const { page, note, tranche } = useLoaderData<typeof loader>();
  const { terms, isDiscretional, approval: _, ...fields } = tranche;
  return (
    <EditFrame
      id="tranche"
      description={trancheEditDescription}
      values={{ ...fields, isDiscretional: isDiscretional ? 'on' : '', terms: shownTerms(terms) }}
      title={`Edit ${tranche.title}`}
      facts={[page.transaction.title, note.title, tranche.sequenceActivated ? 'active' : 'not active']}
      searches
    >
      <TrancheFields />
      <LoanTermsFields isDebt={page.isDebt} ofNote={false} note={note.id} choices={page.choices} />
    </EditFrame>
  );
}

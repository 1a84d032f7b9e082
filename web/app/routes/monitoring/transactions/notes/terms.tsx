import { useLoaderData } from '@remix-run/react';
import { actOnNote, readNotePage } from '../edit-page.server.ts';
import { noteTermsEditDescription, noteTermsEditSchema } from '../forms/edit-forms.ts';
import { EditFrame, editCrumbs } from '../forms/edit-frame.tsx';
import { LoanTermsFields } from '../forms/terms-fields.tsx';
import { noteTermsOf, shownTerms, TERMS_LISTS } from '../forms/terms-form.ts';

export { shouldRevalidate } from '../forms/edit-frame.tsx';

export const handle = editCrumbs('Terms', ({ note }) => `Terms of ${note?.title}`);

export const loader = readNotePage;

export const action = actOnNote(
  noteTermsEditSchema,
  (note, { terms }) => ({ ...note, terms: noteTermsOf(terms) }),
  TERMS_LISTS,
);

/** The terms of a note, which apply where a tranche has none of its own. */
export default function EditNoteTerms() {
  const { page, note } = useLoaderData<typeof loader>();
  return (
    <EditFrame
      id="terms"
      description={noteTermsEditDescription}
      values={{ terms: shownTerms(note.terms) }}
      title={`Terms of ${note.title}`}
      facts={[page.transaction.title, 'they apply where a tranche has none of its own']}
      searches
    >
      <LoanTermsFields isDebt={page.isDebt} ofNote note={note.id} choices={page.choices} />
    </EditFrame>
  );
}

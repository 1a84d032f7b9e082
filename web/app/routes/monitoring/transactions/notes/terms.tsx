import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { paths } from '../../../../paths.ts';
import { actOnNote, readNotePage } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { transactionVersion } from '../forms/note-form.ts';
import { TermsFields } from '../forms/terms-fields.tsx';
import { noteTermsForm, noteTermsOf, shownTerms, TERMS_LISTS } from '../forms/terms-form.ts';

const schema = z.object({ terms: noteTermsForm, transactionVersion });

export const handle = editCrumbs('Terms', ({ note }) => `Terms of ${note?.title}`);

export const loader = readNotePage;

export const action = actOnNote(schema, (note, { terms }) => ({ ...note, terms: noteTermsOf(terms) }), TERMS_LISTS);

/** The terms of a note, which apply where a tranche has none of its own. */
export default function EditNoteTerms() {
  const { page, note } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const [form] = useScreenForm('terms', schema, {
    lastResult: answer?.lastResult,
    defaultValue: { terms: shownTerms(note.terms) },
  });
  return (
    <EditFrame
      title={`Terms of ${note.title}`}
      facts={[title, 'they apply where a tranche has none of its own']}
      page={page}
      answer={answer}
      form={form}
      cancelTo={paths.transaction(id, { note: note.id })}
      searches
    >
      <TermsFields isDebt={page.isDebt} ofNote choices={page.choices} />
    </EditFrame>
  );
}
export { shouldRevalidate } from '../forms/revalidate.ts';

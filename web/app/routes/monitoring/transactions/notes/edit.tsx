import { useLoaderData } from '@remix-run/react';
import { actOnNote, readNotePage } from '../edit-page.server.ts';
import { NOTE_LISTS, noteEditDescription, noteEditSchema } from '../forms/edit-forms.ts';
import { EditFrame, editCrumbs } from '../forms/edit-frame.tsx';
import { NoteFields } from '../forms/note-fields.tsx';

export { shouldRevalidate } from '../forms/edit-frame.tsx';

export const handle = editCrumbs('Edit');

export const loader = readNotePage;

export const action = actOnNote(noteEditSchema, (stored, { note }) => ({ ...stored, ...note }), NOTE_LISTS);

export default function EditNote() {
  const { page, note } = useLoaderData<typeof loader>();
  return (
    <EditFrame
      id="note"
      description={noteEditDescription}
      values={{ note: { ...note, operational: note.operational ? 'on' : '' } }}
      title={`Edit ${note.title}`}
      facts={[page.transaction.title]}
      searches
    >
      <NoteFields {...page.choices} />
    </EditFrame>
  );
}

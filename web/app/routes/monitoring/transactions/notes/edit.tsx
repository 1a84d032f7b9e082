import { useActionData, useLoaderData } from '@remix-run/react';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { paths } from '../../../../paths.ts';
import { actOnNote, readNotePage } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { NoteFields } from '../forms/note-fields.tsx';
import { NOTE_LISTS, noteEditSchema } from '../forms/note-form.ts';

export const handle = editCrumbs('Edit');

export const loader = readNotePage;

export const action = actOnNote(noteEditSchema, (stored, { note }) => ({ ...stored, ...note }), NOTE_LISTS);

export default function EditNote() {
  const { page, note } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const [form] = useScreenForm('note', noteEditSchema, {
    lastResult: answer?.lastResult,
    defaultValue: { note: { ...note, operational: note.operational ? 'on' : '' } },
  });
  return (
    <EditFrame
      title={`Edit ${note.title}`}
      facts={[title]}
      page={page}
      answer={answer}
      form={form}
      cancelTo={paths.transaction(id, { note: note.id })}
      searches
    >
      <NoteFields {...page.choices} />
    </EditFrame>
  );
}
export { shouldRevalidate } from '../forms/revalidate.ts';

import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { changeTransaction, readEditPage } from '../edit-page.server.ts';
import { NOTE_LISTS, noteEditDescription, noteEditSchema } from '../forms/edit-forms.ts';
import { EditFrame, editCrumbs } from '../forms/edit-frame.tsx';
import { NoteFields } from '../forms/note-fields.tsx';

export { shouldRevalidate } from '../forms/edit-frame.tsx';

export const handle = editCrumbs('New note');

export const loader = readScreen('transactions/write', async (screen) => ({ page: await readEditPage(screen) }));

export const action = act(
  {
    save: intent({
      permission: 'transactions/write',
      schema: noteEditSchema,
      async run({ note, transactionVersion }, screen) {
        const { id, notes } = await changeTransaction(screen, transactionVersion, (document) => ({
          ...document,
          notes: [...document.notes, note],
        }));
        return redirect(paths.newTranche(id, notes.at(-1)?.id ?? ''));
      },
    }),
  },
  { lists: NOTE_LISTS },
);

/** A new note. Its first tranche, with commitments and dates, follows on the next page. */
export default function NewNote() {
  const { page } = useLoaderData<typeof loader>();
  return (
    <EditFrame
      id="note"
      description={noteEditDescription}
      values={{ note: { operational: 'on' } }}
      title="New note"
      facts={[page.transaction.title, 'its first tranche comes next']}
      submit="Create note"
      searches
    >
      <NoteFields {...page.choices} />
    </EditFrame>
  );
}

import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { changeTransaction, readEditPage } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { NoteFields } from '../forms/note-fields.tsx';
import { NOTE_LISTS, noteEditSchema } from '../forms/note-form.ts';

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
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const [form] = useScreenForm('note', noteEditSchema, {
    lastResult: answer?.lastResult,
    defaultValue: { note: { operational: 'on' } },
  });
  return (
    <EditFrame
      title="New note"
      facts={[title, 'its first tranche comes next']}
      page={page}
      answer={answer}
      form={form}
      submit="Create note"
      cancelTo={paths.transaction(id)}
      searches
    >
      <NoteFields {...page.choices} />
    </EditFrame>
  );
}
export { shouldRevalidate } from '../forms/revalidate.ts';

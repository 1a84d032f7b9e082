import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { changeTransaction, noteOf, readEditPage } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { NoteFields } from '../forms/note-fields.tsx';
import { NOTE_LISTS, noteEditSchema } from '../forms/note-form.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.note.title ?? 'note'} · Tapeline` },
];
export const handle = editCrumbs('Edit');

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/write', async (screen) => {
    const page = await readEditPage(screen);
    return { page, note: noteOf(page.transaction.notes, screen.params.note) };
  });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    {
      save: intent({
        permission: 'transactions/write',
        schema: noteEditSchema,
        async run({ note, transactionVersion }, screen) {
          const { id } = await changeTransaction(screen, transactionVersion, (document) => {
            const { id } = noteOf(document.notes, screen.params.note);
            return { ...document, notes: document.notes.map((one) => (one.id === id ? { ...one, ...note } : one)) };
          });
          return redirect(paths.transaction(id, { note: screen.params.note }));
        },
      }),
    },
    { lists: NOTE_LISTS },
  );

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
      here={paths.editNote(id, note.id)}
      cancelTo={paths.transaction(id, { note: note.id })}
      searches
    >
      <NoteFields {...page.choices} />
    </EditFrame>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../../components/page/error-screen.tsx';
export { shouldRevalidate } from '../forms/revalidate.ts';

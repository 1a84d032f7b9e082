import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { changeTransaction, noteOf, readEditPage } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { transactionVersion } from '../forms/note-form.ts';

const schema = z.object({ transactionVersion });

export const meta: MetaFunction = () => [{ title: 'Remove note · Tapeline' }];
export const handle = editCrumbs('Remove note');

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/write', async (screen) => {
    const page = await readEditPage(screen);
    const note = noteOf(page.transaction.notes, screen.params.note);
    return { page, note };
  });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    save: intent({
      permission: 'transactions/write',
      schema,
      async run({ transactionVersion: version }, screen) {
        const { id } = await changeTransaction(screen, version, (document) => {
          const note = noteOf(document.notes, screen.params.note);
          return { ...document, notes: document.notes.filter((one) => one.id !== note.id) };
        });
        return redirect(paths.transaction(id));
      },
    }),
  });

export default function RemoveNote() {
  const { page, note } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const [form] = useScreenForm('remove', schema, { lastResult: answer?.lastResult });
  return (
    <EditFrame
      title={`Remove ${note.title}?`}
      facts={[title]}
      page={page}
      answer={answer}
      form={form}
      submit="Remove note"
      here={paths.removeNote(id, note.id)}
      cancelTo={paths.transaction(id, { note: note.id })}
    >
      <p className="max-w-[46rem] text-sm text-ink-2">
        The note is removed with its tranches and drafts of contracts. A note that has had an active contract, a draw or
        a repayment cannot be removed. The history keeps it.
      </p>
    </EditFrame>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../../components/page/error-screen.tsx';
export { shouldRevalidate } from '../forms/revalidate.ts';

import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { changeTransaction, noteOf, readEditPage, trancheOf } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { transactionVersion } from '../forms/note-form.ts';

const schema = z.object({ transactionVersion });

export const meta: MetaFunction = () => [{ title: 'Remove tranche · Tapeline' }];
export const handle = editCrumbs('Remove tranche');

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactions/write', async (screen) => {
    const page = await readEditPage(screen);
    const note = noteOf(page.transaction.notes, screen.params.note);
    return { page, note, tranche: trancheOf(note, screen.params.sequence) };
  });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    save: intent({
      permission: 'transactions/write',
      schema,
      async run({ transactionVersion: version }, screen) {
        const { id } = await changeTransaction(screen, version, (document) => {
          const note = noteOf(document.notes, screen.params.note);
          const { sequence } = trancheOf(note, screen.params.sequence);
          const tranches = note.tranches.filter((one) => one.sequence !== sequence);
          return { ...document, notes: document.notes.map((one) => (one.id === note.id ? { ...one, tranches } : one)) };
        });
        return redirect(paths.transaction(id, { note: screen.params.note }));
      },
    }),
  });

export default function RemoveTranche() {
  const { page, note, tranche } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const [form] = useScreenForm('remove', schema, { lastResult: answer?.lastResult });
  return (
    <EditFrame
      title={`Remove ${tranche.title}?`}
      facts={[title, note.title]}
      page={page}
      answer={answer}
      form={form}
      submit="Remove tranche"
      here={paths.removeTranche(id, note.id, tranche.sequence)}
      cancelTo={paths.transaction(id, { note: note.id })}
    >
      <p className="max-w-[46rem] text-sm text-ink-2">
        Its commitments no longer count{tranche.sequenceActivated ? ', and no tranche of the note is active' : ''}. The
        history keeps it.
      </p>
    </EditFrame>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../../components/page/error-screen.tsx';
export { shouldRevalidate } from '../forms/revalidate.ts';

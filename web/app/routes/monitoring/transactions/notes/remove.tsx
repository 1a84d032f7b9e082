import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { paths } from '../../../../paths.ts';
import { actOnNote, readNotePage } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { transactionVersion } from '../forms/note-form.ts';

const schema = z.object({ transactionVersion });

export const handle = editCrumbs('Remove note');

export const loader = readNotePage;

export const action = actOnNote(schema, () => null);

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
      cancelTo={paths.transaction(id, { note: note.id })}
    >
      <p className="max-w-[46rem] text-sm text-ink-2">
        The note is removed with its tranches and drafts of contracts. A note that has had an active contract, a draw or
        a repayment cannot be removed. The history keeps it.
      </p>
    </EditFrame>
  );
}
export { shouldRevalidate } from '../forms/revalidate.ts';

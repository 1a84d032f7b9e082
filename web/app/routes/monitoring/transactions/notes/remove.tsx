import { useLoaderData } from '@remix-run/react';
import { actOnNote, readNotePage } from '../edit-page.server.ts';
import { confirmDescription, confirmSchema } from '../forms/edit-forms.ts';
import { EditFrame, editCrumbs } from '../forms/edit-frame.tsx';

export { shouldRevalidate } from '../forms/edit-frame.tsx';

export const handle = editCrumbs('Remove note');

export const loader = readNotePage;

export const action = actOnNote(confirmSchema, () => null);

export default function RemoveNote() {
  const { page, note } = useLoaderData<typeof loader>();
  return (
    <EditFrame
      id="remove"
      description={confirmDescription}
      title={`Remove ${note.title}?`}
      facts={[page.transaction.title]}
      submit="Remove note"
    >
      <p className="max-w-[46rem] text-sm text-ink-2">
        The note is removed with its tranches and drafts of contracts. A note that has had an active contract, a draw or
        a repayment cannot be removed. The history keeps it.
      </p>
    </EditFrame>
  );
}

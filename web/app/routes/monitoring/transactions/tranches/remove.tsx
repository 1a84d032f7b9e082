import { useLoaderData } from '@remix-run/react';
import { actOnNote, readTranchePage, trancheOf } from '../edit-page.server.ts';
import { confirmDescription, confirmSchema } from '../forms/edit-forms.ts';
import { EditFrame, editCrumbs } from '../forms/edit-frame.tsx';

export { shouldRevalidate } from '../forms/edit-frame.tsx';

export const handle = editCrumbs('Remove tranche');

export const loader = readTranchePage;

export const action = actOnNote(confirmSchema, (note, _, { params }) => {
  const removed = trancheOf(note, params.sequence);
  return { ...note, tranches: note.tranches.filter((each) => each !== removed) };
});

export default function RemoveTranche() {
  const { page, note, tranche } = useLoaderData<typeof loader>();
  return (
    <EditFrame
      id="remove"
      description={confirmDescription}
      title={`Remove ${tranche.title}?`}
      facts={[page.transaction.title, note.title]}
      submit="Remove tranche"
    >
      <p className="max-w-[46rem] text-sm text-ink-2">
        Its commitments no longer count{tranche.sequenceActivated ? ', and no tranche of the note is active' : ''}. The
        history keeps it.
      </p>
    </EditFrame>
  );
}

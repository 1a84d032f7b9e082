import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { paths } from '../../../../paths.ts';
import { actOnNote, readTranchePage, trancheOf } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { transactionVersion } from '../forms/note-form.ts';

const schema = z.object({ transactionVersion });

export const handle = editCrumbs('Remove tranche');

export const loader = readTranchePage;

export const action = actOnNote(schema, (note, _, { params }) => {
  const removed = trancheOf(note, params.sequence);
  return { ...note, tranches: note.tranches.filter((one) => one !== removed) };
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
      cancelTo={paths.transaction(id, { note: note.id })}
    >
      <p className="max-w-[46rem] text-sm text-ink-2">
        Its commitments no longer count{tranche.sequenceActivated ? ', and no tranche of the note is active' : ''}. The
        history keeps it.
      </p>
    </EditFrame>
  );
}
export { shouldRevalidate } from '../forms/revalidate.ts';

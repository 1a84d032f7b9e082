import { useActionData, useLoaderData } from '@remix-run/react';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { paths } from '../../../../paths.ts';
import { actOnNote, readTranchePage, trancheOf } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { TermsFields } from '../forms/terms-fields.tsx';
import { shownTerms, TERMS_LISTS } from '../forms/terms-form.ts';
import { TrancheFields } from '../forms/tranche-fields.tsx';
import { trancheEditSchema } from '../forms/tranche-form.ts';

export const handle = editCrumbs('Edit tranche', ({ tranche }) => `Edit ${tranche?.title}`);

export const loader = readTranchePage;

export const action = actOnNote(
  trancheEditSchema,
  (note, fields, { params }) => {
    const stored = trancheOf(note, params.sequence);
    return { ...note, tranches: note.tranches.map((one) => (one === stored ? { ...one, ...fields } : one)) };
  },
  TERMS_LISTS,
);

export default function EditTranche() {
  const { page, note, tranche } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const { terms, isDiscretional, approval: _, ...fields } = tranche;
  const [form] = useScreenForm('tranche', trancheEditSchema, {
    lastResult: answer?.lastResult,
    defaultValue: { ...fields, isDiscretional: isDiscretional ? 'on' : '', terms: shownTerms(terms) },
  });
  return (
    <EditFrame
      title={`Edit ${tranche.title}`}
      facts={[title, note.title, tranche.sequenceActivated ? 'active' : 'not active']}
      page={page}
      answer={answer}
      form={form}
      cancelTo={paths.transaction(id, { note: note.id })}
      searches
    >
      <TrancheFields />
      <TermsFields isDebt={page.isDebt} ofNote={false} choices={page.choices} />
    </EditFrame>
  );
}
export { shouldRevalidate } from '../forms/revalidate.ts';

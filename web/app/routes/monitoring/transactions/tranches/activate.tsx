import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { CheckboxField } from '../../../../components/forms/fields.tsx';
import { useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { Facts, Panel, Section } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import { actOnNote, readTranchePage, trancheOf } from '../edit-page.server.ts';
import { editCrumbs } from '../forms/crumbs.ts';
import { EditFrame } from '../forms/edit-frame.tsx';
import { transactionVersion } from '../forms/note-form.ts';
import { FORM_PANEL } from '../forms/terms-fields.tsx';
import { describeCommitments } from '../terms-in-words.ts';

const schema = z.object({
  approve: z.boolean('Confirm that you approve the move into this tranche'),
  transactionVersion,
});

export const handle = editCrumbs('Move to tranche', ({ tranche }) => `Move to ${tranche?.title}`);

export const loader = readTranchePage;

export const action = actOnNote(schema, (note, _, { params }) => {
  const { sequence, isDiscretional } = trancheOf(note, params.sequence);
  const tranches = note.tranches.map((one) => ({
    ...one,
    sequenceActivated: one.sequence === sequence,
    ...(one.sequence === sequence && isDiscretional ? { approve: true } : {}),
  }));
  return { ...note, tranches };
});

/** Makes a tranche the active one. The move into a discretionary tranche is an approval by a user of the manager. */
export default function ActivateTranche() {
  const { page, note, tranche } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, title } = page.transaction;
  const [form, fields] = useScreenForm('activate', schema, { lastResult: answer?.lastResult });
  const from = note.tranches.find((one) => one.sequenceActivated);
  return (
    <EditFrame
      title={`Move to ${tranche.title}`}
      facts={[title, note.title]}
      page={page}
      answer={answer}
      form={form}
      submit={tranche.isDiscretional ? 'Approve and move' : 'Move to this tranche'}
      cancelTo={paths.transaction(id, { note: note.id })}
    >
      <Section title="What changes">
        <Panel className={FORM_PANEL}>
          <Facts
            items={[
              { label: 'Active now', value: from?.title ?? 'No tranche' },
              { label: 'Active afterwards', value: tranche.title },
              { label: 'Commitments of the tranche', value: describeCommitments(tranche.terms) },
            ]}
          />
        </Panel>
      </Section>
      <Section title="Condition" note="not checked by Tapeline">
        <Panel className={FORM_PANEL}>
          <p className="text-sm">{tranche.condition || 'No condition is recorded.'}</p>
          {tranche.isDiscretional ? (
            <p className="mt-2 text-sm text-ink-2">
              The tranche is discretionary. Your approval is recorded with your name, the time and the condition.
            </p>
          ) : null}
          <CheckboxField
            field={fields.approve}
            label={
              tranche.isDiscretional
                ? 'I have checked the condition and approve the move for the manager'
                : 'I have checked the condition'
            }
            className="mt-3"
          />
        </Panel>
      </Section>
    </EditFrame>
  );
}
export { shouldRevalidate } from '../forms/revalidate.ts';

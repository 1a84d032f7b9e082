import { useLoaderData } from '@remix-run/react';
import { describeCommitments } from '@tapeline/domain/facilities/terms-in-words.ts';
import { Fields } from '../../../../components/forms/described-fields.tsx';
import { Facts } from '../../../../components/page/section.tsx';
import { actOnNote, readTranchePage, trancheOf } from '../edit-page.server.ts';
import { activateDescription, activateSchema } from '../forms/edit-forms.ts';
import { EditFrame, editCrumbs } from '../forms/edit-frame.tsx';
import { Part } from '../forms/terms-fields.tsx';

export { shouldRevalidate } from '../forms/edit-frame.tsx';

export const handle = editCrumbs('Move to tranche', ({ tranche }) => `Move to ${tranche?.title}`);

export const loader = readTranchePage;

export const action = actOnNote(activateSchema, (note, _, { params }) => {
  const { sequence, isDiscretional } = trancheOf(note, params.sequence);
  const tranches = note.tranches.map((each) => ({
    ...each,
    sequenceActivated: each.sequence === sequence,
    ...(each.sequence === sequence && isDiscretional ? { approve: true } : {}),
  }));
  return { ...note, tranches };
});

/** Makes a tranche the active one. The move into a discretionary tranche is an approval by a user of the manager. */
export default function ActivateTranche() {
  const { page, note, tranche } = useLoaderData<typeof loader>();
  const from = note.tranches.find(({ sequenceActivated }) => sequenceActivated);
  return (
    <EditFrame
      id="activate"
      description={activateDescription}
      title={`Move to ${tranche.title}`}
      facts={[page.transaction.title, note.title]}
      submit={tranche.isDiscretional ? 'Approve and move' : 'Move to this tranche'}
    >
      <Part title="What changes">
        <Facts
          items={[
            { label: 'Active now', value: from?.title ?? 'No tranche' },
            { label: 'Active afterwards', value: tranche.title },
            { label: 'Commitments of the tranche', value: describeCommitments(tranche.terms) },
          ]}
        />
      </Part>
      <Part title="Condition" note="not checked by Tapeline">
        <p className="text-sm">{tranche.condition || 'No condition is recorded.'}</p>
        {tranche.isDiscretional ? (
          <p className="mt-2 text-sm text-ink-2">
            The tranche is discretionary. Your approval is recorded with your name, the time and the condition.
          </p>
        ) : null}
        <Fields
          lines={[
            {
              name: 'approve',
              label: tranche.isDiscretional
                ? 'I have checked the condition and approve the move for the manager'
                : 'I have checked the condition',
              className: 'mt-3',
              isChecked: true,
            },
          ]}
        />
      </Part>
    </EditFrame>
  );
}

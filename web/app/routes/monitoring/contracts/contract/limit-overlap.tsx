import { useActionData } from '@remix-run/react';
import {
  LIMIT_OVERLAP_LABELS,
  LIMIT_OVERLAP_MEANINGS,
  LIMIT_OVERLAPS,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { SelectField } from '../../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import type { ActionAnswer } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';
import { overlapForm } from '../item-forms.ts';

/** How limits that cover the same asset combine. */
export function LimitOverlapSetting({ contract }: { contract: ContractView }) {
  return (
    <Panel padded className="mt-3">
      {contract.editsOverlap ? (
        <OverlapForm contract={contract} />
      ) : (
        <div className="flex items-center gap-3 text-sm">
          <div className="min-w-0 flex-1">
            <p>
              Overlapping limits: <b className="font-semibold">{LIMIT_OVERLAP_LABELS[contract.overlap]}</b>
            </p>
            <p className="mt-0.5 text-xs text-ink-3">{LIMIT_OVERLAP_MEANINGS[contract.overlap]}</p>
          </div>
          {contract.canEdit ? (
            <LinkButton to={paths.contract(contract.id, { tab: 'concentration', edit: 'overlap' })} className="h-7">
              Change
            </LinkButton>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

function OverlapForm({ contract }: { contract: ContractView }) {
  const answer = useActionData<ActionAnswer>();
  const [form, fields] = useScreenForm('overlap', overlapForm, {
    lastResult: answer?.intent === 'overlap' ? answer.lastResult : null,
    defaultValue: { overlap: contract.overlap },
  });
  return (
    <ScreenForm form={form} intent="overlap" labels={{ overlap: 'Overlapping limits' }}>
      <input type="hidden" name="version" value={contract.version} />
      <SelectField
        field={fields.overlap}
        label="Overlapping limits"
        className="max-w-72"
        choices={LIMIT_OVERLAPS.map((value) => ({ value, label: LIMIT_OVERLAP_LABELS[value] }))}
      />
      <dl className="space-y-1 text-xs text-ink-3">
        {LIMIT_OVERLAPS.map((value) => (
          <div key={value}>
            <dt className="inline font-medium text-ink-2">{LIMIT_OVERLAP_LABELS[value]}: </dt>
            <dd className="inline">{LIMIT_OVERLAP_MEANINGS[value]}</dd>
          </div>
        ))}
      </dl>
      <FormActions submit="Save setting" submitting="Saving">
        <LinkButton to={paths.contract(contract.id, { tab: 'concentration' })}>Cancel</LinkButton>
      </FormActions>
    </ScreenForm>
  );
}

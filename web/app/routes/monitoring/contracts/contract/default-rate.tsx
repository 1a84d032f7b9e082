import { useActionData } from '@remix-run/react';
import { formatFigure } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { TextField } from '../../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import type { ActionAnswer } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';
import { defaultRateForm } from '../item-forms.ts';

/** The rate for every asset that no case matches. */
export function DefaultRate({ contract, taken }: { contract: ContractView; taken: number | null }) {
  return (
    <Panel padded className="mt-3">
      {contract.editsDefaultRate ? (
        <DefaultRateForm contract={contract} />
      ) : (
        <div className="flex items-center gap-3 text-sm">
          <span className="flex-1">
            All other assets use the <b className="font-semibold">default rate</b>
          </span>
          {taken === null ? null : <Chip>{formatFigure(taken)} assets</Chip>}
          <span className="figures font-semibold">{formatFigure(contract.defaultRatePercent)}%</span>
          {contract.canEdit ? (
            <LinkButton to={paths.contract(contract.id, { tab: 'advance', edit: 'default' })} className="h-7">
              Change
            </LinkButton>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

function DefaultRateForm({ contract }: { contract: ContractView }) {
  const answer = useActionData<ActionAnswer>();
  const [form, fields] = useScreenForm('defaultRate', defaultRateForm, {
    lastResult: answer?.intent === 'defaultRate' ? answer.lastResult : null,
    defaultValue: { defaultRate: String(contract.defaultRatePercent) },
  });
  return (
    <ScreenForm form={form} intent="defaultRate" labels={{ defaultRate: 'Default rate' }}>
      <input type="hidden" name="version" value={contract.version} />
      <TextField
        field={fields.defaultRate}
        label="Default rate"
        type="number"
        step="any"
        unit="%"
        className="max-w-40"
      />
      <FormActions submit="Save rate" submitting="Saving">
        <LinkButton to={paths.contract(contract.id, { tab: 'advance' })}>Cancel</LinkButton>
      </FormActions>
    </ScreenForm>
  );
}

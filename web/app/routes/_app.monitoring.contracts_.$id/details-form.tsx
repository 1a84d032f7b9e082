import { useActionData } from '@remix-run/react';
import { LinkButton } from '../../components/forms/button.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { Panel } from '../../components/page/section.tsx';
import type { ContractView } from '../../contracts/contract-view.server.ts';
import { detailsForm } from '../../contracts/item-forms.ts';
import { paths } from '../../paths.ts';
import type { ActionAnswer } from '../../screen.server.ts';

/** From which tapes on the contract applies, and whose fields its rules speak of. */
export function DetailsForm({ contract }: { contract: ContractView }) {
  const answer = useActionData() as ActionAnswer | undefined;
  const [form, fields] = useScreenForm('details', detailsForm, {
    lastResult: answer?.intent === 'details' ? answer.lastResult : null,
    defaultValue: { title: contract.title, cutOffDate: contract.cutOffDate, assetsETL: contract.mappingId },
  });
  return (
    <Panel padded className="mb-[26px]">
      <ScreenForm
        form={form}
        intent="details"
        labels={{ title: 'Title', cutOffDate: 'Effective from cut-off', assetsETL: 'Mapping' }}
      >
        <input type="hidden" name="version" value={contract.version} />
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField field={fields.title} label="Title" />
          <TextField
            field={fields.cutOffDate}
            label="Effective from cut-off"
            type="date"
            hint="Applies to tapes of this cut-off date or later"
          />
          <SelectField
            field={fields.assetsETL}
            label="Mapping"
            hint="Its fields are what rules can name"
            choices={contract.mappings}
          />
        </div>
        <FormActions submit="Save details" submitting="Saving">
          <LinkButton to={paths.contract(contract.id, { tab: contract.section })}>Cancel</LinkButton>
        </FormActions>
      </ScreenForm>
    </Panel>
  );
}

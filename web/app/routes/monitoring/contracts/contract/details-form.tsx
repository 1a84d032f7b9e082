import { useActionData } from '@remix-run/react';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ChoiceSearch } from '../../../../components/forms/choice-search.tsx';
import { SelectField, TextField } from '../../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import type { ActionAnswer } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import type { ContractView } from '../contract-view.server.ts';
import { detailsForm } from '../item-forms.ts';

/** The cut-off date from which the contract applies, and the mapping whose fields its rules use. */
export function DetailsForm({ contract }: { contract: ContractView }) {
  const answer = useActionData<ActionAnswer>();
  const [form, fields] = useScreenForm('details', detailsForm, {
    lastResult: answer?.intent === 'details' ? answer.lastResult : null,
    defaultValue: { title: contract.title, cutOffDate: contract.cutOffDate, assetsETL: contract.mappingId },
  });
  return (
    <Panel padded className="mb-[26px]">
      {contract.mappingCounts ? (
        <ChoiceSearch
          id="contract-find-mapping"
          name="findMapping"
          noun={['mapping version', 'mapping versions']}
          counts={contract.mappingCounts}
        />
      ) : null}
      <ScreenForm
        form={form}
        intent="details"
        labels={{ title: 'Title', cutOffDate: 'Effective cut-off date', assetsETL: 'Mapping' }}
      >
        <input type="hidden" name="version" value={contract.version} />
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField field={fields.title} label="Title" />
          <TextField
            field={fields.cutOffDate}
            label="Effective cut-off date"
            type="date"
            hint="Applies to tapes with this cut-off date or later"
          />
          <SelectField
            field={fields.assetsETL}
            label="Mapping"
            hint="Rules can use its fields"
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

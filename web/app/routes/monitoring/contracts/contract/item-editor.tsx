import { useActionData } from '@remix-run/react';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Fields, type Fieldset } from '../../../../components/forms/described-fields.tsx';
import { HiddenField } from '../../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import type { ActionAnswer } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import type { ContractView, Editing } from '../contract-view.server.ts';
import { ITEM_DESCRIPTIONS } from '../item-forms.ts';
import { PARTS } from '../sections.ts';
import { ConditionLines } from './condition-lines.tsx';
import { RuleExceptions } from './exceptions.tsx';
import { MeasureFields } from './measure-fields.tsx';

const LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  description: 'Description',
  startDate: 'Start date',
  expirationDate: 'End date (exclusive)',
  rows: 'Conditions',
  json: 'JSON',
  mode: 'Conditions',
  value: 'Limit',
  rate: 'Rate',
  of: 'Share of',
  accumulatorField: 'Field',
  field: 'Field',
  assetId: 'Asset id',
  reason: 'Reason',
  groupBy: 'Whole groups of',
  parent: 'Parent',
  kind: 'Kind',
  amounts: 'The tape has',
  percent: 'Percentage',
  months: 'Months',
  amount: 'Amount',
};

/** What the summary of errors calls a field: "Exception 1: Condition 2". */
function labelOf(name: string): string {
  const [, exception, own = name] = /^exceptions\[(\d+)\]\.(.*)$/.exec(name) ?? [];
  const line = /^rows\[(\d+)\]/.exec(own)?.[1];
  const label = line === undefined ? (LABELS[own] ?? own) : `Condition ${Number(line) + 1}`;
  return exception === undefined ? label : `Exception ${Number(exception) + 1}: ${label}`;
}

/** One rule, scope, case or value open for editing, at its index in the list. */
export function ItemEditor({
  contract,
  editing,
  heading,
}: {
  contract: ContractView;
  editing: Editing;
  heading: string;
}) {
  const { section } = contract;
  const intent = `save-${section}`;
  const answer = useActionData<ActionAnswer>();
  const [form, typedFields] = useScreenForm(`${intent}-${editing.index}`, ITEM_DESCRIPTIONS[section], {
    lastResult: answer?.intent === intent ? answer.lastResult : null,
    defaultValue: editing.values as never,
  });
  const fields = typedFields as Fieldset;
  const { conditions, isRule } = PARTS[section];
  const cancel = paths.contract(contract.id, { tab: section });
  return (
    <div className="px-3.5 py-4 sm:pl-[50px]">
      <h3 className="mb-3 text-sm font-semibold">{heading}</h3>
      <ScreenForm form={form} intent={intent} labels={labelOf}>
        <HiddenField name="version" value={contract.version} />
        <input type="hidden" name="index" value={editing.index} />
        <Fields lines={[{ name: 'title', label: 'Title', hint: 'Shown on certificates' }]} />
        <MeasureFields contract={contract} editing={editing} />
        {conditions ? (
          <ConditionLines
            form={form}
            fields={fields}
            legend={conditions}
            contract={contract}
            editing={editing}
            hint={
              <>
                A value can be another field, {'{'}Field{'}'}, or a date relative to the cut-off date, cutOff - 90d.
              </>
            }
          />
        ) : null}
        {fields.description ? <Fields lines={[{ name: 'description', label: 'Description', rows: 2 }]} /> : null}
        {isRule ? (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <Fields
                lines={[
                  { name: 'startDate', label: 'Start date', type: 'date', hint: 'Blank means no start date' },
                  {
                    name: 'expirationDate',
                    label: 'End date (exclusive)',
                    type: 'date',
                    hint: 'Blank means no end date',
                  },
                ]}
              />
            </div>
            {conditions ? <RuleExceptions form={form} fields={fields} contract={contract} editing={editing} /> : null}
            <Fields lines={[{ name: 'enabled', label: 'Enabled', isChecked: true }]} />
          </>
        ) : null}
        <FormActions submit={`Save ${PARTS[section].item}`} submitting="Saving">
          <LinkButton to={cancel} preventScrollReset>
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
      {editing.index === 'new' ? null : (
        <ActionForm
          intent="remove"
          action={cancel}
          tone="quiet"
          className="mt-2 -ml-3"
          values={{ section, index: String(editing.index), version: String(contract.version) }}
        >
          Remove {PARTS[section].item}
        </ActionForm>
      )}
    </div>
  );
}

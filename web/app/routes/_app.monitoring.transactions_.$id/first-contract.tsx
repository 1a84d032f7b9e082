import { useActionData } from '@remix-run/react';
import { LinkButton } from '../../components/forms/button.tsx';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import type { ActionAnswer } from '../../screen.server.ts';
import { firstContractSchema } from '../../transactions/facility-form.ts';
import type { TransactionPage } from '../../transactions/transaction-page.server.ts';

const LABELS = { cutOffDate: 'Effective from cut-off', assetsETL: 'Mapping', defaultRate: 'Default advance rate' };

/** A note without a contract: its first one is begun here, as a draft that lends at the default rate. */
export function FirstContract({ page }: { page: TransactionPage }) {
  const { note, mappings } = page;
  const answer = useActionData() as ActionAnswer | undefined;
  const [form, fields] = useScreenForm('first-contract', firstContractSchema, {
    lastResult: answer?.intent === 'firstContract' ? answer.lastResult : null,
    defaultValue: { note: note.id, defaultRate: '80', assetsETL: mappings[0]?.id },
  });
  if (mappings.length === 0) {
    return (
      <Section title="Contracts" note="what borrowing bases are calculated under">
        <Panel>
          <EmptyState
            title="No contract yet, and no mapping to write one for"
            action={<LinkButton to={paths.newMapping({})}>New mapping</LinkButton>}
          >
            A contract speaks of the fields that the company's mapping makes. Make the mapping from one of its tapes
            first.
          </EmptyState>
        </Panel>
      </Section>
    );
  }
  return (
    <Section title="First contract" note="begins as a draft; nothing is in force until it is made active">
      <ScreenForm form={form} intent="firstContract" labels={LABELS}>
        <input type="hidden" name="note" value={note.id} />
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-3">
          <TextField field={fields.cutOffDate} label={LABELS.cutOffDate} type="date" />
          <SelectField
            field={fields.assetsETL}
            label={LABELS.assetsETL}
            choices={mappings.map(({ id, version, sheet }) => ({ value: id, label: `v${version}, sheet ${sheet}` }))}
          />
          <TextField field={fields.defaultRate} label={LABELS.defaultRate} inputMode="decimal" unit="%" />
        </Panel>
        <FormActions submit="Begin a draft" submitting="Beginning" />
      </ScreenForm>
    </Section>
  );
}

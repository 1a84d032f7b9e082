import { useActionData } from '@remix-run/react';
import type { z } from 'zod';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ChoiceSearch } from '../../../../components/forms/choice-search.tsx';
import { SelectField, TextField } from '../../../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../../components/forms/use-short-form.ts';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Panel, PanelSection, Section } from '../../../../components/page/section.tsx';
import type { ActionAnswer } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import type { firstContractSchema } from '../first-contract-form.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

const LABELS = { cutOffDate: 'Effective cut-off date', assetsETL: 'Mapping', defaultRate: 'Default advance rate' };

/** For a note without a contract: creates its first one as a draft that lends at the default rate. */
export function FirstContract({ page }: { page: FacilityTab<'contract'> }) {
  const {
    note,
    tab: { mappings, mappingCounts },
  } = page;
  const answer = useActionData<ActionAnswer>();
  const [form, fields] = useShortForm<z.input<typeof firstContractSchema>>('first-contract', {
    lastResult: answer?.intent === 'firstContract' ? answer.lastResult : null,
    defaultValue: { note: note.id, defaultRate: '80', assetsETL: mappings[0]?.id },
    required: ['cutOffDate', 'assetsETL', 'defaultRate'],
  });
  if (!mappingCounts || mappingCounts.total === 0) {
    return (
      <PanelSection title="Contracts" note="terms for calculating borrowing bases">
        <EmptyState
          title="No contract and no mapping yet"
          action={<LinkButton to={paths.newMapping({})}>New mapping</LinkButton>}
        >
          Contract rules use the fields of the borrower’s mapping. Create a mapping from one of its tapes first.
        </EmptyState>
      </PanelSection>
    );
  }
  return (
    <Section title="First contract" note="saved as a draft until activated">
      <ChoiceSearch
        id="first-contract-find-mapping"
        name="findMapping"
        noun={['mapping version', 'mapping versions']}
        counts={mappingCounts}
      />
      <ScreenForm form={form} intent="firstContract" labels={LABELS}>
        <input type="hidden" name="note" value={note.id} />
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-3">
          <TextField field={fields.cutOffDate} label={LABELS.cutOffDate} type="date" suggestsMonthEnds />
          <SelectField
            field={fields.assetsETL}
            label={LABELS.assetsETL}
            choices={mappings.map(({ id, version, sheet }) => ({ value: id, label: `v${version}, sheet ${sheet}` }))}
          />
          <TextField field={fields.defaultRate} label={LABELS.defaultRate} inputMode="decimal" unit="%" />
        </Panel>
        <FormActions submit="Create draft" submitting="Creating" />
      </ScreenForm>
    </Section>
  );
}

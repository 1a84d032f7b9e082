import { type FieldMetadata, useField } from '@conform-to/react';
import {
  CheckboxField,
  type Choice,
  SelectField,
  TextareaField,
  TextField,
} from '../../../../components/forms/fields.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { Columns, Panel, Section } from '../../../../components/page/section.tsx';
import { AmountFields, CURRENCY_CHOICES } from './amount-fields.tsx';
import type { ShownAmount } from './shown-terms.ts';
import { FORM_GRID, FORM_PANEL } from './terms-fields.tsx';

interface ShownNote {
  title: string;
  operational: string;
  mainCurrency: string;
  priority: { attachmentPoint: string; detachmentPoint: string };
  security: string[];
  legalAgreements: string[];
  counselsCompany: string[];
  counselsManager: string[];
  holdings: { fund: string; holding: string; targetPercentage: string; actualPercentage: string }[];
  futureInvestmentRights: { description: string; amount: ShownAmount };
}

function TextList({ field, one, title }: { field: FieldMetadata<string[]>; one: string; title: string }) {
  return (
    <Section title={title}>
      <Panel className={FORM_PANEL}>
        <ListRows field={field} one={one} most={200} compact>
          {(item, place) => (
            <TextField field={item} label={`${one} ${place + 1}`} required={false} marksOptional={false} />
          )}
        </ListRows>
      </Panel>
    </Section>
  );
}

function EntityList({
  field,
  one,
  title,
  entities,
}: {
  field: FieldMetadata<string[]>;
  one: string;
  title: string;
  entities: readonly Choice[];
}) {
  return (
    <Section title={title} note="from the register of entities">
      <Panel className={FORM_PANEL}>
        <ListRows field={field} one={one} most={200} compact>
          {(item, place) => (
            <SelectField
              field={item}
              label={`${one} ${place + 1}`}
              choices={entities}
              empty="Choose an entity"
              required={false}
            />
          )}
        </ListRows>
      </Panel>
    </Section>
  );
}

/** Everything of a note except its terms and tranches. */
export function NoteFields({ entities, funds }: { entities: readonly Choice[]; funds: readonly Choice[] }) {
  const [note] = useField<ShownNote>('note');
  const fields = note.getFieldset();
  const priority = fields.priority.getFieldset();
  const rights = fields.futureInvestmentRights.getFieldset();
  const percent = { unit: '%', inputMode: 'decimal', required: false, marksOptional: false } as const;
  return (
    <>
      <Section title="Note">
        <Panel className={FORM_GRID}>
          <TextField field={fields.title} label="Title" hint="For example Senior, Mezzanine or Junior" />
          <SelectField
            field={fields.mainCurrency}
            label="Main currency (optional)"
            choices={CURRENCY_CHOICES}
            empty="That of the first commitment"
            required={false}
          />
          <TextField
            field={priority.attachmentPoint}
            label="Attachment point (optional)"
            hint="0 to 99.9; the losses before this note takes its first"
            {...percent}
          />
          <TextField
            field={priority.detachmentPoint}
            label="Detachment point (optional)"
            hint="0.1 to 100; the losses at which this note is lost"
            {...percent}
          />
          <CheckboxField field={fields.operational} label="Operational" />
        </Panel>
      </Section>
      <Section title="Holdings" note="a fund of the manager, or another holder by name">
        <Panel className={FORM_PANEL}>
          <ListRows field={fields.holdings} one="Holding" most={200}>
            {(item) => {
              const holding = item.getFieldset();
              return (
                <>
                  <SelectField field={holding.fund} label="Fund" choices={funds} empty="By name" required={false} />
                  <TextField field={holding.holding} label="Or another holder" required={false} marksOptional={false} />
                  <TextField field={holding.targetPercentage} label="Target" unit="%" inputMode="decimal" />
                  <TextField field={holding.actualPercentage} label="Actual" unit="%" inputMode="decimal" />
                </>
              );
            }}
          </ListRows>
        </Panel>
      </Section>
      <Columns>
        <EntityList
          field={fields.counselsCompany}
          one="Company counsel"
          title="Counsel of the company"
          entities={entities}
        />
        <EntityList
          field={fields.counselsManager}
          one="Manager counsel"
          title="Counsel of the manager"
          entities={entities}
        />
        <TextList field={fields.security} one="Security" title="Security" />
        <TextList field={fields.legalAgreements} one="Legal agreement" title="Legal agreements" />
      </Columns>
      <Section title="Future investment rights">
        <Panel className={FORM_GRID}>
          <AmountFields field={rights.amount} label="Amount of the rights" />
          <TextareaField
            field={rights.description}
            label="Description of the rights (optional)"
            rows={2}
            required={false}
          />
        </Panel>
      </Section>
    </>
  );
}

import { type FieldMetadata, useField } from '@conform-to/react';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { CheckboxField, type Choice, SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID, FORM_PANEL } from '../../../components/forms/form-layout.ts';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { Columns, PanelSection } from '../../../components/page/section.tsx';
import { MAX_CLASSES, MAX_TIMELINE } from './fund-form.ts';
import { FundTermsFields } from './terms-fields.tsx';

interface ShownClass {
  name: string;
  uniqueKey: string;
}

interface ShownStage {
  title: string;
  description: string;
  planned: string;
  endTime: string;
  actual: string;
  activated: boolean;
}

export interface FundChoices {
  entities: readonly Choice[];
  providers: readonly Choice[];
  mainFunds: readonly Choice[];
}

function ChosenList({
  field,
  one,
  title,
  note,
  most,
  choices,
}: {
  field: FieldMetadata<string[]>;
  one: string;
  title: string;
  note: string;
  most: number;
  choices: readonly Choice[];
}) {
  return (
    <PanelSection title={title} note={note} className={FORM_PANEL}>
      <ListRows field={field} one={one} most={most} compact>
        {(item, index) => (
          <SelectField
            field={item}
            label={`${one} ${index + 1}`}
            choices={choices}
            empty="Choose one"
            required={false}
          />
        )}
      </ListRows>
    </PanelSection>
  );
}

function Classes({ stored }: { stored: readonly ShownClass[] }) {
  const [classes] = useField<ShownClass[]>('classes');
  const keys = new Set(stored.map(({ uniqueKey }) => uniqueKey));
  return (
    <PanelSection title="Classes" note="none for a fund that has a single class" className={FORM_PANEL}>
      <ListRows field={classes} one="Class" most={MAX_CLASSES} hint="A class with commitments cannot be removed.">
        {(item) => {
          const { name, uniqueKey } = item.getFieldset();
          const key = uniqueKey.initialValue ?? '';
          return (
            <>
              <TextField field={name} label="Name" />
              {keys.has(key) && isId(key) ? (
                // A generated key says nothing to people.
                <input type="hidden" name={uniqueKey.name} value={key} />
              ) : keys.has(key) ? (
                <div className="text-sm">
                  <span className="mb-1 block text-xs font-medium text-ink-2">Key</span>
                  <span className="font-mono leading-8">{key}</span>
                  <input type="hidden" name={uniqueKey.name} value={key} />
                </div>
              ) : (
                <TextField
                  field={uniqueKey}
                  label="Key"
                  hint="For imports, for example HCF2-A. Generated if empty; it never changes"
                  required={false}
                />
              )}
            </>
          );
        }}
      </ListRows>
    </PanelSection>
  );
}

function Timeline() {
  const [timeline] = useField<ShownStage[]>('timeline');
  return (
    <PanelSection
      title="Timeline"
      note="stages such as the investment period, planned and actual"
      className={FORM_PANEL}
    >
      <ListRows field={timeline} one="Stage" most={MAX_TIMELINE}>
        {(item) => {
          const stage = item.getFieldset();
          return (
            <>
              <TextField field={stage.title} label="Title" hint="For example Investment period" />
              <TextField field={stage.description} label="Description" />
              <TextField field={stage.planned} label="Planned start" type="date" />
              <TextField field={stage.endTime} label="Planned end" type="date" />
              <TextField field={stage.actual} label="Actual start" type="date" />
              <CheckboxField
                field={stage.activated}
                label="Activated"
                hint="An extension takes effect once it is activated"
                className="sm:pt-6"
              />
            </>
          );
        }}
      </ListRows>
    </PanelSection>
  );
}

/** Every field of a fund. @param classes the stored ones, whose keys never change */
export function FundFields({
  currency,
  classes,
  choices,
  maxParties,
}: {
  currency: string | null;
  classes: readonly ShownClass[];
  choices: FundChoices;
  maxParties: number;
}) {
  const [mainFund] = useField<string>('mainFund');
  const [entity] = useField<string>('entity');
  const [managementCompany] = useField<string>('managementCompany');
  const [partners] = useField<string[]>('GPs');
  const [providers] = useField<string[]>('serviceProviders');
  const [externalCode] = useField<string>('externalCode');
  const [excuseCap] = useField<string>('excuseCap');
  const [periodEnd] = useField<string>('investmentPeriodEnd');
  const [excluded] = useField<boolean>('excludeFromIRRCalculations');
  return (
    <>
      <FundTermsFields
        currency={currency}
        more={{
          names: [
            'mainFund',
            'externalCode',
            'excludeFromIRRCalculations',
            'excuseCap',
            'investmentPeriodEnd',
            'entity',
            'managementCompany',
            'GPs',
            'serviceProviders',
            'timeline',
          ],
          terms: (
            <>
              <SelectField
                field={mainFund}
                label="Main fund (optional)"
                hint="In the same currency"
                choices={choices.mainFunds}
                empty="None"
                required={false}
              />
              <TextField
                field={excuseCap}
                label="Cap on excused amounts (optional)"
                unit="%"
                inputMode="decimal"
                required={false}
                marksOptional={false}
                hint="The most that an investor takes over of what others are excused from, of its own share of the purpose"
              />
              <TextField
                field={periodEnd}
                label="End of the investment period"
                type="date"
                hint="Its last day. Fees can step down on the next"
                required={false}
              />
              <TextField
                field={externalCode}
                label="External code"
                hint="As the files of the administrator name the fund"
                required={false}
              />
              <CheckboxField
                field={excluded}
                label="Leave out of returns over several funds"
                hint="The fund’s own IRR is still shown"
                className="sm:pt-6"
              />
            </>
          ),
          sections: (
            <>
              <PanelSection title="Parties" note="from the register of entities" className={FORM_GRID}>
                <SelectField
                  field={entity}
                  label="Entity of the fund (optional)"
                  hint="Its bank account is shown on capital calls"
                  choices={choices.entities}
                  empty="None"
                  required={false}
                />
                <SelectField
                  field={managementCompany}
                  label="Management company (optional)"
                  choices={choices.entities}
                  empty="None"
                  required={false}
                />
              </PanelSection>
              <Columns>
                <ChosenList
                  field={partners}
                  one="General partner"
                  title="General partners"
                  note="from the register of entities"
                  most={maxParties}
                  choices={choices.entities}
                />
                <ChosenList
                  field={providers}
                  one="Service provider"
                  title="Service providers"
                  note="administrator, auditor and others"
                  most={maxParties}
                  choices={choices.providers}
                />
              </Columns>
              <Timeline />
            </>
          ),
        }}
      />
      <Classes stored={classes} />
    </>
  );
}

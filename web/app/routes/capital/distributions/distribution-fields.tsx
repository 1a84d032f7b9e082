import { useField } from '@conform-to/react';
import type { FundInvestment } from '@tapeline/db/operations/capital/investments.ts';
import { MAX_LINES } from '@tapeline/domain/capital/capital-document.ts';
import { DISTRIBUTION_KINDS, PRINCIPAL_SPLITS } from '@tapeline/domain/capital/distribution.schema.ts';
import { DISTRIBUTION_ACTION_LABELS } from '@tapeline/domain/capital/kinds.ts';
import { SPLIT_RULES } from '@tapeline/domain/capital/line-basis.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import type { ReactNode } from 'react';
import { Money } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { CheckboxField, SelectField, TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID, FORM_PANEL } from '../../../components/forms/form-layout.ts';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { MoreDetails } from '../../../components/forms/more-details.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { ClassField } from '../class-field.tsx';
import type { FundOfForm } from '../fund-of-form.server.ts';
import { BasisField, SplitField } from '../split-field.tsx';

interface ShownComponent {
  title: string;
  actionType: string;
  amount: string;
  split: string;
  rate: string;
}

/** The fields of a distribution. @param children instead of the class: whom a changed draft concerns */
export function DistributionFields({
  fund,
  children,
}: {
  fund: FundOfForm & { investments: readonly FundInvestment[] };
  children?: ReactNode;
}) {
  const [principalSplit] = useField<string>('principalSplit');
  const isWaterfall = principalSplit.value === 'waterfall';
  const [callNumber] = useField<string>('callNumber');
  const [cutOffDate] = useField<string>('cutOffDate');
  const [distributionKind] = useField<string>('distributionKind');
  const [principal] = useField<string>('principal');
  const [investment] = useField<string>('investment');
  const [basis] = useField<string>('basis');
  const [components] = useField<ShownComponent[]>('components');
  const [recallableDistribution] = useField<string>('recallableDistribution');
  const [trailingDescription] = useField<string>('trailingDescription');
  const [vat] = useField<string>('vat');
  const [operationalExpenses] = useField<string>('operationalExpenses');
  const [fundLevel] = useField<string>('fundLevel');
  const [capitalGains] = useField<string>('capitalGains');
  return (
    <>
      <HiddenField name="fund" />
      <PanelSection title="Distribution" className={FORM_GRID}>
        {children ?? <ClassField classes={fund.classes} />}
        <TextField field={callNumber} label="Number" hint="Unique among the distributions of the fund" />
        <TextField
          field={cutOffDate}
          label="Cut-off date"
          type="date"
          suggestsMonthEnds
          hint="Split by commitments on this date, and counted from then on."
        />
        <SelectField
          field={distributionKind}
          label="Kind"
          hint="Interest has no principal. Principal only has no components"
          choices={DISTRIBUTION_KINDS.map((value) => ({ value, label: value }))}
        />
        {isWaterfall ? (
          <TextField
            field={principal}
            label="Proceeds"
            unit={fund.currency}
            inputMode="decimal"
            hint="Split by each investor’s terms into return of capital, preferred return, catch-up and carry"
          />
        ) : (
          <TextField
            field={principal}
            label="Principal (optional)"
            unit={fund.currency}
            inputMode="decimal"
            required={false}
            marksOptional={false}
            hint="Capital that is paid back"
          />
        )}
        {isWaterfall && fund.investments.length > 0 ? (
          <SelectField
            field={investment}
            label="Investment"
            hint="That the proceeds are of: shared by what was paid for it. American terms have the waterfall of it alone"
            required={false}
            choices={fund.investments.map(({ title }) => ({ value: title, label: title }))}
            empty="The whole fund"
          />
        ) : null}
        <MoreDetails names={['principalSplit']} title="How the principal is divided">
          <SplitField field={principalSplit} rules={PRINCIPAL_SPLITS} />
        </MoreDetails>
        <CheckboxField
          field={recallableDistribution}
          label="The principal can be called again"
          hint="It adds to what is unfunded, unless the fund excludes it"
          className="sm:pt-5"
        />
        {children || isWaterfall ? null : (
          <p className="text-sm sm:col-span-2">
            <LinkButton to={paths.newDistribution({ fund: fund.id, split: 'waterfall' })} external>
              Split proceeds by the waterfall
            </LinkButton>
          </p>
        )}
      </PanelSection>
      {isWaterfall && fund.investments.length > 0 ? (
        <TableSection
          title="Investments"
          note={`${fund.currency}; what calls were for, and what distributions that name it have paid`}
          rows={fund.investments}
          rowKey={({ title }) => title}
          columns={[
            { head: 'Investment', wraps: true, cell: ({ title }) => title },
            { head: 'Called', numeric: true, cell: ({ called }) => <Money value={called} /> },
            { head: 'Principal returned', numeric: true, cell: ({ returned }) => <Money value={returned} /> },
            { head: 'Distributed', numeric: true, cell: ({ distributed }) => <Money value={distributed} /> },
          ]}
        />
      ) : null}
      <PanelSection
        title="Components"
        note={
          isWaterfall
            ? 'of the proceeds: what is income and what is gain, if it is known; leave the carry blank'
            : 'fees and taxes reduce what is distributed; enter them without a sign'
        }
        className={FORM_PANEL}
      >
        <ListRows field={components} one="Component" most={MAX_LINES}>
          {(item) => {
            const component = item.getFieldset();
            return (
              <>
                <TextField field={component.title} label="Title" className="sm:col-span-2" />
                <SelectField
                  field={component.actionType}
                  label="Type"
                  hint="Whether it adds or is deducted"
                  choices={choicesOf(DISTRIBUTION_ACTION_LABELS)}
                  empty="Choose a type"
                />
                <TextField
                  field={component.amount}
                  label="Amount"
                  unit={fund.currency}
                  inputMode="decimal"
                  required={false}
                  marksOptional={false}
                />
                <MoreDetails names={[component.split.name]} title="How it is divided">
                  <div className="grid gap-3">
                    <SplitField
                      field={component.split}
                      rules={SPLIT_RULES}
                      labels={{ terms: 'By each investor’s tax rate' }}
                    />
                    {/* Without JavaScript, the rate follows once the form was sent. */}
                    {component.split.value === 'terms' ? (
                      <TextField
                        field={component.rate}
                        label="Tax rate"
                        unit="%"
                        inputMode="decimal"
                        hint="Of each investor’s own income. Other rates of single investors are entered in the review"
                        required={false}
                        marksOptional={false}
                      />
                    ) : null}
                  </div>
                </MoreDetails>
              </>
            );
          }}
        </ListRows>
      </PanelSection>
      <PanelSection title="Notice" note="optional" className={FORM_GRID}>
        <TextareaField
          field={trailingDescription}
          label="Text at the end of the notice"
          rows={3}
          required={false}
          className="sm:col-span-2"
        />
        <TextField
          field={vat}
          label="VAT on fees (optional)"
          unit="%"
          inputMode="decimal"
          required={false}
          marksOptional={false}
        />
        <div className="flex flex-col gap-2">
          <CheckboxField field={fundLevel} label="Also show the totals of the fund" />
          <CheckboxField field={operationalExpenses} label="Show operational expenses" />
          <CheckboxField field={capitalGains} label="Show capital gains" />
          <BasisField field={basis} />
        </div>
      </PanelSection>
    </>
  );
}

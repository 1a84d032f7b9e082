import { useField } from '@conform-to/react';
import { MAX_LINES } from '@tapeline/domain/capital/capital-document.ts';
import { CALL_PURPOSE_LABELS } from '@tapeline/domain/capital/kinds.ts';
import { PURPOSE_SPLITS } from '@tapeline/domain/capital/line-basis.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import type { ReactNode } from 'react';
import { CheckboxField, SelectField, TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID, FORM_PANEL } from '../../../components/forms/form-layout.ts';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { MoreDetails } from '../../../components/forms/more-details.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { ClassField } from '../class-field.tsx';
import type { FundOfForm } from '../fund-of-form.server.ts';
import { BasisField, SplitField } from '../split-field.tsx';

interface ShownPurpose {
  title: string;
  kind: string;
  amount: string;
  split: string;
  from: string;
  until: string;
}

/** The fields of a capital call. @param children instead of the class: whom a changed draft concerns */
export function CallFields({ fund, children }: { fund: FundOfForm; children?: ReactNode }) {
  const [callNumber] = useField<string>('callNumber');
  const [cutOffDate] = useField<string>('cutOffDate');
  const [dueDate] = useField<string>('dueDate');
  const [amount] = useField<string>('amount');
  const [percentage] = useField<string>('percentage');
  const [callPurposes] = useField<ShownPurpose[]>('callPurposes');
  const [trailingDescription] = useField<string>('trailingDescription');
  const [fundLevel] = useField<string>('fundLevel');
  const [basis] = useField<string>('basis');
  const either = { required: false, marksOptional: false } as const;
  return (
    <>
      <HiddenField name="fund" />
      <PanelSection title="Dates" className={FORM_GRID}>
        {children ?? <ClassField classes={fund.classes} />}
        <TextField field={callNumber} label="Number" hint="Unique among the calls of the fund" />
        <TextField
          field={cutOffDate}
          label="Cut-off date"
          type="date"
          suggestsMonthEnds
          hint="Split by commitments on this date. Amounts count as called from the due date."
        />
        <TextField field={dueDate} label="Due date" type="date" hint="When investors pay" />
      </PanelSection>
      <PanelSection
        title="Amount"
        note="a sum, or a percentage of the commitments; blank if a purpose follows from each investor’s terms"
        className={FORM_GRID}
      >
        <TextField field={amount} label="Amount" unit={fund.currency} inputMode="decimal" {...either} />
        <TextField field={percentage} label="Or a percentage" unit="%" inputMode="decimal" {...either} />
      </PanelSection>
      <PanelSection title="Purposes" note="add up to the amount" className={FORM_PANEL}>
        <ListRows
          field={callPurposes}
          one="Purpose"
          most={MAX_LINES}
          hint="One purpose can have no amount. The remainder goes here. Amounts of single investors are changed in the review."
        >
          {(item) => {
            const purpose = item.getFieldset();
            return (
              <>
                <TextField field={purpose.title} label="Title" className="sm:col-span-2" />
                <SelectField
                  field={purpose.kind}
                  label="Kind"
                  choices={choicesOf(CALL_PURPOSE_LABELS)}
                  empty="Choose a kind"
                />
                <TextField field={purpose.amount} label="Amount" unit={fund.currency} inputMode="decimal" {...either} />
                <MoreDetails names={[purpose.split.name]} title="How it is divided">
                  <div className="grid gap-3">
                    <SplitField field={purpose.split} rules={PURPOSE_SPLITS} />
                    {/* Without JavaScript, the days follow once the form was sent. */}
                    {purpose.split.value === 'terms' ? (
                      <>
                        <TextField field={purpose.from} label="First day of the fee" type="date" {...either} />
                        <TextField field={purpose.until} label="Last day of the fee" type="date" {...either} />
                      </>
                    ) : null}
                  </div>
                </MoreDetails>
              </>
            );
          }}
        </ListRows>
      </PanelSection>
      <PanelSection title="Notice" note="optional" className={`${FORM_PANEL} flex flex-col gap-4`}>
        <TextareaField field={trailingDescription} label="Text at the end of the notice" rows={3} required={false} />
        <CheckboxField field={fundLevel} label="Also show the totals of the fund" />
        <BasisField field={basis} />
      </PanelSection>
    </>
  );
}

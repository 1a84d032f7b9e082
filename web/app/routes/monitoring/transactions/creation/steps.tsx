import { type FieldMetadata, useField } from '@conform-to/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { EQUITY_TYPE, TRANSACTION_TYPES } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { ReactNode } from 'react';
import { type Choice, SelectField, TextField } from '../../../../components/forms/fields.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { CURRENCY_CHOICES } from '../forms/amount-fields.tsx';
import { IndustryFields } from '../forms/industry-fields.tsx';
import { InterestFields } from '../forms/interest-fields.tsx';
import type { ShownInterest, ShownTimeline } from '../forms/shown-terms.ts';
import { FORM_GRID, FORM_PANEL } from '../forms/terms-fields.tsx';
import { TimelineFields } from '../forms/timeline-fields.tsx';
import { MAX_FIRST_NOTES } from './facility-form.ts';
import { HiddenValues } from './hidden-values.tsx';

interface ShownNote {
  title: string;
  currency: string;
  priority: { attachmentPoint: string; detachmentPoint: string };
  commitment: string;
  interest: ShownInterest;
  timeline: ShownTimeline;
}

/** The fields of a note that are on another step. */
function Others({ note, here }: { note: FieldMetadata<ShownNote>; here: readonly string[] }) {
  const values = (note.initialValue ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(values).map(([field, value]) =>
    here.includes(field) ? null : <HiddenValues key={field} name={`${note.name}.${field}`} value={value} />,
  );
}

export function DealStep({
  companies,
  createdCompany,
  quickCompany,
  industries,
}: {
  companies: readonly Choice[];
  createdCompany: string | undefined;
  quickCompany: ReactNode;
  industries: readonly string[];
}) {
  const [title] = useField<string>('title');
  const [company] = useField<string>('company');
  const [type] = useField<string>('type');
  const [notes] = useField<ShownNote[]>('notes');
  return (
    <>
      <HiddenValues name="notes" value={notes.initialValue} />
      <Section title="Transaction">
        <Panel className={FORM_GRID}>
          <TextField field={title} label="Title" className="sm:col-span-2" />
          <SelectField
            key={createdCompany}
            field={company}
            label="Company"
            choices={companies}
            {...(createdCompany ? { defaultValue: createdCompany } : {})}
            empty="Choose a company"
          />
          <SelectField field={type} label="Type" choices={choicesOf(TRANSACTION_TYPES)} />
          {quickCompany ? <div className="sm:col-span-2">{quickCompany}</div> : null}
        </Panel>
      </Section>
      <IndustryFields suggestions={industries} />
    </>
  );
}

export function NotesStep() {
  const [notes] = useField<ShownNote[]>('notes');
  return (
    <Section title="Notes" note="from the most senior to the most junior">
      <Panel className={FORM_PANEL}>
        <ListRows field={notes} one="Note" most={MAX_FIRST_NOTES}>
          {(item) => {
            const note = item.getFieldset();
            const priority = note.priority.getFieldset();
            const percent = { unit: '%', inputMode: 'decimal', required: false, marksOptional: false } as const;
            return (
              <>
                <Others note={item} here={['title', 'currency', 'priority']} />
                <TextField field={note.title} label="Note title" hint="For example Senior, Mezzanine or Junior" />
                <SelectField
                  field={note.currency}
                  label="Main currency"
                  choices={CURRENCY_CHOICES}
                  empty="Choose a currency"
                />
                <TextField
                  field={priority.attachmentPoint}
                  label="Attachment point (optional)"
                  hint="0 to 99.9"
                  {...percent}
                />
                <TextField
                  field={priority.detachmentPoint}
                  label="Detachment point (optional)"
                  hint="0.1 to 100"
                  {...percent}
                />
              </>
            );
          }}
        </ListRows>
      </Panel>
    </Section>
  );
}

/** One section for each note. */
function EachNote({
  here,
  children,
}: {
  here: readonly string[];
  children: (note: ReturnType<FieldMetadata<ShownNote>['getFieldset']>, values: Partial<ShownNote>) => ReactNode;
}) {
  const [notes] = useField<ShownNote[]>('notes');
  return notes.getFieldList().map((item, place) => {
    const values = (item.initialValue ?? {}) as Partial<ShownNote>;
    return (
      <Section key={item.key} title={values.title || `Note ${place + 1}`}>
        <Others note={item} here={here} />
        <Panel className={FORM_GRID}>{children(item.getFieldset(), values)}</Panel>
      </Section>
    );
  });
}

export const TermsStep = () => (
  <EachNote here={['commitment', 'interest']}>
    {(note, { currency }) => (
      <>
        <TextField field={note.commitment} label="Commitment" inputMode="decimal" unit={currency ?? ''} />
        <div className="max-sm:hidden" />
        <InterestFields field={note.interest} none="No interest" />
      </>
    )}
  </EachNote>
);

export function TimelineStep() {
  const [type] = useField<string>('type');
  return (
    <EachNote here={['timeline']}>
      {(note) => <TimelineFields field={note.timeline} isDebt={type.initialValue !== EQUITY_TYPE} required />}
    </EachNote>
  );
}

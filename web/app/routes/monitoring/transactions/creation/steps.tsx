import { EQUITY_TYPE } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { ReactNode } from 'react';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import {
  type AnyField,
  type FieldLine,
  Fields,
  fieldsetOf,
  PERCENT,
  useGroup,
} from '../../../../components/forms/described-fields.tsx';
import { FORM_GRID } from '../../../../components/forms/form-layout.ts';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { InterestFields, Part, TimelineFields } from '../forms/terms-fields.tsx';
import { MAX_FIRST_NOTES } from './facility-form.ts';
import { HiddenValues } from './hidden-values.tsx';

type NoteValues = Readonly<Record<string, unknown>>;

const valuesOf = (note: AnyField) => (note.initialValue ?? {}) as NoteValues;

/** The fields of a note that are on another step. */
const Others = ({ note, here }: { note: AnyField; here: readonly string[] }) =>
  Object.entries(valuesOf(note)).map(([field, value]) =>
    here.includes(field) ? null : <HiddenValues key={field} name={`${note.name}.${field}`} value={value} />,
  );

const NOTE: readonly FieldLine[] = [
  { name: 'title', label: 'Note title', hint: 'For example Senior, Mezzanine or Junior' },
  { name: 'currency', label: 'Main currency', choices: CURRENCY_CHOICES, empty: 'Choose a currency' },
  { name: 'priority.attachmentPoint', label: 'Attachment point (optional)', hint: '0 to 99.9', ...PERCENT },
  { name: 'priority.detachmentPoint', label: 'Detachment point (optional)', hint: '0.1 to 100', ...PERCENT },
];

export const NotesStep = () => (
  <Part title="Notes" note="from the most senior to the most junior">
    <ListRows field={useGroup('notes')} one="Note" most={MAX_FIRST_NOTES}>
      {(item) => (
        <>
          <Others note={item} here={['title', 'currency', 'priority']} />
          <Fields of={item} lines={NOTE} />
        </>
      )}
    </ListRows>
  </Part>
);

/** One section for each note. */
function EachNote({
  here,
  children,
}: {
  here: readonly string[];
  children: (note: AnyField, values: NoteValues) => ReactNode;
}) {
  const notes = useGroup('notes').getFieldList() as AnyField[];
  return notes.map((item, index) => {
    const values = valuesOf(item);
    return (
      <Section key={item.key} title={String(values.title || `Note ${index + 1}`)}>
        <Others note={item} here={here} />
        <Panel className={FORM_GRID}>{children(item, values)}</Panel>
      </Section>
    );
  });
}

export const TermsStep = () => (
  <EachNote here={['commitment', 'interest']}>
    {(note, { currency }) => (
      <>
        <Fields
          of={note}
          lines={[{ name: 'commitment', label: 'Commitment', inputMode: 'decimal', unit: String(currency ?? '') }]}
        />
        <div className="max-sm:hidden" />
        <InterestFields field={fieldsetOf(note).interest} none="No interest" />
      </>
    )}
  </EachNote>
);

export function TimelineStep() {
  const isDebt = useGroup('type').initialValue !== EQUITY_TYPE;
  return (
    <EachNote here={['timeline']}>
      {(note) => <TimelineFields field={fieldsetOf(note).timeline} isDebt={isDebt} required />}
    </EachNote>
  );
}

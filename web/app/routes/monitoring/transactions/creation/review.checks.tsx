import { formatCalendarDate, isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { DATE_RANGE_LABELS } from '@tapeline/domain/facilities/terms.schema.ts';
import { describeCommitments, describeInterest } from '@tapeline/domain/facilities/terms-in-words.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { FORM_PANEL } from '../../../../components/forms/form-layout.ts';
import { Facts, PanelSection } from '../../../../components/page/section.tsx';
import { parseForm } from '../../../../http/parse-form.ts';
import { facilityOf, facilitySchema } from './facility-form.ts';
import { namedValues } from './hidden-values.tsx';

/** What will be created, as the form describes it. Null if a field of it does not hold. */
export function FacilityReview({ value, companyName }: { value: unknown; companyName: string | undefined }) {
  // The form library reads numbers and dates from text, as the action does.
  const sent = new FormData();
  for (const [name, text] of namedValues('', value)) sent.append(name, text);
  const form = parseForm(sent, facilitySchema);
  const parsed = form.status === 'success' ? transactionSchema.safeParse(facilityOf(form.value)) : null;
  if (form.status !== 'success' || !parsed?.success)
    return <p className="text-sm text-ink-2">Go back and complete the steps before this one.</p>;
  const { title, industries, notes } = parsed.data;
  return (
    <>
      <PanelSection title={title} note="nothing is saved before you create it" className={FORM_PANEL}>
        <Facts
          items={[
            { label: 'Type', value: form.value.type },
            { label: 'Borrower', value: companyName ?? 'n/a' },
            { label: 'Industries', value: industries.join(', ') },
          ]}
        />
      </PanelSection>
      {notes.map((note) => {
        const [tranche] = note.tranches;
        if (!tranche) return null;
        const { interest, timeline } = tranche.terms;
        const { priority } = note;
        return (
          <PanelSection key={note.title} title={note.title} className={FORM_PANEL}>
            <Facts
              items={[
                { label: 'Commitment', value: describeCommitments(tranche.terms) },
                { label: 'Interest', value: interest ? describeInterest(interest).join(', ') : 'None' },
                ...(priority
                  ? [{ label: 'Priority', value: `${priority.attachmentPoint}% to ${priority.detachmentPoint}%` }]
                  : []),
                ...Object.entries(timeline).flatMap(([date, day]) =>
                  typeof day === 'string' && isCalendarDate(day)
                    ? [{ label: labelOf(DATE_RANGE_LABELS, date), value: formatCalendarDate(day) }]
                    : [],
                ),
              ]}
            />
          </PanelSection>
        );
      })}
    </>
  );
}

import { useField } from '@conform-to/react';
import { DEFAULT_MAX_BASE_AGE_DAYS } from '@tapeline/domain/facilities/terms.schema.ts';
import { type Choice, TextField } from '../../../../components/forms/fields.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { AmountFields } from './amount-fields.tsx';
import { DrawLimitFields } from './draw-limit-fields.tsx';
import { FeeFields } from './fee-fields.tsx';
import { InterestFields } from './interest-fields.tsx';
import type { ShownTerms } from './shown-terms.ts';
import { TimelineFields } from './timeline-fields.tsx';
import { WarrantFields } from './warrant-fields.tsx';

export const FORM_GRID = 'grid max-w-[60rem] gap-4 p-4 sm:grid-cols-2';
export const FORM_PANEL = 'max-w-[60rem] p-4';

/**
 * Every term of a note or a tranche.
 * @param ofNote whether these are the note's terms, which its tranches may override, so that nothing is required
 */
export function TermsFields({
  isDebt,
  ofNote,
  choices,
}: {
  isDebt: boolean;
  ofNote: boolean;
  choices: { entities: readonly Choice[]; feeKinds: readonly string[] };
}) {
  const [terms] = useField<ShownTerms>('terms');
  const fields = terms.getFieldset();
  const fallback = ofNote ? undefined : 'Left empty, those of the note apply';
  const warrants = (
    <Section title="Warrants" note={fallback}>
      <Panel className={FORM_PANEL}>
        <WarrantFields field={fields.warrants} />
      </Panel>
    </Section>
  );
  return (
    <>
      <Section title="Commitments" note={ofNote ? 'Optional; the tranches have their own' : 'At least one'}>
        <Panel className={FORM_PANEL}>
          <ListRows field={fields.commitments} one="Commitment" most={200}>
            {(item) => {
              const commitment = item.getFieldset();
              return (
                <>
                  <AmountFields field={commitment.amount} label="Commitment" required />
                  <TextField
                    field={commitment.additionalCurrencies}
                    label="Also drawn in (optional)"
                    hint="Currency codes, for example EUR, GBP"
                    required={false}
                    marksOptional={false}
                  />
                </>
              );
            }}
          </ListRows>
        </Panel>
      </Section>
      {isDebt ? null : warrants}
      <Section title="Timeline">
        <Panel className={FORM_GRID}>
          <TimelineFields field={fields.timeline} isDebt={isDebt} required={!ofNote} />
        </Panel>
      </Section>
      <Section title="Interest" note={fallback}>
        <Panel className={FORM_GRID}>
          <InterestFields field={fields.interest} none={ofNote ? 'No interest' : 'As the note'} />
        </Panel>
      </Section>
      <Section title="Fees" note={fallback}>
        <Panel className={FORM_PANEL}>
          <FeeFields field={fields.fees} entities={choices.entities} kinds={choices.feeKinds} />
        </Panel>
      </Section>
      {isDebt ? (
        <Section title="Draw limits" note={fallback}>
          <Panel className={FORM_PANEL}>
            <DrawLimitFields field={fields.drawLimits} />
            <TextField
              field={fields.maxBaseAgeDays}
              label="Oldest borrowing base (days)"
              hint={`From its cut-off date to a draw’s due date. Blank means ${DEFAULT_MAX_BASE_AGE_DAYS}.`}
              inputMode="numeric"
            />
          </Panel>
        </Section>
      ) : null}
      {isDebt ? warrants : null}
    </>
  );
}

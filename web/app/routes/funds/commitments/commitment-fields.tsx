import { useField } from '@conform-to/react';
import { CheckboxField, type Choice, SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_PANEL } from '../../../components/forms/form-layout.ts';
import { ListRows } from '../../../components/forms/list-rows.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { MAX_DELTAS } from './commitment-form.ts';

const OPTIONAL = { required: false, marksOptional: false } as const;
const PERCENT = { unit: '%', inputMode: 'decimal', ...OPTIONAL } as const;

/** Who invests: an LP, or another fund. @param who "Investor", or "Transfer to" */
export function InvestorChoice({
  investors,
  funds,
  who,
}: {
  investors: readonly Choice[];
  funds: readonly Choice[];
  who: string;
}) {
  const [lp] = useField<string>('lp');
  const [investingFund] = useField<string>('investingFund');
  return (
    <>
      <SelectField field={lp} label={who} choices={investors} empty="Choose an investor" required={false} />
      <SelectField
        field={investingFund}
        label="Or a fund that invests"
        choices={funds}
        empty="No fund"
        required={false}
      />
    </>
  );
}

/** The closing date and the sums of a commitment. */
export function CommitmentSums({ currency }: { currency: string }) {
  const [closingDate] = useField<string>('closingDate');
  const [maxCommitment] = useField<string>('maxCommitment');
  const [activeCommitment] = useField<string>('activeCommitment');
  const sum = { unit: currency, inputMode: 'decimal' } as const;
  return (
    <>
      <TextField field={closingDate} label="Closing date" type="date" hint="The commitment is in force from then on" />
      <TextField field={maxCommitment} label="Maximum commitment" hint="No change can go above it" {...sum} />
      <TextField
        field={activeCommitment}
        label="Active commitment (optional)"
        hint="In force on the closing date. Left empty, the maximum"
        {...sum}
        {...OPTIONAL}
      />
    </>
  );
}

/** The parts of a commitment that its form shows as details. */
export const COMMITMENT_DETAILS = ['deltas', 'fees'];

interface ShownDelta {
  date: string;
  amount: string;
  title: string;
  transfer: string;
}

/** Later closings and reductions. A transfer is shown, and changes by another transfer. */
export function ChangesSection({ currency }: { currency: string }) {
  const [deltas] = useField<ShownDelta[]>('deltas');
  return (
    <PanelSection title="Changes" note="later closings and reductions of the active commitment" className={FORM_PANEL}>
      <ListRows
        field={deltas}
        one="Change"
        most={MAX_DELTAS}
        hint="A negative amount reduces the commitment. The two changes of a transfer cannot be edited here."
      >
        {(item) => {
          const { date, amount, title, transfer } = item.getFieldset();
          const link = transfer.initialValue ?? '';
          return (
            <>
              <TextField field={date} label="Date" type="date" readOnly={link !== ''} />
              <TextField
                field={amount}
                label="Amount"
                unit={currency}
                inputMode="decimal"
                readOnly={link !== ''}
                hint={link === '' ? undefined : 'Part of a transfer'}
              />
              <TextField field={title} label="Title" hint="For example Second closing" className="sm:col-span-2" />
              {link === '' ? null : <input type="hidden" name={transfer.name} value={link} />}
            </>
          );
        }}
      </ListRows>
    </PanelSection>
  );
}

interface ShownFees {
  management: { committed: string; invested: string; interestIncome: string; assets: string; assetsBasis: string };
  success: { hurdle: string; rate: string; catchUp: string; equityOnly: boolean; interestShare: string };
  transaction: { applied: boolean; cap: string };
  overallCap: string;
}

/** What the investor pays the fund. */
export function FeesSection({ currency }: { currency: string }) {
  const [fees] = useField<ShownFees>('fees');
  const { management, success, transaction, overallCap } = fees.getFieldset();
  const managed = management.getFieldset();
  const earned = success.getFieldset();
  const passed = transaction.getFieldset();
  const group = 'grid gap-3 sm:grid-cols-4';
  const legend = 'mb-2 text-sm font-medium';
  return (
    <PanelSection title="Fees" note="optional; rates are per year" className={`${FORM_PANEL} flex flex-col gap-5`}>
      <fieldset>
        <legend className={legend}>Management fee</legend>
        <div className={group}>
          <TextField field={managed.committed} label="On committed capital" {...PERCENT} />
          <TextField field={managed.invested} label="On invested capital" {...PERCENT} />
          <TextField field={managed.interestIncome} label="On interest income" {...PERCENT} />
          <TextField field={managed.assets} label="On assets" {...PERCENT} />
          <SelectField
            field={managed.assetsBasis}
            label="Assets are"
            hint="Which NAV the fee on assets is charged on"
            choices={[{ value: 'net', label: 'Net NAV' }]}
            empty="Gross NAV"
            required={false}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend className={legend}>Success fee</legend>
        <div className={group}>
          <TextField field={earned.hurdle} label="Hurdle" {...PERCENT} />
          <TextField field={earned.rate} label="Rate" {...PERCENT} />
          <TextField field={earned.catchUp} label="Catch-up" {...PERCENT} />
          <TextField
            field={earned.interestShare}
            label="Share of interest"
            hint="Share of interest included in the fee. Blank means 100%."
            {...PERCENT}
          />
          <CheckboxField
            field={earned.equityOnly}
            label="Only capital gains enter the success fee"
            className="sm:col-span-4"
          />
        </div>
      </fieldset>
      <fieldset>
        <legend className={legend}>Transaction fees</legend>
        <div className={group}>
          <CheckboxField
            field={passed.applied}
            label="Reach the investor"
            hint="Fees that borrowers pay"
            className="sm:col-span-2 sm:pt-5"
          />
          <TextField field={passed.cap} label="Cap" hint="Of the active commitment" {...PERCENT} />
        </div>
      </fieldset>
      <div className={group}>
        <TextField
          field={overallCap}
          label="Cap on all fees"
          unit={currency}
          inputMode="decimal"
          className="sm:col-span-2"
          {...OPTIONAL}
        />
      </div>
    </PanelSection>
  );
}

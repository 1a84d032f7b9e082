import { useField } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { Button } from '../../../components/forms/button.tsx';
import { TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import { paths } from '../../../paths.ts';

/** Adds the calculated management fee of a period to the purposes of the call. */
export function FeeProposal({ fundId, proposal }: { fundId: string; proposal: string | undefined }) {
  const [feeFrom] = useField<string>('feeFrom');
  const [feeUntil] = useField<string>('feeUntil');
  const optional = { required: false, marksOptional: false } as const;
  return (
    <PanelSection
      title="Management fee of a period"
      note="optional; adds a purpose by each investor’s terms"
      className={FORM_GRID}
    >
      <TextField field={feeFrom} label="First day of the fee" type="date" {...optional} />
      <TextField field={feeUntil} label="Last day of the fee" type="date" {...optional} />
      <div className="sm:col-span-2">
        <Button type="submit" name="otherIntent" value="propose" formNoValidate>
          Add the fee to the purposes
        </Button>
        <p role="status" className="mt-2 text-xs text-ink-2">
          {proposal ? (
            <>
              {`Added ${proposal}. `}
              <Link
                to={paths.fund(fundId, {
                  view: 'performance',
                  from: feeFrom.initialValue ?? '',
                  until: feeUntil.initialValue ?? '',
                })}
                className="text-accent underline"
              >
                How it is calculated
              </Link>
            </>
          ) : null}
        </p>
        <p className="mt-1 text-xs text-ink-3">
          The call has no amount of its own then: it is what its purposes add up to.
        </p>
      </div>
    </PanelSection>
  );
}

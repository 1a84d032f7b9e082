import { DECISION_LABELS } from '@tapeline/domain/duplicates/rules.ts';
import { useId } from 'react';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { inputClass } from '../../../components/forms/inputs.tsx';

const MEANINGS: Readonly<Record<keyof typeof DECISION_LABELS, string>> = {
  Same: 'One facility keeps it. The other removes or repurchases it.',
  Different: 'The pair is not shown again unless its facts change.',
  Explained: 'Related but allowed, such as a refinancing. Needs a reason.',
};

/** The fields of a decision, within a form that names the pairs. */
export function DecisionFields({
  submit,
  isShort = false,
  skipTo = null,
}: {
  submit: string;
  isShort?: boolean;
  /** The next pair, without a decision on this one. */
  skipTo?: string | null;
}) {
  const id = useId();
  return (
    <>
      <fieldset className="mb-3">
        <legend className="sr-only">Decision</legend>
        <div className={isShort ? 'flex flex-wrap gap-x-5 gap-y-1' : 'grid gap-3 sm:grid-cols-3'}>
          {Object.entries(DECISION_LABELS).map(([value, label]) => (
            <label
              key={value}
              className={
                isShort
                  ? 'flex items-center gap-2 text-sm'
                  : 'flex gap-2.5 rounded-md border border-line-strong px-3 py-2.5 text-sm has-checked:border-accent has-checked:bg-accent-soft'
              }
            >
              <input
                type="radio"
                name="decision"
                value={value}
                required
                className="mt-0.5 flex-none self-start accent-accent"
              />
              <span>
                <span className="font-[550]">{label}</span>
                {isShort ? null : (
                  <span className="block text-xs text-ink-2">{MEANINGS[value as keyof typeof MEANINGS]}</span>
                )}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-52 flex-1">
          <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
            Reason <span className="font-normal text-ink-3">kept with the decision; required if explained</span>
          </label>
          <input id={id} name="reason" maxLength={1000} className={inputClass('w-full')} />
        </div>
        {skipTo ? <LinkButton to={skipTo}>Skip</LinkButton> : null}
        <Button type="submit" tone="primary">
          {submit}
        </Button>
      </div>
    </>
  );
}

import { classNames } from '../../../../components/class-names.ts';
import { STEP_LABELS, STEPS, type Step } from './facility-form.ts';

/** Where the person is in the creation of a transaction. */
export function StepList({ current }: { current: Step }) {
  const at = STEPS.indexOf(current);
  return (
    <ol
      aria-label="Steps"
      className="mb-5 flex max-w-[60rem] flex-wrap gap-x-5 gap-y-1 border-b border-line pb-2.5 text-sm"
    >
      {STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={step === current ? 'step' : undefined}
          className={classNames(
            'flex items-center gap-1.5',
            index === at ? 'font-[550] text-ink' : index < at ? 'text-ink-2' : 'text-ink-3',
            index !== at && 'max-sm:hidden',
          )}
        >
          <span
            aria-hidden="true"
            className={classNames(
              'figures flex size-5 items-center justify-center rounded-full text-xs',
              index <= at ? 'bg-accent text-accent-ink' : 'bg-line text-ink-2',
            )}
          >
            {index + 1}
          </span>
          {STEP_LABELS[step]}
          {index < at ? <span className="sr-only">, done</span> : null}
          {index === at ? <span className="text-ink-3 sm:hidden">of {STEPS.length}</span> : null}
        </li>
      ))}
    </ol>
  );
}

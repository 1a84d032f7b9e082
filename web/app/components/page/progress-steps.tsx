import { CircleAlert, CircleCheck, CircleDashed, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface ProgressStep {
  label: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** Rows, batches, seconds: "14,650 rows · 0.4 s". */
  note?: ReactNode;
  /** 0 to 1 while running. A step that is done is full. If unknown while running, shows a moving bar. */
  fraction?: number | null;
}

const ICONS = { waiting: CircleDashed, running: LoaderCircle, done: CircleCheck, failed: CircleAlert } as const;
const WORDS = { waiting: 'not started', running: 'in progress', done: 'done', failed: 'failed' } as const;
const COLOURS = {
  waiting: 'text-ink-3',
  running: 'text-accent motion-safe:animate-spin',
  done: 'text-good',
  failed: 'text-danger',
} as const;

function StepBar({ step }: { step: ProgressStep }) {
  const fraction =
    step.state === 'done' ? 1 : step.state === 'waiting' ? 0 : (step.fraction ?? (step.state === 'failed' ? 1 : null));
  const percent = fraction === null ? undefined : Math.round(Math.max(0, Math.min(1, fraction)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={step.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={classNames(
          'h-full rounded-full',
          step.state === 'failed' ? 'bg-danger' : 'bg-chart-1',
          percent === undefined && 'loading-bar w-1/3',
        )}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}

/**
 * The steps of a long operation, from left to right, each with its progress. Changes are announced politely. On a
 * narrow screen the steps are stacked, one line each, with a bar under the step that is running or failed.
 */
export function ProgressSteps({ steps, label }: { steps: readonly ProgressStep[]; label: string }) {
  return (
    <ol
      aria-label={label}
      aria-live="polite"
      className="mb-6 grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-flow-col sm:auto-cols-fr"
    >
      {steps.map((step) => {
        const Icon = ICONS[step.state];
        return (
          <li
            key={step.label}
            className="bg-paper px-4 py-2 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:justify-between sm:py-3"
            aria-current={step.state === 'running' ? 'step' : undefined}
          >
            <p className="flex items-center gap-[7px] text-sm font-[550]">
              <Icon aria-hidden="true" size={15} strokeWidth={1.75} className={COLOURS[step.state]} />
              {step.label}
              <span className="sr-only">, {WORDS[step.state]}</span>
            </p>
            <p className="figures min-h-4 text-xs text-ink-3 sm:mt-0.5 sm:mb-2">{step.note}</p>
            <div
              className={classNames(
                'max-sm:mt-2 max-sm:w-full',
                (step.state === 'done' || step.state === 'waiting') && 'max-sm:hidden',
              )}
            >
              <StepBar step={step} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The steps of an operation that has ended, on one line. A step that failed or was left out says so. */
export function DoneSteps({ steps, label }: { steps: readonly ProgressStep[]; label: string }) {
  return (
    <ol aria-label={label} className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      {steps.map((step) => {
        const Icon = ICONS[step.state];
        return (
          <li key={step.label} className="flex items-center gap-1.5">
            <Icon aria-hidden="true" size={15} strokeWidth={1.75} className={COLOURS[step.state]} />
            <span className="font-[550]">{step.label}</span>
            <span className="sr-only">, {WORDS[step.state]}</span>
            <span className="figures text-xs text-ink-3">{step.note}</span>
          </li>
        );
      })}
    </ol>
  );
}

import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { STATUS_GROUPS } from '@tapeline/domain/documents/document.schema.ts';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export type Tone = 'neutral' | 'good' | 'warning' | 'danger' | 'accent';

const TONES: Record<Tone, string> = {
  neutral: 'bg-line text-ink-2',
  good: 'bg-good-soft text-good',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  accent: 'bg-accent-soft text-accent',
};

/** A short state in words. The tone only reinforces the words. `dot` is for the state of a whole page. */
export function Chip({ tone = 'neutral', dot = false, children }: { tone?: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 items-center gap-1.5 rounded-full px-[7px] text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {dot ? <i aria-hidden="true" className="size-1.5 rounded-full bg-current" /> : null}
      {children}
    </span>
  );
}

/** Wire statuses and their tones. A status that is not listed is neutral. */
const MEANINGS: Record<string, Tone> = {
  ...Object.fromEntries(STATUS_GROUPS.positive.map((status) => [status, 'good'])),
  ...Object.fromEntries(STATUS_GROUPS.negative.map((status) => [status, 'warning'])),
  Approved: 'good',
  Published: 'good',
  Processing: 'accent',
  'In Review': 'warning',
  Proposed: 'warning',
  Accepted: 'good',
  Declined: 'danger',
  Rejected: 'danger',
  Failed: 'danger',
  Question: 'warning',
  // assets
  pastDue: 'warning',
  slowPayment: 'warning',
  delinquent: 'danger',
  default: 'danger',
  chargedOff: 'danger',
  nonPerformingAsset: 'danger',
  performingAsset: 'good',
  // borrowing base
  eligible: 'good',
  performing: 'good',
  inEligible: 'warning',
  nonPerforming: 'danger',
};

/** A chip for a wire status: `<StatusChip status="chargedOff" />` reads "Charged off" in the danger tone. */
export function StatusChip({ status, dot }: { status: string; dot?: boolean }) {
  return (
    <Chip tone={MEANINGS[status] ?? 'neutral'} dot={dot}>
      {codeLabel(status)}
    </Chip>
  );
}

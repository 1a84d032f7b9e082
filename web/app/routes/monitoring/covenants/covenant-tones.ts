import type { CovenantState } from '@tapeline/domain/covenants/covenant-labels.ts';
import type { Tone } from '../../../components/page/chip.tsx';

export const COVENANTS_PER_PAGE = 50;

export const STATE_TONES: Readonly<Record<CovenantState, Tone>> = {
  breached: 'danger',
  unknown: 'neutral',
  warning: 'warning',
  waived: 'accent',
  cured: 'accent',
  met: 'good',
  notApplicable: 'neutral',
  notTested: 'neutral',
};

/** The color of a state as text. */
export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  neutral: 'text-ink-2',
  good: 'text-good',
  warning: 'text-warning',
  danger: 'text-danger',
  accent: 'text-accent',
};

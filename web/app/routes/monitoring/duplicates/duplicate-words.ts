import type { Tone } from '../../../components/page/chip.tsx';

export const PAIRS_PER_PAGE = 50;

export const CERTAINTY_TONES: Readonly<Record<string, Tone>> = {
  certain: 'danger',
  likely: 'warning',
  possible: 'neutral',
};

export const DECISION_TONES: Readonly<Record<string, Tone>> = {
  Same: 'danger',
  Different: 'neutral',
  Explained: 'accent',
};

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

/** Why it is not known what a pair counts twice. */
export const uncounted = (hasLeft: boolean): string =>
  hasLeft ? 'No longer on two tapes' : 'The balances are unknown or in two currencies';

/** The search part of the list, for the addresses of its tabs and pairs. */
export const listSearchOf = ({ tab, only, tape }: { tab: string; only: string | null; tape: string | null }) => ({
  tab: tab === 'open' ? undefined : tab,
  only: only ?? undefined,
  tape: tape ?? undefined,
});

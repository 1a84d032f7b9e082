import type { CovenantState } from '@tapeline/domain/covenants/covenant-labels.ts';
import { classNames } from '../../../components/class-names.ts';
import { Unknown } from '../../../components/figures/figures.tsx';
import { STATE_TONES } from './covenant-tones.ts';

/** The share of the limit at which the bar is full. */
const FULL = 0.5;
/** Where the limit is on the bar: what is beyond it is left of it. */
const ZERO = 18;

const COLORS = { danger: 'var(--danger)', warning: 'var(--chart-2)' } as const;

/** What is left to the limit: a bar of the share of the limit, and the figure. */
export function Headroom({
  state,
  headroom,
  share,
}: {
  state: CovenantState;
  headroom: string | null;
  share: number | null;
}) {
  const isBeyond = share !== null && share < 0;
  const part = share === null ? 0 : Math.max(-1, Math.min(1, share / FULL));
  const length = isBeyond ? -part * ZERO : part * (100 - ZERO);
  return (
    <span className="inline-flex items-center justify-end gap-2">
      <svg aria-hidden="true" viewBox="0 0 100 14" preserveAspectRatio="none" className="h-3.5 w-12 flex-none">
        <rect x={ZERO} y="5" width={100 - ZERO} height="4" fill="var(--line)" />
        {share === null ? null : (
          <rect
            x={isBeyond ? ZERO - length : ZERO}
            y="3.5"
            width={Math.max(length, 3)}
            height="7"
            fill={isBeyond ? COLORS.danger : state === 'warning' ? COLORS.warning : 'var(--chart-1)'}
          />
        )}
        <rect x={ZERO - 1} y="0" width="2.5" height="14" fill="var(--ink-3)" />
      </svg>
      <span
        className={classNames(
          'figures min-w-12 text-right',
          isBeyond && 'text-danger',
          !isBeyond && STATE_TONES[state] === 'warning' && 'text-warning',
        )}
      >
        {headroom ?? <Unknown reason="There is no result" />}
      </span>
    </span>
  );
}

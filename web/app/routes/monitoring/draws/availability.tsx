import type { DrawFigures } from '@tapeline/domain/draws/checks.ts';
import { APPROVED_NOT_DUE, AVAILABILITY_TODAY, AVAILABLE_BASE } from '@tapeline/domain/facilities/position-labels.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { isNegative, max, toNumber } from '@tapeline/domain/money/decimal.ts';
import { Money } from '../../../components/figures/figures.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PanelSection } from '../../../components/page/section.tsx';

/** Width of a sum on the chart, in per cent; nothing below zero. */
const widthOf = (sum: string | undefined, whole: number): number =>
  sum === undefined || whole === 0 ? 0 : Math.min(100, (Math.max(0, toNumber(sum)) / whole) * 100);

function Bar({
  label,
  balance,
  added,
  availability,
  whole,
}: {
  label: string;
  balance: Amount | null;
  added: Amount | null;
  availability: Amount | null;
  whole: number;
}) {
  const isShort = availability !== null && isNegative(availability.sum);
  return (
    <div>
      <p className="flex items-baseline justify-between text-xs">
        <span className="font-medium">{label}</span>
        <span className="text-ink-3">
          {isShort ? 'deficit ' : 'available '}
          <b className="font-medium text-ink">
            <Money value={availability} zero="figure" unknown="Needs a borrowing base and the rates" />
          </b>
        </span>
      </p>
      <div aria-hidden="true" className="mt-1 flex h-4 overflow-hidden rounded-sm bg-line">
        <span className="bg-ink-3" style={{ width: `${widthOf(balance?.sum, whole)}%` }} />
        <span className="bg-warning" style={{ width: `${widthOf(added?.sum, whole)}%` }} />
        <span className="bg-good" style={{ width: `${widthOf(availability?.sum, whole)}%` }} />
      </div>
    </div>
  );
}

const KEYS = [
  ['Balance and approved draws', 'bg-ink-3'],
  ['This draw', 'bg-warning'],
  ['Availability', 'bg-good'],
] as const;

/**
 * What is drawn on the note today, and its availability without the draw and with it.
 * @param requested other requests that the reader can see; undefined if the draw is decided
 */
export function DrawAvailability({
  figures,
  requested,
}: {
  figures: DrawFigures;
  requested: Amount | null | undefined;
}) {
  const { mainCurrency, balance, position, added, availability, netBB, commitments, base } = figures;
  const { availableBase = netBB } = figures;
  const hasReserves = availableBase?.sum !== netBB?.sum;
  const largest = [netBB?.sum, balance.after?.sum, commitments?.sum].reduce<string>(
    (most, sum) => (sum === undefined ? most : max(most, sum)),
    '0',
  );
  const whole = toNumber(largest);
  return (
    <PanelSection
      title={AVAILABILITY_TODAY}
      note={`${mainCurrency ?? ''}, ${hasReserves ? 'available' : 'net borrowing'} base or commitments, less balance and approved draws`}
      padded
      className="flex flex-col gap-3"
    >
      {base === null ? (
        <EmptyState title="No borrowing base">
          There is no borrowing base at or before the cut-off date, so the availability is unknown.
        </EmptyState>
      ) : null}
      <Bar
        label="Without this draw"
        balance={balance.before}
        added={null}
        availability={availability.before}
        whole={whole}
      />
      <Bar
        label="With this draw"
        balance={balance.before}
        added={added}
        availability={availability.after}
        whole={whole}
      />
      <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        {KEYS.map(([name, colour]) => (
          <li key={name} className="flex items-center gap-1.5">
            <i className={`size-2.5 rounded-xs ${colour}`} />
            {name}
          </li>
        ))}
      </ul>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 border-t border-line pt-3 text-sm">
        {(
          [
            ['Balance', position?.balance ?? null],
            [APPROVED_NOT_DUE, position?.approved ?? null],
            ...(requested === undefined ? [] : [['Other requests', requested] as const]),
            ['This draw', added],
            ['Outstanding after this draw', balance.after],
            ['Net borrowing base', netBB],
            ...(hasReserves ? [[AVAILABLE_BASE, availableBase] as const] : []),
            ['Commitments', commitments],
          ] as const
        ).map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-ink-2">{label}</dt>
            <dd className="text-right">
              <Money value={value} unknown="Needs data that is missing" zero="figure" />
            </dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  );
}

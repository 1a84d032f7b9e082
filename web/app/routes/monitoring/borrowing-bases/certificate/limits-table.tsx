import { useSearchParams } from '@remix-run/react';
import { concentrationLimits } from '@tapeline/domain/borrowing-base/concentration-limits.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { limitDigits, Name } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { Chip } from '../../../../components/page/chip.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { shownRule } from './excess-by-group.tsx';

/** Every agreed limit and how close the pool is to it. A row shows its groups next to the table. */
export function LimitsTable({ result, labels }: { result: BorrowingBaseResult; labels: Record<string, string> }) {
  const [search] = useSearchParams();
  const limits = concentrationLimits(result);
  if (limits.length === 0) return null;
  const digits = limitDigits(limits);
  const breached = limits.filter((limit) => limit.breached).length;
  const shown = shownRule(result.excessBreachDistribution, search.get('rule'));
  const at = (rule: number) => {
    const next = new URLSearchParams(search);
    next.set('rule', String(rule));
    next.delete('groups');
    return `?${next}`;
  };
  return (
    <TableSection
      title="Concentration limits"
      note={breached === 0 ? 'all within limits' : `${formatCount(breached, 'limit')} of ${limits.length} in breach`}
      rows={limits}
      rowKey={(limit) => String(limit.rule)}
      rowTo={(limit) => (limits.length > 1 ? at(limit.rule) : null)}
      isShown={(limit) => limit.rule === shown?.rule}
      columns={[
        {
          head: 'Limit',
          cell: (limit) => (
            <>
              <Name length={40}>{limit.title}</Name>
              {limit.field ? (
                <span className="block text-xs text-ink-3">
                  of {labels[limit.field] ?? limit.field}
                  {limit.unit === 'money' ? ` (${result.currency})` : ''}
                </span>
              ) : null}
            </>
          ),
        },
        {
          head: <span title="The group closest to or furthest over the limit">Measured</span>,
          measured: ({ unit, measured }) => ({ unit, value: measured, digits }),
          unknown: 'No part of the pool is subject to this rule',
        },
        {
          head: <span title="Amount remaining up to the limit; negative if exceeded">Headroom</span>,
          measured: ({ unit, room }) => ({ unit, value: room, digits }),
          wideOnly: true,
          unknown: 'No limit to measure against',
        },
        {
          head: 'Status',
          cell: (limit) =>
            limit.breached ? (
              <Chip tone="danger">{limit.removes ? 'In breach' : 'In breach, flagged'}</Chip>
            ) : (
              <Chip>Within</Chip>
            ),
        },
      ]}
    />
  );
}

import { useSearchParams } from '@remix-run/react';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { type ConcentrationLimit, concentrationLimits } from '../../borrowing-bases/concentration-limits.ts';
import { Figure, Name, Percent } from '../../components/figures/figures.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { formatCount } from '../../figures/format.ts';
import { shownRule } from './excess-by-group.tsx';

const measure = ({ unit }: ConcentrationLimit, value: string | null, unknown: string) =>
  unit === 'percent' ? (
    <Percent value={value} unknown={unknown} zero="figure" />
  ) : (
    <Figure value={value} digits={2} unknown={unknown} zero="figure" />
  );

/** Every agreed limit with how near the pool is to it; a row shows its groups beside. */
export function LimitsTable({ result }: { result: BorrowingBaseResult }) {
  const [search] = useSearchParams();
  const limits = concentrationLimits(result);
  if (limits.length === 0) return null;
  const breached = limits.filter((limit) => limit.breached).length;
  const shown = shownRule(result.excessBreachDistribution, search.get('rule'));
  const at = (rule: number) => {
    const next = new URLSearchParams(search);
    next.set('rule', String(rule));
    next.delete('groups');
    return `?${next}`;
  };
  return (
    <Section
      title="Concentration limits"
      note={breached === 0 ? 'all within' : `${formatCount(breached, 'limit')} of ${limits.length} in breach`}
    >
      <Panel>
        <DataTable
          caption="Concentration limits"
          rows={limits}
          rowKey={(limit) => String(limit.rule)}
          rowTo={(limit) => (limits.length > 1 ? at(limit.rule) : null)}
          isShown={(limit) => limit.rule === shown?.rule}
          columns={[
            { key: 'rule', head: 'Limit', cell: (limit) => <Name length={40}>{limit.title}</Name> },
            {
              key: 'measured',
              head: <span title="The group nearest to the limit, or farthest beyond it">Measured</span>,
              numeric: true,
              cell: (limit) => measure(limit, limit.measured, 'Nothing of the pool falls under the rule'),
            },
            {
              key: 'room',
              head: <span title="What is left up to the limit; below zero it is exceeded">Room</span>,
              numeric: true,
              wideOnly: true,
              cell: (limit) => measure(limit, limit.room, 'There is nothing to measure a distance by'),
            },
            {
              key: 'state',
              head: 'State',
              cell: (limit) =>
                limit.breached ? (
                  <Chip tone="danger">{limit.removes ? 'In breach' : 'In breach, flagged'}</Chip>
                ) : (
                  <Chip>Within</Chip>
                ),
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

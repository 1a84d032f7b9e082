import { Link, useSearchParams } from '@remix-run/react';
import type { BorrowingBaseResult, ConcentrationResult, GroupExcess } from '@tapeline/domain/borrowing-base/result.ts';
import { assetsOfGroup } from '@tapeline/domain/borrowing-base/waterfall.ts';
import { shareOf } from '../../borrowing-bases/tracked-rules.ts';
import { Figure, Money, Name, Percent } from '../../components/figures/figures.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { formatCount, formatFigure } from '../../figures/format.ts';
import { paths } from '../../paths.ts';

/** Groups shown before "all". */
const FEW = 8;

/** The rule whose groups are shown: the one the address names, the first in breach, or the first. */
export const shownRule = (
  rules: readonly ConcentrationResult[],
  asked: string | null,
): ConcentrationResult | undefined =>
  rules.find((rule) => String(rule.rule) === asked) ?? rules.find((rule) => rule.breached) ?? rules[0];

/** One concentration rule at a time: its groups against the limit. The table of limits leads here by the address. */
export function ExcessByGroup({
  result,
  labels,
  tapeId,
}: {
  result: BorrowingBaseResult;
  labels: Record<string, string>;
  tapeId: string | null;
}) {
  const [search] = useSearchParams();
  const rule = shownRule(result.excessBreachDistribution, search.get('rule'));
  if (!rule) {
    return (
      <Section title="Excess by group">
        <Panel>
          <EmptyState title="No concentration rule applies">
            Nothing of the pool is cut back. The contract’s Concentration tab is where limits are set.
          </EmptyState>
        </Panel>
      </Section>
    );
  }
  return (
    <Section title="Excess by group" note={<Name length={44}>{rule.title}</Name>}>
      <Panel>
        <Groups rule={rule} result={result} label={labels[rule.groupBy ?? ''] ?? 'Pool'} tapeId={tapeId} />
      </Panel>
      <Explanation rule={rule} />
    </Section>
  );
}

function Groups({
  rule,
  result,
  label,
  tapeId,
}: {
  rule: ConcentrationResult;
  result: BorrowingBaseResult;
  label: string;
  tapeId: string | null;
}) {
  const [search] = useSearchParams();
  const showsAll = search.get('groups') === 'all';
  const shown = showsAll ? rule.groups : rule.groups.slice(0, FEW);
  const pool = result.totals.pools.eligibleOrPerforming.amount.sum;
  // Money reads as a share of the pool, as limits are agreed; anything else in its own unit.
  const measure = (value: string | null) =>
    rule.money ? (
      <Percent value={value === null ? null : shareOf(value, pool)} unknown="The pool is empty" />
    ) : (
      <Figure value={value} digits={2} unknown="No asset has the field" />
    );
  const next = new URLSearchParams(search);
  next.set('groups', 'all');
  next.set('rule', String(rule.rule));
  const limitOf = (group: GroupExcess) => (group.part === 'measured' ? measure(rule.limit) : null);
  return (
    <>
      <DataTable
        caption={`Groups of ${rule.title}`}
        rows={shown}
        rowKey={(group) => `${group.rank}-${group.key ?? ''}`}
        rowTo={(group) =>
          tapeId && group.breached && rule.removes
            ? paths.tape(tapeId, { filter: JSON.stringify(assetsOfGroup(rule.rule, rule.groupBy, group.key)) })
            : null
        }
        empty={<p className="p-4 text-sm text-ink-2">No asset falls under this rule.</p>}
        columns={[
          {
            key: 'group',
            head: label,
            cell: (group) =>
              rule.groupBy === null ? (
                'Whole pool'
              ) : group.key === null ? (
                'Unknown'
              ) : (
                <Name length={24}>{group.key}</Name>
              ),
            total: rule.groupBy === null ? '' : formatCount(rule.groupCount, 'group'),
          },
          { key: 'measure', head: 'Measure', numeric: true, cell: (group) => measure(group.measure), total: '' },
          { key: 'limit', head: 'Limit', numeric: true, quiet: true, cell: limitOf, total: '' },
          {
            key: 'excess',
            head: `Excess (${result.currency})`,
            numeric: true,
            cell: (group) => <Money value={group.excess.sum} className={group.breached ? 'text-danger' : undefined} />,
            total: <Money value={rule.excess.sum} />,
          },
        ]}
      />
      {shown.length < rule.groups.length ? (
        <p className="no-print border-t border-line px-3 py-2 text-xs">
          <Link to={`?${next}`} preventScrollReset className="tap-text font-medium text-accent hover:underline">
            {rule.groups.length < rule.groupCount
              ? `The ${rule.groups.length} largest groups`
              : `All ${rule.groups.length} groups`}
          </Link>
        </p>
      ) : null}
    </>
  );
}

/** How the rule was read where the table alone does not say it. */
function Explanation({ rule }: { rule: ConcentrationResult }) {
  const said = [
    rule.topN ? `the ${rule.topN} largest groups are measured together` : null,
    rule.skipN > 0 ? `the first ${rule.skipN} are passed over` : null,
    rule.removes ? null : 'a test of the pool: a breach is flagged and nothing is removed',
    rule.breached && rule.distance && !rule.money ? `${formatFigure(rule.distance, 2)} beyond the limit` : null,
    rule.unknown.count > 0
      ? `${formatCount(rule.unknown.count, 'asset')} could not be judged for lack of a field and stood outside`
      : null,
    rule.excepted.count > 0 ? `${formatCount(rule.excepted.count, 'asset')} passed over by exceptions` : null,
  ].filter((part) => part !== null);
  if (said.length === 0) return null;
  const text = said.join('; ');
  return <p className="mt-2 text-xs text-ink-3">{text.charAt(0).toUpperCase() + text.slice(1)}.</p>;
}

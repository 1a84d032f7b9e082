import { Link, useSearchParams } from '@remix-run/react';
import { unitOf } from '@tapeline/domain/borrowing-base/concentration-limits.ts';
import type { BorrowingBaseResult, ConcentrationResult, GroupExcess } from '@tapeline/domain/borrowing-base/result.ts';
import { assetsOfGroup } from '@tapeline/domain/borrowing-base/waterfall.ts';
import { compare } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from '@tapeline/domain/money/shares.ts';
import { Figure, Money, Name, Percent } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure, writtenAmount } from '../../../../components/figures/format.ts';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Panel, PanelSection, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import type { AssetsTo } from './assets-to.ts';

/** Groups shown before "all" is chosen. */
const FEW = 8;

/** The rule whose groups are shown: the one named in the address, else the first in breach, else the first. */
export const shownRule = (
  rules: readonly ConcentrationResult[],
  asked: string | null,
): ConcentrationResult | undefined =>
  rules.find((rule) => String(rule.rule) === asked) ?? rules.find((rule) => rule.breached) ?? rules[0];

/** One concentration rule at a time: its groups compared with the limit. The table of limits links here. */
export function ExcessByGroup({
  result,
  labels,
  assetsTo,
}: {
  result: BorrowingBaseResult;
  labels: Record<string, string>;
  assetsTo: AssetsTo | null;
}) {
  const [search] = useSearchParams();
  const rule = shownRule(result.excessBreachDistribution, search.get('rule'));
  if (!rule) {
    return (
      <PanelSection title="Excess by group">
        <EmptyState title="No concentration limits apply">
          No part of the pool is excluded. Set limits in the contract’s Concentration tab.
        </EmptyState>
      </PanelSection>
    );
  }
  // The field that measure and limit refer to, if it is not the remaining amount.
  const measured = rule.accumulatorField ? (labels[rule.accumulatorField] ?? rule.accumulatorField) : null;
  return (
    <Section title="Excess by group" note={<Name length={44}>{rule.title}</Name>}>
      <Panel>
        <Groups
          rule={rule}
          result={result}
          label={labels[rule.groupBy ?? ''] ?? 'Pool'}
          measured={measured}
          assetsTo={assetsTo}
        />
      </Panel>
      <Explanation rule={rule} measured={measured} currency={result.currency} />
    </Section>
  );
}

function Groups({
  rule,
  result,
  label,
  measured,
  assetsTo,
}: {
  rule: ConcentrationResult;
  result: BorrowingBaseResult;
  label: string;
  measured: string | null;
  assetsTo: AssetsTo | null;
}) {
  const [search] = useSearchParams();
  const showsAll = search.get('groups') === 'all';
  const shown = showsAll ? rule.groups : rule.groups.slice(0, FEW);
  const pool = result.totals.pools.eligibleOrPerforming.amount.sum;
  const unit = unitOf(rule);
  // Amounts of the pool are shown as a share of it, as limits are agreed. Anything else has its own unit.
  const measure = (value: string | null) =>
    unit === 'percent' ? (
      <Percent value={value === null ? null : shareOf(value, pool)} unknown="The pool is empty" />
    ) : unit === 'money' ? (
      <Money value={value} unknown="No asset has this field" />
    ) : (
      <Figure value={value} digits={2} unknown="No asset has this field" />
    );
  // The amount removed differs from the excess of another field, so both are shown.
  const withDistance = (value: string | null, distance: string | null) => (
    <>
      {measure(value)}
      {measured !== null && distance !== null ? (
        <span className="block text-xs text-danger"> {measure(distance)} over the limit</span>
      ) : null}
    </>
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
          assetsTo && group.breached && rule.removes
            ? assetsTo(assetsOfGroup(rule.rule, rule.groupBy, group.key))
            : null
        }
        empty={<p className="p-4 text-sm text-ink-2">No assets are subject to this rule.</p>}
        columns={[
          {
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
          {
            head: measured === null ? 'Measure' : unit === 'money' ? `${measured} (${result.currency})` : measured,
            numeric: true,
            cell: (group) => withDistance(group.measure, group.distance ?? null),
            total: measured === null || rule.measure === null ? '' : withDistance(rule.measure, rule.distance),
          },
          { head: 'Limit', numeric: true, quiet: true, cell: limitOf, total: '' },
          {
            head: measured === null ? `Excess (${result.currency})` : `Removed (${result.currency})`,
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
              ? `Largest ${rule.groups.length} groups`
              : `All ${rule.groups.length} groups`}
          </Link>
        </p>
      ) : null}
    </>
  );
}

/** Explains how the rule was applied if the table alone does not show it. */
function Explanation({
  rule,
  measured,
  currency,
}: {
  rule: ConcentrationResult;
  measured: string | null;
  currency: string;
}) {
  const { removed, excess } = rule;
  const said = [
    measured !== null && rule.removes
      ? `measure and limit are of ${measured}; the same share of the remaining amount is removed`
      : null,
    rule.topN ? `the largest ${rule.topN} groups are measured together` : null,
    rule.skipN > 0 ? `the largest ${rule.skipN} are excluded` : null,
    rule.removes ? null : 'pool test: a breach is flagged, nothing is removed',
    rule.breached && rule.distance && !rule.money ? `${formatFigure(rule.distance, 2)} beyond the limit` : null,
    removed && compare(removed.sum.sum, excess.sum.sum) !== 0
      ? `${writtenAmount({ sum: removed.sum.sum, currency })} of the excess counts toward the total; other limits have a larger excess on the same assets`
      : null,
    rule.unknown.count > 0 ? `${formatCount(rule.unknown.count, 'asset')} not tested: a field is missing` : null,
    rule.excepted.count > 0 ? `${formatCount(rule.excepted.count, 'asset')} passed over by exceptions` : null,
  ].filter((part) => part !== null);
  if (said.length === 0) return null;
  const text = said.join('; ');
  return <p className="mt-2 text-xs text-ink-3">{text.charAt(0).toUpperCase() + text.slice(1)}.</p>;
}

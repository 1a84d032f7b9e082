import { Link, useSearchParams } from '@remix-run/react';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { excludedInAll, type TrackedRule, trackedRules } from '@tapeline/domain/borrowing-base/tracked-rules.ts';
import { compare, isZero, max, toNumber } from '@tapeline/domain/money/decimal.ts';
import { Name, ShareBar } from '../../../../components/figures/figures.tsx';
import { type Column, TableSection } from '../../../../components/tables/data-table.tsx';
import type { AssetsTo } from './assets-to.ts';

const hasWork = (rule: TrackedRule) => rule.failed.count > 0 || !isZero(rule.first.amount.sum);

/** Limits and offsets may cut assets that an earlier one already cut. An exclusion happens once. */
const assetsOf = (rule: TrackedRule) => (rule.stage === 'Concentration' ? rule.failed.count : rule.first.count);

const FAIL_AT_ALL: Column<TrackedRule> = {
  head: <span title="Assets that fail this rule, including those that also fail others">All failing</span>,
  figure: (rule) => rule.failed.count,
  quiet: true,
  wideOnly: true,
};

const shareBar = (largest: string): Column<TrackedRule> => ({
  head: <span className="sr-only">Share (bar)</span>,
  wideOnly: true,
  cell: (rule) => (
    <ShareBar
      fraction={compare(largest, '0') > 0 ? toNumber(rule.sharePercent ?? '0') / toNumber(largest) : 0}
      tone={rule.stage === 'Concentration' || rule.stage === 'Offset' ? 'chart-3' : 'chart-2'}
    />
  ),
});

export function RulesTable({ result, assetsTo }: { result: BorrowingBaseResult; assetsTo: AssetsTo | null }) {
  const [search] = useSearchParams();
  const rules = trackedRules(result);
  const failing = rules.filter(hasWork);
  const showsAll = search.get('rules') === 'all' || failing.length === rules.length;
  const shown = showsAll ? rules : failing;
  const pool = result.totals.pools.relevant.amount.sum;
  const whole = excludedInAll(rules, pool);
  const largest = rules.reduce((top, rule) => max(top, rule.sharePercent ?? '0'), '0');
  return (
    <TableSection
      title="Rules"
      note={
        result.overlap === 'maximumPerAsset'
          ? 'each asset counted under the first rule it fails, its excess under the limit with the largest one'
          : 'each asset counted under the first rule it fails'
      }
      more={<AllRules total={rules.length} isFolded={!showsAll} canFold={failing.length < rules.length} />}
      caption="Rules and their exclusions"
      rows={shown}
      rowKey={(rule) => rule.key}
      rowTo={(rule) => (assetsTo && assetsOf(rule) > 0 ? assetsTo(rule.filter) : null)}
      empty={<p className="p-4 text-sm text-ink-2">All assets pass all rules.</p>}
      columns={[
        {
          head: 'Rule',
          // A long title wraps, so that every figure fits beside it.
          cell: (rule) => (
            <span className="whitespace-normal">
              <Name length={40}>{rule.title}</Name>
            </span>
          ),
          total: 'Total excluded',
        },
        { head: 'Stage', quiet: true, wideOnly: true, cell: (rule) => rule.stage },
        {
          head: <span title="Assets excluded by this rule first, or reduced by it">Assets</span>,
          figure: (rule) => assetsOf(rule),
        },
        { head: `Amount (${result.currency})`, money: (rule) => rule.first.amount, total: whole.amount },
        {
          head: 'Share',
          percent: (rule) => rule.sharePercent,
          wideOnly: true,
          unknown: 'The pool is empty',
          total: whole.sharePercent,
        },
        showsAll ? FAIL_AT_ALL : shareBar(largest),
      ]}
    />
  );
}

function AllRules({ total, isFolded, canFold }: { total: number; isFolded: boolean; canFold: boolean }) {
  const [search] = useSearchParams();
  if (!canFold) return null;
  const next = new URLSearchParams(search);
  if (isFolded) next.set('rules', 'all');
  else next.delete('rules');
  return (
    <Link to={`?${next}`} preventScrollReset className="tap-text no-print text-accent hover:underline">
      {isFolded ? `All ${total} rules` : 'Only rules with exclusions'}
    </Link>
  );
}

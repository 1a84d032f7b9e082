import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { waterfallOf } from '@tapeline/domain/borrowing-base/waterfall.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { concentrationLimits } from './concentration-limits.ts';
import { shareOf, trackedRules } from './tracked-rules.ts';

/** One line of the certificate as a file: what the page shows, one figure under the other. */
export interface CertificateLine {
  part: string;
  line: string;
  assets: number | null;
  amount: DecimalText | null;
  currency: string | null;
  /** Share, rate or measure; its unit is told by the part's words. */
  measured: DecimalText | null;
  limit: DecimalText | null;
  remark: string | null;
}

/** Every figure of a borrowing base in the order of its page. */
export function certificateLines(
  result: BorrowingBaseResult,
  groupLabels: Readonly<Record<string, string>>,
): CertificateLine[] {
  const { currency, totals } = result;
  const line = (part: string, name: string, more: Partial<CertificateLine>): CertificateLine => ({
    part,
    line: name,
    assets: null,
    amount: null,
    currency: null,
    measured: null,
    limit: null,
    remark: null,
    ...more,
  });
  const pool = totals.pools.eligibleOrPerforming.amount.sum;
  const limits = concentrationLimits(result);
  return [
    ...waterfallOf(result).map((bar) =>
      line('From pool to availability', bar.label, {
        assets: bar.count,
        amount: bar.sum,
        currency: bar.currency,
        remark: bar.sum === null ? 'not recorded' : null,
      }),
    ),
    ...trackedRules(result).map((rule) =>
      line('Rules, first excluded by', rule.title, {
        assets: rule.stage === 'Concentration' ? rule.failed.count : rule.first.count,
        amount: rule.first.amount.sum,
        currency,
        measured: rule.sharePercent,
        remark: `${rule.stage}, % of the relevant pool`,
      }),
    ),
    ...limits.map((limit) =>
      line('Concentration limits', limit.title, {
        measured: limit.measured,
        limit: limit.limit,
        remark: [limit.breached ? 'in breach' : 'within', ...(limit.unit === 'percent' ? ['% of pool'] : [])].join(
          ', ',
        ),
      }),
    ),
    ...result.excessBreachDistribution.flatMap((rule) =>
      rule.groups.map((group) =>
        line(`Excess by group: ${rule.title}`, group.key ?? (rule.groupBy === null ? 'Whole pool' : 'Unknown'), {
          assets: group.count,
          amount: group.excess.sum.sum,
          currency,
          measured: rule.money && group.measure !== null ? shareOf(group.measure, pool) : group.measure,
          limit: group.part === 'measured' ? (rule.money ? shareOf(rule.limit, pool) : rule.limit) : null,
          remark: rule.groupBy === null ? null : (groupLabels[rule.groupBy] ?? rule.groupBy),
        }),
      ),
    ),
    ...(result.scopes.length > 1
      ? result.scopes.map((scope) =>
          line('Scopes', scope.title ?? 'Every asset', {
            assets: scope.pools.relevant.count,
            amount: scope.netBB.sum,
            currency,
            remark: 'net borrowing base',
          }),
        )
      : []),
    ...result.rulesTracking.advancing.map((row) =>
      line('Advance rates', row.title, {
        assets: row.taken.count,
        amount: row.advanced.sum,
        currency,
        measured: row.rate,
        remark: '% advanced of what remains',
      }),
    ),
    ...totals.values.map((value) =>
      line('Values', value.title, {
        assets: value.count,
        amount: value.currency ? value.value : null,
        currency: value.currency,
        measured: value.currency ? null : value.value,
      }),
    ),
  ];
}

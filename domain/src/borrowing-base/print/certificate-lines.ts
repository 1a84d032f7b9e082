import { offsetBasis } from '../../facilities/offset-words.ts';
import { BALANCE_AT_CUT_OFF } from '../../facilities/position-labels.ts';
import { reserveBasis, unknownReserve } from '../../facilities/reserve-words.ts';
import { absolute, type DecimalText } from '../../money/decimal.ts';
import { shareOf } from '../../money/shares.ts';
import { type ConcentrationLimit, concentrationLimits, unitOf } from '../concentration-limits.ts';
import { facilityFigures } from '../facility-figures.ts';
import type { BorrowingBaseResult, ConcentrationResult } from '../result.ts';
import { trackedRules } from '../tracked-rules.ts';
import { waterfallOf } from '../waterfall.ts';
import { type CertificateState, stateNotices } from './certificate-state.ts';

/** One line of the certificate as a file: the same figures as on the page, one per line. */
export interface CertificateLine {
  part: string;
  line: string;
  assets: number | null;
  amount: DecimalText | null;
  currency: string | null;
  /** Share, rate or measure. The description of the part states its unit. */
  measured: DecimalText | null;
  limit: DecimalText | null;
  /** How far the measure is over the limit, in the unit of the measure. */
  overLimit: DecimalText | null;
  /** What is measured, and in which unit. The amount of such a line is the amount that is removed. */
  measuredOf: string | null;
  remark: string | null;
}

/** "Original principal (USD)". Amounts of the pool itself are shown as a share of the pool. */
function measuredOf(
  { unit, field }: Pick<ConcentrationLimit, 'unit' | 'field'>,
  labels: Readonly<Record<string, string>>,
  currency: string,
): string {
  const label = field === null ? 'Remaining amount' : (labels[field] ?? field);
  if (unit === 'percent') return `${label} (% of pool)`;
  return unit === 'money' ? `${label} (${currency})` : label;
}

const POSITION_LABELS = { limit: 'Commitments', balance: BALANCE_AT_CUT_OFF, undrawn: 'Undrawn' } as const;

/**
 * Every figure of a borrowing base, in the order of its page. What a reader must know before them comes first.
 * @param labels of the fields that concentration rules group and measure by
 */
export function certificateLines(
  result: BorrowingBaseResult,
  labels: Readonly<Record<string, string>>,
  state: CertificateState,
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
    overLimit: null,
    measuredOf: null,
    remark: null,
    ...more,
  });
  const pool = totals.pools.eligibleOrPerforming.amount.sum;
  const limits = concentrationLimits(result);
  const position = facilityFigures(result);
  const read = (rule: ConcentrationResult, value: DecimalText | null) =>
    value !== null && unitOf(rule) === 'percent' ? shareOf(value, pool) : value;
  return [
    ...stateNotices(state).map((remark) => line('Certificate', 'Not the latest', { remark })),
    ...waterfallOf(result).map((bar) =>
      line('From pool to availability', bar.label, {
        assets: bar.count,
        amount: bar.sum,
        currency: bar.currency,
        remark: bar.sum === null ? 'not recorded' : null,
      }),
    ),
    ...trackedRules(result).map((rule) =>
      line('Exclusions by first failed rule', rule.title, {
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
        overLimit: limit.breached && limit.room !== null ? absolute(limit.room) : null,
        measuredOf: measuredOf(limit, labels, currency),
        remark: limit.breached ? 'in breach' : 'within',
      }),
    ),
    ...result.excessBreachDistribution.flatMap((rule) =>
      rule.groups.map((group) =>
        line(`Excess by group: ${rule.title}`, group.key ?? (rule.groupBy === null ? 'Whole pool' : 'Unknown'), {
          assets: group.count,
          amount: group.excess.sum.sum,
          currency,
          measured: read(rule, group.measure),
          limit: group.part === 'measured' ? read(rule, rule.limit) : null,
          overLimit: read(rule, group.distance ?? null),
          measuredOf: measuredOf({ unit: unitOf(rule), field: rule.accumulatorField ?? null }, labels, currency),
          remark: [
            ...(rule.groupBy === null ? [] : [labels[rule.groupBy] ?? rule.groupBy]),
            ...(rule.removes
              ? [result.overlap === 'maximumPerAsset' ? 'excess of this limit alone' : 'amount removed']
              : []),
          ].join(', '),
        }),
      ),
    ),
    ...(result.wholeGroups ?? []).flatMap((rule) =>
      rule.groups.map((group) =>
        line(`Groups excluded: ${rule.title}`, group.key ?? 'Unknown', {
          assets: group.count,
          amount: group.amount.sum,
          currency,
          measured: group.percentage,
          limit: rule.percent,
          measuredOf: 'Share that fails (%)',
          remark: labels[rule.groupBy] ?? rule.groupBy,
        }),
      ),
    ),
    ...(totals.offsets ?? []).flatMap((offset) => [
      line(`Offset: ${offset.title}`, 'All groups', {
        assets: offset.count,
        amount: offset.taken.sum,
        currency,
        remark: `${offsetBasis(offset, labels)}, ${offset.owed.sum} to take, ${offset.leftOver.sum} left over`,
      }),
      ...offset.groups.map((group) =>
        line(`Offset: ${offset.title}`, group.key ?? 'Unknown', {
          assets: group.count,
          amount: group.taken.sum,
          currency,
          remark: `${group.owed.sum} to take, ${group.leftOver.sum} left over`,
        }),
      ),
    ]),
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
        remark: '% of remaining amount advanced',
      }),
    ),
    ...(totals.reserves ?? []).map((reserve) =>
      line('Reserves', reserve.title, {
        amount: reserve.amount?.sum ?? null,
        currency,
        remark: [reserveBasis(reserve), ...(reserve.amount ? [] : [unknownReserve(reserve)])].join(', '),
      }),
    ),
    ...(totals.adjustments ?? []).map(({ reason, amount, enteredBy, approvedBy }) =>
      line('Adjustments', reason, {
        amount: amount.sum,
        currency,
        remark: `entered by ${enteredBy}, approved by ${approvedBy}`,
      }),
    ),
    ...position.byCurrency.flatMap((row) =>
      (['limit', 'balance', 'undrawn'] as const).map((figure) =>
        line('Balance and commitments by currency', POSITION_LABELS[figure], {
          amount: row[figure],
          currency: row.currency,
          remark: row[figure] === null ? 'not recorded' : null,
        }),
      ),
    ),
    ...(position.cure
      ? [
          line('Cure of the deficiency', 'Repay', { amount: position.cure.repay, currency: position.cure.currency }),
          ...(position.cure.addCollateral === null
            ? []
            : [
                line('Cure of the deficiency', 'Or add eligible collateral', {
                  amount: position.cure.addCollateral,
                  currency: position.cure.currency,
                  remark: 'at the weighted advance rate',
                }),
              ]),
        ]
      : []),
    ...totals.values.map((value) =>
      line('Values', value.title, {
        assets: value.count,
        amount: value.currency ? value.value : null,
        currency: value.currency,
        measured: value.currency ? null : value.value,
      }),
    ),
    ...(result.inputsHash ? [line('Inputs', 'Hash of inputs (SHA-256)', { remark: result.inputsHash })] : []),
  ];
}

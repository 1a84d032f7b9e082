import { BALANCE_AT_CUT_OFF } from '../../facilities/position-labels.ts';
import type { Amount } from '../../money/amount.schema.ts';
import { minorUnitDigits } from '../../money/currencies.ts';
import { isNegative, isZero } from '../../money/decimal.ts';
import { EN_DASH, formatCount, formatFigure, formatPercent } from '../../money/format-figure.ts';
import { shareOf } from '../../money/shares.ts';
import type { PrintedBlock, PrintedRow } from '../../printing/printed-document.ts';
import { joined, UNKNOWN } from '../../printing/printed-figures.ts';
import { type ConcentrationLimit, concentrationLimits, unitOf } from '../concentration-limits.ts';
import { facilityFigures } from '../facility-figures.ts';
import type { BorrowingBaseResult, ConcentrationResult, GroupExcess } from '../result.ts';
import { excludedInAll, trackedRules } from '../tracked-rules.ts';

/** Groups without excess that are listed for each rule. */
const FEW = 5;

/** An amount in full, with the digits of its currency's minor unit. */
export const inFull = ({ sum, currency }: Amount): string => formatFigure(sum, minorUnitDigits(currency));
const money = (amount: Amount | null): string =>
  amount === null ? UNKNOWN : isZero(amount.sum) ? EN_DASH : inFull(amount);
export const moneyIn = (sum: string | null, currency: string): string => money(sum === null ? null : { sum, currency });
const count = (value: number): string => (value === 0 ? EN_DASH : formatFigure(value));
const percent = (value: string | null): string => (value === null ? UNKNOWN : formatPercent(value));

const inUnit = (unit: ConcentrationLimit['unit'], value: string | null): string => {
  if (value === null) return UNKNOWN;
  return unit === 'percent' ? formatPercent(value) : unit === 'money' ? formatFigure(value) : formatFigure(value, 2);
};

export function rulesTable(result: BorrowingBaseResult): PrintedBlock {
  const rules = trackedRules(result);
  const whole = excludedInAll(rules, result.totals.pools.relevant.amount.sum);
  return {
    kind: 'table',
    title: 'Rules',
    note: 'each asset counted under the first rule it fails; share of the relevant pool',
    columns: [
      { head: 'Rule', width: 4 },
      { head: 'Stage', width: 1.4 },
      { head: 'Assets', width: 1, isNumeric: true },
      { head: 'All failing', width: 1.1, isNumeric: true },
      { head: `Amount (${result.currency})`, width: 1.9, isNumeric: true },
      { head: 'Share', width: 1, isNumeric: true },
    ],
    rows: rules.map((rule) => ({
      cells: [
        rule.title,
        rule.stage,
        count(rule.stage === 'Concentration' ? rule.failed.count : rule.first.count),
        count(rule.failed.count),
        money(rule.first.amount),
        percent(rule.sharePercent),
      ],
    })),
    total: ['Total excluded', '', '', '', moneyIn(whole.amount, result.currency), percent(whole.sharePercent)],
    empty: 'The contract has no rules that apply.',
  };
}

export function limitsTable(result: BorrowingBaseResult, labels: Readonly<Record<string, string>>): PrintedBlock {
  return {
    kind: 'table',
    title: 'Concentration limits',
    note: 'the group closest to the limit, or furthest over it',
    columns: [
      { head: 'Rule', width: 4 },
      { head: 'Of', width: 2 },
      { head: 'Measured', width: 1.5, isNumeric: true },
      { head: 'Limit', width: 1.5, isNumeric: true },
      { head: 'Headroom', width: 1.5, isNumeric: true },
      { head: 'Status', width: 1.3 },
    ],
    rows: concentrationLimits(result).map((limit) => ({
      cells: [
        limit.title,
        limit.field === null ? 'Share of pool' : `${labels[limit.field] ?? limit.field}`,
        inUnit(limit.unit, limit.measured),
        inUnit(limit.unit, limit.limit),
        inUnit(limit.unit, limit.room),
        limit.breached ? (limit.removes ? 'In breach' : 'Flagged') : 'Within',
      ],
      ...(limit.breached ? { tones: { 4: 'danger' as const, 5: 'danger' as const } } : {}),
    })),
    empty: 'The contract has no concentration limits that apply.',
  };
}

const nameOf = (rule: ConcentrationResult, group: GroupExcess): string =>
  rule.groupBy === null ? 'Whole pool' : (group.key ?? 'Unknown');

/** Chooses the groups to list: those in excess first, then a few others of each rule, as long as there is room. */
function chosenGroups(rules: readonly ConcentrationResult[], most: number): Map<ConcentrationResult, GroupExcess[]> {
  const chosen = new Map<ConcentrationResult, GroupExcess[]>(rules.map((rule) => [rule, []]));
  let room = Math.max(0, most);
  const choose = (isWanted: (group: GroupExcess) => boolean, perRule: number) => {
    for (const rule of rules) {
      const wanted = rule.groups.filter(isWanted).slice(0, Math.min(room, perRule));
      chosen.get(rule)?.push(...wanted);
      room -= wanted.length;
    }
  };
  choose(({ breached }) => breached, Number.POSITIVE_INFINITY);
  choose(({ breached }) => !breached, FEW);
  return chosen;
}

export function groupsTable(
  result: BorrowingBaseResult,
  labels: Readonly<Record<string, string>>,
  most: number,
): PrintedBlock {
  const { excessBreachDistribution: rules, currency, totals } = result;
  const pool = totals.pools.eligibleOrPerforming.amount.sum;
  // A rule has a row of its own above its groups.
  const chosen = chosenGroups(rules, most - rules.length);
  const rows = [...chosen].flatMap(([rule, groups]): PrintedRow[] => {
    if (groups.length === 0) return [];
    const unit = unitOf(rule);
    const read = (value: string | null) =>
      inUnit(unit, value !== null && unit === 'percent' ? shareOf(value, pool) : value);
    const by = rule.groupBy === null ? '' : (labels[rule.groupBy] ?? rule.groupBy);
    return [
      {
        cells: [
          rule.title,
          rule.groupBy === null ? '' : `${formatCount(rule.groupCount, 'group')} by ${by.toLowerCase()}`,
          '',
          '',
          money(rule.excess.sum),
        ],
        isStrong: true,
      },
      ...groups.map((group) => ({
        cells: [
          nameOf(rule, group),
          count(group.count),
          read(group.measure),
          group.part === 'measured' ? read(rule.limit) : '',
          money(group.excess.sum),
        ],
        ...(group.breached ? { tones: { 4: 'danger' as const } } : {}),
      })),
    ];
  });
  const total = rules.reduce((sum, rule) => sum + rule.groupCount, 0);
  const excessive = rules.reduce((sum, rule) => sum + rule.breachedGroupCount, 0);
  const listed = [...chosen.values()].flat();
  const left = total - listed.length;
  const leftInExcess = Math.max(0, excessive - listed.filter(({ breached }) => breached).length);
  return {
    kind: 'table',
    title: 'Excess by group',
    note: 'groups in excess first',
    columns: [
      { head: 'Group', width: 3.4 },
      { head: 'Assets', width: 1.9, isNumeric: true },
      { head: 'Measure', width: 1.5, isNumeric: true },
      { head: 'Limit', width: 1.5, isNumeric: true },
      { head: `Excess (${currency})`, width: 1.9, isNumeric: true },
    ],
    rows,
    remark:
      left > 0
        ? `${formatCount(left, 'more group')} not listed here${
            leftInExcess > 0 ? `, ${formatFigure(leftInExcess)} of them in excess` : ', none of them in excess'
          }. The certificate’s page and its Excel file list every group in excess and the largest of each limit.`
        : undefined,
    empty: 'No concentration limits apply.',
  };
}

export function scopesTable({ scopes, totals, currency }: BorrowingBaseResult): PrintedBlock[] {
  if (scopes.length < 2 && scopes[0]?.title === null) return [];
  return [
    {
      kind: 'table',
      title: 'Scopes',
      note: joined(currency, 'an asset belongs to the first scope it matches'),
      columns: [
        { head: 'Scope', width: 3 },
        { head: 'Assets', width: 1.1, isNumeric: true },
        { head: 'Relevant pool', width: 2, isNumeric: true },
        { head: 'Eligible or performing', width: 2, isNumeric: true },
        { head: 'Excess', width: 1.7, isNumeric: true },
        { head: 'Net borrowing base', width: 2, isNumeric: true },
      ],
      rows: scopes.map((scope) => ({
        cells: [
          scope.title ?? 'Every asset',
          count(scope.pools.relevant.count),
          money(scope.pools.relevant.amount),
          money(scope.pools.eligibleOrPerforming.amount),
          money(scope.excess),
          money(scope.netBB),
        ],
      })),
      total: [
        'All scopes',
        count(totals.pools.relevant.count),
        money(totals.pools.relevant.amount),
        money(totals.pools.eligibleOrPerforming.amount),
        money(totals.excess),
        money(totals.netBB),
      ],
    },
  ];
}

export function advanceTable({ rulesTracking, totals, currency }: BorrowingBaseResult): PrintedBlock {
  return {
    kind: 'table',
    title: 'Advance rates',
    note: joined(currency, 'after concentration limits'),
    columns: [
      { head: 'Case', width: 3.4 },
      { head: 'Scope', width: 1.6 },
      { head: 'Rate', width: 1, isNumeric: true },
      { head: 'Assets', width: 1.1, isNumeric: true },
      { head: 'Remaining', width: 2, isNumeric: true },
      { head: 'Advanced', width: 2, isNumeric: true },
    ],
    rows: rulesTracking.advancing.map((row) => ({
      cells: [
        row.title,
        row.scope ?? 'All',
        formatPercent(row.rate),
        count(row.taken.count),
        money(row.remaining),
        money(row.advanced),
      ],
    })),
    total: [
      'All',
      '',
      percent(totals.weightedAdvanceRatePercent),
      count(totals.pools.eligibleOrPerforming.count),
      money(totals.remaining),
      money(totals.netBB),
    ],
  };
}

export function valuesTable({ totals }: BorrowingBaseResult, units: Readonly<Record<string, string>>): PrintedBlock {
  return {
    kind: 'table',
    title: 'Values',
    columns: [
      { head: 'Value', width: 4 },
      { head: 'Assets', width: 1.2, isNumeric: true },
      { head: 'Figure', width: 2, isNumeric: true },
      { head: 'Unit', width: 1 },
    ],
    rows: totals.values.map((value) => ({
      cells: [
        value.title,
        count(value.count),
        value.value === null
          ? UNKNOWN
          : value.currency
            ? moneyIn(value.value, value.currency)
            : formatFigure(value.value, 2),
        value.currency ?? units[value.title] ?? '',
      ],
    })),
  };
}

export function currencyTable(result: BorrowingBaseResult): PrintedBlock[] {
  const { byCurrency } = facilityFigures(result);
  if (byCurrency.length === 0) return [];
  return [
    {
      kind: 'table',
      title: 'Balance and commitments by currency',
      note: 'commitments at the exchange rates of the tape',
      columns: [
        { head: 'Currency', width: 1 },
        { head: 'Commitments', width: 2, isNumeric: true },
        { head: BALANCE_AT_CUT_OFF, width: 2, isNumeric: true },
        { head: 'Undrawn', width: 2, isNumeric: true },
      ],
      rows: byCurrency.map(({ currency, limit, balance, undrawn }) => ({
        cells: [currency, moneyIn(limit, currency), moneyIn(balance, currency), moneyIn(undrawn, currency)],
        ...(undrawn !== null && isNegative(undrawn) ? { tones: { 3: 'danger' as const } } : {}),
      })),
    },
  ];
}

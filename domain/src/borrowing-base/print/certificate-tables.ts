import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { BALANCE_AT_CUT_OFF } from '../../facilities/position-labels.ts';
import { reserveBasis } from '../../facilities/reserve-words.ts';
import type { Amount } from '../../money/amount.schema.ts';
import { isNegative, isZero, sum } from '../../money/decimal.ts';
import {
  EN_DASH,
  formatAmount,
  formatCount,
  formatFigure,
  formatPercent,
  rateDigits,
} from '../../money/format-figure.ts';
import { shareOf } from '../../money/shares.ts';
import type { PrintedBlock, PrintedRow } from '../../printing/printed-document.ts';
import { joined, UNKNOWN } from '../../printing/printed-figures.ts';
import { figures, tableOf, texts } from '../../printing/printed-table.ts';
import { type ConcentrationLimit, concentrationLimits, unitOf } from '../concentration-limits.ts';
import { facilityFigures } from '../facility-figures.ts';
import { type BorrowingBaseResult, type ConcentrationResult, type GroupExcess, heldBack } from '../result.ts';
import { excludedInAll, trackedRules } from '../tracked-rules.ts';
import type { WaterfallBar } from '../waterfall.ts';
import { wholeGroupsNote } from '../whole-groups-note.ts';

/** Groups that fail whole, listed in all, so that the certificate has space for the others. */
const MAX_WHOLE_GROUPS = 400;

/** Groups without excess that are listed for each rule. */
const FEW = 5;

const money = (amount: Amount | null): string =>
  amount === null ? UNKNOWN : isZero(amount.sum) ? EN_DASH : formatAmount(amount);
export const moneyIn = (sum: string | null, currency: string): string => money(sum === null ? null : { sum, currency });
const count = (value: number): string => (value === 0 ? EN_DASH : formatFigure(value));
const percent = (value: string | null, digits?: number): string =>
  value === null ? UNKNOWN : formatPercent(value, digits);

const inUnit = (unit: ConcentrationLimit['unit'], value: string | null): string => {
  if (value === null) return UNKNOWN;
  return unit === 'percent' ? formatPercent(value) : unit === 'money' ? formatFigure(value) : formatFigure(value, 2);
};

export function rulesTable(result: BorrowingBaseResult): PrintedBlock {
  const rules = trackedRules(result);
  const whole = excludedInAll(rules, result.totals.pools.relevant.amount.sum);
  return tableOf(rules, {
    title: 'Rules',
    note: 'each asset counted under the first rule it fails; share of the relevant pool',
    columns: [
      texts('Rule', 4, ({ title }) => title, 'Total excluded'),
      texts('Stage', 1.4, ({ stage }) => stage),
      figures('Assets', 1, ({ stage, failed, first }) => count(stage === 'Concentration' ? failed.count : first.count)),
      figures('All failing', 1.1, ({ failed }) => count(failed.count)),
      figures(
        `Amount (${result.currency})`,
        1.9,
        ({ first }) => money(first.amount),
        moneyIn(whole.amount, result.currency),
      ),
      figures('Share', 1, ({ sharePercent }) => percent(sharePercent), percent(whole.sharePercent)),
    ],
    empty: 'The contract has no rules that apply.',
  });
}

export function limitsTable(result: BorrowingBaseResult, labels: Readonly<Record<string, string>>): PrintedBlock {
  return tableOf(concentrationLimits(result), {
    title: 'Concentration limits',
    note: 'the group closest to the limit, or furthest over it',
    columns: [
      texts('Rule', 4, ({ title }) => title),
      texts('Of', 2, ({ field }) => (field === null ? 'Share of pool' : (labels[field] ?? field))),
      figures('Measured', 1.5, ({ unit, measured }) => inUnit(unit, measured)),
      figures('Limit', 1.5, ({ unit, limit }) => inUnit(unit, limit)),
      figures('Headroom', 1.5, ({ unit, room }) => inUnit(unit, room)),
      texts('Status', 1.3, ({ breached, removes }) => (breached ? (removes ? 'In breach' : 'Flagged') : 'Within')),
    ],
    looks: ({ breached }) => (breached ? { tones: { 4: 'danger', 5: 'danger' } } : {}),
    empty: 'The contract has no concentration limits that apply.',
  });
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
  const { relevant, eligibleOrPerforming } = totals.pools;
  return [
    tableOf(scopes, {
      title: 'Scopes',
      note: joined(currency, 'an asset belongs to the first scope it matches'),
      columns: [
        texts('Scope', 3, ({ title }) => title ?? 'Every asset', 'All scopes'),
        figures('Assets', 1.1, ({ pools }) => count(pools.relevant.count), count(relevant.count)),
        figures('Relevant pool', 2, ({ pools }) => money(pools.relevant.amount), money(relevant.amount)),
        figures(
          'Eligible or performing',
          2,
          ({ pools }) => money(pools.eligibleOrPerforming.amount),
          money(eligibleOrPerforming.amount),
        ),
        figures('Excess', 1.7, ({ excess }) => money(excess), money(totals.excess)),
        figures('Net borrowing base', 2, ({ netBB }) => money(netBB), money(totals.netBB)),
      ],
    }),
  ];
}

export function advanceTable({ rulesTracking, totals, currency }: BorrowingBaseResult): PrintedBlock {
  const digits = rateDigits(...rulesTracking.advancing.map(({ rate }) => rate));
  return tableOf(rulesTracking.advancing, {
    title: 'Advance rates',
    note: joined(currency, 'after concentration limits'),
    columns: [
      texts('Case', 3.4, ({ title }) => title, 'All'),
      texts('Scope', 1.6, ({ scope }) => scope ?? 'All'),
      figures('Rate', 1, ({ rate }) => formatPercent(rate, digits), percent(totals.weightedAdvanceRatePercent, digits)),
      figures('Assets', 1.1, ({ taken }) => count(taken.count), count(totals.pools.eligibleOrPerforming.count)),
      figures('Remaining', 2, ({ remaining }) => money(remaining), money(totals.remaining)),
      figures('Advanced', 2, ({ advanced }) => money(advanced), money(totals.netBB)),
    ],
  });
}

const valueText = (value: string | null, currency: string | null | undefined): string => {
  if (value === null) return UNKNOWN;
  return currency ? moneyIn(value, currency) : formatFigure(value, 2);
};

export function valuesTable({ totals }: BorrowingBaseResult, units: Readonly<Record<string, string>>): PrintedBlock {
  return tableOf(totals.values, {
    title: 'Values',
    columns: [
      texts('Value', 4, ({ title }) => title),
      figures('Assets', 1.2, (value) => count(value.count)),
      figures('Figure', 2, ({ value, currency }) => valueText(value, currency)),
      texts('Unit', 1, ({ title, currency }) => currency ?? units[title] ?? ''),
    ],
  });
}

export function currencyTable(result: BorrowingBaseResult): PrintedBlock[] {
  const { byCurrency } = facilityFigures(result);
  if (byCurrency.length === 0) return [];
  return [
    tableOf(byCurrency, {
      title: 'Balance and commitments by currency',
      note: 'commitments at the exchange rates of the tape',
      columns: [
        texts('Currency', 1, ({ currency }) => currency),
        figures('Commitments', 2, ({ limit, currency }) => moneyIn(limit, currency)),
        figures(BALANCE_AT_CUT_OFF, 2, ({ balance, currency }) => moneyIn(balance, currency)),
        figures('Undrawn', 2, ({ undrawn, currency }) => moneyIn(undrawn, currency)),
      ],
      looks: ({ undrawn }) => (undrawn !== null && isNegative(undrawn) ? { tones: { 3: 'danger' } } : {}),
    }),
  ];
}

/** The groups that each rule about whole groups excludes; empty without such rules. */
export const wholeGroupTables = (
  { wholeGroups = [], currency }: BorrowingBaseResult,
  labels: Readonly<Record<string, string>>,
): PrintedBlock[] =>
  wholeGroups.map((rule) => {
    const listed = rule.groups.slice(0, Math.ceil(MAX_WHOLE_GROUPS / wholeGroups.length));
    return tableOf(listed, {
      title: rule.title,
      note: joined(currency, wholeGroupsNote(rule, listed.length)),
      columns: [
        texts(labels[rule.groupBy] ?? rule.groupBy, 3, ({ key }) => key ?? 'Unknown'),
        figures('Assets', 1, ({ count: assets }) => count(assets)),
        figures('Amount', 2, ({ amount }) => money(amount)),
        figures('Failing', 2, ({ failing }) => money(failing)),
        figures('Share', 1, ({ percentage }) => percent(percentage)),
      ],
      empty: 'No group fails this rule.',
    });
  });

/** What is held back; empty without reserves. */
export function reservesTable({ totals: { reserves, availableBase }, currency }: BorrowingBaseResult): PrintedBlock[] {
  if (!reserves) return [];
  const total = heldBack(reserves);
  return [
    tableOf(reserves, {
      title: 'Reserves',
      note: joined(currency, availableBase ? 'taken off the net borrowing base' : 'unknown without a balance'),
      columns: [
        texts('Reserve', 3, ({ title }) => title, 'All reserves'),
        texts('Calculated as', 4, (reserve) => reserveBasis(reserve)),
        figures('Of', 2, ({ base }) => (base ? money(base) : '')),
        figures('Amount', 2, ({ amount }) => (amount ? money(amount) : UNKNOWN), moneyIn(total, currency)),
      ],
    }),
  ];
}

/** What a second person approved beside the tape and the contract; empty without any. */
export function adjustmentsTable({ totals: { adjustments }, currency }: BorrowingBaseResult): PrintedBlock[] {
  if (!adjustments) return [];
  return [
    tableOf(adjustments, {
      title: 'Adjustments',
      note: joined(currency, 'approved by a second person'),
      columns: [
        texts('Reason', 4, ({ reason }) => reason, 'All adjustments'),
        texts('Entered by', 2, ({ enteredBy }) => enteredBy),
        texts(
          'Approved by',
          3,
          ({ approvedBy, approvedAt }) => `${approvedBy}, ${formatCalendarDate(approvedAt.slice(0, 10))}`,
        ),
        figures(
          'Amount',
          2,
          ({ amount }) => money(amount),
          moneyIn(sum(adjustments.map(({ amount }) => amount.sum)), currency),
        ),
      ],
    }),
  ];
}

/** The steps from the pool to what is available, with the assets behind each. */
export const stepsTable = (waterfall: readonly WaterfallBar[]): PrintedBlock =>
  tableOf(waterfall, {
    title: 'From pool to availability, in figures',
    columns: [
      texts('Step', 4, ({ label }) => label),
      figures('Assets', 1.2, ({ count: assets }) => (assets === null ? '' : formatFigure(assets))),
      figures('Amount', 2, ({ sum, currency }) => moneyIn(sum, currency)),
      texts('Currency', 1, ({ currency }) => currency),
    ],
    looks: ({ sum, kind }) => ({
      isStrong: kind === 'level',
      ...(sum !== null && kind === 'level' && isNegative(sum) ? { tones: { 2: 'danger' } } : {}),
    }),
  });

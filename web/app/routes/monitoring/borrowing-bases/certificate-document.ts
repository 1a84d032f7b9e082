import type { BorrowingBaseResult, ConcentrationResult, GroupExcess } from '@tapeline/domain/borrowing-base/result.ts';
import { waterfallOf } from '@tapeline/domain/borrowing-base/waterfall.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { AVAILABILITY_AT_CUT_OFF, BALANCE_AT_CUT_OFF } from '@tapeline/domain/facilities/position-labels.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { isNegative, isZero, toNumber } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from '@tapeline/domain/money/shares.ts';
import {
  MOST_PRINTED_ROWS,
  type PrintedBlock,
  type PrintedDocument,
  type PrintedRow,
} from '@tapeline/domain/printing/printed-document.ts';
import {
  EN_DASH,
  formatCount,
  formatFigure,
  formatInstant,
  formatPercent,
  formatShort,
} from '../../../components/figures/format.ts';
import type { BorrowingBasePage } from './borrowing-base-page.server.ts';
import { type ConcentrationLimit, concentrationLimits, unitOf } from './concentration-limits.ts';
import { facilityFigures } from './facility-figures.ts';
import { excludedInAll, trackedRules } from './tracked-rules.ts';

const UNKNOWN = 'n/a';
/** Groups listed in all. Those with excess come first. */
const MOST_GROUPS = 800;
/** Groups without excess that are listed for each rule. */
const FEW = 5;

/** An amount in full, with the digits of its currency's minor unit. */
const inFull = ({ sum, currency }: Amount): string => formatFigure(sum, minorUnitDigits(currency));
const money = (amount: Amount | null): string =>
  amount === null ? UNKNOWN : isZero(amount.sum) ? EN_DASH : inFull(amount);
const moneyIn = (sum: string | null, currency: string): string => money(sum === null ? null : { sum, currency });
const count = (value: number): string => (value === 0 ? EN_DASH : formatFigure(value));
const percent = (value: string | null): string => (value === null ? UNKNOWN : formatPercent(value));

const inUnit = (unit: ConcentrationLimit['unit'], value: string | null): string => {
  if (value === null) return UNKNOWN;
  return unit === 'percent' ? formatPercent(value) : unit === 'money' ? formatFigure(value) : formatFigure(value, 2);
};

/** Who signs the certificate, and who receives it. */
export interface CertificateParties {
  borrower: string;
  lender: string;
}

/** The certificate of a borrowing base, to be printed. The same base gives the same document. */
export function certificateDocument(base: BorrowingBasePage, parties: CertificateParties): PrintedDocument {
  const { result, contract, tape } = base;
  const { currency } = result;
  const name = [base.transaction?.title, base.noteTitle].filter(Boolean).join(', ');
  const cutOff = formatCalendarDate(base.cutOffDate);
  const others: PrintedBlock[] = [
    rulesTable(result),
    limitsTable(result, base.ruleLabels),
    ...scopesTable(result),
    advanceTable(result),
    valuesTable(result, base.valueUnits),
    ...currencyTable(result),
  ];
  const used = others.reduce((sum, block) => sum + (block.kind === 'table' ? block.rows.length : 0), 0);
  const groups = groupsTable(result, base.ruleLabels, Math.min(MOST_GROUPS, MOST_PRINTED_ROWS - used - 50));
  const [rules, limits, ...rest] = others;
  const waterfall = waterfallOf(result);
  const drawable = waterfall.filter((bar) => bar.sum !== null && bar.currency === currency);
  return {
    title: 'Borrowing base certificate',
    subtitle: `${name}, ${cutOff}`,
    issuer: parties.borrower,
    reference: `${currency} \u00b7 as of ${cutOff}`,
    issuedAt: base.calculatedAt,
    footer: `${parties.borrower} \u00b7 ${name} \u00b7 borrowing base of ${cutOff}`,
    facts: [
      { label: 'Borrower', value: parties.borrower },
      { label: 'Lender', value: parties.lender },
      { label: 'Note', value: name },
      { label: 'Cut-off date', value: cutOff },
      {
        label: 'Contract',
        value: contract
          ? `Revision ${contract.revision}, in force from ${formatCalendarDate(contract.since)}`
          : UNKNOWN,
      },
      { label: 'Loan tape', value: tape?.name ?? 'removed' },
      { label: 'Currency', value: `${currency}, at the exchange rates of the tape` },
      { label: 'Calculated', value: `${formatInstant(base.calculatedAt)} UTC` },
      { label: 'Certificate', value: base.id },
    ],
    blocks: [
      keyFigures(result),
      { kind: 'notices', notices: noticesOf(base) },
      {
        kind: 'waterfall',
        title:
          drawable.at(-1)?.step === 'availability' ? 'From pool to availability' : 'From pool to net borrowing base',
        note: currency,
        steps: drawable.map(({ label, sum, kind, step }) => ({
          label,
          value: toNumber(sum ?? '0'),
          shown: formatShort(sum ?? '0'),
          kind,
          tone: step === 'availability' ? 'result' : step === 'balance' ? 'quiet' : undefined,
        })),
      },
      {
        kind: 'table',
        title: 'From pool to availability, in figures',
        columns: [
          { head: 'Step', width: 4 },
          { head: 'Assets', width: 1.2, isNumeric: true },
          { head: 'Amount', width: 2, isNumeric: true },
          { head: 'Currency', width: 1 },
        ],
        rows: waterfall.map(({ label, sum, kind, count: assets, currency: of }) => ({
          cells: [label, assets === null ? '' : formatFigure(assets), moneyIn(sum, of), of],
          isStrong: kind === 'level',
          ...(sum !== null && kind === 'level' && isNegative(sum) ? { tones: { 2: 'danger' as const } } : {}),
        })),
      },
      ...(rules ? [rules] : []),
      ...(limits ? [limits] : []),
      groups,
      ...rest,
      inputsTable(base),
      {
        kind: 'signatures',
        title: 'Certification',
        statement: `The undersigned certifies that the figures above are calculated from the loan tape of ${cutOff} under the contract of the note, and that the loan tape is complete and correct to the best of their knowledge.`,
        parties: [
          { role: 'For the borrower', name: parties.borrower },
          { role: 'For the lender', name: parties.lender },
        ],
      },
    ],
  };
}

function keyFigures(result: BorrowingBaseResult): PrintedBlock {
  const { totals, currency } = result;
  const { utilizationPercent, cure } = facilityFigures(result);
  const breached = result.excessBreachDistribution.filter((rule) => rule.breached).length;
  const isDeficit = totals.availability !== null && isNegative(totals.availability.sum);
  const excessShare = shareOf(totals.excess.sum, totals.pools.eligibleOrPerforming.amount.sum);
  return {
    kind: 'figures',
    figures: [
      { label: 'Net borrowing base', value: inFull(totals.netBB), unit: currency },
      {
        label: BALANCE_AT_CUT_OFF,
        value: totals.balance ? inFull(totals.balance) : UNKNOWN,
        unit: totals.balance?.currency,
        note: totals.balance
          ? utilizationPercent === null
            ? 'approved draws due minus principal repaid'
            : `${formatPercent(utilizationPercent, 1)} of commitments`
          : 'no draws or repayments recorded yet',
      },
      {
        label: isDeficit ? 'Deficiency at cut-off' : AVAILABILITY_AT_CUT_OFF,
        value: totals.availability ? inFull(totals.availability) : UNKNOWN,
        unit: totals.availability?.currency,
        tone: isDeficit ? 'danger' : undefined,
        note: cure
          ? `repay ${formatShort(cure.repay)}${cure.addCollateral === null ? '' : ` or add ${formatShort(cure.addCollateral)}`}`
          : totals.commitments
            ? `of ${formatShort(totals.commitments.sum)} ${totals.commitments.currency} committed`
            : 'no commitment recorded',
      },
      {
        label: 'Weighted advance rate',
        value:
          totals.weightedAdvanceRatePercent === null ? UNKNOWN : formatFigure(totals.weightedAdvanceRatePercent, 2),
        unit: '%',
      },
      {
        label: 'Excess concentration',
        value: inFull(totals.excess),
        unit: currency,
        tone: breached > 0 ? 'danger' : undefined,
        note: `${excessShare === null ? '' : `${formatPercent(excessShare, 1)} of pool, `}${
          breached === 0 ? 'no limit in breach' : `${formatCount(breached, 'limit')} in breach`
        }`,
      },
      {
        label: 'Eligible or performing',
        value: inFull(totals.pools.eligibleOrPerforming.amount),
        unit: currency,
        note: `${formatCount(totals.pools.eligibleOrPerforming.count, 'asset')} of ${formatFigure(totals.assets)}`,
      },
    ],
  };
}

/** What a reader must know about the figures, and how a deficiency is cured. */
function noticesOf({ result, tape, version }: BorrowingBasePage): string[] {
  const { cure } = facilityFigures(result);
  return [
    ...(version.superseded
      ? [`Superseded on ${formatInstant(version.superseded.timestamp)} UTC by a later calculation.`]
      : []),
    ...(tape && !tape.isCounted && !version.superseded
      ? ['The loan tape was republished after this calculation.']
      : []),
    ...(cure
      ? [
          `Deficiency of ${inFull({ sum: cure.repay, currency: cure.currency })} ${cure.currency}. To cure it, repay that amount${
            cure.addCollateral === null
              ? '.'
              : `, or add eligible collateral of ${inFull({ sum: cure.addCollateral, currency: cure.currency })} ${cure.currency} at the weighted advance rate.`
          }`,
        ]
      : []),
    ...result.warnings.map(({ message }) => message),
  ];
}

function rulesTable(result: BorrowingBaseResult): PrintedBlock {
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

function limitsTable(result: BorrowingBaseResult, labels: Readonly<Record<string, string>>): PrintedBlock {
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

function groupsTable(
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

function scopesTable({ scopes, totals, currency }: BorrowingBaseResult): PrintedBlock[] {
  if (scopes.length < 2 && scopes[0]?.title === null) return [];
  return [
    {
      kind: 'table',
      title: 'Scopes',
      note: `${currency} \u00b7 an asset belongs to the first scope it matches`,
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

function advanceTable({ rulesTracking, totals, currency }: BorrowingBaseResult): PrintedBlock {
  return {
    kind: 'table',
    title: 'Advance rates',
    note: `${currency} \u00b7 after concentration limits`,
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

function valuesTable({ totals }: BorrowingBaseResult, units: Readonly<Record<string, string>>): PrintedBlock {
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

function currencyTable(result: BorrowingBaseResult): PrintedBlock[] {
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

function inputsTable({ result, tape, contract, generationId }: BorrowingBasePage): PrintedBlock {
  return {
    kind: 'table',
    title: 'Inputs',
    note: 'the same inputs give the same figures',
    columns: [
      { head: 'Input', width: 1.4 },
      { head: 'Identification', width: 4 },
    ],
    rows: [
      { cells: ['Loan tape', `${tape?.name ?? 'removed'}, published version ${generationId}`] },
      { cells: ['Contract', contract ? `Revision ${contract.revision}, ${contract.id}` : UNKNOWN] },
      { cells: ['Hash of inputs (SHA-256)', result.inputsHash ?? 'not recorded by the version that calculated it'] },
    ],
    remark:
      'The hash covers the published version of the loan tape, the terms of the contract, the exchange rates, and the balance and commitments of the note.',
  };
}

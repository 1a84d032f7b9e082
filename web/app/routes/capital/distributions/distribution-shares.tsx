import type { DistributionTotals } from '@tapeline/domain/capital/distribution-totals.ts';
import { DISTRIBUTION_ACTION_LABELS } from '@tapeline/domain/capital/kinds.ts';
import type { LineBasis } from '@tapeline/domain/capital/line-basis.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { type DecimalText, isZero, negate, sum, toNumber } from '@tapeline/domain/money/decimal.ts';
import { Figure, Money, Mono, ShareBar } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Chip } from '../../../components/page/chip.tsx';
import { type Column, DataTable, TableSection } from '../../../components/tables/data-table.tsx';
import { basisColumn, hasRules, InvestorName, SHARE_DIGITS } from '../shares.tsx';

/** An investor's part of a distribution, as a review or a page shows it. */
export interface DistributionShare {
  readonly id: string;
  readonly commitmentId: string;
  readonly investor: string | null;
  readonly isFund: boolean;
  readonly percentage: DecimalText | null;
  /** In force on the cut-off date. */
  readonly committed: DecimalText;
  readonly principal: DecimalText;
  /** The principal and the components, with where each comes from; empty where that is not shown. */
  readonly lines: readonly DecimalText[];
  readonly basis: readonly LineBasis[];
  readonly excuse: null;
  readonly excuseDocument: null;
  readonly totals: DistributionTotals;
  /** The account that it is paid to; null if none is chosen. */
  readonly paidTo: { readonly ending: string; readonly isConfirmed: boolean } | null;
  readonly noticeId: string | null;
}

export interface DistributionLine {
  readonly title: string;
  readonly actionType: string;
  readonly amount: DecimalText;
}

interface WaterfallLine {
  readonly key: string;
  readonly label: string;
  readonly note: string;
  readonly amount: DecimalText;
  readonly isResult: boolean;
}

const line = (key: string, label: string, amount: DecimalText, note = ''): WaterfallLine => ({
  key,
  label,
  note,
  amount,
  isResult: false,
});
const result = (key: string, label: string, amount: DecimalText, note = ''): WaterfallLine => ({
  ...line(key, label, amount, note),
  isResult: true,
});

/** The account that an investor is paid to, by the end of its number. */
export function PaidTo({ row: { paidTo, isFund } }: { row: DistributionShare }) {
  if (isFund) return <span className="text-ink-3">–</span>;
  if (paidTo === null) return <span className="text-warning">No account</span>;
  return (
    <>
      <Mono>…{paidTo.ending}</Mono> {paidTo.isConfirmed ? null : <Chip tone="warning">Not confirmed</Chip>}
    </>
  );
}

/** From principal over income and gains to what is distributed. Fees and taxes are negative. */
function waterfallOf(
  principal: DecimalText,
  lines: readonly DistributionLine[],
  totals: DistributionTotals,
): WaterfallLine[] {
  const of = (type: string, isCost: boolean) =>
    lines.flatMap(({ actionType, title, amount }, index) =>
      actionType === type
        ? [line(`line-${index}`, title, isCost ? negate(amount) : amount, labelOf(DISTRIBUTION_ACTION_LABELS, type))]
        : [],
    );
  const interest = [...of('INTEREST', false), ...of('INTEREST FEES', true)];
  const gains = [...of('CG', false), ...of('CG FEES', true)];
  const taxes = [...of('INTEREST TAX', true), ...of('CG TAX', true)];
  return [
    line('principal', 'Principal', principal),
    ...interest,
    ...(interest.length > 0 ? [result('profit', 'Net profit', totals.netProfit, 'interest less fees')] : []),
    ...gains,
    ...(gains.length > 0 ? [result('gains', 'Net capital gains', totals.netCg, 'gains less fees')] : []),
    ...taxes,
    ...(taxes.length > 0 ? [result('taxes', 'Total tax', negate(totals.totalTax))] : []),
    result(
      'distributed',
      'Distributed',
      totals.totalDistributed,
      'principal + net profit + net capital gains − total tax',
    ),
  ];
}

/** How the amount that is distributed comes about. */
export function DistributionWaterfall({
  principal,
  lines,
  totals,
  currency,
}: {
  principal: DecimalText;
  lines: readonly DistributionLine[];
  totals: DistributionTotals;
  currency: string;
}) {
  const rows = waterfallOf(principal, lines, totals);
  const widest = Math.max(...rows.map(({ amount }) => Math.abs(toNumber(amount))));
  const bold = (row: WaterfallLine, content: React.ReactNode) =>
    row.isResult ? <b className="font-semibold">{content}</b> : content;
  return (
    <TableSection
      title="From principal to what is distributed"
      note={currency}
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        { head: 'Line', cell: (row) => bold(row, row.label) },
        { head: 'Type', quiet: true, wideOnly: true, cell: (row) => row.note },
        {
          head: <span className="sr-only">Size</span>,
          wideOnly: true,
          cell: (row) => (
            <ShareBar
              width="w-40"
              fraction={widest === 0 ? 0 : Math.abs(toNumber(row.amount)) / widest}
              tone={row.amount.startsWith('-') ? 'danger' : row.isResult ? 'good' : 'chart-1'}
            />
          ),
        },
        {
          head: 'Amount',
          numeric: true,
          cell: (row) => bold(row, <Money value={row.amount} zero={row.isResult ? 'figure' : 'dash'} />),
        },
      ]}
    />
  );
}

/**
 * Each investor's share of a distribution.
 * @param isWhole whether the rows are all there are, so that they can be added up
 */
export function DistributionShares({
  rows,
  titles,
  currency,
  isWhole,
  showsShare,
  notice,
}: {
  rows: readonly DistributionShare[];
  /** Of the components. */
  titles: readonly string[];
  currency: string;
  isWhole: boolean;
  showsShare: boolean;
  notice?: (row: DistributionShare) => React.ReactNode;
}) {
  const column = (
    head: string,
    amountOf: (row: DistributionShare) => DecimalText,
    isBold = false,
  ): Column<DistributionShare> => {
    const total = isWhole ? { total: <Money value={sum(rows.map(amountOf))} zero="figure" /> } : {};
    return {
      head,
      numeric: true,
      cell: (row) => {
        const money = <Money value={amountOf(row)} />;
        return isBold ? <b className="font-semibold">{money}</b> : money;
      },
      ...total,
    };
  };
  const has = (amountOf: (row: DistributionShare) => DecimalText) => rows.some((row) => !isZero(amountOf(row)));
  const optional = (
    [
      ['Principal', (row) => row.principal],
      ['Net profit', (row) => row.totals.netProfit],
      ['Net capital gains', (row) => row.totals.netCg],
      ['Tax', (row) => negate(row.totals.totalTax)],
    ] satisfies [string, (row: DistributionShare) => DecimalText][]
  ).flatMap(([head, amountOf]) => (has(amountOf) ? [column(head, amountOf)] : []));
  return (
    <DataTable
      caption="Each investor’s share"
      rows={rows}
      columns={[
        {
          head: 'Investor',
          cell: (row) => <InvestorName {...row} />,
          ...(isWhole ? { total: formatCount(rows.length, 'investor') } : {}),
        },
        ...(showsShare
          ? [
              {
                head: 'Share (%)',
                numeric: true,
                cell: (row: DistributionShare) => (
                  <>
                    <ShareBar fraction={Number(row.percentage ?? 0) / 100} />{' '}
                    <span className="inline-block min-w-16">
                      <Figure value={row.percentage} digits={SHARE_DIGITS} />
                    </span>
                  </>
                ),
              },
            ]
          : []),
        column('Commitment', (row) => row.committed),
        ...optional,
        column('Distributed', (row) => row.totals.totalDistributed, true),
        { head: 'Paid to', cell: (row) => <PaidTo row={row} /> },
        ...(hasRules(rows) ? [basisColumn<DistributionShare>(['Principal', ...titles], currency)] : []),
        ...(notice ? [{ head: 'Notice', cell: notice }] : []),
      ]}
    />
  );
}

import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { add, type DecimalText, divide, isZero, multiply, negate, subtract } from '../../money/decimal.ts';
import { formatFigure } from '../../money/format-figure.ts';
import { minorUnitDigits } from '../../money/minor-units.ts';
import type { PrintedBlock, PrintedDocument, PrintedRow } from '../../printing/printed-document.ts';
import { amountsIn, joined, moneyText, percentInColumn } from '../../printing/printed-figures.ts';
import { figures } from '../../printing/printed-table.ts';
import {
  type DistributionFacts,
  type DistributionLines,
  type DistributionShare,
  lineTotals,
  type NoticeOptions,
} from '../distribution-notice.ts';
import { distributionTotals, type TitledComponent } from '../distribution-totals.ts';
import { DISTRIBUTION_ACTION_LABELS } from '../kinds.ts';
import { shareHead } from '../notice-parts.ts';
import {
  addresseeOf,
  basisTable,
  closingOf,
  commitmentTable,
  fundTitle,
  letterOf,
  shareColumns,
  summaryOf,
  unchanged,
} from './letter.ts';

/** A line of a distribution: what reduces it is negative. */
interface Line {
  readonly label: string;
  readonly remark?: string;
  readonly amount: DecimalText;
  readonly style?: Pick<PrintedRow, 'isStrong' | 'isIndented' | 'tones'>;
}

const INDENTED = { isIndented: true };
const STRONG = { isStrong: true };

/** The VAT that fees include at a rate in percent. */
export const includedVat = (fees: DecimalText, ratePercent: DecimalText, digits: number): DecimalText =>
  divide(multiply(fees, ratePercent), add('100', ratePercent), digits, 'halfUp');

/**
 * The lines of a distribution, with a subtotal for interest and for capital gains. Principal and subtotals add up to the
 * amount distributed. Which lines there are depends on the components' types, not on amounts, so that the investor's
 * and the fund's lines are the same.
 */
function linesOf({ principal, components }: DistributionLines, options: NoticeOptions, digits: number): Line[] {
  const totals = distributionTotals(principal, components);
  const each = (type: TitledComponent['actionType']): Line[] =>
    components
      .filter(({ actionType }) => actionType === type)
      .map(({ title, amount }) => ({
        label: DISTRIBUTION_ACTION_LABELS[type],
        ...(title.toLowerCase() === DISTRIBUTION_ACTION_LABELS[type].toLowerCase() ? {} : { remark: title }),
        amount: type === 'INTEREST' || type === 'CG' ? amount : negate(amount),
        style: INDENTED,
      }));
  const has = (...types: readonly TitledComponent['actionType'][]): boolean =>
    components.some(({ actionType }) => types.includes(actionType));
  const only = (condition: boolean, ...lines: readonly Line[]): readonly Line[] => (condition ? lines : []);
  const vat = (fees: DecimalText): readonly Line[] =>
    options.vat === null || isZero(options.vat)
      ? []
      : [
          {
            label: `of which VAT at ${formatFigure(options.vat)}%`,
            amount: negate(includedVat(fees, options.vat, digits)),
            style: { isIndented: true, tones: { 0: 'quiet', 1: 'quiet', 2: 'quiet' } },
          },
        ];
  return [
    {
      label: 'Principal',
      ...(options.recallableDistribution ? { remark: 'recallable' } : {}),
      amount: principal,
      style: STRONG,
    },
    ...each('INTEREST'),
    ...(options.operationalExpenses
      ? each('INTEREST FEES')
      : only(has('INTEREST FEES'), {
          label: DISTRIBUTION_ACTION_LABELS['INTEREST FEES'],
          amount: negate(totals.totalExpense),
          style: INDENTED,
        })),
    ...only(has('INTEREST FEES'), ...vat(totals.totalExpense)),
    ...each('INTEREST TAX'),
    ...only(has('INTEREST', 'INTEREST FEES', 'INTEREST TAX'), {
      label: 'Net interest after expenses and taxes',
      amount: totals.netInterestAfterExpensesAndTaxes,
      style: STRONG,
    }),
    ...(options.capitalGains
      ? [...each('CG'), ...each('CG FEES'), ...only(has('CG FEES'), ...vat(totals.totalCgFees)), ...each('CG TAX')]
      : []),
    ...only(has('CG', 'CG FEES', 'CG TAX'), {
      label: 'Net capital gains after fees and taxes',
      amount: totals.netCgAfterExpensesAndTaxes,
      style: STRONG,
    }),
  ];
}

/** Whether the principal adds to what is unfunded. */
const addsToUnfunded = ({ position: { recallable } }: DistributionShare): boolean =>
  !isZero(subtract(recallable.after, recallable.before));

/** What says that the principal can be called again, if it can. */
export const recallableText = (share: DistributionShare): string =>
  addsToUnfunded(share) ? ' The principal can be called again: it adds to your unfunded commitment.' : '';

/**
 * What a notice states of one investor's part of a distribution: its amounts and what is left of its commitment.
 * @param whole the lines of the whole distribution (`lineTotals`), shown only with `pdfOptions.fundLevel`
 * @throws RangeError if the whole distribution has other components than the investor
 */
export function distributionTables(
  { fund, pdfOptions }: Pick<DistributionFacts, 'fund' | 'pdfOptions'>,
  share: DistributionShare,
  whole: DistributionLines,
): PrintedBlock[] {
  const { position } = share;
  const { fundLevel } = pdfOptions;
  if (fundLevel && whole.components.length !== share.components.length) {
    throw new RangeError('The fund has the same components as the investor');
  }
  const { currency } = fund;
  const amount = amountsIn(currency);
  const digits = minorUnitDigits(currency);
  const wholeLines = fundLevel ? linesOf(whole, pdfOptions, digits) : null;
  return [
    {
      kind: 'table',
      title: 'This distribution',
      isRoomy: true,
      columns: shareColumns('Component', fund, share, fundLevel),
      rows: linesOf(share, pdfOptions, digits).map(
        ({ label, remark, amount: own, style }, index): PrintedRow => ({
          cells: [label, ...(wholeLines ? [amount(wholeLines[index]?.amount ?? null)] : []), amount(own)],
          remark,
          ...style,
        }),
      ),
      total: [
        'Total distributed',
        ...(fundLevel ? [amount(distributionTotals(whole.principal, whole.components).totalDistributed)] : []),
        amount(distributionTotals(share.principal, share.components).totalDistributed),
      ],
    },
    commitmentTable(
      currency,
      ['Before', 'This distribution', 'After'],
      [
        ['Commitment', unchanged(position.commitment)],
        ['Distributed, cumulative', position.distributed],
        ['Recallable distributions', position.recallable],
      ],
      position.unfunded,
    ),
    ...basisTable(currency, [{ title: 'Principal', amount: share.principal }, ...share.components], {
      basis: share.basis,
      isStated: pdfOptions.basis,
    }),
  ];
}

/**
 * The notice of a distribution to one investor, to be printed. Nothing in it names another investor.
 * @param whole as `distributionTables` takes it
 * @throws RangeError as `distributionTables`
 */
export function printDistributionNotice(
  distribution: DistributionFacts,
  share: DistributionShare,
  whole: DistributionLines,
): PrintedDocument {
  const { fund, callNumber } = distribution;
  const { position } = share;
  const { totalDistributed } = distributionTotals(share.principal, share.components);
  return {
    ...letterOf(distribution),
    title: 'Distribution notice',
    subtitle: joined(`Distribution ${callNumber}`, fundTitle(fund)),
    footer: joined(fund.title, `distribution ${callNumber}`, share.investor.formalName, 'confidential'),
    blocks: [
      addresseeOf(distribution, share, { label: 'Kind', value: distribution.distributionKind }, position.commitment),
      {
        kind: 'figures',
        figures: [
          { label: 'Amount distributed', value: moneyText(totalDistributed, fund.currency) },
          { label: 'Distribution date', value: formatCalendarDate(distribution.cutOffDate) },
          ...(share.paidTo ? [{ label: 'Paid to', value: `…${share.paidTo}` }] : []),
        ],
      },
      {
        kind: 'text',
        text: `The fund distributes the amounts below to ${share.holdingOf === 'class' ? 'the partners of the class' : 'its partners'}.${recallableText(share)}`,
      },
      ...distributionTables(distribution, share, whole),
      ...closingOf(distribution),
    ],
  };
}

/** A distribution with the share of each investor, in the order of the shares, to be printed for the manager. */
export function printDistributionSummary(
  distribution: DistributionFacts,
  shares: readonly DistributionShare[],
): PrintedDocument {
  const { currency } = distribution.fund;
  const whole = lineTotals(shares);
  const totals = distributionTotals(whole.principal, whole.components);
  const amount = amountsIn(currency);
  const sums = (head: string, width: number, of: (sums: typeof totals) => DecimalText) =>
    figures(
      head,
      width,
      ({ principal, components }: DistributionShare) => amount(of(distributionTotals(principal, components))),
      amount(of(totals)),
    );
  const lines = linesOf(
    whole,
    { ...distribution.pdfOptions, operationalExpenses: true, capitalGains: true },
    minorUnitDigits(currency),
  );
  return summaryOf(distribution, {
    title: 'Distribution, all investors',
    names: [`Distribution ${distribution.callNumber}`, `distribution ${distribution.callNumber}`],
    figures: [
      { label: 'Total distributed', value: moneyText(totals.totalDistributed, currency) },
      { label: 'Investors', value: formatFigure(shares.length) },
      { label: 'Kind', value: distribution.distributionKind },
      { label: 'Distribution date', value: formatCalendarDate(distribution.cutOffDate) },
    ],
    lineHead: 'Component',
    lines: lines.map(({ label, remark, amount: of, style }) => ({ cells: [label, amount(of)], remark, ...style })),
    linesTotal: ['Total distributed', amount(totals.totalDistributed)],
    investors: shares,
    note: `distribution date ${formatCalendarDate(distribution.cutOffDate)}`,
    nameWidth: 2.4,
    columns: [
      figures(shareHead(shares), 0.9, ({ holdingPercent }: DistributionShare) => percentInColumn(holdingPercent)),
      figures('Principal', 1.4, ({ principal }: DistributionShare) => amount(principal), amount(whole.principal)),
      sums('Interest', 1.4, ({ totalIncome }) => totalIncome),
      sums(DISTRIBUTION_ACTION_LABELS['INTEREST FEES'], 1.4, ({ totalExpense }) => negate(totalExpense)),
      sums('Gains less fees', 1.4, ({ netCg }) => netCg),
      sums('Taxes', 1.3, ({ totalTax }) => negate(totalTax)),
      sums('Distributed', 1.5, (of) => of.totalDistributed),
    ],
  });
}

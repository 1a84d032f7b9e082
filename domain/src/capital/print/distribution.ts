import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { minorUnitDigits } from '../../money/currencies.ts';
import { add, type DecimalText, divide, isZero, multiply, negate, subtract, sum } from '../../money/decimal.ts';
import { formatFigure } from '../../money/format-figure.ts';
import type { PrintedDocument, PrintedRow } from '../../printing/printed-document.ts';
import { amountsIn, joined, moneyText, percentInColumn } from '../../printing/printed-figures.ts';
import type {
  DistributionLines,
  DistributionNotice,
  DistributionOptions,
  DistributionSummary,
  TitledComponent,
} from '../distribution-notice.ts';
import { distributionTotals } from '../distribution-totals.ts';
import { DISTRIBUTION_ACTION_LABELS } from '../kinds.ts';
import { shareHead } from '../notice-parts.ts';
import { classCell, classColumn, fundTitle, holdingFact, letterOf, signatoryBlock, wholeHead } from './letter.ts';

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
function linesOf({ principal, components }: DistributionLines, options: DistributionOptions, digits: number): Line[] {
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

/** The notice of a distribution to one investor, to be printed. */
export function printDistributionNotice(notice: DistributionNotice): PrintedDocument {
  const { fund, position, fundLines, totals, pdfOptions } = notice;
  const { currency } = fund;
  const amount = amountsIn(currency);
  const digits = minorUnitDigits(currency);
  const own = linesOf(notice, pdfOptions, digits);
  const whole = fundLines && linesOf(fundLines, pdfOptions, digits);
  const change = ({ before, after }: { before: DecimalText; after: DecimalText }): string[] => [
    amount(before),
    amount(subtract(after, before)),
    amount(after),
  ];
  const addsToUnfunded = !isZero(subtract(position.recallable.after, position.recallable.before));
  return {
    ...letterOf(notice),
    title: 'Distribution notice',
    subtitle: joined(`Distribution ${notice.callNumber}`, fundTitle(fund)),
    footer: joined(fund.title, `distribution ${notice.callNumber}`, notice.investor.formalName, 'confidential'),
    blocks: [
      {
        kind: 'addressee',
        name: notice.investor.formalName,
        lines: notice.investor.address,
        facts: [
          { label: 'Issue date', value: formatCalendarDate(notice.issueDate) },
          { label: 'Kind', value: notice.distributionKind },
          { label: 'Investor code', value: notice.investor.code },
          { label: 'Your commitment', value: moneyText(position.commitment, currency) },
          ...holdingFact(notice),
        ],
      },
      {
        kind: 'figures',
        figures: [
          { label: 'Amount distributed', value: moneyText(totals.totalDistributed, currency) },
          { label: 'Distribution date', value: formatCalendarDate(notice.cutOffDate) },
        ],
      },
      {
        kind: 'text',
        text: `The fund distributes the amounts below to ${notice.holdingOf === 'class' ? 'the partners of the class' : 'its partners'}.${
          addsToUnfunded ? ' The principal can be called again: it adds to your unfunded commitment.' : ''
        }`,
      },
      {
        kind: 'table',
        title: 'This distribution',
        isRoomy: true,
        columns: [
          { head: 'Component', width: whole ? 3.6 : 5 },
          ...(whole ? [{ head: `${wholeHead(notice)} (${currency})`, width: 1.6, isNumeric: true }] : []),
          { head: `Your share (${currency})`, width: 1.6, isNumeric: true },
        ],
        rows: own.map(
          ({ label, remark, amount: share, style }, place): PrintedRow => ({
            cells: [label, ...(whole ? [amount(whole[place]?.amount ?? null)] : []), amount(share)],
            remark,
            ...style,
          }),
        ),
        total: [
          'Total distributed',
          ...(fundLines
            ? [amount(distributionTotals(fundLines.principal, fundLines.components).totalDistributed)]
            : []),
          amount(totals.totalDistributed),
        ],
      },
      {
        kind: 'table',
        title: 'Your commitment',
        isRoomy: true,
        columns: [
          { head: currency, width: 2.2 },
          { head: 'Before', width: 1.6, isNumeric: true },
          { head: 'This distribution', width: 1.6, isNumeric: true },
          { head: 'After', width: 1.6, isNumeric: true },
        ],
        rows: [
          { cells: ['Commitment', ...change({ before: position.commitment, after: position.commitment })] },
          { cells: ['Distributed, cumulative', ...change(position.distributed)] },
          { cells: ['Recallable distributions', ...change(position.recallable)] },
        ],
        total: ['Unfunded', ...change(position.unfunded)],
      },
      ...(notice.trailingDescription ? [{ kind: 'text' as const, text: notice.trailingDescription }] : []),
      ...(notice.signatory
        ? [
            {
              kind: 'sides' as const,
              sides: [
                { width: 1.6, blocks: [] },
                { width: 0.8, blocks: [signatoryBlock(notice.signatory)] },
              ],
            },
          ]
        : []),
    ],
  };
}

/** A distribution with the share of each investor, to be printed for the manager. */
export function printDistributionSummary(distribution: DistributionSummary): PrintedDocument {
  const { fund, investors, totals, pdfOptions } = distribution;
  const { currency } = fund;
  const amount = amountsIn(currency);
  const numeric = (head: string, width: number) => ({ head, width, isNumeric: true });
  const cells = (principal: DecimalText, of: typeof totals): string[] => [
    amount(principal),
    amount(of.totalIncome),
    amount(negate(of.totalExpense)),
    amount(of.netCg),
    amount(negate(of.totalTax)),
    amount(of.totalDistributed),
  ];
  const lines = linesOf(
    distribution,
    { ...pdfOptions, operationalExpenses: true, capitalGains: true },
    minorUnitDigits(currency),
  );
  return {
    ...letterOf(distribution),
    title: 'Distribution, all investors',
    subtitle: joined(`Distribution ${distribution.callNumber}`, fundTitle(fund)),
    footer: joined(fund.title, `distribution ${distribution.callNumber}`, 'all investors', 'for the manager only'),
    isLandscape: true,
    blocks: [
      {
        kind: 'figures',
        figures: [
          { label: 'Total distributed', value: moneyText(totals.totalDistributed, currency) },
          { label: 'Investors', value: formatFigure(investors.length) },
          { label: 'Kind', value: distribution.distributionKind },
          { label: 'Distribution date', value: formatCalendarDate(distribution.cutOffDate) },
        ],
      },
      {
        kind: 'table',
        title: 'Components',
        columns: [{ head: 'Component', width: 5 }, numeric(`Amount (${currency})`, 1.6)],
        rows: lines.map(({ label, remark, amount: of, style }) => ({ cells: [label, amount(of)], remark, ...style })),
        total: ['Total distributed', amount(totals.totalDistributed)],
      },
      {
        kind: 'table',
        title: 'Investors',
        note: `${currency}, distribution date ${formatCalendarDate(distribution.cutOffDate)}`,
        columns: [
          { head: 'Code', width: 0.6 },
          { head: 'Investor', width: 2.4 },
          ...classColumn(investors),
          numeric(shareHead(investors), 0.9),
          numeric('Principal', 1.4),
          numeric('Interest', 1.4),
          numeric(DISTRIBUTION_ACTION_LABELS['INTEREST FEES'], 1.4),
          numeric('Gains less fees', 1.4),
          numeric('Taxes', 1.3),
          numeric('Distributed', 1.5),
        ],
        rows: investors.map((investor) => ({
          cells: [
            investor.code,
            investor.formalName,
            ...classCell(investors, investor),
            percentInColumn(investor.holdingPercent),
            ...cells(investor.principal, investor.totals),
          ],
        })),
        total: [
          '',
          'Total',
          ...classColumn(investors).map(() => ''),
          '',
          ...cells(sum(investors.map(({ principal }) => principal)), totals),
        ],
      },
      ...(distribution.trailingDescription ? [{ kind: 'text' as const, text: distribution.trailingDescription }] : []),
    ],
  };
}

import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { add, type DecimalText, isZero, sum } from '../../money/decimal.ts';
import { formatFigure } from '../../money/format-figure.ts';
import type { PrintedBlock, PrintedDocument, PrintedRow } from '../../printing/printed-document.ts';
import { amountsIn, joined, moneyText, percentInColumn } from '../../printing/printed-figures.ts';
import { figures } from '../../printing/printed-table.ts';
import { type CallFacts, type CallShare, type NoticePurpose, purposeTotals } from '../capital-call-notice.ts';
import { callAmount, interestOf } from '../capital-figures.ts';
import { CALL_PURPOSE_LABELS } from '../kinds.ts';
import { shareHead } from '../notice-parts.ts';
import {
  addresseeOf,
  basisTable,
  closingOf,
  commitmentTable,
  fundTitle,
  letterOf,
  numeric,
  shareColumns,
  summaryOf,
  unchanged,
} from './letter.ts';

/** "Management fee · Q4 2026", or the title alone if it says the same as the kind. */
function purposeRow({ kind, title }: NoticePurpose, cells: readonly string[]): PrintedRow {
  const label = CALL_PURPOSE_LABELS[kind];
  return title.toLowerCase() === label.toLowerCase()
    ? { cells: [label, ...cells] }
    : { cells: [label, ...cells], remark: title };
}

const PAYMENT =
  'Please pay your share so that it reaches the account below as cleared funds on or before the due date.';

/** The interest of who closed later or paid earlier calls late, which is paid on top of the call. */
function interestTable({ purposes, late = [] }: CallShare, currency: string): PrintedBlock[] {
  const interest = interestOf(purposes);
  if (isZero(interest)) return [];
  const amount = amountsIn(currency);
  if (late.length > 0) {
    return [
      {
        kind: 'table',
        title: 'Default interest, on top of your commitment',
        columns: [{ head: 'Paid late', width: 5 }, numeric(`Interest (${currency})`, 1.6)],
        rows: late.map(({ callNumber, until, amount: sum }) => ({
          cells: [`Call ${callNumber}, up to ${formatCalendarDate(until)}`, amount(sum)],
        })),
        total: ['Total', amount(interest)],
      },
    ];
  }
  return [
    {
      kind: 'table',
      title: 'Equalization interest, on top of your commitment',
      columns: [{ head: 'Interest on', width: 5 }, numeric(`Your share (${currency})`, 1.6)],
      rows: purposes.map((purpose) => purposeRow(purpose, [amount(purpose.interest ?? '0')])),
      total: ['Total', amount(interest)],
    },
  ];
}

/**
 * What a notice states of one investor's part of a call: its amounts, its interest and what is left of its commitment.
 * @param whole the purposes of the whole call (`purposeTotals`), shown only with `pdfOptions.fundLevel`
 * @throws RangeError if the whole call has other purposes than the investor
 */
export function callTables(
  { fund, pdfOptions }: Pick<CallFacts, 'fund' | 'pdfOptions'>,
  share: CallShare,
  whole: readonly NoticePurpose[],
): PrintedBlock[] {
  const { position, purposes } = share;
  const { currency } = fund;
  const { fundLevel } = pdfOptions;
  if (fundLevel && whole.length !== purposes.length) {
    throw new RangeError('The fund has the same purposes as the investor');
  }
  const amount = amountsIn(currency);
  return [
    {
      kind: 'table',
      title: 'This call',
      isRoomy: true,
      columns: shareColumns('Purpose', fund, share, fundLevel),
      rows: purposes.map((purpose, index) =>
        purposeRow(purpose, [...(fundLevel ? [amount(whole[index]?.amount ?? null)] : []), amount(purpose.amount)]),
      ),
      total: ['Total', ...(fundLevel ? [amount(callAmount({ purposes: whole }))] : []), amount(callAmount(share))],
    },
    ...interestTable(share, currency),
    commitmentTable(
      currency,
      ['Before this call', 'This call', 'After this call'],
      [
        ['Commitment', unchanged(position.commitment)],
        ['Called, cumulative', position.called],
        ['Recallable distributions', unchanged(position.recallable)],
      ],
      position.unfunded,
    ),
    ...basisTable(currency, purposes, { basis: share.basis, isStated: pdfOptions.basis }),
  ];
}

/**
 * The notice of a capital call to one investor, to be printed. Nothing in it names another investor.
 * @param whole the purposes of the whole call (`purposeTotals`), shown only with `pdfOptions.fundLevel`
 * @throws RangeError if the whole call has other purposes than the investor
 */
export function printCapitalCallNotice(
  call: CallFacts,
  share: CallShare,
  whole: readonly NoticePurpose[],
): PrintedDocument {
  const { fund, wire, paymentReference } = call;
  const { position, purposes } = share;
  const { currency } = fund;
  const due = callAmount(share);
  const interest = interestOf(purposes);
  const isClosing = !share.late?.length && purposes.some((purpose) => purpose.interest !== undefined);
  return {
    ...letterOf(call),
    title: isClosing ? 'Closing notice' : 'Capital call notice',
    subtitle: joined(`Call ${call.callNumber}`, fundTitle(fund)),
    footer: joined(fund.title, `capital call ${call.callNumber}`, share.investor.formalName, 'confidential'),
    blocks: [
      addresseeOf(
        call,
        share,
        { label: 'Cut-off date', value: formatCalendarDate(call.cutOffDate) },
        position.commitment,
      ),
      {
        kind: 'figures',
        figures: [
          { label: 'Amount due', value: moneyText(add(due, interest), currency) },
          ...(isZero(interest) ? [] : [{ label: 'Of which interest', value: moneyText(interest, currency) }]),
          { label: 'Due date', value: formatCalendarDate(call.dueDate) },
          ...(paymentReference === null ? [] : [{ label: 'Payment reference', value: paymentReference, isCode: true }]),
        ],
      },
      {
        kind: 'text',
        text: `The general partner calls the amounts below from the partners of the ${share.holdingOf}.${wire ? ` ${PAYMENT}` : ''}`,
      },
      ...callTables(call, share, whole),
      ...closingOf(call, wire, paymentReference),
    ],
  };
}

/** A capital call with the share of each investor, in the order of the shares, to be printed for the manager. */
export function printCapitalCallSummary(call: CallFacts, shares: readonly CallShare[]): PrintedDocument {
  const { currency } = call.fund;
  const purposes = purposeTotals(shares);
  const amount = amountsIn(currency);
  const sums = (head: string, of: (share: CallShare) => DecimalText) =>
    figures(head, 1.6, (share: CallShare) => amount(of(share)), amount(sum(shares.map(of))));
  return summaryOf(call, {
    title: 'Capital call, all investors',
    names: [`Call ${call.callNumber}`, `capital call ${call.callNumber}`],
    figures: [
      { label: 'Total called', value: moneyText(callAmount({ purposes }), currency) },
      { label: 'Investors', value: formatFigure(shares.length) },
      { label: 'Issue date', value: formatCalendarDate(call.issueDate) },
      { label: 'Due date', value: formatCalendarDate(call.dueDate) },
    ],
    lineHead: 'Purpose',
    lines: purposes.map((purpose) => purposeRow(purpose, [amount(purpose.amount)])),
    linesTotal: ['Total', amount(callAmount({ purposes }))],
    investors: shares,
    note: `cut-off date ${formatCalendarDate(call.cutOffDate)}`,
    nameWidth: 3.4,
    columns: [
      sums('Commitment', ({ position }) => position.commitment),
      figures(shareHead(shares), 0.9, ({ holdingPercent }: CallShare) => percentInColumn(holdingPercent)),
      sums('This call', callAmount),
      sums('Called, cumulative', ({ position }) => position.called.after),
      sums('Unfunded after', ({ position }) => position.unfunded.after),
    ],
  });
}

import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { sum as totalOf } from '../../money/decimal.ts';
import { formatFigure } from '../../money/format-figure.ts';
import type { PrintedDocument, PrintedRow } from '../../printing/printed-document.ts';
import { amountsIn, joined, moneyText, percentInColumn } from '../../printing/printed-figures.ts';
import { figures } from '../../printing/printed-table.ts';
import type { CallPurpose, CapitalCallNotice, CapitalCallSummary } from '../capital-call-notice.ts';
import { CALL_PURPOSE_LABELS } from '../kinds.ts';
import { shareHead } from '../notice-parts.ts';
import {
  addresseeOf,
  closingOf,
  commitmentTable,
  fundTitle,
  letterOf,
  shareColumns,
  summaryOf,
  unchanged,
} from './letter.ts';

/** "Management fee · Q4 2026", or the title alone if it says the same as the kind. */
function purposeRow({ kind, title }: CallPurpose, cells: readonly string[]): PrintedRow {
  const label = CALL_PURPOSE_LABELS[kind];
  return title.toLowerCase() === label.toLowerCase()
    ? { cells: [label, ...cells] }
    : { cells: [label, ...cells], remark: title };
}

const PAYMENT =
  'Please pay your share so that it reaches the account below as cleared funds on or before the due date.';

/** The notice of a capital call to one investor, to be printed. */
export function printCapitalCallNotice(notice: CapitalCallNotice): PrintedDocument {
  const { fund, position, fundPurposes, wire } = notice;
  const { currency } = fund;
  const amount = amountsIn(currency);
  return {
    ...letterOf(notice),
    title: 'Capital call notice',
    subtitle: joined(`Call ${notice.callNumber}`, fundTitle(fund)),
    footer: joined(fund.title, `capital call ${notice.callNumber}`, notice.investor.formalName, 'confidential'),
    blocks: [
      addresseeOf(notice, { label: 'Cut-off date', value: formatCalendarDate(notice.cutOffDate) }, position.commitment),
      {
        kind: 'figures',
        figures: [
          { label: 'Amount due', value: moneyText(notice.amount, currency) },
          { label: 'Due date', value: formatCalendarDate(notice.dueDate) },
          ...(notice.paymentReference === null
            ? []
            : [{ label: 'Payment reference', value: notice.paymentReference, isCode: true }]),
        ],
      },
      {
        kind: 'text',
        text: `The general partner calls the amounts below from the partners of the ${notice.holdingOf}.${wire ? ` ${PAYMENT}` : ''}`,
      },
      {
        kind: 'table',
        title: 'This call',
        isRoomy: true,
        columns: shareColumns('Purpose', notice, fundPurposes !== null),
        rows: notice.purposes.map((purpose, place) =>
          purposeRow(purpose, [...(fundPurposes ? [amount(fundPurposes[place] ?? null)] : []), amount(purpose.amount)]),
        ),
        total: ['Total', ...(fundPurposes ? [amount(totalOf(fundPurposes))] : []), amount(notice.amount)],
      },
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
      ...closingOf(notice, wire, notice.paymentReference),
    ],
  };
}

/** A capital call with the share of each investor, to be printed for the manager. */
export function printCapitalCallSummary(call: CapitalCallSummary): PrintedDocument {
  const { fund, investors } = call;
  const { currency } = fund;
  const amount = amountsIn(currency);
  const sums = (head: string, of: 'commitment' | 'amount' | 'called' | 'unfunded') =>
    figures(
      head,
      1.6,
      (investor: CapitalCallSummary['investors'][number]) => amount(investor[of]),
      amount(totalOf(investors.map((investor) => investor[of]))),
    );
  return summaryOf(call, {
    title: 'Capital call, all investors',
    names: [`Call ${call.callNumber}`, `capital call ${call.callNumber}`],
    figures: [
      { label: 'Total called', value: moneyText(call.amount, currency) },
      { label: 'Investors', value: formatFigure(investors.length) },
      { label: 'Issue date', value: formatCalendarDate(call.issueDate) },
      { label: 'Due date', value: formatCalendarDate(call.dueDate) },
    ],
    lineHead: 'Purpose',
    lines: call.purposes.map((purpose) => purposeRow(purpose, [amount(purpose.amount)])),
    linesTotal: ['Total', amount(call.amount)],
    investors,
    note: `cut-off date ${formatCalendarDate(call.cutOffDate)}`,
    nameWidth: 3.4,
    columns: [
      sums('Commitment', 'commitment'),
      figures(shareHead(investors), 0.9, ({ holdingPercent }) => percentInColumn(holdingPercent)),
      sums('This call', 'amount'),
      sums('Called, cumulative', 'called'),
      sums('Unfunded after', 'unfunded'),
    ],
  });
}

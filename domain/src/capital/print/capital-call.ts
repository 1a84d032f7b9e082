import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { negate, sum as totalOf } from '../../money/decimal.ts';
import { formatFigure } from '../../money/format-figure.ts';
import type { PrintedBlock, PrintedDocument, PrintedRow } from '../../printing/printed-document.ts';
import { amountsIn, joined, moneyText, percentInColumn } from '../../printing/printed-figures.ts';
import type { CallPurpose, CapitalCallNotice, CapitalCallSummary } from '../capital-call-notice.ts';
import { CALL_PURPOSE_LABELS } from '../kinds.ts';
import { shareHead } from '../notice-parts.ts';
import {
  classCell,
  classColumn,
  fundTitle,
  holdingFact,
  letterOf,
  signatoryBlock,
  wholeHead,
  wireLines,
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
const CAUTION =
  'We never change wire details by email. Before you pay, confirm them by phone with the contact you already know.';

/** The notice of a capital call to one investor, to be printed. */
export function printCapitalCallNotice(notice: CapitalCallNotice): PrintedDocument {
  const { fund, position, fundPurposes, wire } = notice;
  const { currency } = fund;
  const amount = amountsIn(currency);
  const minus = negate(notice.amount);
  return {
    ...letterOf(notice),
    title: 'Capital call notice',
    subtitle: joined(`Call ${notice.callNumber}`, fundTitle(fund)),
    footer: joined(fund.title, `capital call ${notice.callNumber}`, notice.investor.formalName, 'confidential'),
    blocks: [
      {
        kind: 'addressee',
        name: notice.investor.formalName,
        lines: notice.investor.address,
        facts: [
          { label: 'Issue date', value: formatCalendarDate(notice.issueDate) },
          { label: 'Cut-off date', value: formatCalendarDate(notice.cutOffDate) },
          { label: 'Investor code', value: notice.investor.code },
          { label: 'Your commitment', value: moneyText(position.commitment, currency) },
          ...holdingFact(notice),
        ],
      },
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
        columns: [
          { head: 'Purpose', width: fundPurposes ? 3.6 : 5 },
          ...(fundPurposes ? [{ head: `${wholeHead(notice)} (${currency})`, width: 1.6, isNumeric: true }] : []),
          { head: `Your share (${currency})`, width: 1.6, isNumeric: true },
        ],
        rows: notice.purposes.map((purpose, place) =>
          purposeRow(purpose, [...(fundPurposes ? [amount(fundPurposes[place] ?? null)] : []), amount(purpose.amount)]),
        ),
        total: ['Total', ...(fundPurposes ? [amount(totalOf(fundPurposes))] : []), amount(notice.amount)],
      },
      {
        kind: 'table',
        title: 'Your commitment',
        isRoomy: true,
        columns: [
          { head: currency, width: 2.2 },
          { head: 'Before this call', width: 1.6, isNumeric: true },
          { head: 'This call', width: 1.6, isNumeric: true },
          { head: 'After this call', width: 1.6, isNumeric: true },
        ],
        rows: [
          { cells: ['Commitment', amount(position.commitment), amount('0'), amount(position.commitment)] },
          {
            cells: [
              'Called, cumulative',
              amount(position.called.before),
              amount(notice.amount),
              amount(position.called.after),
            ],
          },
          {
            cells: ['Recallable distributions', amount(position.recallable), amount('0'), amount(position.recallable)],
          },
        ],
        total: ['Unfunded', amount(position.unfunded.before), amount(minus), amount(position.unfunded.after)],
      },
      ...closing(notice),
    ],
  };
}

/** The description, and the account to pay into beside the signature, which stay together. */
function closing({
  wire,
  paymentReference,
  signatory,
  trailingDescription,
}: Pick<CapitalCallNotice, 'wire' | 'paymentReference' | 'signatory' | 'trailingDescription'>): PrintedBlock[] {
  const description: PrintedBlock[] = trailingDescription ? [{ kind: 'text', text: trailingDescription }] : [];
  if (!wire && !signatory) return description;
  const account: PrintedBlock[] = wire
    ? [{ kind: 'details', title: 'Wire instructions', details: wireLines(wire, paymentReference) }]
    : [];
  const signed: PrintedBlock = {
    kind: 'sides',
    sides: [
      { width: 1.6, blocks: account },
      { width: 0.8, blocks: signatory ? [signatoryBlock(signatory)] : [] },
    ],
  };
  const caution: PrintedBlock[] = wire ? [{ kind: 'text', text: CAUTION, isSmall: true }] : [];
  return [...description, { kind: 'sides', sides: [{ width: 1, blocks: [signed, ...caution] }] }];
}

/** A capital call with the share of each investor, to be printed for the manager. */
export function printCapitalCallSummary(call: CapitalCallSummary): PrintedDocument {
  const { fund, investors } = call;
  const { currency } = fund;
  const amount = amountsIn(currency);
  const numeric = (head: string, width: number) => ({ head, width, isNumeric: true });
  return {
    ...letterOf(call),
    title: 'Capital call, all investors',
    subtitle: joined(`Call ${call.callNumber}`, fundTitle(fund)),
    footer: joined(fund.title, `capital call ${call.callNumber}`, 'all investors', 'for the manager only'),
    isLandscape: true,
    blocks: [
      {
        kind: 'figures',
        figures: [
          { label: 'Total called', value: moneyText(call.amount, currency) },
          { label: 'Investors', value: formatFigure(investors.length) },
          { label: 'Issue date', value: formatCalendarDate(call.issueDate) },
          { label: 'Due date', value: formatCalendarDate(call.dueDate) },
        ],
      },
      {
        kind: 'table',
        title: 'Purposes',
        columns: [{ head: 'Purpose', width: 5 }, numeric(`Amount (${currency})`, 1.6)],
        rows: call.purposes.map((purpose) => purposeRow(purpose, [amount(purpose.amount)])),
        total: ['Total', amount(call.amount)],
      },
      {
        kind: 'table',
        title: 'Investors',
        note: `${currency}, cut-off date ${formatCalendarDate(call.cutOffDate)}`,
        columns: [
          { head: 'Code', width: 0.6 },
          { head: 'Investor', width: 3.4 },
          ...classColumn(investors),
          numeric('Commitment', 1.6),
          numeric(shareHead(investors), 0.9),
          numeric('This call', 1.6),
          numeric('Called, cumulative', 1.6),
          numeric('Unfunded after', 1.6),
        ],
        rows: investors.map((investor) => ({
          cells: [
            investor.code,
            investor.formalName,
            ...classCell(investors, investor),
            amount(investor.commitment),
            percentInColumn(investor.holdingPercent),
            amount(investor.amount),
            amount(investor.called),
            amount(investor.unfunded),
          ],
        })),
        total: [
          '',
          'Total',
          ...classColumn(investors).map(() => ''),
          amount(totalOf(investors.map(({ commitment }) => commitment))),
          '',
          amount(call.amount),
          amount(totalOf(investors.map(({ called }) => called))),
          amount(totalOf(investors.map(({ unfunded }) => unfunded))),
        ],
      },
      ...(call.trailingDescription ? [{ kind: 'text' as const, text: call.trailingDescription }] : []),
    ],
  };
}

import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { type DecimalText, subtract } from '../../money/decimal.ts';
import type {
  PrintedBlock,
  PrintedColumn,
  PrintedDocument,
  PrintedFact,
  PrintedFigure,
  PrintedRow,
} from '../../printing/printed-document.ts';
import { amountsIn, joined, moneyText, percentText } from '../../printing/printed-figures.ts';
import { type TableColumn, tableOf, texts } from '../../printing/printed-table.ts';
import { basisText, type LineBasis } from '../line-basis.ts';
import {
  type Change,
  HOLDING_LABELS,
  type NoticeFacts,
  type NoticeFund,
  type NoticeShare,
  type WireDetails,
  wireFacts,
} from '../notice-parts.ts';

/** An investor's share in percent, of the fund or of its class. */
type Share = Pick<NoticeShare, 'holdingPercent' | 'holdingOf'>;

/** What the investor's share is of; left out if it is not known. */
export const holdingFact = ({ holdingPercent, holdingOf }: Share): PrintedFact[] =>
  holdingPercent === null ? [] : [{ label: HOLDING_LABELS[holdingOf], value: percentText(holdingPercent) }];

export const fundTitle = ({ title, className }: NoticeFund): string => joined(title, className);

/** What all notices begin with. The date of issue is the date of the file. */
export function letterOf({
  letterhead,
  issueDate,
  fund,
}: Pick<NoticeFacts, 'letterhead' | 'issueDate' | 'fund'>): Pick<
  PrintedDocument,
  'issuer' | 'logo' | 'contact' | 'reference' | 'issuedAt' | 'facts'
> {
  return {
    issuer: letterhead.name,
    logo: letterhead.logo,
    contact: letterhead.contact,
    reference: joined(fundTitle(fund), formatCalendarDate(issueDate)),
    issuedAt: `${issueDate}T00:00:00.000Z`,
    facts: [],
  };
}

/** The investor, with its commitment and its share. @param fact beside the date of issue */
export const addresseeOf = (
  { issueDate, fund }: Pick<NoticeFacts, 'issueDate' | 'fund'>,
  share: NoticeShare,
  fact: PrintedFact,
  commitment: DecimalText,
): PrintedBlock => ({
  kind: 'addressee',
  name: share.investor.formalName,
  lines: share.investor.address,
  facts: [
    { label: 'Issue date', value: formatCalendarDate(issueDate) },
    fact,
    { label: 'Investor code', value: share.investor.code },
    { label: 'Your commitment', value: moneyText(commitment, fund.currency) },
    ...holdingFact(share),
  ],
});

/** The columns of the investor's lines, beside those of the whole call or distribution of the fund or one class of it. */
export const shareColumns = (
  head: string,
  { currency }: NoticeFund,
  { holdingOf }: Pick<Share, 'holdingOf'>,
  hasWhole: boolean,
): PrintedColumn[] => [
  { head, width: hasWhole ? 3.6 : 5 },
  ...(hasWhole
    ? [numeric(`${holdingOf === 'class' ? 'All partners of the class' : 'All partners'} (${currency})`, 1.6)]
    : []),
  numeric(`Your share (${currency})`, 1.6),
];

/** What a call or a distribution changes for the investor. @param heads of the figures before, in and after it */
export function commitmentTable(
  currency: string,
  heads: readonly [before: string, change: string, after: string],
  lines: readonly (readonly [label: string, change: Change])[],
  unfunded: Change,
): PrintedBlock {
  const amount = amountsIn(currency);
  const cells = (label: string, { before, after }: Change): string[] => [
    label,
    amount(before),
    amount(subtract(after, before)),
    amount(after),
  ];
  return {
    kind: 'table',
    title: 'Your commitment',
    isRoomy: true,
    columns: [{ head: currency, width: 2.2 }, ...heads.map((head) => numeric(head, 1.6))],
    rows: lines.map((line) => ({ cells: cells(...line) })),
    total: cells('Unfunded', unfunded),
  };
}

/** Where each amount of the investor comes from: nothing for a notice that does not state it, or without a record of it. */
export function basisTable(
  currency: string,
  lines: readonly { readonly title: string; readonly amount: DecimalText }[],
  { basis, isStated }: { basis: readonly LineBasis[]; isStated: boolean | undefined },
): PrintedBlock[] {
  if (!isStated || basis.length === 0) return [];
  const amount = amountsIn(currency);
  return [
    {
      kind: 'table',
      title: 'How your share comes about',
      columns: [{ head: 'Amount', width: 1.8 }, { head: 'Calculation', width: 4 }, numeric(currency, 1.2)],
      rows: lines.flatMap((line, index): PrintedRow[] => {
        const own = basis[index];
        return own ? [{ cells: [line.title, basisText(own, line.amount, currency), amount(line.amount)] }] : [];
      }),
    },
  ];
}

export const unchanged = (amount: DecimalText): Change => ({ before: amount, after: amount });

const CAUTION =
  'We never change wire details by email. Before you pay, confirm them by phone with the contact you already know.';

/** The description, and the account to pay into beside the signature, which stay together. */
export function closingOf(
  { trailingDescription, signatory }: Pick<NoticeFacts, 'trailingDescription' | 'signatory'>,
  wire: WireDetails | null = null,
  paymentReference: string | null = null,
): PrintedBlock[] {
  const account: PrintedBlock[] = wire
    ? [{ kind: 'details', title: 'Wire instructions', details: wireFacts(wire, paymentReference) }]
    : [];
  const signature: PrintedBlock[] = signatory
    ? [{ kind: 'signatory', title: 'For the general partner', ...signatory }]
    : [];
  const signed: PrintedBlock = {
    kind: 'sides',
    sides: [
      { width: 1.6, blocks: account },
      { width: 0.8, blocks: signature },
    ],
  };
  const caution: PrintedBlock = { kind: 'text', text: CAUTION, isSmall: true };
  return [
    ...descriptionOf(trailingDescription),
    ...(wire
      ? [{ kind: 'sides' as const, sides: [{ width: 1, blocks: [signed, caution] }] }]
      : signatory
        ? [signed]
        : []),
  ];
}

const descriptionOf = (text: string | null): PrintedBlock[] => (text ? [{ kind: 'text', text }] : []);

export const numeric = (head: string, width: number): PrintedColumn => ({ head, width, isNumeric: true });

/** A call or distribution with the share of each investor, to be printed for the manager. */
interface Summary<Investor extends NoticeShare> {
  readonly title: string;
  /** "Call 7", and in the footer "capital call 7". */
  readonly names: readonly [name: string, inFooter: string];
  readonly figures: readonly PrintedFigure[];
  /** What a line is: a purpose or a component. */
  readonly lineHead: string;
  readonly lines: readonly PrintedRow[];
  readonly linesTotal: readonly string[];
  readonly investors: readonly Investor[];
  /** The day of the figures. */
  readonly note: string;
  readonly nameWidth: number;
  readonly columns: readonly TableColumn<Investor>[];
}

export function summaryOf<Investor extends NoticeShare>(
  facts: Pick<NoticeFacts, 'letterhead' | 'issueDate' | 'fund' | 'trailingDescription'>,
  { names: [name, inFooter], investors, lineHead, ...of }: Summary<Investor>,
): PrintedDocument {
  const { title, currency } = facts.fund;
  const hasClasses = new Set(investors.map(({ className }) => className)).size > 1;
  return {
    ...letterOf(facts),
    title: of.title,
    subtitle: joined(name, fundTitle(facts.fund)),
    footer: joined(title, inFooter, 'all investors', 'for the manager only'),
    isLandscape: true,
    blocks: [
      { kind: 'figures', figures: of.figures },
      {
        kind: 'table',
        title: `${lineHead}s`,
        columns: [{ head: lineHead, width: 5 }, numeric(`Amount (${currency})`, 1.6)],
        rows: of.lines,
        total: of.linesTotal,
      },
      tableOf(investors, {
        title: 'Investors',
        note: `${currency}, ${of.note}`,
        columns: [
          texts('Code', 0.6, ({ investor }) => investor.code),
          texts('Investor', of.nameWidth, ({ investor }) => investor.formalName, 'Total'),
          ...(hasClasses ? [texts('Class', 0.9, ({ className }: Investor) => className ?? '')] : []),
          ...of.columns,
        ],
      }),
      ...descriptionOf(facts.trailingDescription),
    ],
  };
}

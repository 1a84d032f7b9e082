import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { isZero } from '../../money/decimal.ts';
import type { PrintedBlock, PrintedDocument } from '../../printing/printed-document.ts';
import { amountsIn, joined } from '../../printing/printed-figures.ts';
import { figures, tableOf, texts } from '../../printing/printed-table.ts';
import { type ActivityEntry, type ActivityStatement, CAPITAL_ACTION_LABELS } from '../activity-statement.ts';

/** An activity statement with the names that its documents and its screen show. */
export interface NamedActivity extends ActivityStatement {
  readonly issuer: string;
  readonly fundTitle: string;
  readonly className: string | null;
  readonly investorTitle: string;
  readonly currency: string;
  /** The day on which it was made. */
  readonly issueDate: string;
}

/** The activity of an investor in its funds of one currency, with the names that documents and screens show. */
export interface CurrencyActivity extends Pick<ActivityStatement, 'closing'> {
  readonly currency: string;
  readonly entries: readonly (ActivityEntry & {
    readonly commitment: string;
    readonly fund: string;
    readonly Class: string | null;
    /** "Harbour Credit Fund II · class A". */
    readonly fundTitle: string;
  })[];
}

/** The activity statement of an investor over all of its commitments. Currencies are never added. */
export interface InvestorActivity extends Pick<NamedActivity, 'issuer' | 'investorTitle' | 'cutOffDate' | 'issueDate'> {
  readonly investor: {
    readonly id: string;
    readonly title: string;
    readonly formalName: string;
    readonly code: number;
  };
  readonly currencies: readonly CurrencyActivity[];
}

export const ACTIVITY_TITLE = 'Activity statement';

export const activityFileName = ({ investorTitle, fundTitle, cutOffDate }: NamedActivity): string =>
  `${ACTIVITY_TITLE} ${investorTitle} ${fundTitle} ${cutOffDate}`;

export const investorActivityFileName = ({ investorTitle, cutOffDate }: InvestorActivity): string =>
  `${ACTIVITY_TITLE} ${investorTitle} ${cutOffDate}`;

export const activityBasis =
  'A capital call counts as called from its due date, and reduces what is unfunded from its cut-off date. Distributions are after fees and taxes. Net capital called is calls due, less recallable capital and write-offs.';

/** "Capital call 7", "Commitment: Second closing", "Capital call: Transfer from another investor". */
export const entryTitle = ({
  actionType,
  title,
  isTransfer,
}: Pick<ActivityEntry, 'actionType' | 'title' | 'isTransfer'>): string => {
  const label = CAPITAL_ACTION_LABELS[actionType];
  if (title === null) return label;
  return actionType === 'commitment' || isTransfer ? `${label}: ${title}` : `${label} ${title}`;
};

/** The lines at the end of a statement: the totals of its kinds of entries, and what remains. */
export const closingLines = ({
  closing,
}: Pick<ActivityStatement, 'closing'>): readonly (readonly [label: string, amount: string])[] => [
  ['Committed', closing.activeCommitment],
  ['Called', closing.called],
  ['Distributed', closing.distributed],
  ...(isZero(closing.writtenOff) ? [] : [['Written off', closing.writtenOff] as const]),
  ['Unfunded', closing.unfunded],
  ['Net capital called', closing.netCapitalCalled],
];

const closingTable = (title: string, currency: string, of: Pick<ActivityStatement, 'closing'>): PrintedBlock =>
  tableOf(closingLines(of), {
    title,
    note: currency,
    columns: [texts('', 2.4, ([label]) => label), figures('', 1, ([, sum]) => amountsIn(currency)(sum))],
  });

/** The columns of amounts of an entry. @param widths of the amount and of both figures after it */
const amountColumns = (currency: string, [amount, unfunded, net]: readonly [number, number, number]) => [
  figures('Amount', amount, (entry: ActivityEntry) => amountsIn(currency)(entry.amount)),
  { ...figures('Unfunded', unfunded, (entry: ActivityEntry) => amountsIn(currency)(entry.unfunded)), note: 'after it' },
  {
    ...figures('Net capital called', net, (entry: ActivityEntry) => amountsIn(currency)(entry.netCapitalCalled)),
    note: 'after it',
  },
];

/** An activity statement of an investor over its commitments, to be printed: a part for each currency. */
export function printInvestorActivity(statement: InvestorActivity): PrintedDocument {
  const { issuer, investorTitle, cutOffDate, issueDate, currencies } = statement;
  const asOf = `As of ${formatCalendarDate(cutOffDate)}`;
  return {
    issuer,
    reference: investorTitle,
    issuedAt: `${issueDate}T00:00:00.000Z`,
    title: ACTIVITY_TITLE,
    subtitle: joined(asOf, investorTitle, 'all commitments', 'unaudited'),
    footer: joined(investorTitle, ACTIVITY_TITLE.toLowerCase(), asOf, 'confidential'),
    facts: [
      { label: 'Investor', value: investorTitle },
      { label: 'Currencies', value: currencies.map(({ currency }) => currency).join(', ') || 'n/a' },
    ],
    blocks: [
      ...currencies.flatMap(({ currency, entries, closing }): PrintedBlock[] => [
        tableOf(entries, {
          title: `Activity in ${currency}`,
          note: currency,
          columns: [
            texts('Date', 1.2, ({ date }) => formatCalendarDate(date)),
            texts('Fund', 2.2, ({ fundTitle }) => fundTitle),
            texts('Entry', 1.9, entryTitle),
            ...amountColumns(currency, [1.4, 1.4, 1.5]),
          ],
          empty: 'Nothing has happened yet.',
        }),
        closingTable(`${asOf}, ${currency}`, currency, { closing }),
      ]),
      ...(currencies.length === 0
        ? [{ kind: 'text', text: 'The investor has no commitments in force.' } satisfies PrintedBlock]
        : []),
      { kind: 'text', text: activityBasis, isSmall: true },
    ],
  };
}

export function printActivityStatement(statement: NamedActivity): PrintedDocument {
  const { issuer, fundTitle, className, investorTitle, currency, cutOffDate, issueDate } = statement;
  const asOf = `As of ${formatCalendarDate(cutOffDate)}`;
  return {
    issuer,
    reference: joined(fundTitle, className),
    issuedAt: `${issueDate}T00:00:00.000Z`,
    title: ACTIVITY_TITLE,
    subtitle: joined(asOf, investorTitle, fundTitle, className, 'unaudited'),
    footer: joined(fundTitle, ACTIVITY_TITLE.toLowerCase(), asOf, 'confidential'),
    facts: [
      { label: 'Investor', value: investorTitle },
      { label: 'Fund', value: joined(fundTitle, className) },
      { label: 'Currency', value: currency },
    ],
    blocks: [
      tableOf(statement.entries, {
        title: 'Activity',
        note: currency,
        columns: [
          texts('Date', 1.2, ({ date }) => formatCalendarDate(date)),
          texts('Entry', 2.4, entryTitle),
          ...amountColumns(currency, [1.5, 1.5, 1.6]),
        ],
        empty: 'Nothing has happened yet.',
      }),
      closingTable(asOf, currency, statement),
      { kind: 'text', text: activityBasis, isSmall: true },
    ],
  };
}

import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { isZero } from '../../money/decimal.ts';
import type { PrintedBlock, PrintedDocument } from '../../printing/printed-document.ts';
import { amountsIn, joined } from '../../printing/printed-figures.ts';
import {
  type ActivityEntry,
  type ActivityStatement,
  CAPITAL_ACTION_LABELS,
  type CapitalAction,
} from '../activity-statement.ts';

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

/** "Capital call 7", "Commitment: Second closing". */
export const entryTitle = ({ actionType, title }: { actionType: CapitalAction; title: string | null }): string => {
  const label = CAPITAL_ACTION_LABELS[actionType];
  if (title === null) return label;
  return actionType === 'commitment' ? `${label}: ${title}` : `${label} ${title}`;
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

const closingTable = (title: string, currency: string, of: Pick<ActivityStatement, 'closing'>): PrintedBlock => ({
  kind: 'table',
  title,
  note: currency,
  columns: [
    { head: '', width: 2.4 },
    { head: '', width: 1, isNumeric: true },
  ],
  rows: closingLines(of).map(([label, sum]) => ({ cells: [label, amountsIn(currency)(sum)] })),
});

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
        {
          kind: 'table',
          title: `Activity in ${currency}`,
          note: currency,
          columns: [
            { head: 'Date', width: 1.2 },
            { head: 'Fund', width: 2.2 },
            { head: 'Entry', width: 1.9 },
            { head: 'Amount', width: 1.4, isNumeric: true },
            { head: 'Unfunded', note: 'after it', width: 1.4, isNumeric: true },
            { head: 'Net capital called', note: 'after it', width: 1.5, isNumeric: true },
          ],
          rows: entries.map((entry) => ({
            cells: [
              formatCalendarDate(entry.date),
              entry.fundTitle,
              entryTitle(entry),
              ...[entry.amount, entry.unfunded, entry.netCapitalCalled].map(amountsIn(currency)),
            ],
          })),
          empty: 'Nothing has happened yet.',
        },
        closingTable(`${asOf}, ${currency}`, currency, { closing }),
      ]),
      ...(currencies.length === 0
        ? [{ kind: 'text', text: 'The investor has no commitments in force.' } satisfies PrintedBlock]
        : []),
      { kind: 'text', text: activityBasis, isSmall: true },
    ],
  };
}

/** An activity statement, to be printed. */
export function printActivityStatement(statement: NamedActivity): PrintedDocument {
  const { issuer, fundTitle, className, investorTitle, currency, cutOffDate, issueDate } = statement;
  const amount = amountsIn(currency);
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
      {
        kind: 'table',
        title: 'Activity',
        note: currency,
        columns: [
          { head: 'Date', width: 1.2 },
          { head: 'Entry', width: 2.4 },
          { head: 'Amount', width: 1.5, isNumeric: true },
          { head: 'Unfunded', note: 'after it', width: 1.5, isNumeric: true },
          { head: 'Net capital called', note: 'after it', width: 1.6, isNumeric: true },
        ],
        rows: statement.entries.map((entry) => ({
          cells: [
            formatCalendarDate(entry.date),
            entryTitle(entry),
            amount(entry.amount),
            amount(entry.unfunded),
            amount(entry.netCapitalCalled),
          ],
        })),
        empty: 'Nothing has happened yet.',
      },
      closingTable(asOf, currency, statement),
      { kind: 'text', text: activityBasis, isSmall: true },
    ],
  };
}

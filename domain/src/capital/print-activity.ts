import { formatCalendarDate } from '../dates/calendar-date.ts';
import { isZero } from '../money/decimal.ts';
import type { PrintedDocument } from '../printing/printed-document.ts';
import { type ActivityStatement, CAPITAL_ACTION_LABELS, type CapitalAction } from './activity-statement.ts';
import { amountsIn, joined } from './print-parts.ts';

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

export const ACTIVITY_TITLE = 'Activity statement';

export const activityFileName = ({ investorTitle, fundTitle, cutOffDate }: NamedActivity): string =>
  `${ACTIVITY_TITLE} ${investorTitle} ${fundTitle} ${cutOffDate}`;

export const activityBasis =
  'A capital call counts as called from its due date, and reduces what is unfunded from its cut-off date. Distributions are after fees and taxes. Net capital called is calls due, less recallable capital and write-offs.';

/** "Capital call 7", "Commitment: Second closing". */
export const entryTitle = ({ actionType, title }: { actionType: CapitalAction; title: string | null }): string => {
  const label = CAPITAL_ACTION_LABELS[actionType];
  if (title === null) return label;
  return actionType === 'commitment' ? `${label}: ${title}` : `${label} ${title}`;
};

/** The lines at the end of a statement: the totals of its kinds of entries, and what remains. */
export const closingLines = ({ closing }: ActivityStatement): readonly (readonly [label: string, amount: string])[] => [
  ['Committed', closing.activeCommitment],
  ['Called', closing.called],
  ['Distributed', closing.distributed],
  ...(isZero(closing.writtenOff) ? [] : [['Written off', closing.writtenOff] as const]),
  ['Unfunded', closing.unfunded],
  ['Net capital called', closing.netCapitalCalled],
];

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
      {
        kind: 'table',
        title: asOf,
        note: currency,
        columns: [
          { head: '', width: 2.4 },
          { head: '', width: 1, isNumeric: true },
        ],
        rows: closingLines(statement).map(([label, sum]) => ({ cells: [label, amount(sum)] })),
      },
      { kind: 'text', text: activityBasis, isSmall: true },
    ],
  };
}

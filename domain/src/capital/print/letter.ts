import { formatCalendarDate } from '../../dates/calendar-date.ts';
import type { DecimalText } from '../../money/decimal.ts';
import type { PrintedDetail, PrintedDocument } from '../../printing/printed-document.ts';
import { joined, percentText } from '../../printing/printed-figures.ts';
import {
  HOLDING_LABELS,
  type HoldingOf,
  type ListedInvestor,
  type NoticeFacts,
  type NoticeFund,
  type Signatory,
  type WireDetails,
  wireFacts,
} from '../notice-parts.ts';

/** What the investor's share is of; left out if it is not known. */
export const holdingFact = ({
  holdingPercent,
  holdingOf,
}: {
  holdingPercent: DecimalText | null;
  holdingOf: HoldingOf;
}): PrintedDetail[] =>
  holdingPercent === null ? [] : [{ label: HOLDING_LABELS[holdingOf], value: percentText(holdingPercent) }];

/** The column of the whole call or distribution, which concerns the fund or one class of it. */
export const wholeHead = ({ holdingOf }: { holdingOf: HoldingOf }): string =>
  holdingOf === 'class' ? 'All partners of the class' : 'All partners';

/** A column for the class in a list of investors, if they are in several. */
export const classColumn = (investors: readonly Pick<ListedInvestor, 'className'>[]) =>
  hasSeveralClasses(investors) ? [{ head: 'Class', width: 0.9 }] : [];
export const classCell = (
  investors: readonly Pick<ListedInvestor, 'className'>[],
  { className }: Pick<ListedInvestor, 'className'>,
): string[] => (hasSeveralClasses(investors) ? [className ?? ''] : []);

const hasSeveralClasses = (investors: readonly Pick<ListedInvestor, 'className'>[]): boolean =>
  new Set(investors.map(({ className }) => className)).size > 1;

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

export const wireLines = (wire: WireDetails, reference: string | null): PrintedDetail[] =>
  wireFacts(wire, reference).map(({ label, value, isCode = false }) => ({ label, value, isCode }));

export const signatoryBlock = ({ organization, name, role }: Signatory) => ({
  kind: 'signatory' as const,
  title: 'For the general partner',
  organization,
  name,
  role,
});

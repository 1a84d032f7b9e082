import { formatCalendarDate } from '../dates/calendar-date.ts';
import { minorUnitDigits } from '../money/currencies.ts';
import { type DecimalText, isZero } from '../money/decimal.ts';
import { EN_DASH, formatFigure, formatPercent } from '../money/format-figure.ts';
import type { PrintedDetail, PrintedDocument } from '../printing/printed-document.ts';
import {
  HOLDING_LABELS,
  type HoldingOf,
  type ListedInvestor,
  type NoticeFacts,
  type NoticeFund,
  type Signatory,
  type WireDetails,
  wireFacts,
} from './notice-parts.ts';

const UNKNOWN = 'n/a';
const DOT = ' \u00b7 ';
/** Percentages have two decimals, and up to four where they are not zero. */
const [LEAST_PERCENT_DIGITS, MOST_PERCENT_DIGITS] = [2, 4];

/** Joins the parts of a line that are known. */
export const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part != null && part !== '').join(DOT);

const fractionLength = (value: DecimalText): number => (value.split('.')[1] ?? '').replace(/0+$/, '').length;

/** Formats amounts of one currency: all digits, a dash for zero, "n/a" if unknown. */
export function amountsIn(currency: string): (amount: DecimalText | null) => string {
  const digits = minorUnitDigits(currency);
  return (amount) => {
    if (amount === null) return UNKNOWN;
    return isZero(amount) ? EN_DASH : formatFigure(amount, Math.max(digits, fractionLength(amount)));
  };
}

/** An amount with its currency: "USD 423,181.10", and "USD 0.00" for zero. */
export function moneyText(amount: DecimalText, currency: string): string {
  return `${currency} ${formatFigure(amount, Math.max(minorUnitDigits(currency), fractionLength(amount)))}`;
}

export function percentText(percent: DecimalText | null): string {
  if (percent === null) return UNKNOWN;
  const rounded = formatFigure(percent, MOST_PERCENT_DIGITS);
  const digits = Math.max(LEAST_PERCENT_DIGITS, fractionLength(rounded));
  return formatPercent(percent, digits);
}

/** A percentage in a column, with as many decimals as all others. */
export const percentInColumn = (percent: DecimalText | null): string =>
  percent === null ? UNKNOWN : formatPercent(percent, MOST_PERCENT_DIGITS);

/** A multiple: "0.22x". */
export const multipleText = (multiple: DecimalText | null): string =>
  multiple === null ? UNKNOWN : `${formatFigure(multiple, 2)}x`;

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

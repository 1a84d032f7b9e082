import { formatCalendarDate } from '../dates/calendar-date.ts';
import { DEFAULT_INTEREST_DAY_COUNT } from '../facilities/terms-labels.ts';
import { formatCount, writtenAmount } from '../money/format-figure.ts';
import type { TermPart, TermSource } from './fee-terms.ts';
import type { FeeTerms } from './fees.schema.ts';

export const TERM_PART_LABELS: Readonly<Record<TermPart, string>> = {
  management: 'Management fee',
  success: 'Success fee',
  transaction: 'Transaction fees',
  overallCap: 'Cap on all fees',
  defaultInterest: 'Default interest',
};

type Management = NonNullable<FeeTerms['management']>;
type Rates = Pick<Management, 'committed' | 'invested' | 'interestIncome' | 'assets' | 'assetsBasis'>;

/** "2% on committed capital and 1% on the net NAV". */
function ratesText({ committed, invested, interestIncome, assets, assetsBasis }: Rates): string {
  const rates = [
    [committed, 'committed capital'],
    [invested, 'invested capital'],
    [interestIncome, 'interest income'],
    [assets, `the ${assetsBasis ?? 'gross'} NAV`],
  ] as const;
  return rates.flatMap(([rate, basis]) => (rate ? [`${rate}% on ${basis}`] : [])).join(' and ') || 'none';
}

function managementText({ stepDown, minimum, offset, waiver, ...rates }: Management, currency: string): string {
  const stepped = stepDown && [
    stepDown.from ? `from ${formatCalendarDate(stepDown.from)}` : 'after the investment period',
    ratesText(stepDown),
  ];
  return [
    ratesText(rates),
    ...(stepped ? [stepped.join(' ')] : []),
    ...(minimum == null ? [] : [`at least ${writtenAmount({ sum: minimum, currency })} a year`]),
    ...(offset ? [`reduced by ${offset}% of borrowers’ fees`] : []),
    ...(waiver ? [`${waiver}% of it waived`] : []),
  ].join(', ');
}

function successText(terms: NonNullable<FeeTerms['success']>): string {
  const { rate, hurdle, catchUp, equityOnly, interestShare, simple, perTransaction, clawback } = terms;
  if (!rate) return 'none';
  return [
    `${rate}%`,
    hurdle ? `above a hurdle of ${hurdle}%${simple ? ' without compounding' : ''}` : 'without a hurdle',
    ...(catchUp ? [`catch-up ${catchUp}%`] : []),
    ...(equityOnly ? ['on capital gains only'] : []),
    ...(interestShare == null || equityOnly ? [] : [`on ${interestShare}% of interest`]),
    ...(perTransaction ? ['American, by facility'] : []),
    ...(clawback ? ['with clawback'] : []),
  ].join(', ');
}

function defaultInterestText({ rate, graceDays, dayCount }: NonNullable<FeeTerms['defaultInterest']>): string {
  if (!rate) return 'none';
  const grace = graceDays ? `after ${formatCount(graceDays, 'day')} of grace` : 'from the due date';
  return `${rate}% a year ${grace}, ${dayCount ?? DEFAULT_INTEREST_DAY_COUNT}`;
}

/** Each part of fee terms in words. A part that they leave out is not in the list. */
export function feeTermsText(
  { management, success, transaction, overallCap, defaultInterest }: FeeTerms,
  currency: string,
): { part: TermPart; text: string }[] {
  return [
    ...(management ? [{ part: 'management' as const, text: managementText(management, currency) }] : []),
    ...(success ? [{ part: 'success' as const, text: successText(success) }] : []),
    ...(transaction
      ? [
          {
            part: 'transaction' as const,
            text: !transaction.applied
              ? 'do not reach the investor'
              : transaction.cap == null
                ? 'reach the investor'
                : `reach the investor up to ${transaction.cap}% of its commitment`,
          },
        ]
      : []),
    ...(overallCap == null
      ? []
      : [{ part: 'overallCap' as const, text: writtenAmount({ sum: overallCap, currency }) }]),
    ...(defaultInterest ? [{ part: 'defaultInterest' as const, text: defaultInterestText(defaultInterest) }] : []),
  ];
}

/** Where terms come from: "Class A, from 1 Jan 2025". */
export function sourceText(source: TermSource, className: string | null): string {
  if (source.kind === 'commitment') return 'Commitment';
  const named =
    source.kind === 'sideLetter' ? 'Side letter' : source.kind === 'class' ? (className ?? 'Class') : 'Fund';
  const title = source.kind === 'sideLetter' && source.title ? ` ${source.title}` : '';
  return `${named}${title}, from ${formatCalendarDate(source.from)}`;
}

import { type CalendarDate, formatCalendarDate } from '../dates/calendar-date.ts';
import { feeTermsText, TERM_PART_LABELS } from './fee-words.ts';
import type { CommitmentFees, FeeTerms, FundFeeTerms, SideLetter } from './fees.schema.ts';

/** A part of terms that a change adds, removes or replaces, in words. Null for what is not agreed. */
export interface TermsChange {
  /** Where it is agreed: "Class A from 1 Jan 2026". */
  readonly of: string;
  readonly part: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Parts = ReadonlyMap<string, string>;

const partsOf = (terms: FeeTerms, currency: string): Parts =>
  new Map(feeTermsText(terms, currency).map(({ part, text }) => [TERM_PART_LABELS[part], text]));

/** What differs between two lists of agreements, each named by what it is of. */
function changesOf(before: ReadonlyMap<string, Parts>, after: ReadonlyMap<string, Parts>): TermsChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((of) => {
    const [old, next] = [before.get(of), after.get(of)];
    return [...new Set([...(old?.keys() ?? []), ...(next?.keys() ?? [])])].flatMap((part): TermsChange[] => {
      const [was, is] = [old?.get(part) ?? null, next?.get(part) ?? null];
      return was === is ? [] : [{ of, part, before: was, after: is }];
    });
  });
}

interface FundTerms {
  readonly feeTerms: readonly FundFeeTerms[];
  readonly investmentPeriodEnd?: CalendarDate | null | undefined;
}

/** What a change of the terms of a fund changes. @param classNameOf the name of a class; null for all */
export function fundTermsChanges(
  before: FundTerms,
  after: FundTerms,
  currency: string,
  classNameOf: (key: string | null) => string | null,
): TermsChange[] {
  const listed = ({ feeTerms, investmentPeriodEnd }: FundTerms): ReadonlyMap<string, Parts> =>
    new Map([
      ...feeTerms.map(({ Class, from, terms }): [string, Parts] => [
        `${Class == null ? 'All classes' : (classNameOf(Class) ?? Class)} from ${formatCalendarDate(from)}`,
        partsOf(terms, currency),
      ]),
      ...(investmentPeriodEnd
        ? [
            ['Fund', new Map([['Investment period', `ends ${formatCalendarDate(investmentPeriodEnd)}`]])] as [
              string,
              Parts,
            ],
          ]
        : []),
    ]);
  return changesOf(listed(before), listed(after));
}

interface InvestorTerms {
  readonly fees: CommitmentFees;
  readonly sideLetters: readonly SideLetter[];
}

/** What a change of the terms of one investor changes. */
export function investorTermsChanges(before: InvestorTerms, after: InvestorTerms, currency: string): TermsChange[] {
  const listed = ({ fees, sideLetters }: InvestorTerms): ReadonlyMap<string, Parts> =>
    new Map([
      ['Commitment', partsOf(fees, currency)],
      ...sideLetters.map(({ from, title, document, terms }): [string, Parts] => [
        `Side letter from ${formatCalendarDate(from)}`,
        new Map([
          ...(title ? [['Title', title] as const] : []),
          ...(document ? [['Document', `file ${document.slice(-6)}`] as const] : []),
          ...partsOf(terms, currency),
        ]),
      ]),
    ]);
  return changesOf(listed(before), listed(after));
}

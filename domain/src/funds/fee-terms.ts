import { addDays, type CalendarDate } from '../dates/calendar-date.ts';
import type { CommitmentFees, FeeTerms, FundFeeTerms, SideLetter } from './fees.schema.ts';

/** The parts of fee terms, each of which is agreed as a whole. */
export const TERM_PARTS = ['management', 'success', 'transaction', 'overallCap', 'defaultInterest'] as const;
export type TermPart = (typeof TERM_PARTS)[number];

/** Where terms come from. The fees of a commitment have no day: they hold from its closing on. */
export type TermSource =
  | { readonly kind: 'fund' | 'class'; readonly from: CalendarDate }
  | { readonly kind: 'commitment'; readonly from: null }
  | {
      readonly kind: 'sideLetter';
      readonly from: CalendarDate;
      readonly title: string | null;
      readonly document: string | null;
    };

interface TermLayer {
  readonly source: TermSource;
  readonly terms: FeeTerms;
}

/** What a fund and one of its investors have agreed. */
export interface FeeAgreements {
  readonly fundTerms: readonly FundFeeTerms[];
  /** The last day of the investment period; null if it is not set. */
  readonly investmentPeriodEnd: CalendarDate | null;
  readonly Class: string | null;
  /** The fees of the commitment itself. */
  readonly fees: CommitmentFees;
  readonly sideLetters: readonly SideLetter[];
}

/** The terms of an investor on each day. */
export interface AgreedTerms {
  /** Days on which they can change. */
  readonly changes: readonly CalendarDate[];
  readonly on: (day: CalendarDate) => FeeTerms;
  /** Where each part comes from; null for a part that nobody agreed. */
  readonly sourcesOn: (day: CalendarDate) => Readonly<Record<TermPart, TermSource | null>>;
}

/** Whether terms say anything of a part. A group whose fields are all empty says nothing. */
const names = (terms: FeeTerms, part: TermPart): boolean => {
  const value = terms[part];
  if (value == null) return false;
  return typeof value !== 'object' || Object.values(value).some((field) => field != null);
};

const latestFirst = <Entry extends { readonly from: CalendarDate }>(entries: readonly Entry[]): Entry[] =>
  entries.toSorted((a, b) => (a.from < b.from ? 1 : -1));

/** What was agreed, what overrides the rest first: side letters, the commitment, its class, the fund; the latest first. */
function layersOf({ fundTerms, Class, fees, sideLetters }: FeeAgreements): TermLayer[] {
  const letters = latestFirst(sideLetters).map(
    ({ from, title, document, terms }): TermLayer => ({
      source: { kind: 'sideLetter', from, title: title ?? null, document: document ?? null },
      terms,
    }),
  );
  const of = (kind: 'fund' | 'class', key: string | null): TermLayer[] =>
    latestFirst(fundTerms.filter((one) => (one.Class ?? null) === key)).map(({ from, terms }) => ({
      source: { kind, from },
      terms,
    }));
  return [
    ...letters,
    { source: { kind: 'commitment', from: null }, terms: fees },
    ...(Class === null ? [] : of('class', Class)),
    ...of('fund', null),
  ];
}

/** From when on a step-down holds; null if that is not known. */
const stepDownFrom = (
  { from }: NonNullable<NonNullable<FeeTerms['management']>['stepDown']>,
  investmentPeriodEnd: CalendarDate | null,
): CalendarDate | null => from ?? (investmentPeriodEnd === null ? null : addDays(investmentPeriodEnd, 1));

/** The management fee of a day: the rates after the step-down, once it holds. */
function steppedDown(
  { stepDown, ...fee }: NonNullable<FeeTerms['management']>,
  investmentPeriodEnd: CalendarDate | null,
  day: CalendarDate,
): NonNullable<FeeTerms['management']> {
  if (!stepDown) return fee;
  const start = stepDownFrom(stepDown, investmentPeriodEnd);
  if (start === null || day < start) return fee;
  const { minimum, offset, waiver } = fee;
  const { from: _, ...rates } = stepDown;
  return { minimum, offset, waiver, ...rates };
}

/**
 * The terms of an investor on each day. Each part is that of a side letter if one names it, otherwise that of the
 * commitment, of its class, or of the fund.
 */
export function agreedTerms(agreements: FeeAgreements): AgreedTerms {
  const layers = layersOf(agreements);
  const { investmentPeriodEnd } = agreements;
  const layerOf = (part: TermPart, day: CalendarDate): TermLayer | undefined =>
    layers.find(({ source, terms }) => (source.from === null || source.from <= day) && names(terms, part));
  const changes = layers.flatMap(({ source, terms }) => {
    const stepDown = terms.management?.stepDown;
    return [source.from, stepDown ? stepDownFrom(stepDown, investmentPeriodEnd) : null].flatMap((day) => day ?? []);
  });
  return {
    changes: [...new Set(changes)].sort(),
    on(day) {
      const of = <Part extends TermPart>(part: Part): FeeTerms[Part] => layerOf(part, day)?.terms[part];
      const management = of('management');
      return {
        management: management && steppedDown(management, investmentPeriodEnd, day),
        success: of('success'),
        transaction: of('transaction'),
        overallCap: of('overallCap'),
        defaultInterest: of('defaultInterest'),
      };
    },
    sourcesOn(day) {
      const of = (part: TermPart): TermSource | null => layerOf(part, day)?.source ?? null;
      return {
        management: of('management'),
        success: of('success'),
        transaction: of('transaction'),
        overallCap: of('overallCap'),
        defaultInterest: of('defaultInterest'),
      };
    },
  };
}

/** Fees that hold on every day. */
export const always = (fees: FeeTerms): AgreedTerms =>
  agreedTerms({ fundTerms: [], investmentPeriodEnd: null, Class: null, fees, sideLetters: [] });

import { z } from 'zod';
import { investorReferenceSchema } from '../commitments/investor.schema.ts';
import { type CalendarDate, calendarDateSchema } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import { percentageSchema } from '../documents/number.schema.ts';
import { nameSchema } from '../documents/text.schema.ts';
import type { InputRule } from '../errors/rule.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { amountOf, notNegativeSchema } from '../money/amount.schema.ts';
import { type DecimalText, decimalOf } from '../money/decimal.ts';
import { MAX_LINES } from './capital-document.ts';
import { type OwnPart, PURPOSE_SPLITS, SPLIT_RULES, type SplitRule } from './line-basis.ts';

/** Most investors of a call or distribution with amounts of their own. */
const MAX_OWN_AMOUNTS = 2_000;

/** Why an investor does not pay, with the document that says so. */
export interface Excuse {
  readonly reason: string;
  /** The id of a file. */
  readonly document: string | null;
}

/** What a person set for one investor: a commitment, or the one that an investor has. */
export interface OwnAmounts {
  readonly of: { readonly commitmentId: string } | { readonly investor: { id: string }; readonly Class: string | null };
  /** In the order of the lines; null where the rule decides. */
  readonly lines: readonly (OwnPart | null)[];
  readonly excuse: Excuse | null;
}

export const splitRuleSchema = z.enum(SPLIT_RULES).default('commitment');
export const purposeSplitSchema = z.enum(PURPOSE_SPLITS).default('commitment');

export const excuseReasonSchema = nameSchema(1, 500);
export const excuseSchema = z.object({ reason: excuseReasonSchema, document: idSchema.nullish() });

const ofInvestor = { investor: investorReferenceSchema, Class: classKeySchema.nullish() };
const eitherOf = (names: readonly [string, string]) => ({
  path: [names[0]],
  message: `Enter either ${names[0]} or ${names[1]}`,
});

const ownPurposeSchema = z
  .object({ title: nameSchema(1, 150), amount: notNegativeSchema.nullish(), excused: z.boolean().default(false) })
  .refine(({ amount, excused }) => (amount == null) === excused, eitherOf(['amount', 'excused']));

/** Amounts that investors of a call have in place of what the rule of a purpose comes to. */
export const callAmountsSchema = z
  .array(
    z
      .object({
        ...ofInvestor,
        purposes: z.array(ownPurposeSchema).min(1).max(MAX_LINES).optional(),
        excuse: excuseSchema.nullish(),
      })
      .refine(({ purposes, excuse }) => Boolean(excuse) === (purposes?.some(({ excused }) => excused) ?? true), {
        path: ['excuse'],
        message: 'State the reason of what the investor is excused from, and of nothing else',
      }),
  )
  .max(MAX_OWN_AMOUNTS, { message: `At most ${MAX_OWN_AMOUNTS} investors` });

const ownComponentSchema = z
  .object({
    title: nameSchema(1, 150),
    amount: amountOf(notNegativeSchema).nullish(),
    rate: percentageSchema.nullish(),
  })
  .refine(({ amount, rate }) => (amount == null) !== (rate == null), eitherOf(['amount', 'rate']));

/** Amounts that investors of a distribution have in place of what its rules come to, and the rates of their taxes. */
export const distributionAmountsSchema = z
  .array(
    z.object({
      ...ofInvestor,
      principal: amountOf(notNegativeSchema).nullish(),
      components: z.array(ownComponentSchema).max(MAX_LINES).default([]),
    }),
  )
  .max(MAX_OWN_AMOUNTS, { message: `At most ${MAX_OWN_AMOUNTS} investors` });

/** The rule of a line, with what it needs. */
export interface SplitTerms {
  readonly split: SplitRule;
  readonly amount?: unknown;
  readonly from?: CalendarDate | null | undefined;
  readonly until?: CalendarDate | null | undefined;
  readonly rate?: unknown;
}

/** Where an amount comes from, as the API returns it. */
export const wireBasisSchema = z
  .object({
    rule: z.enum(SPLIT_RULES),
    set: z.enum(['amount', 'excused']).optional(),
    of: z.string().optional(),
    weight: z.string().optional(),
    whole: z.string().optional(),
    spread: z.string().optional(),
    excused: z.string().optional(),
    ratePercent: z.string().optional(),
    from: z.string().optional(),
    until: z.string().optional(),
    tier: z.enum(['principal', 'income', 'gain', 'carry']).optional(),
    investment: z.string().optional(),
    waterfall: z
      .object({
        proceeds: z.string(),
        outside: z.string(),
        capital: z.string(),
        preferred: z.string(),
        since: z.string().nullable(),
        days: z.int(),
        accrued: z.string(),
        hurdlePercent: z.string(),
        ratePercent: z.string(),
        catchUpPercent: z.string(),
        returnOfCapital: z.string(),
        preferredReturn: z.string(),
        catchUp: z.string(),
        catchUpLp: z.string(),
        splitLp: z.string(),
        splitGp: z.string(),
        carryReceived: z.string(),
        carryDue: z.string(),
        investment: z.string().optional(),
      })
      .optional()
      .meta({
        description:
          'What entered the waterfall and what did not, capital not returned and preferred return not paid before, the return accrued since, the tiers, and the carry received before and due on the whole fund. With `investment`, the tiers are those of this investment alone',
      }),
  })
  .meta({
    id: 'LineBasis',
    description:
      'Where an amount comes from: of × weight / whole rounded to the minor unit, plus spread; or a rate of an income, the investor’s terms for some days, its waterfall, or what a person set',
  });

/** How a line of a call or distribution is divided, as its header keeps it. */
export interface StoredSplit {
  readonly rule: SplitRule;
  /** As it was entered: what is not called of it is not in its lines. Null for one that its parts add up to. */
  readonly amount: DecimalText | null;
  readonly from?: CalendarDate | undefined;
  readonly until?: CalendarDate | undefined;
  /** Of a tax by each investor’s rate. */
  readonly ratePercent?: DecimalText | undefined;
  /** Of proceeds of one investment. */
  readonly investment?: string | undefined;
}

/** Whether the amount of a line is what its parts add up to. */
export const isSummed = ({ split }: Pick<SplitTerms, 'split'>): boolean =>
  split === 'terms' || split === 'entered' || split === 'waterfall';

export const feeDaysShape = { from: calendarDateSchema.nullish(), until: calendarDateSchema.nullish() };

/** What must hold for the rule of a purpose of a call. */
export const PURPOSE_SPLIT_RULES: readonly InputRule<SplitTerms & { kind?: string }>[] = [
  [
    ({ split, kind }) => split !== 'terms' || kind === 'managementFee',
    { path: ['split'], message: 'Only a management fee follows from each investor’s terms' },
  ],
  [
    ({ split, from, until }) => split !== 'terms' || (Boolean(from) && Boolean(until)),
    { path: ['from'], message: 'Enter the first and the last day of the fee' },
  ],
  [
    ({ from, until }) => !from || !until || from <= until,
    { path: ['until'], message: 'must not be before the first day' },
  ],
];

const TAXES = ['INTEREST TAX', 'CG TAX'];
const CARRIES = ['INTEREST FEES', 'CG FEES'];
const PROFITS = ['INTEREST', 'CG'];

/** The terms of a distribution that its waterfall must fit. */
interface WaterfallTerms {
  readonly distributionKind: string;
  readonly principalSplit: SplitRule;
  readonly investment?: string | null | undefined;
  readonly components: readonly { readonly split: SplitRule; readonly actionType: string }[];
}

/** What must hold for a distribution whose proceeds are split by the waterfall. */
export const WATERFALL_RULES: readonly InputRule<WaterfallTerms>[] = [
  [
    ({ principalSplit, components }) =>
      principalSplit === 'waterfall' || components.every(({ split }) => split !== 'waterfall'),
    { path: ['principalSplit'], message: 'Divide the principal by the waterfall as well' },
  ],
  [
    ({ principalSplit, investment }) => !investment || principalSplit === 'waterfall',
    { path: ['investment'], message: 'Only proceeds by the waterfall are those of one investment' },
  ],
  [
    ({ principalSplit, distributionKind }) =>
      principalSplit !== 'waterfall' || (distributionKind !== 'Interest' && distributionKind !== 'Principal Only'),
    { path: ['distributionKind'], message: 'The waterfall divides proceeds into principal and profit' },
  ],
  [
    ({ principalSplit, components }) =>
      principalSplit !== 'waterfall' ||
      components.every(({ split, actionType }) => split === 'waterfall' || !PROFITS.includes(actionType)),
    { path: ['components'], message: 'Divide interest and capital gains by the waterfall as well' },
  ],
  [
    ({ principalSplit, components }) =>
      principalSplit !== 'waterfall' || components.some(({ actionType }) => PROFITS.includes(actionType)),
    { path: ['components'], message: 'Add interest or a capital gain: what is beyond the return of capital' },
  ],
  [
    ({ principalSplit, components }) =>
      principalSplit !== 'waterfall' ||
      components.filter(({ split, actionType }) => split === 'waterfall' && CARRIES.includes(actionType)).length === 1,
    { path: ['components'], message: 'Add one fee by the waterfall: the carry' },
  ],
];

/** What must hold for the rule of a component of a distribution. */
export const COMPONENT_SPLIT_RULES: readonly InputRule<SplitTerms & { actionType?: string }>[] = [
  [
    ({ split, actionType }) => split !== 'terms' || TAXES.includes(actionType ?? ''),
    { path: ['split'], message: 'Only a tax follows from each investor’s rate' },
  ],
  [
    ({ split, actionType }) => split !== 'waterfall' || !TAXES.includes(actionType ?? ''),
    { path: ['split'], message: 'A tax does not follow from the waterfall' },
  ],
  [
    ({ split, actionType, amount }) => split !== 'waterfall' || !CARRIES.includes(actionType ?? '') || amount == null,
    { path: ['amount'], message: 'Leave this blank: the carry follows from the waterfall' },
  ],
  [
    ({ split, rate }) => (split === 'terms') === (rate != null),
    { path: ['rate'], message: 'Enter the rate of a tax by each investor’s rate, and of nothing else' },
  ],
];

/** The place of the one line with a title; null if there is none, or several. */
const placeOf = (lines: readonly { title: string }[], title: string): number | null => {
  const places = lines.flatMap((line, index) => (line.title === title ? [index] : []));
  return places.length === 1 ? places[0]! : null;
};

/** Reports titles of own amounts that are not those of one line. */
export function refuseUnknownTitles(
  amounts: readonly { readonly [list: string]: unknown }[],
  list: 'purposes' | 'components',
  lines: readonly { title: string }[],
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  for (const [index, own] of amounts.entries()) {
    for (const [place, { title }] of ((own[list] ?? []) as { title: string }[]).entries()) {
      if (placeOf(lines, title) !== null) continue;
      context.addIssue({
        code: 'custom',
        path: ['amounts', index, list, place, 'title'],
        message: `is not the title of one of the ${list}`,
      });
    }
  }
}

/** The own amounts of a call, by the places of its purposes. */
export const ownOfCall = (
  amounts: z.output<typeof callAmountsSchema>,
  purposes: readonly { title: string }[],
): OwnAmounts[] =>
  amounts.map(({ investor, Class, purposes: own, excuse }) => {
    const lines: (OwnPart | null)[] = purposes.map(() => (own ? null : { excused: true }));
    for (const { title, amount } of own ?? []) {
      lines[placeOf(purposes, title)!] = amount == null ? { excused: true } : { amount };
    }
    return {
      of: { investor, Class: Class ?? null },
      lines,
      excuse: excuse ? { reason: excuse.reason, document: excuse.document ?? null } : null,
    };
  });

/** The own amounts of a distribution: of its principal, then by the places of its components. */
export const ownOfDistribution = (
  amounts: z.output<typeof distributionAmountsSchema>,
  components: readonly { title: string }[],
): OwnAmounts[] =>
  amounts.map(({ investor, Class, principal, components: own }) => {
    const lines: (OwnPart | null)[] = components.map(() => null);
    for (const { title, amount, rate } of own) {
      lines[placeOf(components, title)!] = amount == null ? { ratePercent: decimalOf(rate!) } : { amount: amount.sum };
    }
    return {
      of: { investor, Class: Class ?? null },
      lines: [principal ? { amount: principal.sum } : null, ...lines],
      excuse: null,
    };
  });

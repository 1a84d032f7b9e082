import { z } from 'zod';
import { valuesOf } from '../documents/labels.ts';
import { pick } from '../documents/pick.ts';
import { REQUIRED } from '../errors/required.ts';
import { type Amount, amountOf, positiveSchema } from '../money/amount.schema.ts';
import { absolute, compare } from '../money/decimal.ts';

/**
 * The documents that a manager can require a second person for, and what several of them are called. Payment runs are
 * always released by another person: the rule says when a second one releases them too.
 */
export const SECOND_PERSON_KIND_LABELS = {
  calls: 'Capital calls',
  distributions: 'Distributions',
  writeOffs: 'Write-offs',
  navs: 'NAVs',
  payments: 'Second release of payment runs',
  statements: 'Capital account statements',
  terms: 'Changes of terms',
} as const;
export const SECOND_PERSON_KINDS = valuesOf(SECOND_PERSON_KIND_LABELS);
export type SecondPersonKind = (typeof SECOND_PERSON_KINDS)[number];
/** Those that are issued. */
export type IssuedKind = Exclude<SecondPersonKind, 'payments'>;

/** Documents that have no amount: a second person is needed always, or never. */
const WITHOUT_AMOUNT: readonly SecondPersonKind[] = ['statements', 'terms'];
export const hasAmount = (kind: SecondPersonKind): boolean => !WITHOUT_AMOUNT.includes(kind);

/** When a document must be issued by somebody else than who prepared it. */
export const SECOND_PERSON_LABELS = { never: 'Never', always: 'Always', from: 'From an amount on' } as const;
const CASES = valuesOf(SECOND_PERSON_LABELS);
export const SECOND_PERSON_LABELS_WITHOUT_AMOUNT = pick(SECOND_PERSON_LABELS, 'never', 'always');

/**
 * When a second person is needed for documents of a kind. From an amount on: a document in another currency, or of an
 * amount that is not known, needs one always.
 */
export interface SecondPersonRule {
  readonly when: (typeof CASES)[number];
  /** From which amount on; null unless `when` says so. */
  readonly amount: Amount | null;
}
export type SecondPersonRules = Readonly<Record<SecondPersonKind, SecondPersonRule>>;

/** The kinds that a call of before can leave out: their rule stays as it is. */
type LaterKind = Exclude<SecondPersonKind, 'calls' | 'distributions'>;

/** The rules as somebody gives them. */
export type GivenSecondPersonRules = Omit<SecondPersonRules, LaterKind> & {
  readonly [kind in LaterKind]?: SecondPersonRule | undefined;
};

/** A change of the rules that a second person has not confirmed yet. */
export interface SecondPersonProposal {
  readonly rules: SecondPersonRules;
  readonly by: string | null;
  readonly name: string;
  /** ISO instant. */
  readonly at: string;
}

const NEVER: SecondPersonRule = { when: 'never', amount: null };

/** The rules of a manager as they are stored: a kind that is not named has none. */
export const rulesOf = (stored: Partial<SecondPersonRules>): SecondPersonRules =>
  Object.fromEntries(SECOND_PERSON_KINDS.map((kind) => [kind, stored[kind] ?? NEVER])) as unknown as SecondPersonRules;

const limitSchema = amountOf(positiveSchema);

const ruleSchemaOf = (limit: z.ZodType<Amount | null | undefined>) =>
  z
    .object({ when: z.enum(CASES), amount: limit })
    .refine(({ when, amount }) => when !== 'from' || amount != null, { path: ['amount', 'sum'], message: REQUIRED })
    .transform(({ when, amount }): SecondPersonRule => ({ when, amount: when === 'from' ? (amount ?? null) : null }));

/** The shape of a form of the rules. @param limitOf how the form sends an amount, which can be left out */
export const secondPersonShape = (limitOf: (limit: typeof limitSchema) => z.ZodType<Amount | null | undefined>) => {
  const rule = ruleSchemaOf(limitOf(limitSchema));
  const withoutAmount = z
    .object({
      when: z.enum(valuesOf(SECOND_PERSON_LABELS_WITHOUT_AMOUNT), {
        error: 'must be never or always: these have no amount',
      }),
      amount: limitOf(limitSchema),
    })
    .transform(({ when }): SecondPersonRule => ({ when, amount: null }));
  return Object.fromEntries(
    SECOND_PERSON_KINDS.map((kind) => [kind, hasAmount(kind) ? rule : withoutAmount]),
  ) as unknown as Record<SecondPersonKind, typeof rule>;
};

/** The rules as a call sends them. */
export const secondPersonSchema = z
  .object(secondPersonShape((limit) => limit.nullish()))
  // What existed before these kinds leaves their rules out.
  .partial({ writeOffs: true, navs: true, statements: true, terms: true, payments: true })
  .meta({ description: 'When a document must be issued by somebody else than who prepared it' });

/** The rules that hold from now on: a kind that is left out keeps its rule. */
export const withGiven = (now: SecondPersonRules, given: GivenSecondPersonRules): SecondPersonRules =>
  Object.fromEntries(
    SECOND_PERSON_KINDS.map((kind) => [kind, given[kind] ?? now[kind]]),
  ) as unknown as SecondPersonRules;

/** Whether a rule asks for a second person. @param amount of the document; null if it is not known */
export function needsSecondPerson(rule: SecondPersonRule, amount: Amount | null): boolean {
  if (rule.when !== 'from' || rule.amount === null) return rule.when === 'always';
  if (amount === null || amount.currency !== rule.amount.currency) return true;
  return compare(absolute(amount.sum), rule.amount.sum) >= 0;
}

const isLower = (now: Amount | null, next: Amount | null): boolean =>
  now !== null && next !== null && now.currency === next.currency && compare(next.sum, now.sum) <= 0;

/** Whether something that needs a second person now would not need one. */
const isLooserRule = (next: SecondPersonRule, now: SecondPersonRule): boolean => {
  if (now.when === 'never' || next.when === 'always') return false;
  return !(now.when === 'from' && next.when === 'from' && isLower(now.amount, next.amount));
};

/** Whether the next rules ask less often for a second person than those of now, for any kind. */
export const isLooser = (next: SecondPersonRules, now: SecondPersonRules): boolean =>
  SECOND_PERSON_KINDS.some((kind) => isLooserRule(next[kind], now[kind]));

/** Whether both ask in the same cases. */
export const areSameRules = (one: SecondPersonRules, other: SecondPersonRules): boolean =>
  !isLooser(one, other) && !isLooser(other, one);

/** "Always", "From 1,000,000.00 USD on", "Never". @param writtenAmount how an amount is written */
export const ruleText = ({ when, amount }: SecondPersonRule, writtenAmount: (amount: Amount) => string): string =>
  when === 'from' && amount ? `From ${writtenAmount(amount)} on` : SECOND_PERSON_LABELS[when];

/** Of a draft: whether somebody else than who prepared it must issue it, and how that stands. */
export const issueStateSchema = z
  .object({
    isNeeded: z.boolean(),
    preparedBy: z.string().nullable(),
    submittedAt: z.string().nullable(),
    returned: z.object({ by: z.string().nullable(), at: z.string().nullable(), reason: z.string() }).nullable(),
  })
  .meta({ description: 'Whether somebody else than who prepared a draft must issue it; null once it is issued' });

import { z } from 'zod';
import { versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { choiceSchema, NUMBER_KINDS, numberSchema, percentageSchema } from '../documents/number.schema.ts';
import { nameSchema, optionalTextSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { MAX_RULES, ratePercentSchema } from '../facilities/contract.schema.ts';
import { filterInputSchema } from '../filters/filter-input.schema.ts';
import { currencySchema } from '../money/amount.schema.ts';
import { decimalOf } from '../money/decimal.ts';
import { BUCKET_DAYS, type DelinquencyBucket } from '../pools/delinquency.ts';

/** What a scenario can change of a certificate. */
export const SCENARIO_CHANGE_LABELS = {
  contract: 'Terms of another contract',
  rate: 'Advance rate',
  limit: 'Concentration limit',
  ruleOff: 'Rule switched off',
  haircut: 'Balances reduced',
  largestDefault: 'Largest obligors default',
  rollRates: 'Roll rates',
  currency: 'Exchange rate',
} as const;
export const SCENARIO_CHANGE_KINDS = valuesOf(SCENARIO_CHANGE_LABELS);
export type ScenarioChangeKind = (typeof SCENARIO_CHANGE_KINDS)[number];

/** The rules that can be switched off, by their list in the contract. */
export const RULE_LIST_LABELS = {
  eligibilityRules: 'Eligibility rule',
  performanceRules: 'Performance rule',
  concentrationRules: 'Concentration limit',
} as const;
export const RULE_LISTS = valuesOf(RULE_LIST_LABELS);

export const MAX_SCENARIO_CHANGES = 20;
/** Scenarios that are shown beside a certificate at once. */
export const MAX_SHOWN_SCENARIOS = 3;
export const MAX_SCENARIOS_PER_BASE = 50;
export const MAX_DEFAULTS = 100;
export const MAX_ROLL_MONTHS = 24;
/** Decimal places of a percentage in a change, apart from advance rates. */
export const CHANGE_DIGITS = 4;

const hasFewDigits = (percent: number): boolean => (decimalOf(percent).split('.')[1]?.length ?? 0) <= CHANGE_DIGITS;
const FEW_DIGITS = { message: `must have at most ${CHANGE_DIGITS} decimals` };
const sharePercentSchema = percentageSchema
  .refine(hasFewDigits, FEW_DIGITS)
  .register(NUMBER_KINDS, { kind: 'percent' });

/** The position of a rule in its list of the contract. */
const positionSchema = z.int(REQUIRED).min(0, REQUIRED).max(MAX_RULES, `must be at most ${MAX_RULES}`);
const countSchema = (most: number) => z.int(REQUIRED).min(1, 'must be at least 1').max(most, `must be at most ${most}`);

/** The buckets of days past due from which assets roll on to the next one. */
export const ROLLING_BUCKETS: readonly DelinquencyBucket[] = BUCKET_DAYS.map(({ bucket }) => bucket);

export const scenarioChangeSchema = z.discriminatedUnion('kind', [
  /** The terms of another contract of the note, such as a draft. The other changes refer to its rules. */
  z.object({ kind: z.literal('contract'), contractId: idSchema }),
  /** The rate of a case by its position; -1 is the default rate. */
  z.object({
    kind: z.literal('rate'),
    rule: z.int(REQUIRED).min(-1, REQUIRED).max(MAX_RULES, `must be at most ${MAX_RULES}`),
    ratePercent: ratePercentSchema,
  }),
  /** The value of a concentration limit, in its own unit. */
  z.object({ kind: z.literal('limit'), rule: positionSchema, value: numberSchema.min(-1e15).max(1e15) }),
  z.object({ kind: z.literal('ruleOff'), list: choiceSchema(RULE_LISTS), rule: positionSchema }),
  /** Takes a percentage off the balances of the assets that a filter names; of all assets without one. */
  z.object({
    kind: z.literal('haircut'),
    filter: filterInputSchema.default({}),
    percent: sharePercentSchema.gt(0, 'must be more than 0').register(NUMBER_KINDS, { kind: 'percent' }),
  }),
  /** The obligors with the largest balances default: their assets become ineligible. */
  z.object({
    kind: z.literal('largestDefault'),
    field: z.string(REQUIRED).min(1, REQUIRED).max(500).default('borrowerId'),
    count: countSchema(MAX_DEFAULTS),
  }),
  /** Each month, a share of the assets of each bucket of days past due moves on to the next bucket. */
  z.object({
    kind: z.literal('rollRates'),
    months: countSchema(MAX_ROLL_MONTHS),
    /** In per cent of the number of assets, by bucket; 0 for one that is not named. */
    shares: z.partialRecord(z.enum(BUCKET_DAYS.map(({ bucket }) => bucket)), sharePercentSchema),
  }),
  /** What an amount in the currency is worth in other currencies changes by a percentage. */
  z.object({
    kind: z.literal('currency'),
    currency: currencySchema,
    percent: numberSchema
      .min(-99, 'must be at least -99')
      .max(1000, 'must be at most 1000')
      .refine((percent) => percent !== 0, { message: 'must not be 0' })
      .refine(hasFewDigits, FEW_DIGITS)
      .register(NUMBER_KINDS, { kind: 'percent' }),
  }),
]);
export type ScenarioChange = z.output<typeof scenarioChangeSchema>;
export type ChangeOf<Kind extends ScenarioChangeKind> = Extract<ScenarioChange, { kind: Kind }>;

/** What a change replaces: of two changes with the same key, the first would have no effect. */
function replaces(change: ScenarioChange): string | null {
  switch (change.kind) {
    case 'rate':
    case 'limit':
      return `${change.kind} ${change.rule}`;
    case 'ruleOff':
      return `${change.kind} ${change.list} ${change.rule}`;
    case 'largestDefault':
      return `${change.kind} ${change.field}`;
    case 'contract':
    case 'rollRates':
      return change.kind;
    case 'currency':
      return `${change.kind} ${change.currency}`;
    case 'haircut':
      return null;
  }
}

const changesSchema = z
  .array(scenarioChangeSchema)
  .min(1, 'Add at least one change')
  .max(MAX_SCENARIO_CHANGES, `At most ${MAX_SCENARIO_CHANGES} changes`)
  .superRefine((changes, context) => {
    const seen = new Set<string>();
    for (const [index, change] of changes.entries()) {
      const key = replaces(change);
      if (key !== null && seen.has(key)) {
        context.addIssue({ code: 'custom', path: [index, 'kind'], message: 'repeats an earlier change' });
      }
      if (key !== null) seen.add(key);
      if (change.kind === 'contract' && index > 0) {
        context.addIssue({ code: 'custom', path: [index, 'kind'], message: 'must be the first change' });
      }
      if (change.kind === 'rollRates' && !Object.values(change.shares).some((share) => share > 0)) {
        context.addIssue({ code: 'custom', path: [index, 'shares'], message: 'Enter at least one share above 0' });
      }
    }
  });

const fields = {
  title: nameSchema(2, 80),
  description: optionalTextSchema(500),
  changes: changesSchema,
};

/** The body for creating a scenario of a borrowing base. */
export const scenarioCreateSchema = z.object({ ...fields, borrowingBase: idSchema });
export type ScenarioCreate = z.output<typeof scenarioCreateSchema>;

/** An update: the scenario as a call returned it. Its borrowing base stays. */
export const scenarioUpdateSchema = z.object({ ...fields, version: versionSchema });
export type ScenarioUpdate = z.output<typeof scenarioUpdateSchema>;

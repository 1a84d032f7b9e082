import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { FREQUENCIES } from '../dates/reporting-periods.ts';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { NUMBER_KINDS } from '../documents/number.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { filterInputSchema } from '../filters/filter-input.schema.ts';
import { ACCUMULATORS } from '../filters/list-query.schema.ts';
import { decimalOf } from '../money/decimal.ts';
import { figureTitleSchema } from './figure-title.ts';
import { DEFAULT_VALUE_POOL, DEFAULT_VALUES, TOTAL_ELIGIBLE_AND_PERFORMING, VALUE_POOLS } from './pools.ts';

export const CONTRACT_STATUSES = ['Draft', 'Active', 'Closed'] as const;
export const OPERANDS = ['gt', 'lt', 'gte', 'lte', 'eq', 'neq'] as const;
export const OPERAND_LABELS: Readonly<Record<RuleOperand, string>> = {
  gt: 'Greater than',
  lt: 'Less than',
  gte: 'Greater than equal',
  lte: 'Less than equal',
  eq: 'Equal',
  neq: 'Not equal',
};
export const THRESHOLD_UNITS = ['money', 'percentage', 'number'] as const;
export const LIMIT_OVERLAPS = ['sequential', 'maximumPerAsset'] as const;
export const LIMIT_OVERLAP_LABELS: Readonly<Record<LimitOverlap, string>> = {
  sequential: 'One after another',
  maximumPerAsset: 'Largest excess per asset',
};
export const LIMIT_OVERLAP_MEANINGS: Readonly<Record<LimitOverlap, string>> = {
  sequential: 'Each limit measures what the limits before it left, so their order matters.',
  maximumPerAsset:
    'Every limit measures the pool before any removal, and each asset loses only the largest of its excesses.',
};

export type RuleOperand = (typeof OPERANDS)[number];
/** How the excesses of several concentration limits on the same asset combine. */
export type LimitOverlap = (typeof LIMIT_OVERLAPS)[number];
export const DEFAULT_LIMIT_OVERLAP: LimitOverlap = 'sequential';

export const MAX_SCOPES = 100;
/** Rules of one kind in one contract: limits the work, far above any facility in use. */
export const MAX_RULES = 200;
export const MAX_CONTRACTS_PER_NOTE = 200;
export const MAX_RESERVES = 50;
/** Rules about whole groups in one contract: each keeps sums of every group. */
export const MAX_WHOLE_GROUP_RULES = 20;
export const MAX_OFFSETS = 20;
/** Decimal places of an advance rate in per cent, and of other percentages of a contract. */
export const ADVANCE_RATE_DIGITS = 8;
/** Amounts of money stay below it. */
const MAX_RESERVE = 1e15;

const titleSchema = z.string(REQUIRED).trim().min(1, { message: REQUIRED }).max(250, 'At most 250 characters');

/** A field's path, or a title that refers to a part of the contract. */
const nameSchema = z.string().min(1).max(500);

/** An asset by its business id, or a condition: what the rule excludes, and why. */
export const ruleExceptionSchema = z
  .object({
    assetId: z.string().min(1).max(1000).optional(),
    filter: filterInputSchema.optional(),
    reason: z.string().max(500).optional(),
  })
  .refine((exception) => (exception.assetId === undefined) !== (exception.filter === undefined), {
    message: 'An exception has either an assetId or a filter',
  });

const ruleShape = {
  title: titleSchema,
  description: z.string().max(1000).optional(),
  /** The condition that an asset must satisfy; for a concentration rule, the assets that it applies to. */
  filter: filterInputSchema.default({}),
  startDate: calendarDateSchema.nullish(),
  /** The first day on which the rule no longer applies. */
  expirationDate: calendarDateSchema.nullish(),
  exceptions: z.array(ruleExceptionSchema).max(1000).default([]),
  enabled: z.boolean().default(true),
};

const datesInOrder = (rule: { startDate?: string | null; expirationDate?: string | null }): boolean =>
  !rule.startDate || !rule.expirationDate || rule.startDate < rule.expirationDate;
const datesProblem = { path: ['startDate'], message: 'Start date must be before end date' };

export const ruleSchema = z.object(ruleShape).refine(datesInOrder, datesProblem);

/** The share of a group in per cent: more than 0, at most 100. */
const groupPercentSchema = z
  .number(REQUIRED)
  .gt(0, 'The share of a group is more than 0 and at most 100%')
  .max(100, 'The share of a group is more than 0 and at most 100%')
  .refine((percent) => (decimalOf(percent).split('.')[1]?.length ?? 0) <= ADVANCE_RATE_DIGITS, {
    message: `A percentage has at most ${ADVANCE_RATE_DIGITS} decimals`,
  })
  .register(NUMBER_KINDS, { kind: 'percent' });

/** The assets that a rule takes together. */
const groupShape = {
  groupBy: nameSchema,
  /** The field that names the parent of a group: its groups count as one. An asset without a parent is of its own group. */
  parent: nameSchema.nullish(),
};

export const eligibilityRuleSchema = z
  .object({
    ...ruleShape,
    /**
     * With it, the rule is about whole groups (cross-aging): if the assets that do not satisfy the filter make up at least
     * this share of the group's positive amounts, all assets of the group fail. Otherwise none does.
     */
    wholeGroup: z.object({ ...groupShape, percent: groupPercentSchema }).nullish(),
  })
  .refine(datesInOrder, datesProblem);

export const equatorSchema = z.object({
  operand: z.enum(OPERANDS),
  unit: z.enum(THRESHOLD_UNITS),
  /** Money in the tape's main currency, per cent (40 is 40%), or a plain number. */
  value: z.number(REQUIRED).min(-1e15).max(1e15),
  /** The value that a percentage refers to; Total Eligible & Performing Pool if omitted. */
  of: nameSchema.optional(),
});

export const concentrationRuleSchema = z
  .object({
    ...ruleShape,
    groupBy: nameSchema.nullish(),
    accumulator: z.enum(ACCUMULATORS).default('$sum'),
    /** If omitted: the amount that earlier rules left; with `maximumPerAsset`, the amount before any removal. */
    accumulatorField: nameSchema.nullish(),
    /** The weight of $wAvg; if omitted: the same amount. */
    weightedField: nameSchema.nullish(),
    /** The N largest groups measured together; if omitted: each group separately. */
    topN: z.number().int().min(1).max(1_000_000).nullish(),
    skipN: z.number().int().min(0).max(1_000_000).nullish(),
    equator: equatorSchema,
  })
  .refine(datesInOrder, datesProblem)
  .refine((rule) => rule.accumulator === '$sum' || Boolean(rule.accumulatorField), {
    path: ['accumulatorField'],
    message: 'Choose the field to average',
  })
  .refine((rule) => rule.accumulator === '$sum' || rule.equator.unit !== 'percentage' || Boolean(rule.equator.of), {
    path: ['equator', 'unit'],
    message: 'Compare an average with a number (80 for 80%), or with a percentage of a named value',
  });

export const limitOverlapSchema = z
  .enum(LIMIT_OVERLAPS)
  .default(DEFAULT_LIMIT_OVERLAP)
  .meta({
    description: `How concentration limits that cover the same asset combine. sequential: ${LIMIT_OVERLAP_MEANINGS.sequential} maximumPerAsset: ${LIMIT_OVERLAP_MEANINGS.maximumPerAsset}`,
  });

export const contractValueSchema = z
  .object({
    title: titleSchema,
    pool: z.enum(VALUE_POOLS).default(DEFAULT_VALUE_POOL),
    filter: filterInputSchema.optional(),
    accumulator: z.enum(ACCUMULATORS).default('$sum'),
    /** If omitted: the outstanding amount. */
    field: nameSchema.nullish(),
    /** The weight of $wAvg; if omitted: the outstanding amount. */
    weightedField: nameSchema.nullish(),
  })
  .superRefine((value, context) => {
    if ((DEFAULT_VALUES as readonly string[]).includes(value.title)) {
      context.addIssue({
        code: 'custom',
        path: ['title'],
        message: `'${value.title}' is a default value and can not be used`,
      });
    }
    if (value.accumulator !== '$sum' && !value.field) {
      context.addIssue({ code: 'custom', path: ['field'], message: 'Choose the field to average' });
    }
  });

export const scopeSchema = z.object({
  title: titleSchema,
  description: z.string().max(1000).optional(),
  filter: filterInputSchema.default({}),
});

/** An advance rate in per cent: 0 to 100, with at most 8 decimals. */
export const ratePercentSchema = z
  .number(REQUIRED)
  .min(0, { message: 'An advance rate is between 0 and 100%' })
  .max(100, { message: 'An advance rate is between 0 and 100%' })
  .refine((rate) => (decimalOf(rate).split('.')[1]?.length ?? 0) <= ADVANCE_RATE_DIGITS, {
    message: `A rate has at most ${ADVANCE_RATE_DIGITS} decimals`,
  })
  .register(NUMBER_KINDS, { kind: 'percent' });

export const advanceRateSchema = z.object({
  cases: z
    .array(
      z.object({
        title: titleSchema,
        filter: filterInputSchema.default({}),
        /** Per cent of the amount that is lent. */
        rate: ratePercentSchema,
        /** Title of the scope that the case applies to; if omitted: every scope. */
        scope: nameSchema.nullish(),
      }),
    )
    .max(MAX_RULES)
    .default([]),
  defaultRate: ratePercentSchema,
});

export const RESERVE_KIND_LABELS = {
  amount: 'Fixed amount',
  percentage: 'Percentage of a value',
  months: 'Months of interest or servicing',
  dilution: 'Dilution above a threshold',
} as const;
export const RESERVE_KINDS = valuesOf(RESERVE_KIND_LABELS);
export type ReserveKind = (typeof RESERVE_KINDS)[number];

export const MAX_RESERVE_MONTHS = 120;

/** Per cent of a value, or a yearly rate in per cent: 0 to 100, with at most 8 decimals. */
const reservePercentSchema = z
  .number(REQUIRED)
  .min(0, 'The percentage of a reserve is between 0 and 100%')
  .max(100, 'The percentage of a reserve is between 0 and 100%')
  .refine((rate) => (decimalOf(rate).split('.')[1]?.length ?? 0) <= ADVANCE_RATE_DIGITS, {
    message: `A percentage has at most ${ADVANCE_RATE_DIGITS} decimals`,
  })
  .register(NUMBER_KINDS, { kind: 'percent' });

const { title, description, startDate, expirationDate, enabled } = ruleShape;
const reserveShape = { title, description, startDate, expirationDate, enabled };

/** What is held back of the net borrowing base before it can be drawn. */
export const reserveSchema = z
  .discriminatedUnion('kind', [
    z.object({
      ...reserveShape,
      kind: z.literal('amount'),
      /** Money in the tape's main currency. */
      amount: z
        .number(REQUIRED)
        .min(0, 'A reserve cannot be negative')
        .lt(MAX_RESERVE, 'A reserve is less than 1,000,000,000,000,000'),
    }),
    z.object({
      ...reserveShape,
      kind: z.literal('percentage'),
      percent: reservePercentSchema,
      /** Title of the value that the percentage refers to; Total Eligible & Performing Pool if omitted. */
      of: nameSchema.optional(),
    }),
    z.object({
      ...reserveShape,
      kind: z.literal('months'),
      months: z
        .number(REQUIRED)
        .positive(`Enter more than 0 and at most ${MAX_RESERVE_MONTHS} months`)
        .max(MAX_RESERVE_MONTHS, `Enter more than 0 and at most ${MAX_RESERVE_MONTHS} months`),
      /** The yearly rate in per cent that is charged on the balance. */
      percent: reservePercentSchema,
    }),
    z.object({
      ...reserveShape,
      kind: z.literal('dilution'),
      /** What the credits of twelve months are above this share of their sales, in per cent, is taken of the value. */
      percent: reservePercentSchema,
      /** Title of the value; Total Eligible & Performing Pool if omitted. */
      of: nameSchema.optional(),
      /** The facility figures of the borrower with its non-cash credits and its gross sales. */
      credits: figureTitleSchema,
      sales: figureTitleSchema,
      /** How often the borrower reports them. */
      frequency: z.enum(FREQUENCIES).default('monthly'),
    }),
  ])
  .refine(datesInOrder, datesProblem);

export const OFFSET_KIND_LABELS = {
  field: 'Amount in a field',
  file: 'Amounts in a file of the tape',
  negatives: 'Negative balances',
} as const;
export const OFFSET_KINDS = valuesOf(OFFSET_KIND_LABELS);
export type OffsetKind = (typeof OFFSET_KINDS)[number];

/** How the tape states the amount of a group: on each of its assets again, or in parts. */
export const OFFSET_AMOUNT_LABELS = {
  perGroup: 'The same amount on each asset of the group',
  perAsset: 'A part of it on each asset, added up',
} as const;
export const OFFSET_AMOUNTS = valuesOf(OFFSET_AMOUNT_LABELS);
export type OffsetAmounts = (typeof OFFSET_AMOUNTS)[number];

const partOfNameSchema = z.string(REQUIRED).trim().min(2, 'At least 2 characters').max(80, 'At most 80 characters');
const headerSchema = z.string(REQUIRED).trim().min(1, { message: REQUIRED }).max(200, 'At most 200 characters');

/**
 * An amount that is taken off the eligible amounts of each group, pro rata and not below zero, such as what the borrower
 * owes its debtor. What a group has too little for is left over.
 */
export const offsetSchema = z
  .discriminatedUnion('kind', [
    z.object({
      ...reserveShape,
      ...groupShape,
      kind: z.literal('field'),
      /** The field with the amount. It is read from all assets of the group that are in scope, eligible or not. */
      field: nameSchema,
      amounts: z.enum(OFFSET_AMOUNTS).default('perGroup'),
    }),
    z.object({
      ...reserveShape,
      ...groupShape,
      kind: z.literal('file'),
      /** What the name of one of the tape's other documents contains, and of no other, in any case. */
      file: partOfNameSchema,
      /** Headers of the columns that name the group and that have its amount in the tape's main currency. */
      groupColumn: headerSchema,
      amountColumn: headerSchema,
    }),
    z.object({ ...reserveShape, ...groupShape, kind: z.literal('negatives') }),
  ])
  .refine(datesInOrder, datesProblem);

/** Whether and how the borrower certifies each borrowing base. */
export const contractCertificationSchema = z.object({
  /** What the borrower certifies; the text of the printed certificate if omitted. */
  text: z.string().trim().min(20, 'At least 20 characters').max(2000, 'At most 2,000 characters').nullish(),
  /** Draws are checked against a base only once the borrower's certificate of it is accepted. */
  drawsUseAccepted: z.boolean().default(false),
});

const tapeLimitSchema = z
  .number()
  .min(0, 'A limit of a tape is from 0 to 100%')
  .max(100, 'A limit of a tape is from 0 to 100%')
  .refine((percent) => (decimalOf(percent).split('.')[1]?.length ?? 0) <= ADVANCE_RATE_DIGITS, {
    message: `A percentage has at most ${ADVANCE_RATE_DIGITS} decimals`,
  })
  .nullish()
  .register(NUMBER_KINDS, { kind: 'percent' });

/** Beyond what a tape is asked about before it is published, compared with the tape before. */
export const tapeLimitsSchema = z
  .object({
    /** Loans with a change that should not happen, in per cent of the loans on both tapes. */
    changedPercent: tapeLimitSchema,
    /** The balance that is no longer reported and unexplained, in per cent of that of the tape before. */
    leftPercent: tapeLimitSchema,
  })
  .refine(({ changedPercent, leftPercent }) => changedPercent != null || leftPercent != null, {
    path: ['changedPercent'],
    message: 'Enter at least one limit',
  });
export type TapeLimits = z.output<typeof tapeLimitsSchema>;

const contractShape = z.object({
  id: idSchema.optional(),
  title: z.string().max(250).optional(),
  version: z.number().int().min(1).optional(),
  cutOffDate: z
    .preprocess((value) => (value === undefined || value === '' ? null : value), calendarDateSchema.nullable())
    .refine((value): value is string => value !== null, { message: 'Contract cutOffDate cannot be null' })
    .transform((value) => value as string),
  /** Id of the mapping whose target fields the filters refer to. */
  assetsETL: idSchema,
  status: z.enum(CONTRACT_STATUSES).default('Draft'),
  values: z.array(contractValueSchema).max(MAX_RULES).default([]),
  scopes: z.array(scopeSchema).max(MAX_SCOPES, { message: 'A contract has at most 100 scopes' }).default([]),
  eligibilityRules: z.array(eligibilityRuleSchema).max(MAX_RULES).default([]),
  performanceRules: z.array(ruleSchema).max(MAX_RULES).default([]),
  concentrationRules: z.array(concentrationRuleSchema).max(MAX_RULES).default([]),
  overlap: limitOverlapSchema,
  advanceRate: advanceRateSchema,
  /** Not present in contracts without any, as in those of earlier versions. */
  reserves: z
    .array(reserveSchema)
    .max(MAX_RESERVES, { message: `A contract has at most ${MAX_RESERVES} reserves` })
    .optional(),
  /** Not present in contracts without any, as in those of earlier versions. */
  offsets: z
    .array(offsetSchema)
    .max(MAX_OFFSETS, { message: `A contract has at most ${MAX_OFFSETS} offsets` })
    .optional(),
  /** Not present in contracts under which the borrower need not certify. */
  certification: contractCertificationSchema.optional(),
  tapeLimits: tapeLimitsSchema.optional(),
});

type ContractShape = z.infer<typeof contractShape>;

/** Titles that must be unique, and titles that must refer to something. */
function titleProblems(contract: ContractShape): { path: (string | number)[]; message: string }[] {
  const problems: { path: (string | number)[]; message: string }[] = [];
  const unique = (list: 'scopes' | 'values' | 'reserves' | 'offsets'): void => {
    const seen = new Set<string>();
    for (const [index, { title }] of (contract[list] ?? []).entries()) {
      if (seen.has(title)) problems.push({ path: [list, index, 'title'], message: `'${title}' is used twice` });
      seen.add(title);
    }
  };
  unique('scopes');
  unique('values');
  unique('reserves');
  unique('offsets');

  const scopes = new Set(contract.scopes.map((scope) => scope.title));
  for (const [index, rateCase] of contract.advanceRate.cases.entries()) {
    if (rateCase.scope && !scopes.has(rateCase.scope)) {
      problems.push({
        path: ['advanceRate', 'cases', index, 'scope'],
        message: `There is no scope named '${rateCase.scope}'`,
      });
    }
  }
  const values = new Set<string>([...DEFAULT_VALUES, ...contract.values.map((value) => value.title)]);
  for (const [index, { equator }] of contract.concentrationRules.entries()) {
    if (equator.of !== undefined && !values.has(equator.of)) {
      problems.push({
        path: ['concentrationRules', index, 'equator', 'of'],
        message: `There is no value named '${equator.of}'`,
      });
    }
  }
  const ofGroups = contract.eligibilityRules.flatMap(({ wholeGroup }, index) => (wholeGroup ? [index] : []));
  const [beyond] = ofGroups.slice(MAX_WHOLE_GROUP_RULES);
  if (beyond !== undefined) {
    problems.push({
      path: ['eligibilityRules', beyond, 'wholeGroup', 'groupBy'],
      message: `A contract has at most ${MAX_WHOLE_GROUP_RULES} rules about whole groups`,
    });
  }
  const ofNegatives = (contract.offsets ?? []).flatMap(({ kind }, index) => (kind === 'negatives' ? [index] : []));
  for (const index of ofNegatives.slice(1)) {
    problems.push({ path: ['offsets', index, 'kind'], message: 'Negative balances can be deducted only once' });
  }
  for (const [index, offset] of (contract.offsets ?? []).entries()) {
    if (offset.kind !== 'file' || offset.groupColumn !== offset.amountColumn) continue;
    problems.push({ path: ['offsets', index, 'amountColumn'], message: 'Name another column than that of the groups' });
  }
  const averages = new Set(contract.values.filter((value) => value.accumulator !== '$sum').map(({ title }) => title));
  for (const [index, reserve] of (contract.reserves ?? []).entries()) {
    if ((reserve.kind !== 'percentage' && reserve.kind !== 'dilution') || reserve.of === undefined) continue;
    const path = ['reserves', index, 'of'];
    if (!values.has(reserve.of)) problems.push({ path, message: `There is no value named '${reserve.of}'` });
    else if (averages.has(reserve.of)) {
      problems.push({ path, message: `'${reserve.of}' is an average. Choose a value that is a sum of money` });
    }
  }
  return problems;
}

/**
 * The borrowing-base terms of a note. Accepts JSON from the API and completes it with defaults; parsing its own result
 * changes nothing. Filters are checked against the asset catalog by `checkContractAgainstFields`.
 */
export const transactionContractSchema = contractShape.superRefine((contract, context) => {
  for (const problem of titleProblems(contract)) context.addIssue({ code: 'custom', ...problem });
});

export type TransactionContract = z.infer<typeof transactionContractSchema>;
/** The terms of a contract, without what its row has in columns of its own. */
export type ContractBody = Omit<TransactionContract, 'id' | 'version' | 'cutOffDate' | 'assetsETL' | 'status'>;
/** A contract as a caller writes it, before defaults. */
export type TransactionContractInput = z.input<typeof transactionContractSchema>;
export type ContractRule = z.infer<typeof ruleSchema>;
export type EligibilityRule = z.infer<typeof eligibilityRuleSchema>;
export type ConcentrationRule = z.infer<typeof concentrationRuleSchema>;
export type ContractValue = z.infer<typeof contractValueSchema>;
export type ContractReserve = z.infer<typeof reserveSchema>;
export type ContractOffset = z.infer<typeof offsetSchema>;
export type Equator = z.infer<typeof equatorSchema>;
export type RuleException = z.infer<typeof ruleExceptionSchema>;

/** The value that a percentage of a limit or a reserve refers to. */
export const thresholdBase = ({ of }: { of?: string | undefined }): string => of ?? TOTAL_ELIGIBLE_AND_PERFORMING;

/** A rule applies if it is enabled and startDate <= cutOffDate < expirationDate; a missing date is open. */
export function ruleApplies(
  rule: { enabled: boolean; startDate?: string | null; expirationDate?: string | null },
  cutOffDate: string,
): boolean {
  return (
    rule.enabled &&
    (!rule.startDate || rule.startDate <= cutOffDate) &&
    (!rule.expirationDate || cutOffDate < rule.expirationDate)
  );
}

/**
 * Of a note's contracts, the Active one with the latest cutOffDate that is not after the tape's; undefined if none
 * applies.
 */
export function applyingContract<C extends { status: string; cutOffDate: string }>(
  contracts: readonly C[],
  tapeCutOffDate: string,
): C | undefined {
  let best: C | undefined;
  for (const contract of contracts) {
    if (contract.status !== 'Active' || contract.cutOffDate > tapeCutOffDate) continue;
    if (best === undefined || contract.cutOffDate > best.cutOffDate) best = contract;
  }
  return best;
}

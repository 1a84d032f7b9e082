import { WARNING_CODES } from '@tapeline/domain/borrowing-base/result.ts';
import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import {
  LIMIT_OVERLAPS,
  OFFSET_AMOUNTS,
  OFFSET_KINDS,
  RESERVE_KINDS,
} from '@tapeline/domain/facilities/contract.schema.ts';
import { VALUE_POOLS } from '@tapeline/domain/facilities/pools.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';

const tallySchema = z.object({ count: z.int(), amount: wireAmountSchema }).meta({ id: 'CountAndAmount' });
const poolsSchema = z.record(z.enum(VALUE_POOLS), tallySchema).meta({ id: 'PoolFigures' });
const figure = z.number().nullable();

const excessSchema = z.object({ sum: wireAmountSchema, percentage: z.number() }).meta({
  description: 'The amount that the rule takes off its assets, and its percentage of the pool',
});

const offsetShape = { owed: wireAmountSchema, taken: wireAmountSchema, leftOver: wireAmountSchema };
const offsetsSchema = z.array(
  z.object({
    rule: z.int().meta({ description: 'Position in the contract’s offsets' }),
    title: z.string(),
    kind: z.enum(OFFSET_KINDS),
    groupBy: z.string(),
    parent: z.string().nullable().meta({ description: 'The field that names the parent of a group' }),
    field: z
      .string()
      .nullable()
      .meta({ description: 'The field with the amounts; null for a file and for negative balances' }),
    amounts: z.enum(OFFSET_AMOUNTS).nullable(),
    file: z.object({ name: z.string(), key: z.string() }).optional().meta({
      description: 'The document of the tape that the amounts were read from. Only of an offset from a file',
    }),
    groupCount: z.int().meta({ description: 'Groups with an amount to take' }),
    count: z.int().meta({ description: 'Assets that are reduced' }),
    ...offsetShape,
    groups: z
      .array(
        z.object({
          key: z.string().nullable(),
          count: z
            .int()
            .meta({ description: 'Its eligible or performing assets; 0 for a group of a file that has none' }),
          eligible: wireAmountSchema.meta({ description: 'Of the group’s eligible or performing assets, before it' }),
          ...offsetShape,
        }),
      )
      .meta({ description: 'Those with the largest amounts to take' }),
  }),
);

const totalsSchema = z.object({
  assets: z.int(),
  pools: poolsSchema,
  outOfScope: tallySchema,
  values: z.array(
    z.object({
      title: z.string(),
      pool: z.enum(VALUE_POOLS),
      value: figure,
      currency: z.string().nullable().meta({ description: 'Null for a value that is not money' }),
      count: z.int(),
      unknown: tallySchema,
    }),
  ),
  offset: tallySchema.optional().meta({
    description:
      'What offsets take off eligible or performing assets, whose pools have what is left; the relevant pool has the amounts before. Only if offsets of the contract apply on the cut-off date',
  }),
  offsets: offsetsSchema.optional().meta({ description: 'Only with offset' }),
  firstBB: wireAmountSchema,
  excess: wireAmountSchema,
  remaining: wireAmountSchema,
  advanceHaircut: wireAmountSchema,
  netBB: wireAmountSchema,
  weightedAdvanceRatePercent: figure,
  balance: wireAmountSchema
    .nullable()
    .meta({ description: 'On the cut-off date: approved draws due less principal repaid, at the rates of the tape' }),
  commitments: wireAmountSchema.nullable(),
  reserves: z
    .array(
      z.object({
        rule: z.int().meta({ description: 'Position in the contract’s reserves' }),
        title: z.string(),
        kind: z.enum(RESERVE_KINDS),
        percent: figure,
        months: figure,
        of: z.string().nullable().meta({ description: 'Title of the value that a percentage is taken of' }),
        base: wireAmountSchema.nullable().meta({ description: 'That value, or the balance' }),
        amount: wireAmountSchema
          .nullable()
          .meta({ description: 'null if the balance is not recorded, or figures of a dilution are missing' }),
        dilution: z
          .object({
            credits: z.string(),
            sales: z.string(),
            sums: z.object({ creditsSum: z.number(), salesSum: z.number(), ratioPercent: figure }).nullable(),
          })
          .optional()
          .meta({ description: 'The facility figures of a dilution, and their sums over twelve months' }),
      }),
    )
    .optional()
    .meta({ description: 'Only if reserves of the contract apply on the cut-off date' }),
  adjustments: z
    .array(
      z.object({
        id: z.string(),
        amount: wireAmountSchema,
        reason: z.string(),
        enteredBy: z.string(),
        approvedBy: z.string(),
        approvedAt: z.string(),
      }),
    )
    .optional()
    .meta({
      description: 'Approved adjustments of the certificate, in the order of their approval; only if there are any',
    }),
  availableBase: wireAmountSchema.nullable().optional().meta({
    description:
      'netBB less reserves and plus adjustments, not below zero; only with either. null if a reserve is unknown',
  }),
  availability: wireAmountSchema.nullable().meta({
    description:
      'Availability at cut-off: the lesser of available base (netBB if there are no reserves or adjustments) and commitments, less balance. Negative in a deficit',
  }),
  byCurrency: z
    .array(z.object({ currency: z.string(), balance: figure, limit: z.number() }))
    .optional()
    .meta({ description: 'Balance and commitments in each currency; null if no draw was ever recorded' }),
});

const scopeSchema = z.object({
  title: z.string().nullable(),
  pools: poolsSchema,
  offset: wireAmountSchema.optional().meta({ description: 'Only if offsets apply' }),
  firstBB: wireAmountSchema,
  excess: wireAmountSchema,
  remaining: wireAmountSchema,
  netBB: wireAmountSchema,
  unknown: tallySchema,
});

const groupSchema = z.object({
  key: z.string().nullable(),
  rank: z.int(),
  part: z.enum(['skipped', 'measured', 'beyond']),
  count: z.int(),
  measure: figure,
  limit: z.number(),
  distance: z.number().nullish().meta({
    description:
      'Amount by which the group exceeds the limit, in the unit of the measure; null if groups are measured together',
  }),
  excess: excessSchema,
  breached: z.boolean(),
});

const concentrationSchema = z.object({
  rule: z.int(),
  title: z.string(),
  groupBy: z.string().nullable(),
  accumulator: z.enum(['$sum', '$avg', '$wAvg']),
  accumulatorField: z.string().nullish().meta({
    description: 'The field of measure, limit and distance; null for the remaining amount',
  }),
  operand: z.enum(['gt', 'lt', 'gte', 'lte', 'eq', 'neq']),
  topN: z.int().nullable(),
  skipN: z.int(),
  money: z.boolean(),
  limit: z.number(),
  measure: figure,
  breached: z.boolean(),
  distance: figure.meta({ description: 'Amount by which the measure exceeds the limit, in its own unit' }),
  removes: z.boolean(),
  excess: excessSchema,
  removed: excessSchema.optional().meta({
    description:
      'The part of the excess that the pool loses to this rule; the rules’ parts add up to the total excess. With `maximumPerAsset`, the excess on an asset counts under the rule with the greatest excess on it (the first, if several are equal); with `sequential`, all of it counts',
  }),
  groupCount: z.int(),
  breachedGroupCount: z.int(),
  groups: z.array(groupSchema),
  unknown: tallySchema,
  excepted: tallySchema,
});

const trackingShape = { rule: z.int(), title: z.string(), failed: tallySchema, first: tallySchema };
const trackingSchema = z.object(trackingShape).meta({ id: 'RuleTracking' });

const rulesTrackingSchema = z.object({
  eligible: z.array(trackingSchema),
  performing: z.array(trackingSchema),
  concentration: z.array(trackingSchema),
  advancing: z.array(
    z.object({
      ...trackingShape,
      rate: z.number(),
      scope: z.string().nullable(),
      taken: tallySchema,
      remaining: wireAmountSchema,
      advanced: wireAmountSchema,
      haircut: wireAmountSchema,
    }),
  ),
});

/** A stored borrowing base in wire format. See `BorrowingBaseResult` in the domain for what each field means. */
export const borrowingBaseSchema = documentSchema
  .extend({
    loanTapeId: z.string(),
    contract: z.string(),
    transaction: z.string(),
    note: z.string(),
    company: z.string(),
    cutOffDate: z.string(),
    currency: z.string(),
    overlap: z.enum(LIMIT_OVERLAPS).meta({ description: 'How concentration limits that cover the same asset combine' }),
    totals: totalsSchema,
    scopes: z.array(scopeSchema),
    excessBreachDistribution: z.array(concentrationSchema),
    wholeGroups: z
      .array(
        z.object({
          rule: z.int().meta({ description: 'Position in the contract’s eligibilityRules' }),
          title: z.string(),
          groupBy: z.string(),
          parent: z.string().optional().meta({ description: 'Only for a rule about parents' }),
          percent: z.number(),
          groupCount: z.int(),
          failedGroupCount: z.int(),
          groups: z
            .array(
              z.object({
                key: z.string().nullable(),
                count: z.int(),
                amount: wireAmountSchema,
                failing: wireAmountSchema,
                percentage: z.number(),
              }),
            )
            .meta({ description: 'The largest groups that fail' }),
        }),
      )
      .optional()
      .meta({ description: 'The groups that eligibility rules about whole groups exclude; only with such rules' }),
    rulesTracking: rulesTrackingSchema,
    netBB: wireAmountSchema,
    firstBB: wireAmountSchema,
    inputsHash: z.string().nullable().meta({
      description: 'SHA-256 of the inputs: tape generation, contract, exchange rates and position of the note',
    }),
    supersededBy: z
      .string()
      .nullable()
      .meta({ description: 'Id of the result of the next calculation; null for the latest' }),
    warnings: z.array(
      z.object({
        code: z.enum(WARNING_CODES),
        message: z.string(),
        count: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'BorrowingBase' });

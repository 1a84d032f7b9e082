import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import { BORROWING_BASE_STATUSES } from '@tapeline/domain/facilities/pools.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import { ASSET_STATUSES, ASSET_TYPES } from '@tapeline/domain/tapes/statuses.ts';
import { INTEREST_KINDS, TARGET_FIELDS, type TargetKind, TERM_UNITS } from '@tapeline/domain/tapes/target-schema.ts';
import { z } from 'zod';
import { cellProblemSchema } from './documents.ts';

const interestSchema = z.object({ kind: z.enum(INTEREST_KINDS).nullable(), value: z.number() });
const termSchema = z.object({
  value: z.number(),
  unit: z.enum(TERM_UNITS).nullable(),
  days: z.number().nullable(),
});

const SCHEMAS: Readonly<Record<TargetKind, z.ZodType>> = {
  text: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: z.string().meta({ format: 'date' }),
  amount: wireAmountSchema,
  percentage: z.number().meta({ description: 'Percent' }),
  interest: interestSchema,
  term: termSchema,
  assetStatus: z.enum(ASSET_STATUSES),
  assetType: z.enum(ASSET_TYPES),
  currency: z.string(),
};

/** `targetData` with every field of the target schema in its group. A field that the tape does not have is null. */
function targetDataSchema(): z.ZodType {
  const groups = new Map<string, Record<string, z.ZodType>>();
  const shape: Record<string, z.ZodType> = {};
  for (const { path, label, kind } of TARGET_FIELDS) {
    const schema = SCHEMAS[kind].nullable().optional().meta({ description: label });
    const [group, name] = path.split('.') as [string, string?];
    if (name === undefined) shape[group] = schema;
    else groups.set(group, { ...groups.get(group), [name]: schema });
  }
  for (const [group, fields] of groups) shape[group] = z.object(fields).optional();
  return z.object(shape);
}

const originSchema = z.object({ id: z.string(), title: z.string() });
const decimal = z.number().nullable();

const assetBaseSchema = z.object({
  id: z.string(),
  transaction: originSchema.optional(),
  note: originSchema.optional(),
  contract: z.object({ id: z.string(), revision: z.int(), cutOffDate: z.string() }).optional(),
  status: z.enum([...BORROWING_BASE_STATUSES, 'outOfScope']),
  scope: z.string().nullable(),
  failed: z.string().nullable(),
  firstFailed: z.string().nullable(),
  amount: decimal,
  excessRemoved: decimal,
  remaining: decimal,
  rate: decimal,
  advanced: decimal,
});

/** Any value that a mapping can produce from a column. */
const customValueSchema = z
  .union([z.string(), z.number(), z.boolean(), wireAmountSchema, interestSchema, termSchema])
  .nullable();

/** The fields that assets and errored assets share with every document. */
const rowSchema = documentSchema.pick({ id: true, status: true, assoc: true });

export const assetSchema = rowSchema
  .extend({
    cutOffDate: z.string(),
    company: z.string(),
    rowNumber: z.int(),
    sequenceIndex: z.int(),
    assetsETLVersion: z.int(),
    targetData: targetDataSchema(),
    warnings: z.array(z.object({ path: z.string(), label: z.string(), reason: z.string() })).meta({
      description:
        'Values outside the plausible range of the field, and fields left empty because the cell could not be read',
    }),
    borrowingBase: assetBaseSchema.nullable(),
    metadata: z.object({ loanTapeId: z.string(), customFields: z.record(z.string(), customValueSchema) }),
  })
  .meta({ id: 'Asset' });

export const erroredSchema = rowSchema
  .extend({
    loanTapeId: z.string(),
    rowNumber: z.int(),
    originData: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
      .meta({ description: 'The cells of the row by header, as read' }),
    error: z.string(),
    errors: z.array(cellProblemSchema),
  })
  .meta({ id: 'ErroredAsset' });

import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, versionSchema } from '../documents/document.schema.ts';
import { listSchema, textSchema } from '../documents/text.schema.ts';
import { decimalSchema } from '../money/amount.schema.ts';

const MOST_VALUES = 10_000;

const titleSchema = textSchema(1, 150);

/**
 * An option of a list, or only its title. A retired option stays on documents that use it, and is no longer offered.
 */
const valueSchema = z.union(
  [
    titleSchema.transform((title) => ({ title, isRetired: false, date: null, rate: null })),
    z.object({
      title: titleSchema,
      isRetired: z.boolean().default(false),
      /** The day and rate of a base-rate fixing, in percent. */
      date: calendarDateSchema.nullish(),
      rate: decimalSchema.nullish(),
    }),
  ],
  { error: 'must be a text, or an object with a title' },
);

/** Base rates have one value for each day. */
const areDistinct = (values: readonly { title: string; date?: string | null | undefined }[]): boolean =>
  new Set(values.map(({ title, date }) => JSON.stringify([title, date ?? null]))).size === values.length;

const shape = {
  name: textSchema(2, 100),
  values: listSchema(valueSchema, MOST_VALUES, 'values')
    .refine(areDistinct, { message: 'Each value can be listed once' })
    .default([]),
};

/** A manager's named list of options: call purposes, fee kinds, industries, base rates. */
export const tableCreateSchema = z.object(shape);
export const tableUpdateSchema = z.object({ ...shape, version: versionSchema });

const wireValueSchema = z.object({
  title: z.string(),
  isRetired: z.boolean(),
  date: z.string().nullable(),
  rate: z.number().nullable(),
});

/** An option list as the API returns it. */
export const tableSchema = documentSchema
  .extend({ name: z.string(), values: z.array(wireValueSchema) })
  .meta({ id: 'Table' });

/** The options of every list that can be chosen, by the list's name. */
export const tableOptionsSchema = z.array(z.object({ name: z.string(), values: z.array(wireValueSchema) }));

import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema, versionSchema, warningsShape } from '../documents/document.schema.ts';
import { NUMBER_KINDS } from '../documents/number.schema.ts';
import { listSchema, nameSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { BASE_RATES } from '../facilities/terms.schema.ts';
import { decimalSchema } from '../money/amount.schema.ts';
import { compare, type DecimalText } from '../money/decimal.ts';

/** The lists that forms take their suggestions from, and the dated list of base-rate fixings. */
export const LIST_NAMES = {
  baseRates: 'Base rates',
  callPurposes: 'Call purposes',
  feeKinds: 'Fee kinds',
  industries: 'Industries',
} as const;
export type ListName = (typeof LIST_NAMES)[keyof typeof LIST_NAMES];

export type BaseRate = (typeof BASE_RATES)[number];

/** Maximum values of one list: more than ten years of daily fixings of three base rates. */
export const MAX_LIST_VALUES = 10_000;

/** Decimal places of a base rate in percent. */
/** Decimals of a base rate in percent. */
export const RATE_DIGITS = 8;
/** Limits of a base rate in percent. Rates have been negative; none has been outside these. */
export const LEAST_FIXING_RATE = '-10';
export const MAX_FIXING_RATE = '100';

const titleSchema = nameSchema(1, 150);

export const fixingRateSchema = decimalSchema
  .refine((rate) => compare(rate, LEAST_FIXING_RATE) >= 0 && compare(rate, MAX_FIXING_RATE) <= 0, {
    message: `must be from ${LEAST_FIXING_RATE} to ${MAX_FIXING_RATE} percent`,
  })
  .refine((rate) => (rate.split('.')[1]?.length ?? 0) <= RATE_DIGITS, {
    message: `must have at most ${RATE_DIGITS} decimals`,
  })
  .register(NUMBER_KINDS, { kind: 'percent' });

/**
 * An option of a list, or only its title. A retired option stays on documents that use it, and is no longer offered.
 */
const valueSchema = z.union(
  [
    titleSchema.transform((title) => ({ title, isRetired: false, date: null, rate: null })),
    z
      .object({
        title: titleSchema,
        isRetired: z.boolean().default(false),
        /** The day and rate of a base-rate fixing, in percent. */
        date: calendarDateSchema.nullish(),
        rate: fixingRateSchema.nullish(),
      })
      .transform(({ title, isRetired, date, rate }) => ({ title, isRetired, date: date ?? null, rate: rate ?? null })),
  ],
  { error: 'must be a text, or an object with a title' },
);

export interface TableValue {
  title: string;
  isRetired: boolean;
  /** The day of a base-rate fixing. */
  date: string | null;
  /** The rate of a base-rate fixing, in percent. */
  rate: DecimalText | null;
}

/** Two values of a list are the same option, or fixings of the same day. */
export const valueKey = ({ title, date }: Pick<TableValue, 'title' | 'date'>): string =>
  JSON.stringify([title.toLowerCase(), date]);

const areDistinct = (values: readonly TableValue[]): boolean => new Set(values.map(valueKey)).size === values.length;

const shape = {
  name: nameSchema(2, 100),
  values: listSchema(valueSchema, MAX_LIST_VALUES, 'values')
    .refine(areDistinct, { message: 'Each value can be listed once' })
    .default([]),
};

export const isBaseRates = (name: string): boolean => name.toLowerCase() === LIST_NAMES.baseRates.toLowerCase();

const FIXING_TITLE = `must be one of ${BASE_RATES.join(', ')}`;

/** What is wrong with a value as part of the list with this name. */
function valueProblems(name: string, value: TableValue): [field: keyof TableValue, message: string][] {
  if (!isBaseRates(name)) {
    return (['date', 'rate'] as const).flatMap((field): [keyof TableValue, string][] =>
      value[field] === null ? [] : [[field, `is only for the list ${LIST_NAMES.baseRates}`]],
    );
  }
  return [
    ...((BASE_RATES as readonly string[]).includes(value.title) ? [] : [['title', FIXING_TITLE] as const]),
    ...(value.date === null ? [['date', REQUIRED] as const] : []),
    ...(value.rate === null ? [['rate', REQUIRED] as const] : []),
    ...(value.isRetired ? [['isRetired', 'A fixing cannot be retired'] as const] : []),
  ].map(([field, message]) => [field, message]);
}

function checkValues({ name, values }: { name: string; values: TableValue[] }, context: z.RefinementCtx): void {
  for (const [index, value] of values.entries()) {
    for (const [field, message] of valueProblems(name, value)) {
      context.addIssue({ code: 'custom', path: ['values', index, field], message });
    }
  }
}

/** A manager's named list of options: call purposes, fee kinds, industries, base rates. */
export const tableCreateSchema = z.object(shape).superRefine(checkValues);
export const tableUpdateSchema = z.object({ ...shape, version: versionSchema }).superRefine(checkValues);
export type TableCreate = z.infer<typeof tableCreateSchema>;
export type TableUpdate = z.infer<typeof tableUpdateSchema>;

const wireValueSchema = z.object({
  title: z.string(),
  isRetired: z.boolean(),
  date: z.string().nullable().meta({ description: 'The day of a base-rate fixing', format: 'date' }),
  rate: z.number().nullable().meta({ description: 'The rate of a base-rate fixing, in percent' }),
});

/** An option list as the API returns it. */
export const tableSchema = documentSchema
  .extend({ name: z.string(), values: z.array(wireValueSchema), ...warningsShape })
  .meta({ id: 'Table' });

/** The options of every list that can be chosen, by the list's name. */
export const tableOptionsSchema = z.array(z.object({ name: z.string(), values: z.array(wireValueSchema) }));

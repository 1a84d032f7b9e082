import { z } from 'zod';
import { REQUIRED } from '../errors/required.ts';

/** What a number is, which decides how a form reads the text that a person types. */
export type NumberKind = 'money' | 'quantity' | 'percent' | 'factor';

/** The numbers that are not plain JSON numbers, or that are more than that. What is refined keeps its kind. */
export const NUMBER_KINDS = z.registry<{ kind: NumberKind }>();

const PERCENT = { kind: 'percent' } as const;

/** Whether nothing was given. Forms send an empty text for a field that was left blank. */
export const isMissing = (input: unknown) =>
  input === undefined || input === null || (typeof input === 'string' && input.trim() === '');

/** A number that must be given. */
export const numberSchema = z.number({
  error: ({ input }) => (isMissing(input) ? REQUIRED : 'Enter a number, for example 4.25'),
});

export const zeroOrMoreSchema = numberSchema.min(0, 'must be at least 0');

/** A rate beyond this is a mistake in typing, in per cent a year. */
const MAX_RATE = 1000;

/** A rate in per cent that can be negative. */
export const anyRateSchema = numberSchema
  .min(-MAX_RATE, `must be at least -${MAX_RATE}`)
  .max(MAX_RATE, `must be at most ${MAX_RATE}`)
  .register(NUMBER_KINDS, PERCENT);

/** A rate in per cent of zero or more. */
export const percentRateSchema = zeroOrMoreSchema
  .max(MAX_RATE, `must be at most ${MAX_RATE}`)
  .register(NUMBER_KINDS, PERCENT);

/** A share of 0 to 100 per cent. */
export const percentageSchema = zeroOrMoreSchema.max(100, 'must be at most 100').register(NUMBER_KINDS, PERCENT);

/** One of the values, which must be given. */
export const choiceSchema = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: ({ input }) => (isMissing(input) ? REQUIRED : `Use one of ${values.join(', ')}`) });

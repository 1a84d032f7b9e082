import { z } from 'zod';
import { REQUIRED } from '../errors/reason.ts';

export const isMissing = (input: unknown) => input === undefined || input === null;

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
  .max(MAX_RATE, `must be at most ${MAX_RATE}`);

/** A rate in per cent of zero or more. */
export const percentRateSchema = zeroOrMoreSchema.max(MAX_RATE, `must be at most ${MAX_RATE}`);

/** A share of 0 to 100 per cent. */
export const percentageSchema = zeroOrMoreSchema.max(100, 'must be at most 100');

/** One of the values, which must be given. */
export const choiceSchema = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: ({ input }) => (isMissing(input) ? REQUIRED : `Use one of ${values.join(', ')}`) });

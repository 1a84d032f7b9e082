import { z } from 'zod';

const isMissing = (input: unknown) => input === undefined || input === null;

/** A number that must be given. */
export const numberSchema = z.number({
  error: ({ input }) => (isMissing(input) ? 'is required' : 'Enter a number, for example 4.25'),
});

/** A number of zero or more. */
export const zeroOrMoreSchema = numberSchema.min(0, 'must be at least 0');

/** A share of 0 to 100 per cent. */
export const percentageSchema = zeroOrMoreSchema.max(100, 'must be at most 100');

/** One of the values, which must be given. */
export const choiceSchema = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: ({ input }) => (isMissing(input) ? 'is required' : `Use one of ${values.join(', ')}`) });

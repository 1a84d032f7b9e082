import { z } from 'zod';
import { LIFE_SOURCES } from './loan-lives.ts';
import { VINTAGE_PERIODS } from './vintage-period.ts';

export const MOST_VALUES = 50;
export const FIRST_VALUES = 10;

const tapeIdSchema = z
  .string('is required')
  .regex(/^[0-9a-fA-F]{24}$/, 'Ids are exactly 24 characters')
  .transform((id) => id.toLowerCase());
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** A tape, and how its figures are to be written. */
export const tapeQuerySchema = z.object({
  loanTapeId: tapeIdSchema,
  format: oneOf(['json', 'csv']).default('json').meta({ description: 'csv gives the same figures as a table' }),
});

/** Two tapes of one company. */
export const tapePairQuerySchema = tapeQuerySchema.extend({
  against: tapeIdSchema
    .optional()
    .meta({ description: 'The earlier tape; the one before it of the company where left out' }),
});

export const vintageQuerySchema = tapeQuerySchema.extend({
  by: oneOf(VINTAGE_PERIODS).default('month'),
  measure: oneOf(['balance', 'count']).default('balance'),
  source: oneOf(LIFE_SOURCES).optional().meta({
    description:
      "What lives are read from: `tapes`, what one monthly tape after the other saw; `dates`, this tape's own dates, for a tape that lists closed loans too. Tapes where there is an earlier one, else dates",
  }),
});

const WHOLE = `must be a whole number from 1 to ${MOST_VALUES}`;
/** A number of values to show one by one, as a query string or a form has it. */
const topSchema = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,6}$/)
        .transform(Number),
    ],
    { error: WHOLE },
  )
  .pipe(z.number().int(WHOLE).min(1, WHOLE).max(MOST_VALUES, WHOLE));

export const stratificationQuerySchema = tapeQuerySchema.extend({
  field: z
    .string('is required')
    .min(1, 'is required')
    .max(200)
    .meta({ description: 'The path of a field of the assets' }),
  bands: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: 'Edges of a number or date, ascending, parted by commas; suggested ones where left out' }),
  top: topSchema
    .default(FIRST_VALUES)
    .meta({ description: `Values of a text that stand for themselves, 1 to ${MOST_VALUES}` }),
  filter: z.string().optional().meta({ description: 'JSON text: only assets that pass it' }),
});

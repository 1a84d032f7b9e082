import { z } from 'zod';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { idSchema } from '../documents/id.schema.ts';
import { BASE_RATES } from '../facilities/terms-labels.ts';
import { UNKNOWN_LINE_LABELS } from '../invoices/labels.ts';
import { currencySchema, wireAmountSchema } from '../money/amount.schema.ts';
import type { DecimalText } from '../money/decimal.ts';
import { fixingRateSchema } from '../tables/table.schema.ts';

/** Base rates that a person enters for later days: ten years of months. */
export const MAX_CURVE_POINTS = 120;
const MAX_CURVE_TEXT = 4000;
export const MAX_SHIFT = 1000;

/** A base rate from a day on, in percent. */
export interface CurvePoint {
  readonly date: string;
  readonly rate: DecimalText;
}

const POINT = /^(\S+?)[\s,:=]+(\S+?)\s*%?$/;

/** Reads "2027-01-01 4.1": one point in each line, or several separated by semicolons. */
export const curveSchema = z
  .string()
  .max(MAX_CURVE_TEXT, `At most ${MAX_CURVE_TEXT} characters`)
  .transform((text, context): CurvePoint[] => {
    const lines = text
      .split(/[;\n]/)
      .map((line) => line.trim())
      .filter(Boolean);
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (lines.length > MAX_CURVE_POINTS) return refuse(`At most ${MAX_CURVE_POINTS} rates`);
    const points = new Map<string, DecimalText>();
    for (const line of lines) {
      const [, date = '', rate = ''] = POINT.exec(line) ?? [];
      const parsed = fixingRateSchema.safeParse(rate);
      if (!calendarDateSchema.safeParse(date).success || !/^-?\d/.test(rate) || !parsed.success) {
        return refuse(`“${line.slice(0, 30)}” is not a day and a rate, for example 2027-01-01 4.1`);
      }
      if (points.has(date)) return refuse(`${date} has two rates`);
      points.set(date, parsed.data);
    }
    return [...points].map(([date, value]) => ({ date, rate: value })).sort((a, b) => (a.date < b.date ? -1 : 1));
  });

/** Basis points that are added to each base rate after today. */
export const shiftSchema = z.coerce
  .number('Enter a whole number of basis points')
  .int('must be a whole number')
  .min(-MAX_SHIFT, `must be at least -${MAX_SHIFT}`)
  .max(MAX_SHIFT, `must be at most ${MAX_SHIFT}`);

/** What a forecast is asked with. */
export const forecastQuerySchema = z.object({
  transaction: idSchema,
  note: idSchema,
  currency: currencySchema.optional(),
  rates: curveSchema.optional().meta({
    description: `Base rates of later days, each from its day on: 2027-01-01 4.1;2027-07-01 3.8. At most ${MAX_CURVE_POINTS}. Until the first one, and without any, the latest fixing`,
  }),
  shift: shiftSchema.optional().meta({ description: 'Basis points added to every base rate after today' }),
});

const UNKNOWN = Object.keys(UNKNOWN_LINE_LABELS) as [keyof typeof UNKNOWN_LINE_LABELS];

/** A forecast as the API returns it. */
export const forecastSchema = z
  .object({
    isForecast: z.literal(true),
    asOf: z.string(),
    currencies: z.array(z.string()),
    currency: z.string(),
    baseRate: z.enum(BASE_RATES).nullable().meta({ description: 'Which the rates are of; null for fixed interest' }),
    maturity: z.string().nullable().meta({ description: 'Null where the terms have none: nothing is forecast' }),
    periods: z.array(
      z.object({
        from: z.string(),
        to: z.string().meta({ description: 'The day after the last one' }),
        balance: wireAmountSchema.nullable().meta({ description: 'On its last day' }),
        lowestRate: z.string().nullable().meta({ description: 'Percent a year; null without interest' }),
        highestRate: z.string().nullable(),
        interest: wireAmountSchema.nullable(),
        inKind: wireAmountSchema
          .nullable()
          .meta({ description: 'What of it is added to the principal instead of being paid' }),
        fees: wireAmountSchema.nullable(),
        total: wireAmountSchema.nullable().meta({ description: 'Interest and fees without what is paid in kind' }),
        unknown: z.array(z.object({ title: z.string(), why: z.enum(UNKNOWN), of: z.string().nullable() })),
      }),
    ),
    interest: wireAmountSchema.nullable(),
    inKind: wireAmountSchema.nullable(),
    fees: wireAmountSchema.nullable(),
    total: wireAmountSchema.nullable().meta({ description: 'Null while a part of it is unknown' }),
  })
  .meta({ id: 'NoteForecast' });

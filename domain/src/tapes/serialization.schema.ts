import { z } from 'zod';
import { DAYS_PER, type TimeUnit } from '../dates/calendar-date.ts';
import { type Labels, valuesOf } from '../documents/labels.ts';
import { filterInputSchema } from '../filters/filter-input.schema.ts';
import { currencySchema } from '../money/amount.schema.ts';
import { FORMULA_LIMITS } from './formulas/formula.ts';
import { readFormula } from './formulas/parse-formula.ts';
import { INTEREST_KINDS } from './target-schema.ts';

export const DATE_FORMAT_LABELS = {
  ISO: 'YYYY-MM-DD',
  american: 'MM/DD/YYYY',
  excel: 'Excel date',
  timestampMilliseconds: 'Timestamp in milliseconds',
  timestampSeconds: 'Timestamp in seconds',
} as const;
export const DATE_FORMATS = valuesOf(DATE_FORMAT_LABELS);
export type DateFormat = (typeof DATE_FORMATS)[number];
/** How texts write a date. Months are numbers or names; a date without a day is the first of its month. */
export const DATE_ORDER_LABELS = {
  dayFirst: 'Day, month, year: 31.12.2024',
  monthFirst: 'Month, day, year: 12/31/2024',
  yearFirst: 'Year, month, day: 2024/12/31, 241231',
  yearMonth: 'Year, month: 202412',
  monthYear: 'Month, year: 12/2024, Dec-24',
} as const;
export const DATE_ORDERS = valuesOf(DATE_ORDER_LABELS);
export type DateOrder = (typeof DATE_ORDERS)[number];
/** The first of the hundred years that two-digit years stand for: 70 is 1970, and 69 is 2069. */
export const DEFAULT_FIRST_YEAR = 1970;
export const FIRST_YEAR = z.int().min(1900).max(2000);
/** How texts write figures. Spaces and apostrophes may separate thousands in both. */
export const DECIMAL_SIGN_LABELS = { point: 'A point: 1,234.56', comma: 'A comma: 1.234,56' } as const;
export const DECIMAL_SIGNS = valuesOf(DECIMAL_SIGN_LABELS);
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];
export const NEGATIVE_LABELS = { brackets: 'In brackets: (500)', trailing: 'With a trailing minus: 500-' } as const;
export const NEGATIVES = valuesOf(NEGATIVE_LABELS);
export type Negative = (typeof NEGATIVES)[number];
/** What a missing part of a text that is joined costs. */
export const ON_MISSING_LABELS = { leaveOut: 'Join the others', whole: 'The result is missing' } as const;
export const PERCENTAGE_SCALE_LABELS = { zeroTo100: 'Percent', zeroTo1: 'Decimal' } as const;
export const PERCENTAGE_SCALES = valuesOf(PERCENTAGE_SCALE_LABELS);
export const DISTANCE_UNIT_LABELS = { kilometers: 'Kilometers', miles: 'Miles' } as const;
export const DISTANCE_UNITS = valuesOf(DISTANCE_UNIT_LABELS);
/** The specification lists these length units under "Weight"; the name is kept. */
export const WEIGHT_UNIT_LABELS = { feet: 'Feet', meter: 'Meters', inch: 'Inches' } as const;
export const WEIGHT_UNITS = valuesOf(WEIGHT_UNIT_LABELS);
export const TIME_UNIT_LABELS = {
  days: 'Days',
  weeks: 'Weeks',
  months: 'Months',
  quarters: 'Quarters',
  years: 'Years',
} as const satisfies Labels<TimeUnit>;
export const TIME_UNITS = valuesOf(TIME_UNIT_LABELS);

export const NUMBER_UNIT_FACTORS = { scalar: 1, thousands: 1e3, millions: 1e6, billions: 1e9 } as const;
export type NumberUnit = keyof typeof NUMBER_UNIT_FACTORS;
export const NUMBER_UNIT_LABELS = {
  scalar: 'Units',
  thousands: 'Thousands',
  millions: 'Millions',
  billions: 'Billions',
} as const satisfies Labels<NumberUnit>;
export const NUMBER_UNITS = valuesOf(NUMBER_UNIT_LABELS);

/** Days per time unit: month 30.4375, quarter 91.3125, year 365.25. */
export const DAYS_OF_UNIT: Readonly<Record<TimeUnit, number>> = DAYS_PER;
/** Distances are stored in kilometers, and what the specification calls weights in meters. */
export const KILOMETERS_OF_UNIT = { kilometers: 1, miles: 1.609344 } as const;
export const METERS_OF_UNIT = { feet: 0.3048, meter: 1, inch: 0.0254 } as const;

/** A header of the tape, or the target of an earlier rule (which wins); `origin.<header>` always means the header. */
const columnSchema = z.string().min(1, 'Enter a column of the tape or the target of an earlier rule').max(500);
const literalSchema = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]);

/** A literal (null: missing), another column, or the input value of the step. */
export const operandSchema = z.union([
  literalSchema,
  z.strictObject({ column: columnSchema }),
  z.strictObject({ previous: z.literal(true) }),
]);
export type StepOperand = z.infer<typeof operandSchema>;
export type StepLiteral = z.infer<typeof literalSchema>;

const unit = z.enum(NUMBER_UNITS).default('scalar');
const scale = z.enum(PERCENTAGE_SCALES).default('zeroTo100');

const figures = {
  decimal: z.enum(DECIMAL_SIGNS).optional().meta({
    description:
      'The decimal sign of figures that are texts. point: thousands are separated by commas. comma: by points, so that 12.000 is twelve thousand. With either, spaces and apostrophes may separate them as well. If omitted, a point, with commas alone between thousands',
  }),
  negative: z.enum(NEGATIVES).optional().meta({
    description:
      'How texts write negative figures, besides with a leading minus. brackets: (500). trailing: 500-. If omitted, neither is a number',
  }),
};
/** How figures that are texts are read. */
export interface FigureOptions {
  readonly decimal?: DecimalSign | undefined;
  readonly negative?: Negative | undefined;
}

const oneOperand = { value: z.number().optional(), column: columnSchema.optional() };
const arithmetic = <const T extends string>(type: T) =>
  z
    .strictObject({ type: z.literal(type), ...oneOperand })
    .refine((step) => (step.value === undefined) !== (step.column === undefined), {
      message: `${type} takes either a number (value) or another column (column)`,
    });
/** A formula that can be read; what it calculates with is checked with the mapping. */
const formulaSchema = z
  .string()
  .min(1, { message: 'Enter a formula', abort: true })
  .max(FORMULA_LIMITS.characters, {
    message: `The formula is longer than ${FORMULA_LIMITS.characters} characters`,
    abort: true,
  })
  .superRefine((formula, { addIssue }) => {
    const read = readFormula(formula);
    if ('problem' in read) addIssue({ code: 'custom', message: read.problem });
  })
  .meta({
    description:
      'Calculates with + - * / ( ), min, max, round and abs. Columns of the tape and targets of earlier rules are written by name, in [brackets] or "quotes" if the name has spaces; value is the result of the step before, and cutOff the cut-off date. "in days" (weeks, months, quarters, years) follows the difference of two dates',
    example: 'balance / [Appraised value] * 100',
  });

const plain = <const T extends string>(type: T) => z.strictObject({ type: z.literal(type) });

/** Conversions: from a cell, or from the result of the previous step, to a typed value. */
const conversions = [
  plain('text'),
  z.strictObject({ type: z.literal('number'), unit, ...figures }),
  plain('boolean'),
  z.strictObject({
    type: z.literal('date'),
    format: z.enum(DATE_FORMATS),
    order: z.enum(DATE_ORDERS).optional().meta({
      description:
        'How texts write their dates: with any separators or none, with months as numbers or as names in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish or Norwegian, with years of four or two digits. Texts as YYYY-MM-DD are read as well. Numbers are read in this order too (20241231), unless the format is a serial or a timestamp. If omitted, the format alone decides',
    }),
    firstYear: FIRST_YEAR.optional().meta({
      description:
        'With an order: the first of the hundred years that years of two digits stand for. 1970 if omitted: 70 is 1970, and 69 is 2069',
    }),
  }),
  z.strictObject({ type: z.literal('percentage'), scale, ...figures }),
  z
    .strictObject({
      type: z.literal('SerializedSum'),
      currency: currencySchema.optional(),
      currencyColumn: columnSchema.optional(),
      unit,
      ...figures,
    })
    .refine((step) => step.currency === undefined || step.currencyColumn === undefined, {
      message: 'An amount takes either one currency or a currencyColumn',
    }),
  z.strictObject({ type: z.literal('SerializedTerm'), unit: z.enum(TIME_UNITS), ...figures }),
  z.strictObject({
    type: z.literal('SerializedInterest'),
    scale,
    kind: z.enum(INTEREST_KINDS).default('fix'),
    ...figures,
  }),
  z.strictObject({ type: z.literal('SerializedPercentage'), scale, ...figures }),
  z.strictObject({ type: z.literal('distance'), unit: z.enum(DISTANCE_UNITS), ...figures }),
  z.strictObject({ type: z.literal('weight'), unit: z.enum(WEIGHT_UNITS), ...figures }),
  plain('assetStatus'),
] as const;

const arithmetics = [
  arithmetic('add'),
  arithmetic('subtract'),
  arithmetic('multiply'),
  arithmetic('divide'),
  arithmetic('power'),
  arithmetic('min'),
  arithmetic('max'),
  plain('absolute'),
  plain('negate'),
  z.strictObject({ type: z.literal('calculate'), formula: formulaSchema }),
  z.strictObject({ type: z.literal('round'), digits: z.int().min(0).max(8).default(0) }),
] as const;

const strings = [
  plain('trim'),
  plain('upper'),
  plain('lower'),
  z.strictObject({
    type: z.literal('replaceStrings'),
    value: z
      .array(z.string().max(1000))
      .length(2, 'Replace strings needs exactly 2 entries: the text to find and the text to put')
      .refine((pair) => pair[0] !== '', { message: 'The text to find cannot be empty' }),
  }),
  z.strictObject({
    type: z.literal('slice'),
    value: z
      .array(z.int().min(-100_000).max(100_000))
      .min(1, 'Slice takes 1 or 2 numbers: the start and the end')
      .max(2, 'Slice takes 1 or 2 numbers: the start and the end'),
  }),
  z.strictObject({
    type: z.literal('concat'),
    parts: z
      .array(z.union([z.strictObject({ text: z.string().max(1000) }), z.strictObject({ column: columnSchema })]))
      .min(1, 'Add at least one part to append')
      .max(50),
    separator: z.string().max(100).default(''),
    onMissing: z.enum(valuesOf(ON_MISSING_LABELS)).optional().meta({
      description:
        'What a missing part costs. leaveOut (also if omitted): the others are joined. whole: the result is missing, as for an id of which each part counts',
    }),
  }),
  z.strictObject({
    type: z.literal('split'),
    by: z.string().min(1, 'Enter the text to split by').max(100),
    index: z.int().min(-1000).max(1000),
  }),
  z.strictObject({
    type: z.literal('padStart'),
    length: z.int().min(1).max(1000),
    fill: z.string().min(1).max(10).default('0'),
  }),
  z.strictObject({
    type: z.literal('regexExtract'),
    pattern: z.string().min(1, 'Enter a pattern').max(500),
    group: z.int().min(0).max(20).default(0),
  }),
  /** A short code of the text: the first 32 hexadecimal digits of its SHA-256. */
  plain('hash'),
] as const;

const decisions = [
  /** The value, or `row 12` where it is missing, by its row in the sheet. Such an id says nothing on another tape. */
  plain('rowNumber'),
  z.strictObject({
    type: z.literal('ifStatement'),
    /** Can name headers of the tape and targets of earlier rules. */
    filter: filterInputSchema,
    // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract; a step is never awaited
    then: operandSchema,
    /** If omitted, the value is unchanged. */
    else: operandSchema.default({ previous: true }),
  }),
  z.strictObject({
    type: z.literal('switchCase'),
    cases: z
      .array(
        z.strictObject({
          equals: z.union([literalSchema, z.array(literalSchema).min(1).max(200)]),
          // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited
          then: operandSchema,
        }),
      )
      .min(1, 'Add at least one case')
      .max(200),
    /** If omitted, a value that matches no case is an error. A missing value without a case for null stays missing. */
    default: operandSchema.optional(),
  }),
  z.strictObject({
    type: z.literal('datesDiff'),
    /** The end date; if omitted, the tape's cut-off date. */
    column: columnSchema.optional(),
    /**
     * The date format of that column's cells; if omitted, that of the rule that reads the column, or else of this rule.
     */
    format: z.enum(DATE_FORMATS).optional(),
    unit: z.enum(TIME_UNITS).default('days'),
  }),
  z.strictObject({
    type: z.literal('omit'),
    /** Values that become missing. */
    values: z
      .array(z.union([z.string().max(1000), z.number(), z.boolean()]))
      .min(1, 'List at least one value to leave out')
      .max(500),
  }),
] as const;

/** One serialization step. Each step works on the result of the previous one. */
export const serializationSchema = z.discriminatedUnion('type', [
  ...conversions,
  ...arithmetics,
  ...strings,
  ...decisions,
]);
export type Serialization = z.infer<typeof serializationSchema>;
export type SerializationInput = z.input<typeof serializationSchema>;
export type SerializationType = Serialization['type'];
export type SerializationOf<T extends SerializationType> = Extract<Serialization, { type: T }>;

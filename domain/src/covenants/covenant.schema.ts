import { z } from 'zod';
import { calendarDateSchema, isMonthEnd } from '../dates/calendar-date.ts';
import { FREQUENCIES } from '../dates/reporting-periods.ts';
import { versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { choiceSchema, NUMBER_KINDS } from '../documents/number.schema.ts';
import { listSchema, nameSchema, optionalTextSchema, textSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { ratePercentSchema } from '../facilities/contract.schema.ts';
import { currencySchema, decimalSchema, MONEY_LIMIT, TOO_MUCH } from '../money/amount.schema.ts';
import { absolute, compare, isNegative } from '../money/decimal.ts';
import { readFigureFormula } from './covenant-formula.ts';
import {
  CONSEQUENCES,
  COVENANT_BOUNDS,
  COVENANT_UNITS,
  DEFAULT_DAYS_TO_REPORT,
  MAX_CURE_DAYS,
  MAX_PERIODS,
  MAX_STEPS,
} from './covenant-labels.ts';

/** Digits after the point of a limit. */
const LIMIT_DIGITS = 8;

/** A figure of a test: below 10^15, with at most 8 decimals. */
export const figureSchema = decimalSchema
  .refine((value) => compare(absolute(value), MONEY_LIMIT) < 0, {
    message: TOO_MUCH,
    abort: true,
  })
  .refine((value) => (value.split('.')[1]?.length ?? 0) <= LIMIT_DIGITS, {
    message: `must have at most ${LIMIT_DIGITS} decimals`,
  });

const FORMULA_LENGTH = 500;
const formulaSchema = textSchema(1, FORMULA_LENGTH).superRefine((written, context) => {
  const read = readFigureFormula(written);
  if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem });
});

const wholeNumber = (least: number, most: number) =>
  z.int(REQUIRED).min(least, `must be at least ${least}`).max(most, `must be at most ${most}`);

const monthEndSchema = calendarDateSchema.refine(isMonthEnd, { message: 'must be the last day of a month' });

/** A limit, and the first test date that it holds on. */
export const stepSchema = z.object({ from: calendarDateSchema, limit: figureSchema });

/** When a test applies: only while another figure is beyond its own bound. */
export const springingSchema = z.object({
  formula: formulaSchema,
  bound: choiceSchema(COVENANT_BOUNDS),
  limit: figureSchema,
});

const fields = {
  title: nameSchema(2, 80),
  /** Of the credit agreement: "6.3(b)". */
  clause: optionalTextSchema(40),
  clauseText: optionalTextSchema(2000),
  /** `[60+ days past due] / [Total Relevant Pool] * 100` */
  formula: formulaSchema,
  unit: choiceSchema(COVENANT_UNITS),
  /** Only of an amount of money. */
  currency: currencySchema.nullish(),
  bound: choiceSchema(COVENANT_BOUNDS),
  steps: listSchema(stepSchema, MAX_STEPS, 'steps').min(1, REQUIRED),
  frequency: choiceSchema(FREQUENCIES),
  /** The first test date, which decides those after it. */
  firstTest: monthEndSchema,
  /** The test is made of the average of so many periods. */
  periods: wholeNumber(1, MAX_PERIODS).default(1),
  /** Its figures are expected so many days after the test date; after them, the test is unknown. */
  daysToReport: wholeNumber(0, 365).default(DEFAULT_DAYS_TO_REPORT),
  /** So close to its limit, a test that is met warns. In the unit of the test. */
  warningDistance: figureSchema.refine((value) => !isNegative(value), { message: 'must be at least 0' }).nullish(),
  /** From Monday to Friday, after the test was breached. */
  cureDays: wholeNumber(0, MAX_CURE_DAYS).default(0),
  consequence: choiceSchema(CONSEQUENCES).default('inform'),
  /** Of the consequence "other default advance rate", in per cent. */
  defaultRate: ratePercentSchema.nullish().register(NUMBER_KINDS, { kind: 'percent' }),
  springing: springingSchema.nullish(),
};

type Terms = z.output<z.ZodObject<typeof fields>>;

/** What must hold between the fields of a covenant. */
export function requireTerms(
  { unit, currency, steps, firstTest, consequence, defaultRate }: Terms,
  context: z.core.$RefinementCtx,
): void {
  const add = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
  if ((unit === 'money') !== (currency != null)) {
    add(['currency'], unit === 'money' ? REQUIRED : 'Only an amount of money has a currency');
  }
  for (const [index, { from }] of steps.entries()) {
    const before = steps[index - 1];
    if (before && before.from >= from) add(['steps', index, 'from'], 'must be after the step before');
  }
  if (steps[0] && steps[0].from > firstTest) add(['steps', 0, 'from'], 'must not be after the first test');
  if ((consequence === 'defaultRate') !== (defaultRate != null)) {
    add(
      ['defaultRate'],
      consequence === 'defaultRate' ? REQUIRED : 'Only with the consequence "Other default advance rate"',
    );
  }
}

/** The body for creating a covenant of a note. */
export const covenantCreateSchema = z
  .object({ ...fields, transaction: idSchema, note: idSchema })
  .superRefine(requireTerms);
export type CovenantCreate = z.output<typeof covenantCreateSchema>;

/** An update: the covenant as a call returned it. Earlier results keep their terms. */
export const covenantUpdateSchema = z
  .object({ ...fields, status: z.enum(['Active', 'Disabled']).optional(), version: versionSchema })
  .superRefine(requireTerms);
export type CovenantUpdate = z.output<typeof covenantUpdateSchema>;

/** The terms of a test. */
export type CovenantTerms = Terms;
export const COVENANT_TERMS = Object.keys(fields) as (keyof CovenantTerms)[];

import { z } from 'zod';
import { REMINDER_KINDS, type ReminderKind } from '../cash/reminders.ts';
import { BUSINESS_CALENDARS, BUSINESS_DAY_RULES } from '../dates/business-calendar.ts';
import { calendarDateSchema, isMonthEnd } from '../dates/calendar-date.ts';
import { versionSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { choiceSchema } from '../documents/number.schema.ts';
import { nameSchema, optionalTextSchema, textSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { DAYS_UNITS, DELIVERABLE_FREQUENCIES, DELIVERABLE_KINDS, MAX_DAYS_AFTER } from './deliverable-labels.ts';

const fields = {
  title: nameSchema(2, 80),
  kind: choiceSchema(DELIVERABLE_KINDS),
  /** Of the agreement: "5.1(a)". */
  clause: optionalTextSchema(40),
  /** What exactly is owed. */
  description: optionalTextSchema(1000),
  frequency: choiceSchema(DELIVERABLE_FREQUENCIES),
  /** The end of the first period, which decides those after it: the last day of a month, unless it is owed once. */
  firstPeriodEnd: calendarDateSchema,
  /** Nothing is owed for periods that end later. Null while the agreement runs. */
  lastPeriodEnd: calendarDateSchema.nullish(),
  /** From the end of a period to its due date. */
  daysAfter: z.int(REQUIRED).min(0, 'must be at least 0').max(MAX_DAYS_AFTER, `must be at most ${MAX_DAYS_AFTER}`),
  daysUnit: choiceSchema(DAYS_UNITS).default('calendar'),
  businessDayRule: choiceSchema(BUSINESS_DAY_RULES).default('following'),
  calendar: choiceSchema(BUSINESS_CALENDARS).default('weekdays'),
  /** The user of the borrower who sends it and is reminded; everyone who uploads tapes if omitted. */
  sender: idSchema.nullish(),
  /** Whether what is received waits for acceptance. */
  needsReview: z.boolean().default(true),
  /** The user of the manager who is told of what is received; everyone who can accept it if omitted. */
  reviewer: idSchema.nullish(),
  reminders: z
    .array(z.enum(REMINDER_KINDS))
    .max(REMINDER_KINDS.length, `At most ${REMINDER_KINDS.length} reminders`)
    .default((): ReminderKind[] => [...REMINDER_KINDS]),
};

type Terms = z.output<z.ZodObject<typeof fields>>;

/** What must hold between the fields of a deliverable. */
export function requireDeliverable(
  { frequency, firstPeriodEnd, lastPeriodEnd, needsReview, reviewer }: Terms,
  context: z.core.$RefinementCtx,
): void {
  const add = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (frequency !== 'once' && !isMonthEnd(firstPeriodEnd)) add('firstPeriodEnd', 'must be the last day of a month');
  if (lastPeriodEnd != null && lastPeriodEnd < firstPeriodEnd) {
    add('lastPeriodEnd', 'must not be before the first period');
  }
  if (!needsReview && reviewer != null) add('reviewer', 'Only what is reviewed has a reviewer');
}

/** The note of a deliverable; without one, it is owed by the borrower as a whole. */
const noteFields = { transaction: idSchema.nullish(), note: idSchema.nullish() };

/** The body for creating a deliverable of a borrower. */
export const deliverableCreateSchema = z
  .object({ ...fields, company: idSchema, ...noteFields })
  .superRefine(requireDeliverable)
  .superRefine(({ kind, transaction, note }, context) => {
    const add = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if ((transaction == null) !== (note == null)) add('note', 'A note comes with its facility');
    else if (kind === 'certificate' && note == null) add('note', 'A certificate belongs to one note');
  });
export type DeliverableCreate = z.output<typeof deliverableCreateSchema>;

/** An update: the deliverable as a call returned it. Its borrower and its note stay. */
export const deliverableUpdateSchema = z
  .object({ ...fields, status: z.enum(['Active', 'Disabled']).optional(), version: versionSchema })
  .superRefine(requireDeliverable);
export type DeliverableUpdate = z.output<typeof deliverableUpdateSchema>;

/** The terms of a deliverable. */
export type DeliverableTerms = Terms;

/** What is sent for the item of a period: the id or key of an uploaded file. */
export const itemFileSchema = z.object({
  document: z.string(REQUIRED).min(1, REQUIRED).max(1000),
  remark: optionalTextSchema(500),
});
export type ItemFile = z.output<typeof itemFileSchema>;

/** Why an item is returned or waived. */
export const itemReasonSchema = z.object({ reason: textSchema(5, 500) });

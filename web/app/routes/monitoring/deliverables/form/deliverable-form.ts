import { REMINDER_KINDS, REMINDER_LABELS, type ReminderKind } from '@tapeline/domain/cash/reminders.ts';
import type { DeliverableTerms } from '@tapeline/domain/deliverables/deliverable.schema.ts';
import { deliverableUpdateSchema, requireDeliverable } from '@tapeline/domain/deliverables/deliverable.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../../components/forms/describe-form.ts';
import { versionField } from '../../../../components/forms/version-field.ts';

// Named one by one: a page without its schemas leaves this out, but not what gathers the rest.
const { title, kind, clause, description, frequency, firstPeriodEnd, lastPeriodEnd } = deliverableUpdateSchema.shape;
const { daysAfter, daysUnit, businessDayRule, calendar, sender, reviewer } = deliverableUpdateSchema.shape;

export const deliverableForm = z
  .object({
    ...{ title, kind, clause, description, frequency, firstPeriodEnd, lastPeriodEnd },
    ...{ daysAfter, daysUnit, businessDayRule, calendar, sender, reviewer },
    needsReview: z.boolean().default(false),
    before: z.boolean().default(false),
    due: z.boolean().default(false),
    late1: z.boolean().default(false),
    late5: z.boolean().default(false),
    late10: z.boolean().default(false),
    /** Empty for what is owed by the borrower as a whole. */
    note: z.string().max(24).nullish(),
    /** Of the stored deliverable that is changed. */
    version: versionField.optional(),
  })
  .superRefine((form, context) => requireDeliverable({ ...form, reminders: [] }, context));
export type EnteredDeliverable = z.output<typeof deliverableForm>;
export const deliverableFormDescription = describeForm(deliverableForm);

/** The terms of what was entered. */
export function enteredTerms({
  before,
  due,
  late1,
  late5,
  late10,
  note: _note,
  version: _version,
  ...form
}: EnteredDeliverable): DeliverableTerms {
  const chosen: Record<ReminderKind, boolean> = { before, due, late1, late5, late10 };
  return { ...form, reminders: REMINDER_KINDS.filter((kind) => chosen[kind]) };
}

const text = (value: string | number | null | undefined): string => (value == null ? '' : String(value));

/** A deliverable as its form shows it. */
export const shownDeliverableTerms = (stored: DeliverableTerms & { version: number }) => ({
  title: stored.title,
  kind: stored.kind,
  clause: text(stored.clause),
  description: text(stored.description),
  frequency: stored.frequency,
  firstPeriodEnd: stored.firstPeriodEnd,
  lastPeriodEnd: text(stored.lastPeriodEnd),
  daysAfter: text(stored.daysAfter),
  daysUnit: stored.daysUnit,
  businessDayRule: stored.businessDayRule,
  calendar: stored.calendar,
  sender: text(stored.sender),
  needsReview: stored.needsReview ? 'on' : '',
  reviewer: text(stored.reviewer),
  ...Object.fromEntries(REMINDER_KINDS.map((kind) => [kind, stored.reminders.includes(kind) ? 'on' : ''])),
  version: String(stored.version),
});

/** What a new deliverable starts with. */
export const NEW_DELIVERABLE = {
  kind: 'financialStatements',
  frequency: 'monthly',
  daysAfter: '30',
  daysUnit: 'calendar',
  businessDayRule: 'following',
  calendar: 'weekdays',
  needsReview: 'on',
  ...Object.fromEntries(REMINDER_KINDS.map((kind) => [kind, 'on'])),
} as const;

export const DELIVERABLE_FIELD_LABELS = {
  title: 'Title',
  kind: 'Kind',
  note: 'Note',
  clause: 'Clause',
  description: 'What exactly is owed',
  frequency: 'Frequency',
  firstPeriodEnd: 'First period ends',
  lastPeriodEnd: 'Last period ends',
  daysAfter: 'Due after the period',
  daysUnit: 'Counted in',
  businessDayRule: 'If the due date is not a business day',
  calendar: 'Business days',
  sender: 'Sent by',
  needsReview: 'What is received is reviewed',
  reviewer: 'Reviewed by',
  ...REMINDER_LABELS,
} as const;

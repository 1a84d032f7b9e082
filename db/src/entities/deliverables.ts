import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { ReminderKind } from '@tapeline/domain/cash/reminders.ts';
import type { BusinessCalendar, BusinessDayRule } from '@tapeline/domain/dates/business-calendar.ts';
import type {
  DaysUnit,
  DeliverableFrequency,
  DeliverableKind,
  ItemStatus,
} from '@tapeline/domain/deliverables/deliverable-labels.ts';
import type { PayoutPerson } from '@tapeline/domain/investors/investor-record.schema.ts';
import { documentProperties } from './base.ts';

const ofCompany = { ...documentProperties, managerId: p.text(), companyId: p.text() };

/** What a borrower owes by date, as a whole or for one note. Its due dates are calculated. */
export const Deliverable = defineEntity({
  name: 'Deliverable',
  tableName: 'deliverables',
  properties: {
    ...ofCompany,
    transactionId: p.text().nullable(),
    noteId: p.text().nullable(),
    title: p.text(),
    kind: p.text().$type<DeliverableKind>(),
    clause: p.text().nullable(),
    description: p.text().nullable(),
    frequency: p.text().$type<DeliverableFrequency>(),
    firstPeriodEnd: p.date(),
    lastPeriodEnd: p.date().nullable(),
    daysAfter: p.integer(),
    daysUnit: p.text().$type<DaysUnit>(),
    businessDayRule: p.text().$type<BusinessDayRule>(),
    calendar: p.text().$type<BusinessCalendar>(),
    /** The user who sends it; everyone of the borrower who uploads tapes if null. */
    senderId: p.text().nullable(),
    needsReview: p.boolean(),
    /** The user who gets a message when something is received; if null, every user of the manager who can accept it. */
    reviewerId: p.text().nullable(),
    reminders: p.array().$type<ReminderKind[]>().columnType('text[]'),
  },
});
export type Deliverable = InferEntity<typeof Deliverable>;

/** What was sent, accepted, returned or waived for a period. Nothing is stored of what has not happened. */
export const DeliverableItem = defineEntity({
  name: 'DeliverableItem',
  tableName: 'deliverable_items',
  properties: {
    ...ofCompany,
    status: p.text().$type<ItemStatus & Opt>().default('Received'),
    deliverableId: p.text(),
    transactionId: p.text().nullable(),
    periodEnd: p.date(),
    fileId: p.text().nullable(),
    remark: p.text().nullable(),
    receivedOn: p.date().nullable(),
    receivedBy: p.json<PayoutPerson>().nullable(),
    decidedBy: p.json<PayoutPerson>().nullable(),
    decidedAt: p.datetime().nullable(),
    reason: p.text().nullable(),
  },
});
export type DeliverableItem = InferEntity<typeof DeliverableItem>;

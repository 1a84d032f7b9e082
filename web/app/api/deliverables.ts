import {
  createDeliverable,
  DELIVERABLES,
  type DeliverableView,
  deliverablesInForce,
  getDeliverable,
  type ItemView,
  listDeliverables,
  removeDeliverable,
  updateDeliverable,
} from '@tapeline/db/operations/deliverables/deliverables.ts';
import {
  acceptItem,
  receiveItem,
  returnItem,
  sentItems,
  waiveItem,
  withdrawItemWaiver,
} from '@tapeline/db/operations/deliverables/items.ts';
import { remindOfItem, whoIsReminded } from '@tapeline/db/operations/deliverables/reminders.ts';
import { REMINDER_KINDS } from '@tapeline/domain/cash/reminders.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { BUSINESS_CALENDARS, BUSINESS_DAY_RULES } from '@tapeline/domain/dates/business-calendar.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import {
  deliverableCreateSchema,
  deliverableUpdateSchema,
  itemFileSchema,
  itemReasonSchema,
} from '@tapeline/domain/deliverables/deliverable.schema.ts';
import {
  DAYS_UNITS,
  DELIVERABLE_FREQUENCIES,
  DELIVERABLE_KINDS,
  ITEM_STATES,
  ITEM_STATUSES,
} from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { z } from 'zod';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';
import { stepsOf } from './steps.ts';

const nullable = z.string().nullable();

const sentSchema = z
  .object({
    id: idSchema,
    periodEnd: z.string(),
    status: z.enum(ITEM_STATUSES),
    document: nullable.meta({ description: 'Id of the file' }),
    fileName: nullable,
    remark: nullable,
    receivedOn: nullable,
    receivedBy: nullable,
    decidedBy: nullable,
    decidedAt: nullable,
    reason: nullable,
  })
  .meta({ id: 'DeliverableSent' });

const itemSchema = z
  .object({
    periodEnd: z.string(),
    periodAfter: z.string().meta({ description: 'The period is the days after this one, until its end' }),
    dueDate: z.string(),
    state: z.enum(ITEM_STATES).meta({ description: 'How it stands today. What was returned is owed again' }),
    isToReview: z.boolean().meta({ description: 'Whether it waits for acceptance' }),
    receivedOn: nullable,
    source: z
      .object({ resource: z.enum(['loanTapes', 'borrowingBases']), id: idSchema, cutOffDate: z.string() })
      .nullable()
      .meta({ description: 'The tape or borrowing base that fulfils it' }),
    sent: sentSchema.nullable().meta({ description: 'What was sent or waived last' }),
  })
  .meta({ id: 'DeliverableItem' });

const sentBody = ({ fileId, version: _, ...sent }: NonNullable<ItemView['sent']>) => ({ ...sent, document: fileId });
const itemBody = ({ period, source, sent, ...item }: ItemView) => ({
  periodEnd: period.to,
  periodAfter: period.after,
  ...item,
  source: source && { resource: source.resource, id: source.id, cutOffDate: source.cutOffDate },
  sent: sent && sentBody(sent),
});

const responseSchema = documentSchema
  .extend({
    company: idSchema,
    companyName: z.string(),
    transaction: nullable,
    transactionTitle: nullable,
    note: nullable,
    noteTitle: nullable,
    title: z.string(),
    kind: z.enum(DELIVERABLE_KINDS),
    clause: nullable,
    description: nullable,
    frequency: z.enum(DELIVERABLE_FREQUENCIES),
    firstPeriodEnd: z.string(),
    lastPeriodEnd: nullable,
    daysAfter: z.int(),
    daysUnit: z.enum(DAYS_UNITS),
    businessDayRule: z.enum(BUSINESS_DAY_RULES),
    calendar: z.enum(BUSINESS_CALENDARS),
    sender: nullable,
    senderName: nullable,
    needsReview: z.boolean(),
    reviewer: nullable,
    reviewerName: nullable,
    reminders: z.array(z.enum(REMINDER_KINDS)),
    items: z.array(itemSchema).meta({ description: 'The last 24 that were due, and the next 12, the earliest first' }),
  })
  .meta({ id: 'Deliverable' });

const toBody = (one: DeliverableView) => ({
  ...baseOf(one),
  company: one.companyId,
  companyName: one.companyName,
  transaction: one.transactionId ?? null,
  transactionTitle: one.transactionTitle,
  note: one.noteId ?? null,
  noteTitle: one.noteTitle,
  title: one.title,
  kind: one.kind,
  clause: one.clause ?? null,
  description: one.description ?? null,
  frequency: one.frequency,
  firstPeriodEnd: one.firstPeriodEnd,
  lastPeriodEnd: one.lastPeriodEnd ?? null,
  ...pick(one, 'daysAfter', 'daysUnit', 'businessDayRule', 'calendar'),
  sender: one.senderId ?? null,
  senderName: one.senderName,
  needsReview: one.needsReview,
  reviewer: one.reviewerId ?? null,
  reviewerName: one.reviewerName,
  reminders: one.reminders,
  items: one.items.map(itemBody),
});

const PATH = callsOf('deliverables');
const ITEM = `${PATH}/{id}/items/{periodEnd}`;
const itemParams = z.object({ id: idSchema, periodEnd: calendarDateSchema });

/** A step of the item of a period. */
const step = stepsOf({
  path: ITEM,
  access: 'transactions/write',
  params: itemParams,
  response: responseSchema,
  toBody,
});

/** What borrowers owe by date under their agreements: tapes, certificates, statements and reports. */
export const deliverableEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${PATH}/due`,
    access: 'transactions/read',
    summary: 'List what is owed by date, of all deliverables in force, the earliest due first',
    query: z.object({
      company: idSchema.optional(),
      state: z.enum(ITEM_STATES).optional(),
      from: calendarDateSchema.optional().meta({ description: 'Due on this day or later' }),
      to: calendarDateSchema.optional().meta({ description: 'Due on this day or earlier' }),
      limit: z.coerce.number().int().min(1).max(1000).default(100),
      skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
    }),
    response: z.array(itemSchema.extend({ deliverable: idSchema, title: z.string(), company: idSchema })),
    handle: ({ query: { company, state, from, to, limit, skip }, db }) =>
      db(async (session) => {
        const deliverables = await deliverablesInForce(session, company === undefined ? {} : { company });
        const items = deliverables.flatMap((one) =>
          one.items.map((item) => ({
            ...itemBody(item),
            deliverable: one.id,
            title: one.title,
            company: one.companyId,
          })),
        );
        const chosen = items.filter(
          (item) =>
            (state === undefined || item.state === state) &&
            (from === undefined || item.dueDate >= from) &&
            (to === undefined || item.dueDate <= to),
        );
        chosen.sort((one, other) => (one.dueDate < other.dueDate ? -1 : one.dueDate > other.dueDate ? 1 : 0));
        return { body: chosen.slice(skip, skip + limit) };
      }),
  }),
  ...resource({
    ...ofCollection('deliverables'),
    response: responseSchema,
    toBody,
    list: { listable: DELIVERABLES, load: listDeliverables },
    get: getDeliverable,
    create: {
      body: deliverableCreateSchema,
      run: createDeliverable,
      summary: 'Create a deliverable of a borrower, or a list of them. The due date of each period is calculated',
      example: {
        company: '65f0c2a1b3d4e5f601234567',
        title: 'Monthly loan tape',
        kind: 'tape',
        clause: '5.1(a)',
        frequency: 'monthly',
        firstPeriodEnd: '2026-01-31',
        daysAfter: 10,
        businessDayRule: 'following',
        calendar: 'newYork',
      },
    },
    update: {
      body: deliverableUpdateSchema,
      run: updateDeliverable,
      summary: 'Update a deliverable. What was sent for its periods stays',
    },
    remove: { run: removeDeliverable },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}/items`,
    access: 'transactions/read',
    summary: 'List what was sent or waived for a deliverable, up to 400, the latest period first',
    params: idParamsSchema,
    response: z.array(sentSchema),
    handle: ({ params: { id }, db }) =>
      db(async (session) => {
        await getDeliverable(session, id);
        return { body: (await sentItems(session, id)).map(sentBody) };
      }),
  }),
  step({
    name: 'receive',
    access: 'transactions/read',
    summary:
      'Send a file for a period, as the borrower or on its behalf. It also needs assets/write. Tapes and certificates count automatically',
    body: itemFileSchema,
    example: { document: '65f0c2a1b3d4e5f601234567', remark: 'Unaudited' },
    run: receiveItem,
  }),
  step({
    name: 'accept',
    summary: 'Accept what was received for a period',
    run: acceptItem,
  }),
  step({
    name: 'return',
    summary: 'Return the file of a period with a reason. The period is owed again',
    body: itemReasonSchema,
    example: { reason: 'The balance sheet is missing' },
    run: returnItem,
  }),
  step({
    name: 'waive',
    summary: 'Waive a period. No reminders are sent for it',
    body: itemReasonSchema,
    example: { reason: 'Not required while the facility is undrawn' },
    run: waiveItem,
  }),
  step({
    name: 'withdraw',
    summary: 'Withdraw the waiver of a period, which is owed again',
    body: itemReasonSchema,
    example: { reason: 'Waived by mistake' },
    run: withdrawItemWaiver,
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}/reminded`,
    access: 'transactions/read',
    summary: 'List the people who are reminded of a deliverable',
    params: idParamsSchema,
    response: z.array(z.object({ name: z.string(), email: z.string() })),
    handle: ({ params: { id }, db }) =>
      db(async (session) => ({ body: await whoIsReminded(session, await getDeliverable(session, id)) })),
  }),
  step({
    name: 'remind',
    summary: 'Remind the borrower of a period by email now, once a day at most',
    run: remindOfItem,
  }),
];

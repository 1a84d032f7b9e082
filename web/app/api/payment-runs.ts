import {
  getPaymentRun,
  listPaymentRuns,
  PAYMENT_RUNS,
  preparePaymentRun,
  type RunView,
  returnPayment,
  withdrawPaymentRun,
} from '@tapeline/db/operations/cash/payment-runs.ts';
import {
  paymentRunCreateSchema,
  paymentRunReasonSchema,
  paymentRunSchema,
  paymentRunStepSchema,
} from '@tapeline/domain/cash/payment-runs/payment-run.schema.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { CSV_TYPE } from '@tapeline/domain/files/file-types.ts';
import { z } from 'zod';
import { releaseRun, runFileResponse } from '../commands/payment-runs.server.ts';
import { inCurrency } from './capital-bodies.ts';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const PATH = callsOf('paymentRuns');

const EXAMPLE = {
  bankAccount: '65f000000000000000000001',
  executeOn: '2026-12-01',
  format: 'pain.001.001.09',
  payables: [{ kind: 'distribution', id: '65f000000000000000000002' }],
};

const personOf = (by: ChangedBy) => ({
  id: 'id' in by.entity ? by.entity.id : null,
  name: makerOf({ iat: by.timestamp, createdBy: by }) ?? '',
  at: by.timestamp,
});

const toBody = (run: RunView) => ({
  ...baseOf(run),
  bankAccount: { id: run.bankAccountId, title: run.bankAccountTitle },
  executeOn: run.executeOn,
  format: run.format,
  originator: run.originator ?? null,
  total: inCurrency(run.total, run.currency),
  count: run.count,
  prepared: personOf(run.prepared),
  needsTwo: run.needsTwo,
  firstReleased: run.firstReleased ? personOf(run.firstReleased) : null,
  released: run.released ? personOf(run.released) : null,
  withdrawn: run.withdrawn ? { ...personOf(run.withdrawn), reason: run.withdrawalReason ?? '' } : null,
  file: run.file ? { ...pick(run.file, 'name', 'type', 'size', 'checksum'), downloads: run.downloads } : null,
  payments: run.lines.map(({ place, kind, id, payee, ending, amount, reference, state, returnReason }) => ({
    place,
    kind,
    id,
    payee: payee.name,
    account: ending,
    amount: inCurrency(amount, run.currency),
    reference,
    state,
    returnReason,
  })),
});

export const paymentRunEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('paymentRuns'),
    response: paymentRunSchema,
    toBody,
    list: { listable: PAYMENT_RUNS, load: listPaymentRuns },
    get: getPaymentRun,
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'payments/write',
    summary:
      'Prepare a payment run: what it pays, from which account, on which day and as which file. Another person releases it',
    body: paymentRunCreateSchema,
    example: { body: EXAMPLE },
    response: paymentRunSchema,
    handle: ({ body, db }) => db(async (session) => ({ body: toBody(await preparePaymentRun(session, body)) })),
  }),
  endpoint({
    method: 'PUT',
    path: `${PATH}/{id}/release`,
    access: 'payments/release',
    summary:
      'Release a payment run that another person prepared, which writes its file. Above the limit of the manager, two people do',
    params: idParamsSchema,
    body: paymentRunStepSchema,
    response: paymentRunSchema,
    handle: async ({ params, body: { version }, actor, context, origin }) => ({
      body: toBody(await releaseRun({ context, actor, origin }, { id: params.id, version })),
    }),
  }),
  endpoint({
    method: 'PUT',
    path: `${PATH}/{id}/withdraw`,
    access: 'payments/write',
    summary: 'Withdraw a payment run that is not released',
    params: idParamsSchema,
    body: paymentRunReasonSchema,
    response: paymentRunSchema,
    handle: ({ params, body, db }) =>
      db(async (session) => ({ body: toBody(await withdrawPaymentRun(session, { id: params.id, ...body })) })),
  }),
  endpoint({
    method: 'PUT',
    path: `${PATH}/{id}/payments/{place}/return`,
    access: 'payments/write',
    summary: 'Record that the bank sent a payment of a released run back: it is owed again',
    params: idParamsSchema.extend({ place: z.coerce.number().int().min(0) }),
    body: paymentRunReasonSchema,
    response: paymentRunSchema,
    handle: ({ params, body, db }) =>
      db(async (session) => ({ body: toBody(await returnPayment(session, { ...params, ...body })) })),
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}/file`,
    access: 'payments/release',
    summary: 'Get the file of a released payment run. It is the same each time, and the history records who got it',
    params: idParamsSchema,
    files: ['application/xml', 'text/plain', CSV_TYPE],
    response: z.never(),
    handle: ({ params, actor, context, origin }) => runFileResponse({ context, actor, origin }, params.id),
  }),
];

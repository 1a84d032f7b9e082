import {
  approveAdjustment,
  declineAdjustment,
  enterAdjustment,
  listAdjustments,
  shownAdjustment,
  withdrawAdjustment,
} from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import { requestDeclineSchema } from '@tapeline/domain/approvals/decline.schema.ts';
import { adjustmentSchema, shownAdjustmentSchema } from '@tapeline/domain/borrowing-base/adjustment.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { z } from 'zod';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { stepsOf } from './steps.ts';

const PATH = '/crud/borrowingBase/{id}/adjustments';
const decidedParams = z.object({ id: idSchema, adjustment: idSchema });
const wantedOf = ({ id, adjustment }: z.output<typeof decidedParams>) => ({ id: adjustment, baseId: id });

const step = stepsOf({
  path: `${PATH}/{adjustment}`,
  access: 'transactions/write',
  params: decidedParams,
  response: shownAdjustmentSchema,
  toBody: shownAdjustment,
});

/** Adjustments of certificates. One is found only below a version of its own certificate. */
export const adjustmentEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'transactions/read',
    summary:
      'List the adjustments of a certificate (the tape and contract of this borrowing base, in all its versions): pending ones first, then the latest, up to 50. Borrowers see approved ones',
    params: idParamsSchema,
    response: z.array(shownAdjustmentSchema),
    handle: ({ params: { id }, db }) =>
      db(async (session) => ({ body: (await listAdjustments(session, id)).map(shownAdjustment) })),
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'transactions/write',
    summary:
      'Enter an adjustment of the latest version. Above zero it adds to the available base; below zero it takes off. Nothing changes until someone else approves it. Also needs borrowingBase/read',
    params: idParamsSchema,
    body: adjustmentSchema,
    response: shownAdjustmentSchema,
    example: { body: { amount: -25_000, reason: 'Disputed invoice of a large obligor' } },
    handle: ({ params: { id }, body, db }) =>
      db(async (session) => ({ body: shownAdjustment(await enterAdjustment(session, { baseId: id, body })) })),
  }),
  endpoint({
    method: 'POST',
    path: `${PATH}/{adjustment}/approve`,
    access: 'transactions/write',
    summary:
      'Approve an adjustment. A new version of the certificate replaces the latest one, and draws are checked against it. The person who entered it cannot approve it',
    params: decidedParams,
    response: z.object({ borrowingBase: idSchema.meta({ description: 'Id of the new version' }) }),
    handle: ({ params, db }) =>
      db(async (session) => ({ body: { borrowingBase: (await approveAdjustment(session, wantedOf(params))).id } })),
  }),
  step({
    name: 'decline',
    summary: 'Decline an adjustment with a reason. The person who entered it withdraws it instead',
    body: requestDeclineSchema,
    run: (session, params, { reason }) => declineAdjustment(session, { ...wantedOf(params), reason }),
  }),
  step({
    name: 'withdraw',
    summary: 'Withdraw an adjustment that is not decided',
    run: (session, params) => withdrawAdjustment(session, wantedOf(params)),
  }),
];

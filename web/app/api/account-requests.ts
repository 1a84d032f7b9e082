import {
  acceptAccountRequest,
  declineAccountRequest,
  listAccountRequests,
  requestAccount,
  shownRequest,
  withdrawAccountRequest,
} from '@tapeline/db/operations/investors/account-requests.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import {
  accountDeclineSchema,
  accountRequestSchema,
  shownAccountRequestSchema,
} from '@tapeline/domain/investors/account-request.schema.ts';
import { payoutCheckSchema } from '@tapeline/domain/investors/investor-record.schema.ts';
import { z } from 'zod';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { stepsOf } from './steps.ts';

const EXAMPLE = {
  currency: 'USD',
  bank: {
    title: 'New main account',
    accountNumber: '000123457714',
    accountName: 'Rao Family Trust',
    bankName: 'Straits Harbour Bank',
    address: '1 Marina View, Singapore',
    type: 'Business',
    swiftCode: 'STHBSGSG',
  },
  comment: 'We have moved our accounts',
};

const decidedParams = z.object({ id: idSchema, request: idSchema });

/** The calls of the requests of one kind of party. A request is found only below its own investor or borrower. */
function endpointsOf(kind: 'LPs' | 'companies', who: string): readonly Endpoint[] {
  const path = `/crud/${kind}/{id}/accountRequests`;
  const wantedOf = ({ id, request }: z.output<typeof decidedParams>) => ({ id: request, of: { kind, id } });
  const step = stepsOf({
    path: `${path}/{request}`,
    access: `${kind}/write`,
    params: decidedParams,
    response: shownAccountRequestSchema,
    toBody: shownRequest,
  });
  return [
    endpoint({
      method: 'GET',
      path,
      access: `${kind}/read`,
      summary: `List the requests of ${who} for a different bank account: pending ones first, then the latest, up to 50`,
      params: idParamsSchema,
      response: z.array(shownAccountRequestSchema),
      handle: ({ params: { id }, db }) =>
        db(async (session) => ({ body: (await listAccountRequests(session, { kind, id })).map(shownRequest) })),
    }),
    endpoint({
      method: 'POST',
      path,
      access: `${kind}/read`,
      summary: `Request a different account for payments in a currency. Only for users of ${who}. Payments keep going to the current account until the manager accepts`,
      params: idParamsSchema,
      body: accountRequestSchema,
      response: shownAccountRequestSchema,
      example: { body: EXAMPLE },
      handle: ({ params: { id }, body, db }) =>
        db(async (session) => ({ body: shownRequest(await requestAccount(session, { party: { kind, id }, body })) })),
    }),
    step({
      name: 'accept',
      summary:
        'Accept a request. The account is added to the bank details, or replaces the one with the same title, and payments in the currency go to it. The person who made the request cannot accept it. Also needs entities/write',
      body: payoutCheckSchema,
      run: (session, params, { check }) => acceptAccountRequest(session, { ...wantedOf(params), check }),
    }),
    step({
      name: 'decline',
      summary: 'Decline a request with a reason, which is emailed to the person who made it. Also needs entities/write',
      body: accountDeclineSchema,
      run: (session, params, { reason }) => declineAccountRequest(session, { ...wantedOf(params), reason }),
    }),
    step({
      name: 'withdraw',
      access: `${kind}/read`,
      summary: `Withdraw a request. Only for users of ${who}`,
      run: (session, params) => withdrawAccountRequest(session, wantedOf(params)),
    }),
  ];
}

export const accountRequestEndpoints: readonly Endpoint[] = [
  ...endpointsOf('LPs', 'an investor'),
  ...endpointsOf('companies', 'a borrower'),
];

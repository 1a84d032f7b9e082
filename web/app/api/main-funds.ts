import {
  capitalAccountSchema,
  mainFundCapitalAccountSchema,
  mainFundReportSchema,
  reportSchema,
} from '@tapeline/domain/capital/statement.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import {
  mainFundCreateSchema,
  mainFundMembersSchema,
  mainFundSchema,
  mainFundUpdateSchema,
} from '@tapeline/domain/funds/main-fund.schema.ts';
import { z } from 'zod';
import { itemsOf } from './bulk.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES, unavailable } from './endpoint.ts';
import { resource } from './resource.ts';

export const mainFundEndpoints: readonly Endpoint[] = [
  ...resource({
    path: '/crud/mainFunds',
    noun: ['main fund', 'main funds'],
    read: 'funds/read',
    write: 'funds/write',
    response: mainFundSchema,
    toBody: unavailable,
    list: { listable: unavailable, load: unavailable },
    get: unavailable,
    create: { body: mainFundCreateSchema, run: unavailable },
    update: { body: mainFundUpdateSchema, run: unavailable },
    remove: { run: unavailable },
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/mainFunds/{id}/classes',
    access: 'funds/write',
    summary: 'Set the member funds of a main fund',
    params: idParamsSchema,
    body: mainFundMembersSchema,
    response: mainFundSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
  endpoint({
    method: 'DELETE',
    path: '/crud/mainFunds/{id}/class',
    access: 'funds/write',
    summary: 'Remove a member fund from a main fund',
    params: idParamsSchema,
    query: z.object({ fundId: idSchema }),
    response: mainFundSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
  endpoint({
    method: 'POST',
    path: '/crud/mainFunds/capitalAccounts/{id}',
    access: 'funds/write',
    summary: 'Create capital account statements over all member funds',
    params: idParamsSchema,
    body: itemsOf(mainFundCapitalAccountSchema, 150),
    maxBodyBytes: LARGE_BODY_BYTES,
    response: z.array(capitalAccountSchema),
    isUnavailable: true,
    handle: unavailable,
  }),
  endpoint({
    method: 'POST',
    path: '/crud/mainFunds/reports/{id}',
    access: 'funds/write',
    summary: 'Create reports over all member funds',
    params: idParamsSchema,
    body: itemsOf(mainFundReportSchema, 300),
    maxBodyBytes: LARGE_BODY_BYTES,
    response: z.array(reportSchema),
    isUnavailable: true,
    handle: unavailable,
  }),
];

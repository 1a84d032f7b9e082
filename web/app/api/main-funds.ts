import { createReports } from '@tapeline/db/operations/capital/reports.ts';
import { createCapitalAccounts } from '@tapeline/db/operations/capital/statements.ts';
import { warnOfNobody } from '@tapeline/db/operations/capital/tell-investors.ts';
import {
  createMainFund,
  getMainFund,
  listMainFunds,
  MAIN_FUNDS,
  type MainFundView,
  removeMainFund,
  removeMember,
  replaceMembers,
  updateMainFund,
} from '@tapeline/db/operations/funds/main-funds.ts';
import {
  capitalAccountSchema,
  mainFundCapitalAccountSchema,
  mainFundReportSchema,
  reportSchema,
} from '@tapeline/domain/capital/statement.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import {
  mainFundCreateSchema,
  mainFundMembersSchema,
  mainFundSchema,
  mainFundUpdateSchema,
} from '@tapeline/domain/funds/main-fund.schema.ts';
import { z } from 'zod';
import { itemsOf } from './bulk.ts';
import { toCapitalAccount, toReport } from './capital-bodies.ts';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, LARGE_BODY_BYTES } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const toBody = (mainFund: MainFundView) => ({
  ...baseOf(mainFund),
  ...pick(mainFund, 'title', 'type', 'strategy', 'currency'),
  targetSize: { sum: mainFund.targetSize, currency: mainFund.currency },
  hardCap: { sum: mainFund.hardCap, currency: mainFund.currency },
  closingDate: mainFund.closingDate ?? null,
  nonRecyclable: mainFund.nonRecyclable ?? null,
  description: mainFund.description ?? null,
  classMembers: mainFund.members,
});

export const mainFundEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('mainFunds'),
    response: mainFundSchema,
    toBody,
    list: { listable: MAIN_FUNDS, load: listMainFunds },
    get: getMainFund,
    create: { body: mainFundCreateSchema, run: createMainFund },
    update: { body: mainFundUpdateSchema, run: updateMainFund },
    remove: { run: removeMainFund, summary: 'Delete a main fund without member funds' },
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/mainFunds/{id}/classes',
    access: 'funds/write',
    summary: 'Set the member funds of a main fund',
    params: idParamsSchema,
    body: mainFundMembersSchema,
    response: mainFundSchema,
    handle: ({ params, body, db }) =>
      db(async (session) => ({
        body: toBody(await replaceMembers(session, { id: params.id, funds: body.classMembers })),
      })),
  }),
  endpoint({
    method: 'DELETE',
    path: '/crud/mainFunds/{id}/class',
    access: 'funds/write',
    summary: 'Remove a member fund from a main fund',
    params: idParamsSchema,
    query: z.object({ fundId: idSchema }),
    response: mainFundSchema,
    handle: ({ params, query, db }) =>
      db(async (session) => ({ body: toBody(await removeMember(session, { id: params.id, fundId: query.fundId })) })),
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
    handle: ({ params, body, db }) =>
      db(async (session) => {
        const items = body.map((item) => ({ ...item, mainFund: params.id }));
        const created = await createCapitalAccounts(session, items);
        await warnOfNobody(session, 'capital_accounts', created);
        return { body: created.map(toCapitalAccount) };
      }),
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
    handle: ({ params, body, db }) =>
      db(async (session) => {
        const items = body.map((item) => ({ ...item, mainFund: params.id }));
        const created = await createReports(session, items);
        await warnOfNobody(session, 'reports', created);
        return { body: created.map(toReport) };
      }),
  }),
];

import type { Company, LP, Manager } from '@tapeline/db/entities/people.ts';
import { getDocument } from '@tapeline/db/operations/listing/list-documents.ts';
import {
  COMPANIES,
  getCompany,
  getManager,
  LPS,
  listCompanies,
  listLPs,
  listManagers,
  MANAGERS,
} from '@tapeline/db/operations/people/people.ts';
import { z } from 'zod';
import { baseOf, documentSchema, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { listEndpoint } from './list-endpoint.ts';

const partySchema = documentSchema.extend({
  entity: z.record(z.string(), z.unknown()),
  domains: z.array(z.string()),
});

const toParty = (party: Manager | Company) => ({ ...baseOf(party), entity: party.entity, domains: party.domains });

const lpSchema = partySchema.extend({
  title: z.string(),
  group: z.object({ id: z.string(), title: z.string() }).nullable(),
});
const toLP = (lp: LP) => ({
  ...baseOf(lp),
  entity: lp.entity,
  domains: lp.domains,
  title: lp.title,
  group: lp.groupId === null ? null : { id: lp.groupId, title: lp.groupTitle ?? lp.groupId },
});

/** Managers, companies and LPs as far as they are read; making and changing them comes with administration. */
export const partyEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/crud/managers',
    access: 'managers/read',
    summary: 'Managers in sight',
    listable: MANAGERS,
    list: listManagers,
    toBody: toParty,
    response: partySchema,
  }),
  endpoint({
    method: 'GET',
    path: '/crud/managers/{id}',
    access: 'managers/read',
    summary: 'One manager',
    params: idParamsSchema,
    response: partySchema,
    handle: ({ params, actor, context }) =>
      context.store.as(actor, async (session) => ({ body: toParty(await getManager(session, params.id)) })),
  }),
  listEndpoint({
    path: '/crud/companies',
    access: 'companies/read',
    summary: 'Companies in sight',
    listable: COMPANIES,
    list: listCompanies,
    toBody: toParty,
    response: partySchema,
  }),
  endpoint({
    method: 'GET',
    path: '/crud/companies/{id}',
    access: 'companies/read',
    summary: 'One company',
    params: idParamsSchema,
    response: partySchema,
    handle: ({ params, actor, context }) =>
      context.store.as(actor, async (session) => ({ body: toParty(await getCompany(session, params.id)) })),
  }),
  listEndpoint({
    path: '/crud/LPs',
    access: 'LPs/read',
    summary: 'Investors in sight',
    listable: LPS,
    list: listLPs,
    toBody: toLP,
    response: lpSchema,
  }),
  endpoint({
    method: 'GET',
    path: '/crud/LPs/{id}',
    access: 'LPs/read',
    summary: 'One investor',
    params: idParamsSchema,
    response: lpSchema,
    handle: ({ params, actor, context }) =>
      context.store.as(actor, async (session) => ({ body: toLP(await getDocument(session, LPS, params.id)) })),
  }),
];

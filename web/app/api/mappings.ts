import type { Mapping } from '@tapeline/db/entities/lending.ts';
import {
  createMapping,
  getMapping,
  listMappings,
  MAPPINGS,
  saveMappingVersion,
} from '@tapeline/db/operations/mappings/mappings.ts';
import { mappingCreateSchema, mappingUpdateSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { z } from 'zod';
import { baseOf, documentSchema, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { listEndpoint } from './list-endpoint.ts';

const mappingBodySchema = documentSchema
  .extend({
    company: z.string(),
    rules: z.array(z.unknown()),
    loanTapeSheetName: z.string(),
    extractedOriginColsFromLoanTape: z.array(z.string()),
    cutOffDate: z.string().nullable(),
    primaryCurrency: z.string(),
    /** Shared by the versions of one mapping. */
    family: z.string(),
  })
  .meta({ id: 'AssetsETL' });

/** `version` is the mapping's own: a changed mapping is a new document of the same family with the next version. */
const toBody = (mapping: Mapping): z.infer<typeof mappingBodySchema> => ({
  ...baseOf(mapping),
  version: mapping.mappingVersion,
  company: mapping.companyId,
  rules: mapping.rules,
  loanTapeSheetName: mapping.loanTapeSheetName,
  extractedOriginColsFromLoanTape: mapping.extractedOriginColsFromLoanTape,
  cutOffDate: mapping.cutOffDate ?? null,
  primaryCurrency: mapping.primaryCurrency,
  family: mapping.familyId,
});

export const mappingEndpoints: readonly Endpoint[] = [
  listEndpoint({
    path: '/crud/assetsETLs',
    access: 'assets/ETL/read',
    summary: 'Mappings, every version',
    listable: MAPPINGS,
    list: listMappings,
    toBody,
    response: mappingBodySchema,
  }),
  endpoint({
    method: 'POST',
    path: '/crud/assetsETLs',
    access: 'assets/ETL/write',
    summary: 'Make a mapping: version 1',
    body: mappingCreateSchema,
    response: mappingBodySchema,
    handle: ({ body: { company, ...body }, actor, context, origin }) =>
      context.store.as(
        actor,
        async (session) => ({ body: toBody(await createMapping(session, { companyId: company, body })) }),
        origin,
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/crud/assetsETLs/{id}',
    access: 'assets/ETL/read',
    summary: 'One version of a mapping',
    params: idParamsSchema,
    response: mappingBodySchema,
    handle: ({ params, actor, context }) =>
      context.store.as(actor, async (session) => ({ body: toBody(await getMapping(session, params.id)) })),
  }),
  endpoint({
    method: 'PUT',
    path: '/crud/assetsETLs/{id}',
    access: 'assets/ETL/write',
    summary: 'Save a changed mapping as its next version; answers the new version',
    params: idParamsSchema,
    body: mappingUpdateSchema,
    response: mappingBodySchema,
    handle: ({ params, body: { version, ...body }, actor, context, origin }) =>
      context.store.as(
        actor,
        async (session) => ({
          body: toBody(await saveMappingVersion(session, { id: params.id, mappingVersion: version, body })),
        }),
        origin,
      ),
  }),
];

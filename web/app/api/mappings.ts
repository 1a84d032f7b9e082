import type { Mapping } from '@tapeline/db/entities/lending.ts';
import {
  createMapping,
  getMapping,
  listMappings,
  MAPPINGS,
  saveMappingVersion,
} from '@tapeline/db/operations/mappings/mappings.ts';
import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import { mappingCreateSchema, mappingUpdateSchema } from '@tapeline/domain/tapes/mapping.schema.ts';
import { mappingRuleSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { z } from 'zod';
import { baseOf } from './documents.ts';
import { type Endpoint, LARGE_BODY_BYTES } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const mappingSchema = documentSchema
  .extend({
    company: z.string(),
    rules: z.array(mappingRuleSchema),
    loanTapeSheetName: z.string(),
    extractedOriginColsFromLoanTape: z.array(z.string()),
    cutOffDate: z.string().nullable(),
    primaryCurrency: z.string(),
    family: z.string().meta({ description: 'Shared by the versions of one mapping' }),
  })
  .meta({ id: 'AssetsETL' });

/**
 * `version` is the mapping's own version. Changing a mapping creates a new document of the same family with the next
 * version.
 */
const toBody = (mapping: Mapping) => ({
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

export const mappingEndpoints: readonly Endpoint[] = resource({
  ...ofCollection('assetsETLs'),
  response: mappingSchema,
  toBody,
  maxBodyBytes: LARGE_BODY_BYTES,
  list: { listable: MAPPINGS, load: listMappings, summary: 'List mappings, every version of each' },
  get: getMapping,
  create: {
    body: mappingCreateSchema,
    run: (session, { company, ...body }) => createMapping(session, { companyId: company, body }),
  },
  update: {
    body: mappingUpdateSchema,
    run: (session, { id, body: { version, ...body } }) =>
      saveMappingVersion(session, { id, mappingVersion: version, body }),
    summary: 'Update a mapping: the change is saved as its next version, which is returned',
  },
});

import type { Import } from '@tapeline/db/entities/imports.ts';
import { IMPORTS } from '@tapeline/db/operations/importer/imports.ts';
import { listDocuments } from '@tapeline/db/operations/listing/list-documents.ts';
import { groupDocuments } from '@tapeline/db/operations/listing/list-figures.ts';
import {
  importRecordSchema,
  importRequestSchema,
  importResponseSchema,
} from '@tapeline/domain/importer/import.schema.ts';
import { z } from 'zod';
import { checkFiles, importFiles } from '../commands/import-files.server.ts';
import { endImport } from '../commands/import-jobs.server.ts';
import { removedSchema } from './bulk.ts';
import { baseOf, groupBodies, groupBodySchema, idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const toBody = (record: Import) => ({
  ...baseOf(record),
  resource: { kind: record.kind },
  uploadedCount: record.uploadedCount,
  totalCount: record.totalCount,
  attachment: record.attachments[0],
  bulkActionCode: record.id,
});

export const importerEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/files/importer',
    access: 'importer/write',
    summary: 'Import the rows of uploaded sheets. All rows are imported, or none',
    body: importRequestSchema,
    response: importResponseSchema,
    handle: async ({ body, ...call }) => ({ body: await importFiles(call, body) }),
  }),
  endpoint({
    method: 'POST',
    path: '/files/importer/dryRun',
    access: 'importer/write',
    summary: 'Check files as an import would, without saving anything: every problem with its row and column',
    body: importRequestSchema,
    response: importResponseSchema,
    status: 200,
    handle: async ({ body, ...call }) => ({ body: await checkFiles(call, body) }),
  }),
  endpoint({
    method: 'GET',
    path: '/files/importer/data',
    access: 'importer/read',
    summary: 'List imports',
    query: listParamsSchema,
    response: z.union([z.array(importRecordSchema), z.array(groupBodySchema)]),
    handle: ({ query, read }) =>
      read(async (session) => {
        if (query.groupBy) {
          const found = await groupDocuments(session, IMPORTS, query);
          return { body: groupBodies(found), count: found.total };
        }
        const { documents, total } = await listDocuments(session, IMPORTS, query);
        return { body: documents.map(toBody), count: total };
      }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/files/importer/{id}',
    access: 'importer/write',
    summary: 'Undo an import: removes everything that it created, unless some of it was changed, issued or referenced',
    params: idParamsSchema,
    response: removedSchema,
    handle: async ({ params: { id }, ...call }) => {
      await endImport(call, id);
      return { body: { ids: [id] } };
    },
  }),
];

import {
  importRecordSchema,
  importRequestSchema,
  importResponseSchema,
} from '@tapeline/domain/importer/import.schema.ts';
import { z } from 'zod';
import { removedSchema } from './bulk.ts';
import { idParamsSchema, listParamsSchema } from './documents.ts';
import { type Endpoint, endpoint, unavailable } from './endpoint.ts';

export const importerEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/files/importer',
    access: 'importer/write',
    summary: 'Import files. All rows are imported, or none',
    body: importRequestSchema,
    response: importResponseSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
  endpoint({
    method: 'POST',
    path: '/files/importer/dryRun',
    access: 'importer/write',
    summary: 'Check files as an import would, without saving anything',
    body: importRequestSchema,
    response: importResponseSchema,
    status: 200,
    isUnavailable: true,
    handle: unavailable,
  }),
  endpoint({
    method: 'GET',
    path: '/files/importer/data',
    access: 'importer/read',
    summary: 'List imports',
    query: listParamsSchema,
    response: z.array(importRecordSchema),
    isUnavailable: true,
    handle: unavailable,
  }),
  endpoint({
    method: 'DELETE',
    path: '/files/importer/{id}',
    access: 'importer/write',
    summary: 'Undo an import',
    params: idParamsSchema,
    response: removedSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
];

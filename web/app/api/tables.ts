import {
  tableCreateSchema,
  tableOptionsSchema,
  tableSchema,
  tableUpdateSchema,
} from '@tapeline/domain/tables/table.schema.ts';
import { type Endpoint, endpoint, unavailable } from './endpoint.ts';
import { resource } from './resource.ts';

export const tableEndpoints: readonly Endpoint[] = [
  ...resource({
    path: '/crud/tables',
    noun: ['option list', 'option lists'],
    read: 'tables/read',
    write: 'tables/write',
    response: tableSchema,
    toBody: unavailable,
    list: { listable: unavailable, load: unavailable },
    get: unavailable,
    create: { body: tableCreateSchema, run: unavailable },
    update: { body: tableUpdateSchema, run: unavailable },
    remove: { run: unavailable },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/tables/options',
    access: 'tables/read',
    summary: 'List the options of every option list',
    response: tableOptionsSchema,
    isUnavailable: true,
    handle: unavailable,
  }),
];

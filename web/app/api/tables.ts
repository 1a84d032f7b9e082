import type { OptionList } from '@tapeline/db/entities/lists.ts';
import {
  createTable,
  getTable,
  listTables,
  removeTable,
  TABLES,
  tableOptions,
  updateTable,
} from '@tapeline/db/operations/tables/tables.ts';
import {
  type TableValue,
  tableCreateSchema,
  tableOptionsSchema,
  tableSchema,
  tableUpdateSchema,
} from '@tapeline/domain/tables/table.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { baseOf } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const valueBody = (value: TableValue) => ({ ...value, rate: exactNumber(value.rate) });

const toBody = (table: OptionList) => ({
  ...baseOf(table),
  name: table.name,
  values: table.values.map(valueBody),
});

/** Ten thousand fixings in JSON. */
const MAX_BODY_BYTES = 4_000_000;

export const tableEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('tables'),
    response: tableSchema,
    toBody,
    maxBodyBytes: MAX_BODY_BYTES,
    list: { listable: TABLES, load: listTables },
    get: getTable,
    create: { body: tableCreateSchema, run: createTable },
    update: { body: tableUpdateSchema, run: updateTable },
    remove: { run: removeTable },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/tables/options',
    access: 'tables/read',
    summary: 'List the options of every option list',
    response: tableOptionsSchema,
    handle: ({ read }) =>
      read(async (session) => ({
        body: (await tableOptions(session)).map(({ name, values }) => ({ name, values: values.map(valueBody) })),
      })),
  }),
];

import type { GroupFilter } from '@tapeline/db/entities/chats.ts';
import {
  createGroupFilter,
  GROUP_FILTERS,
  getGroupFilter,
  listGroupFilters,
  removeGroupFilter,
  updateGroupFilter,
} from '@tapeline/db/operations/group-filters/group-filters.ts';
import {
  groupFilterCreateSchema,
  groupFilterSchema,
  groupFilterUpdateSchema,
} from '@tapeline/domain/group-filters/group-filter.schema.ts';
import { baseOf } from './documents.ts';
import type { Endpoint } from './endpoint.ts';
import { resource } from './resource.ts';

const toBody = (filter: GroupFilter) => ({
  ...baseOf(filter),
  title: filter.title,
  user: filter.userId,
  filters: { funds: filter.fundIds, investors: filter.investorIds },
});

export const groupFilterEndpoints: readonly Endpoint[] = resource({
  path: '/crud/groupFilters',
  noun: ['saved filter', 'saved filters'],
  read: 'signed-in',
  response: groupFilterSchema,
  toBody,
  list: { listable: GROUP_FILTERS, load: listGroupFilters, summary: "List the caller's saved filters" },
  get: getGroupFilter,
  create: { body: groupFilterCreateSchema, run: createGroupFilter },
  update: { body: groupFilterUpdateSchema, run: updateGroupFilter },
  remove: { run: removeGroupFilter },
});

import {
  type Change,
  groupHistory,
  HISTORY,
  historyListParameters,
  listHistory,
} from '@tapeline/db/operations/history/history.ts';
import { historySchema } from '@tapeline/domain/history/history.schema.ts';
import { wireDifference } from '@tapeline/domain/history/wire-fields.ts';
import type { Endpoint } from './endpoint.ts';
import { resource } from './resource.ts';

const toBody = ({ id, resource, documentId, operation, changedBy, changedAt, recordedAt, differences }: Change) => ({
  id,
  resource,
  documentId,
  operation,
  updatedFields: differences.map((difference) => wireDifference(resource, difference)),
  changedBy,
  changedAt: changedAt.toISOString(),
  recordedAt: recordedAt.toISOString(),
});

export const historyEndpoints: readonly Endpoint[] = resource({
  path: '/crud/history',
  noun: ['change', 'changes'],
  read: 'history/read',
  response: historySchema,
  toBody,
  list: {
    listable: HISTORY,
    load: listHistory,
    group: groupHistory,
    parameters: historyListParameters,
    summary:
      'List changes of documents, the latest first; filter by resource, documentId, operation, changedAt, changedBy.entity.id and changedBy.name',
  },
});

import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { documentProperties } from './base.ts';

/** An administrator, auditor, custodian or similar provider of a manager's funds. */
export const ServiceProvider = defineEntity({
  name: 'ServiceProvider',
  tableName: 'service_providers',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    /** What it does, as free text. */
    type: p.text(),
    entityIds: p.array().$type<string[]>().columnType('text[]'),
  },
});
export type ServiceProvider = InferEntity<typeof ServiceProvider>;

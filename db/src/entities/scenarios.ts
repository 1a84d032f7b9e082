import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ScenarioChange } from '@tapeline/domain/scenarios/scenario.schema.ts';
import { documentProperties } from './base.ts';

/** Changes to a certificate, to see what it would be with them. It is never a borrowing base. */
export const Scenario = defineEntity({
  name: 'Scenario',
  tableName: 'scenarios',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    companyId: p.text(),
    /** The certificate: a tape under a contract. */
    tapeId: p.text(),
    contractId: p.text(),
    transactionId: p.text(),
    noteId: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    changes: p.json<ScenarioChange[]>(),
  },
});
export type Scenario = InferEntity<typeof Scenario>;

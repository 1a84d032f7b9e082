import {
  createManager,
  getManager,
  listManagers,
  MANAGERS,
  updateManager,
} from '@tapeline/db/operations/managers/managers.ts';
import { rulesOf } from '@tapeline/domain/approvals/second-person.ts';
import { managerCreateSchema, managerSchema, managerUpdateSchema } from '@tapeline/domain/managers/manager.schema.ts';
import type { Endpoint } from './endpoint.ts';
import { partyBody } from './parties.ts';
import { ofCollection, resource } from './resource.ts';

export const managerEndpoints: readonly Endpoint[] = resource({
  ...ofCollection('managers'),
  response: managerSchema,
  toBody: (manager) => ({
    ...partyBody(manager),
    endsIdleSessions: manager.endsIdleSessions,
    secondPerson: rulesOf(manager.secondPerson),
    secondPersonProposal: manager.secondPersonProposal ?? null,
  }),
  list: { listable: MANAGERS, load: listManagers },
  get: getManager,
  create: {
    body: managerCreateSchema,
    run: createManager,
    summary: 'Create a manager, or a list of managers. Each is a new tenant',
  },
  update: { body: managerUpdateSchema, run: updateManager },
});

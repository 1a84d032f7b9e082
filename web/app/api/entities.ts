import {
  createEntity,
  type EntityView,
  entityListParameters,
  getEntity,
  groupEntities,
  LEGAL_ENTITIES,
  listCategories,
  listEntities,
  updateEntity,
} from '@tapeline/db/operations/entities/entities.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { entityCreateSchema, entitySchema, entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { baseOf } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const exactOf = (value: string | null | undefined) => (value === undefined ? undefined : exactNumber(value));

/** An entity in wire format. Amounts are numbers with all their digits. */
export function entityBody(entity: EntityView) {
  const { name, formalId, nationality, business, person, description, domains, category, contacts, banks } = entity;
  return {
    ...baseOf(entity),
    name,
    formalId,
    nationality,
    business: business && {
      ...business,
      raised: exactOf(business.raised),
      shares: business.shares?.map((share) => ({
        ...share,
        amount: exactOf(share.amount),
        faceValue: exactOf(share.faceValue),
      })),
    },
    person,
    description,
    domains,
    category,
    contacts,
    banks,
  };
}

export const entityEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('entities'),
    response: entitySchema,
    toBody: entityBody,
    list: { listable: LEGAL_ENTITIES, load: listEntities, group: groupEntities, parameters: entityListParameters },
    get: getEntity,
    create: {
      body: entityCreateSchema.extend({
        manager: idSchema.optional().meta({ description: 'Required from an admin who is not acting for a manager' }),
      }),
      run: createEntity,
    },
    update: {
      body: entityUpdateSchema,
      run: updateEntity,
      summary: 'Update an entity, for every company, investor, fund and service provider that refers to it',
    },
  }),
  endpoint({
    method: 'GET',
    path: '/crud/entities/categories',
    access: 'entities/read',
    summary: 'List the categories of entities',
    response: z.array(z.string()),
    handle: ({ db }) =>
      db(async (session) => {
        const body = await listCategories(session);
        return { body, count: body.length };
      }),
  }),
];

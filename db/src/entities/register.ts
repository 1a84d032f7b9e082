import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { EntityCreate } from '@tapeline/domain/entities/entity.schema.ts';
import { documentProperties } from './base.ts';

/** A legal or natural person, for example a company or fund, that parties refer to (collection `entities`). */
export const LegalEntity = defineEntity({
  name: 'LegalEntity',
  tableName: 'entities',
  properties: {
    ...documentProperties,
    managerId: p.text(),
    name: p.text(),
    formalId: p.text(),
    nationality: p.json<EntityCreate['nationality']>(),
    business: p.json<NonNullable<EntityCreate['business']>>().nullable(),
    person: p.json<NonNullable<EntityCreate['person']>>().nullable(),
    description: p.text().nullable(),
    domains: p.json<EntityCreate['domains'] & Opt>().onCreate(() => []),
    category: p.json<EntityCreate['category'] & Opt>().onCreate(() => []),
    contacts: p.json<EntityCreate['contacts'] & Opt>().onCreate(() => []),
    banks: p.json<EntityCreate['banks'] & Opt>().onCreate(() => []),
  },
});
export type LegalEntity = InferEntity<typeof LegalEntity>;

/** The columns of a party: a document that represents a legal entity in some role. */
export const partyProperties = {
  entityId: p.text(),
  /** The entity's name. The database maintains it, so the program only reads it. */
  name: p.text().$type<string & Opt>().generated("('') stored"),
};

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

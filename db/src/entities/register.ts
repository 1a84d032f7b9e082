import { defineEntity, type InferEntity, type Opt, p } from '@mikro-orm/core';
import type { EntityCreate } from '@tapeline/domain/entities/entity.schema.ts';
import { documentProperties } from './base.ts';

/** A column that the database keeps for lists and that documents do not have. */
export const storedCopy = () => p.text().$type<string & Opt>().generated("('') stored").lazy();

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
    country: storedCopy().nullable(),
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
  /** The formal id and the country of the entity, which lists sort by. */
  formalId: storedCopy(),
  country: storedCopy(),
};

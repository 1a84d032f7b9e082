import type { EntityManager } from '@mikro-orm/postgresql';
import { LegalEntity } from '../entities/register.ts';
import { newId } from '../ids.ts';

/** Adds a legal entity to a manager's register and returns its id. */
export const addEntity = (em: EntityManager, managerId: string, name: string): string =>
  em.create(LegalEntity, { id: newId(), managerId, name, formalId: '1', nationality: { country: 'US' } }).id;

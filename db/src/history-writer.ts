import { ChangeSetType, type EntityManager, type EventSubscriber, type FlushEventArgs } from '@mikro-orm/core';
import type { ChangedBy } from './entities/base.ts';
import { History, type UpdatedField } from './entities/records.ts';
import { newId } from './ids.ts';
import type { Session } from './store.ts';

/** Entity -> wire name of its collection. What is not here keeps no history. */
const RESOURCES: Record<string, string> = {
  Manager: 'managers',
  Company: 'companies',
  LP: 'LPs',
  Role: 'roles',
  User: 'users',
  Fund: 'funds',
  LPCommitment: 'LPCommitments',
  Mapping: 'assetsETLs',
  Transaction: 'transactions',
  Contract: 'contracts',
  BorrowingBase: 'borrowingBases',
  LoanTape: 'loanTapes',
};

/** Fields that say nothing about what a person did. */
const SILENT = new Set(['id', 'version', 'metadata', 'code', 'name']);
const SILENT_OF: Record<string, ReadonlySet<string>> = {
  User: new Set(['lastVisited']),
  LoanTape: new Set(['progress']),
};

export function changedBy(session: Pick<Session, 'actor' | 'origin' | 'now'>): ChangedBy {
  const { actor, origin, now } = session;
  return {
    agent: origin.agent ?? null,
    ip: origin.ip ?? null,
    locale: origin.locale ?? null,
    timestamp: now.toISOString(),
    entity:
      actor.kind === 'user'
        ? { id: actor.userId, firstName: actor.firstName, lastName: actor.lastName }
        : { apiName: actor.name },
  };
}

/** Writes one history row for each changed document, inside the very flush that changes it. */
export class HistoryWriter implements EventSubscriber {
  readonly #sessions = new WeakMap<EntityManager, Session>();

  attach(em: EntityManager, session: Session): void {
    this.#sessions.set(em, session);
  }

  onFlush({ em, uow }: FlushEventArgs): void {
    const session = this.#sessions.get(em);
    if (!session) throw new Error('A flush outside store.as: every change is made in a session');
    const author = changedBy(session);
    for (const change of uow.getChangeSets()) {
      const resource = RESOURCES[change.meta.className];
      if (!resource) continue;
      const entity = change.entity as Record<string, unknown>;
      const silent = SILENT_OF[change.meta.className];
      const fields: UpdatedField[] = [];
      for (const [field, value] of Object.entries(change.payload as Record<string, unknown>)) {
        if (SILENT.has(field) || silent?.has(field)) continue;
        const before = (change.originalEntity as Record<string, unknown> | undefined)?.[field];
        fields.push({ field, old: before ?? null, new: value ?? null });
      }
      const insert = change.type === ChangeSetType.CREATE;
      const removal = change.type === ChangeSetType.DELETE || change.type === ChangeSetType.DELETE_EARLY;
      if (!insert && !removal && fields.length === 0) continue;
      const softDelete = fields.some(({ field, new: value }) => field === 'status' && value === 'Removed');
      const row = em.create(
        History,
        {
          id: newId(session.now),
          resource,
          documentId: String(entity.id),
          operation: removal ? 'Permanent Delete' : insert ? 'Insert' : softDelete ? 'Delete' : 'Update',
          updatedFields: fields,
          changedBy: author,
          changedAt: session.now,
          managerId: ownerOf(entity, resource, 'managers', 'managerId'),
          companyId: ownerOf(entity, resource, 'companies', 'companyId'),
          lpId: resource === 'LPs' ? String(entity.id) : ((entity.investorLPId as string | undefined) ?? null),
        },
        { persist: false },
      );
      uow.computeChangeSet(row);
    }
  }
}

function ownerOf(entity: Record<string, unknown>, resource: string, own: string, column: string): string | null {
  if (resource === own) return String(entity.id);
  return (entity[column] as string | null | undefined) ?? null;
}

import type { ObjectQuery } from '@mikro-orm/core';
import { CAPITAL_TRANSITIONS, type CapitalStatus } from '@tapeline/domain/capital/states.ts';
import type { DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { impossibleTransition } from '@tapeline/domain/documents/transitions.ts';
import { atItem, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import type { PermissionKey } from '@tapeline/domain/people/actor.ts';
import { staleRefusal } from '../../database-refusals.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { requireNotPaidByRun } from '../cash/cash-locks.ts';
import { lockFunds } from '../commitments/change-commitments.ts';
import type { Listable } from '../listing/define-lists.ts';
import { changedMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';
import type { MailedTable } from './notice-mails.ts';
import { tellWithdrawn } from './tell-investors.ts';

export interface CapitalDocument {
  id: string;
  status: CapitalStatus;
  version: number;
  metadata: DocumentMetadata;
  fundId?: string | null | undefined;
  removalReason?: string | null | undefined;
}

export interface ChangeableCapital<Document extends CapitalDocument> {
  readonly listable: Listable<Document>;
  readonly write: PermissionKey;
  /** The table, if investors are told of what is published in it. */
  readonly told?: MailedTable;
  /** Statuses in which more than the status can be changed. */
  readonly editable: readonly CapitalStatus[];
  /** Puts changed documents, before they are stored, where they belong now. */
  readonly place?: (session: Session, changed: readonly Document[]) => Promise<void>;
}

/** The visible documents, in the order of the ids, with their funds locked. @throws Refusal notFound */
export async function lockDocuments<Document extends CapitalDocument>(
  session: Session,
  { listable }: ChangeableCapital<Document>,
  ids: readonly string[],
): Promise<Document[]> {
  const rows = await session.query<{ fund: string }>(
    `select distinct fund_id as fund from ${listable.table} where id = any ($1) and fund_id is not null`,
    [[...ids]],
  );
  await lockFunds(
    session,
    rows.map(({ fund }) => fund),
  );
  const found = await session.em.find(listable.entity, { id: { $in: [...ids] } } as object as ObjectQuery<Document>);
  const byId = new Map(found.map((document) => [document.id, document]));
  return ids.map((id, index) => {
    const document = byId.get(id);
    if (!document || document.status === 'Removed') {
      throw new Refusal('notFound', undefined, { flags: { [`${index}.id`]: 'is not a document that you can see' } });
    }
    return document;
  });
}

/** Those of the documents that the actor can see. What was created for other investors is not returned. */
export async function visibleOf<Document extends { id: string }>(
  session: Session,
  { table }: Pick<Listable<Document>, 'table'>,
  created: readonly Document[],
): Promise<Document[]> {
  const rows = await session.query<{ id: string }>(`select id from ${table} where id = any ($1)`, [
    created.map(({ id }) => id),
  ]);
  const visible = new Set(rows.map(({ id }) => id));
  return created.filter(({ id }) => visible.has(id));
}

/** Only an Active document is shown as Upcoming, and stays Active if it is sent back so. */
function nextStatus(from: CapitalStatus, to: CapitalStatus | 'Upcoming' | undefined): CapitalStatus {
  if (to === undefined) return from;
  if (to !== 'Upcoming') return CAPITAL_TRANSITIONS.enter(from, to);
  if (from !== 'Active') throw impossibleTransition('this document', from, to);
  return from;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/**
 * Changes several documents, all or none. Fields that are the same as before are not a change.
 * @param fieldsOf the new values of the fields that the item names
 * @returns the documents, and those whose fields or status changed
 * @throws Refusal forbidden; notFound; badRequest, naming the item, for a stale version, an issued document whose fields
 *   would change, or another transition
 */
export async function changeDocuments<
  Document extends CapitalDocument,
  Item extends { id: string; version: number; status?: Exclude<CapitalStatus, 'Removed'> | 'Upcoming' | undefined },
>(
  session: Session,
  collection: ChangeableCapital<Document>,
  items: readonly Item[],
  fieldsOf: (document: Document, item: Item) => Promise<Partial<Document>> | Partial<Document>,
): Promise<{ documents: Document[]; changed: Document[] }> {
  requirePermission(session, collection.write);
  const documents = await lockDocuments(
    session,
    collection,
    items.map(({ id }) => id),
  );
  const changed: Document[] = [];
  for (const [index, item] of items.entries()) {
    const document = documents[index]!;
    try {
      if (document.version !== item.version) throw staleRefusal(document, item.version);
      const fields = Object.fromEntries(
        Object.entries(await fieldsOf(document, item)).filter(
          ([name, value]) => value !== undefined && !isSame(value, document[name as keyof Document]),
        ),
      );
      if (Object.keys(fields).length > 0 && !collection.editable.includes(document.status)) {
        throw new Refusal(
          'badRequest',
          `This document is ${document.status} and cannot be changed. Remove it with a reason, and enter it again`,
          {
            flags: Object.fromEntries(
              Object.keys(fields).map((name) => [name, `cannot be changed once ${document.status}`]),
            ),
          },
        );
      }
      const status = nextStatus(document.status, item.status);
      if (Object.keys(fields).length === 0 && status === document.status) continue;
      if (status === 'Active' && document.status === 'Draft' && 'issuedOn' in document) {
        Object.assign(document, { issuedOn: todayOf(session) });
        session.announce('noticesDue');
      }
      Object.assign(document, fields, { status, metadata: changedMetadata(session, document.metadata) });
      changed.push(document);
    } catch (error) {
      throw atItem(error, index);
    }
  }
  if (changed.length > 0) await collection.place?.(session, changed);
  await session.em.flush();
  return { documents, changed };
}

/**
 * Removes documents (soft delete), all or none. Removing what was issued needs a reason, and tells whoever was told of it.
 * @returns the removed documents
 * @throws Refusal forbidden; notFound; badRequest without a reason, and for what a payment run pays
 */
export async function removeDocuments<Document extends CapitalDocument>(
  session: Session,
  collection: ChangeableCapital<Document>,
  { ids, reason }: { ids: readonly string[]; reason?: string | null | undefined },
): Promise<Document[]> {
  requirePermission(session, collection.write);
  const documents = await lockDocuments(session, collection, ids);
  const issued = documents.filter(({ status }) => status !== 'Draft');
  if (issued.length > 0 && !reason?.trim()) {
    throw new Refusal('badRequest', 'It was already issued. Give a reason for withdrawing it.', {
      flags: { reason: REQUIRED },
    });
  }
  await requireNotPaidByRun(
    session,
    issued.map(({ id }) => id),
  );
  if (collection.told) {
    await tellWithdrawn(
      session,
      collection.told,
      issued.map(({ id }) => id),
    );
  }
  for (const document of documents) {
    document.status = CAPITAL_TRANSITIONS.enter(document.status, 'Removed') as CapitalStatus;
    document.removalReason = reason?.trim() || null;
    document.metadata = changedMetadata(session, document.metadata);
  }
  await session.em.flush();
  return documents;
}

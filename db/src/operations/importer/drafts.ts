import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ImportDraft as DraftContent } from '@tapeline/domain/importer/draft.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import type { ColumnMapping } from '@tapeline/domain/importer/suggest-columns.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { ImportDraft } from '../../entities/import-drafts.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { requirePermission, tenantOf } from '../permission.ts';

/** Drafts that one user has at once. */
export const MAX_DRAFTS = 100;
const MAX_EARLIER = 50;

function userIdOf({ actor }: Pick<Session, 'actor'>): string {
  if (actor.kind !== 'user') throw new Refusal('forbidden', 'Only a signed-in user prepares imports');
  return actor.userId;
}

/** Begins to prepare an import. @throws Refusal badRequest if the user has too many drafts */
export async function createImportDraft(session: Session, content: DraftContent): Promise<ImportDraft> {
  requirePermission(session, 'importer/write');
  const { em, now } = session;
  const userId = userIdOf(session);
  const managerId = await tenantOf(session);
  if ((await em.count(ImportDraft, { userId, importId: null })) >= MAX_DRAFTS)
    throw new Refusal('badRequest', `You have ${MAX_DRAFTS} unfinished imports. Discard some of them first.`);
  const draft = em.create(ImportDraft, {
    id: newId(now),
    managerId,
    userId,
    content,
    importId: null,
    version: 1,
    createdAt: now,
    changedAt: now,
  });
  await em.flush();
  return draft;
}

/** The user's own draft. @throws Refusal notFound */
export async function getImportDraft(session: Session, id: string): Promise<ImportDraft> {
  requirePermission(session, 'importer/write');
  const draft = isId(id) ? await session.em.findOne(ImportDraft, { id, userId: userIdOf(session) }) : null;
  if (!draft) throw new Refusal('notFound');
  return draft;
}

/**
 * Replaces the content of a draft. Its kind stays.
 * @throws Refusal notFound; badRequest if the version is stale, or an import was started with it
 */
export async function changeImportDraft(
  session: Session,
  {
    id,
    version,
    content,
    importId = null,
  }: { id: string; version: number; content: DraftContent; importId?: string | null },
): Promise<ImportDraft> {
  const draft = await getImportDraft(session, id);
  if (draft.version !== version) throw staleRefusal();
  if (draft.importId !== null) throw new Refusal('badRequest', 'This import was already started');
  Object.assign(draft, { content: { ...content, kind: draft.content.kind }, importId, changedAt: session.now });
  await session.em.flush();
  return draft;
}

/** Discards a draft. Its files stay until retention removes them. @throws Refusal notFound */
export async function removeImportDraft(session: Session, id: string): Promise<void> {
  await session.em.remove(await getImportDraft(session, id)).flush();
}

/** The user's drafts that were not started, the latest first. */
export const listImportDrafts = (session: Session): Promise<ImportDraft[]> =>
  session.em.find(
    ImportDraft,
    { userId: userIdOf(session), importId: null },
    { orderBy: { changedAt: 'desc', id: 'desc' }, limit: MAX_DRAFTS },
  );

export type EarlierColumns = Pick<DraftContent, 'turn' | 'values' | 'valuesBy' | 'written'> & {
  readonly mapping: ColumnMapping;
};

/** How the user last had a file of this kind with the same headers read; an empty mapping if there is none. */
export async function earlierColumns(
  session: Session,
  { kind, headers }: { kind: ImportKind; headers: readonly string[] },
): Promise<EarlierColumns> {
  const [content] = await session.query<{
    mapping: ColumnMapping;
    values: EarlierColumns['values'] | null;
    written: EarlierColumns['written'] | null;
    turn: EarlierColumns['turn'];
    valuesBy: EarlierColumns['valuesBy'] | null;
  }>(
    `select content -> 'mapping' as mapping, content -> 'values' as values, content -> 'written' as written,
       content -> 'turn' as turn, content -> 'valuesBy' as "valuesBy" from (
       select * from import_drafts where user_id = $1 and kind = $2
         and jsonb_typeof(content -> 'mapping') = 'object' order by changed_at desc limit ${MAX_EARLIER}
     ) latest where content #> '{sheet,headers}' = $3::jsonb order by changed_at desc limit 1`,
    [userIdOf(session), kind, JSON.stringify(headers)],
  );
  if (!content) return { mapping: {} };
  const { mapping, values, written, turn, valuesBy } = content;
  return {
    mapping,
    ...(values ? { values } : {}),
    ...(written ? { written } : {}),
    // Null if the person left the columns as they are.
    turn: turn ?? null,
    ...(valuesBy ? { valuesBy } : {}),
  };
}

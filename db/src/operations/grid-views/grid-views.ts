import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  type GridId,
  type GridViewCreate,
  type GridViewUpdate,
  MAX_VIEWS,
} from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { isOutsider } from '@tapeline/domain/people/actor.ts';
import { GridView } from '../../entities/chats.ts';
import { newId } from '../../ids.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { userOf } from '../chats/chats.ts';
import { defineListable } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { createdMetadata, storeChange } from '../metadata.ts';

const GRID_VIEWS = defineListable(GridView, 'grid_views', [['title', 'Title', 'text', 't.title']]);

/** More than a user's own views of all grids. Those that colleagues share come after them. */
const MAX_LISTED = 2_000;

export interface ListedView {
  readonly id: string;
  readonly grid: GridId;
  readonly title: string;
  readonly search: string;
  readonly isShared: boolean;
  readonly isDefault: boolean;
  /** Whether it is the user's own. */
  readonly isOwn: boolean;
  /** Who shared it; null for an own one. */
  readonly sharedBy: string | null;
}

/** The user's own views and those that colleagues share, of one grid or of all. */
export const listGridViews = (session: ReadSession, grid?: GridId): Promise<ListedView[]> =>
  session.query<ListedView>(
    `select t.id, t.grid, t.title, t.search, t.is_shared as "isShared",
       t.is_default and t.user_id = $1 as "isDefault", t.user_id = $1 as "isOwn",
       case when t.user_id <> $1 then (select u.name from users u where u.id = t.user_id) end as "sharedBy"
     from grid_views t where ($2::text is null or t.grid = $2) order by t.user_id <> $1, t.grid, lower(t.title), t.id limit $3`,
    [session.actor.kind === 'user' ? session.actor.userId : null, grid ?? null, MAX_LISTED],
    { kept: true },
  );

/** @throws Refusal notFound, also for a view that is not shared with the user */
export const getGridView = (session: Session, id: string): Promise<GridView> => getDocument(session, GRID_VIEWS, id);

/** @throws Refusal notFound for the view of another user, even if it is shared */
async function ownView(session: Session, id: string): Promise<GridView> {
  const view = await getGridView(session, id);
  if (view.userId !== userOf(session).userId) throw new Refusal('notFound');
  return view;
}

/** At most one view is the default of a grid, and no two have the same title. */
async function makeRoom(session: Session, view: { id: string; grid: GridId } & GridViewUpdate): Promise<void> {
  const { actor } = session;
  if (view.isShared && (actor.kind !== 'user' || isOutsider(actor.type) || actor.managerId === null)) {
    throw new Refusal('badRequest', 'Only the users of a manager share views', {
      flags: { isShared: 'is only for users of a manager' },
    });
  }
  const { userId } = userOf(session);
  const own = await session.query<{ id: string; title: string }>(
    'select id, title from grid_views t where user_id = $1 and grid = $2 and manager_id is not distinct from $3 and id <> $4',
    [userId, view.grid, actor.kind === 'user' ? actor.managerId : null, view.id],
  );
  if (own.some(({ title }) => title.toLowerCase() === view.title.toLowerCase())) {
    throw new Refusal('badRequest', 'You have a view with this name already', { flags: { title: 'is already used' } });
  }
  if (own.length >= MAX_VIEWS) throw new Refusal('badRequest', `A grid has at most ${MAX_VIEWS} views of one user`);
  if (view.isDefault) {
    await session.query('update grid_views set is_default = false where is_default and id = any ($1)', [
      own.map(({ id }) => id),
    ]);
  }
}

/** Saves what a grid shows. @throws Refusal badRequest for a title that is taken, too many views, or a share of an outsider */
export async function createGridView(session: Session, body: GridViewCreate): Promise<GridView> {
  const id = newId(session.now);
  await makeRoom(session, { ...body, id });
  const view = session.em.create(GridView, { id, ...userOf(session), ...body, metadata: createdMetadata(session) });
  await session.em.flush();
  return view;
}

/** Renames a view, shares it, or makes it the default. @throws as `createGridView`; Refusal notFound */
export async function updateGridView(
  session: Session,
  { id, body }: { id: string; body: GridViewUpdate },
): Promise<GridView> {
  const view = await ownView(session, id);
  await makeRoom(session, { ...body, id, grid: view.grid });
  return storeChange(session, view, body);
}

/** Deletes a view for good. @throws Refusal notFound */
export async function removeGridView(session: Session, id: string): Promise<void> {
  await session.em.remove(await ownView(session, id)).flush();
}

import type { Session } from '../../store.ts';

/** An object that is no longer needed. */
export interface Dropped {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly reason: string;
}

/** Records objects as dropped; existing records do not change. Called as the system actor. @returns the new keys */
export async function recordDropped(session: Session, objects: readonly Dropped[]): Promise<string[]> {
  const rows = await session.query<{ key: string }>(
    `insert into dropped_objects (key, size, reason, dropped_at)
     select key, size, reason, $2 from jsonb_to_recordset($1::jsonb) as given (key text, size bigint, reason text)
     on conflict (key) do nothing returning key`,
    [JSON.stringify(objects), session.now],
  );
  return rows.map(({ key }) => key);
}

/** How many recorded objects are still at their keys, and how many are in the trash. */
export async function countDropped(session: Session): Promise<{ waiting: number; trashed: number }> {
  const [row] = await session.query<{ waiting: number; trashed: number }>(
    `select count(*) filter (where trashed_at is null)::int as waiting,
       count(*) filter (where trashed_at is not null)::int as trashed from dropped_objects`,
  );
  return row!;
}

const dropped = (row: { key: string; size: string; reason: string }): Dropped => ({ ...row, size: Number(row.size) });

/** Objects dropped before `before` and not in the trash yet, earliest first; locked until the transaction ends. */
export async function dueForTrash(session: Session, command: { before: Date; most: number }): Promise<Dropped[]> {
  const rows = await session.query<{ key: string; size: string; reason: string }>(
    `select key, size::text, reason from dropped_objects where trashed_at is null and dropped_at <= $1
     order by dropped_at, key limit $2 for update skip locked`,
    [command.before, command.most],
  );
  return rows.map(dropped);
}

/** Objects that have been in the trash since before `before`, earliest first; locked until the transaction ends. */
export async function dueForDeletion(session: Session, command: { before: Date; most: number }): Promise<Dropped[]> {
  const rows = await session.query<{ key: string; size: string; reason: string }>(
    `select key, size::text, reason from dropped_objects where trashed_at <= $1
     order by trashed_at, key limit $2 for update skip locked`,
    [command.before, command.most],
  );
  return rows.map(dropped);
}

export async function noteTrashed(session: Session, key: string): Promise<void> {
  await session.query('update dropped_objects set trashed_at = $2 where key = $1', [key, session.now]);
}

/** Deletes a record: its object was deleted, or is needed after all. */
export async function forgetDropped(session: Session, key: string): Promise<void> {
  await session.query('delete from dropped_objects where key = $1', [key]);
}

/** Which of these objects are recorded as dropped. */
export async function droppedAmong(session: Session, keys: readonly string[]): Promise<string[]> {
  const rows = await session.query<{ key: string }>('select key from dropped_objects where key = any($1)', [keys]);
  return rows.map(({ key }) => key);
}

/** Which of these objects this database has moved to the trash. */
export async function trashedAmong(session: Session, keys: readonly string[]): Promise<string[]> {
  const rows = await session.query<{ key: string }>(
    'select key from dropped_objects where trashed_at is not null and key = any($1)',
    [keys],
  );
  return rows.map(({ key }) => key);
}

/** Which of these attempts, by the prefixes of their keys, have recorded objects that are not deleted yet. */
export async function prefixesWithDropped(session: Session, prefixes: readonly string[]): Promise<string[]> {
  const rows = await session.query<{ prefix: string }>(
    `select prefix from unnest($1::text[]) as prefix
     where exists (select from dropped_objects where starts_with(key, prefix))`,
    [prefixes],
  );
  return rows.map(({ prefix }) => prefix);
}

/** Which of these keys (`<bucket>/<key>`) belong to files that were not removed. Called as the system actor. */
export async function filesInUse(session: Session, keys: readonly string[]): Promise<string[]> {
  const rows = await session.query<{ key: string }>(
    `select bucket || '/' || key as key from files where status <> 'Removed' and bucket || '/' || key = any($1)
     union select one ->> 'bucket' || '/' || (one ->> 'key') from loan_tapes,
         jsonb_array_elements(jsonb_build_array(attachment) || other_attachments) as one
       where status = 'Active' and one ->> 'bucket' || '/' || (one ->> 'key') = any($1)`,
    [keys],
  );
  return rows.map(({ key }) => key);
}

import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';

/** The id of this database's instance, created on the first request. Called as the system actor. */
export async function instanceId(session: Session): Promise<string> {
  await session.query('insert into instance (id, created_at) values ($1, $2) on conflict do nothing', [
    newId(session.now),
    session.now,
  ]);
  const [row] = await session.query<{ id: string }>('select id from instance');
  return row!.id;
}

/** Which of these tapes are in this database, including removed ones. Called as the system actor. */
export async function knownTapes(session: Session, tapeIds: readonly string[]): Promise<string[]> {
  const rows = await session.query<{ id: string }>('select id from loan_tapes where id = any($1)', [tapeIds]);
  return rows.map(({ id }) => id);
}

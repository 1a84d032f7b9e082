import type { ReadSession } from '../../read-session.ts';

const KEY = `hashtextextended('note-ledger/' || note_id, 0)`;

/**
 * Whatever changes the balance of a note holds this lock until its database transaction ends: recording and removing
 * repayments, and approving draws. None of them ever decides on a balance that another one is changing.
 */
export const lockNote = (session: ReadSession, noteId: string) =>
  session.query(`select pg_advisory_xact_lock(${KEY}) from (select $1::text as note_id) as one`, [noteId]);

/** Locks the notes of these draws or repayments, in one order, which avoids deadlocks. */
export const lockNotesOf = (session: ReadSession, table: 'draws' | 'repayments', ids: readonly string[]) =>
  session.query(
    `select pg_advisory_xact_lock(${KEY})
     from (select distinct note_id::text as note_id from ${table} where id = any ($1) order by 1) as notes`,
    [[...ids]],
  );

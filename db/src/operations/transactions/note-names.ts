import type { Session } from '../../store.ts';

export interface NoteName {
  noteId: string;
  transactionTitle: string;
  noteTitle: string;
}

/** Names of the notes of these transactions that are visible and not removed, by note id. */
export async function noteNamesOf(
  session: Session,
  transactionIds: Iterable<string>,
): Promise<ReadonlyMap<string, NoteName>> {
  const rows = await session.query<NoteName>(
    `select note.value ->> 'id' as "noteId", t.title as "transactionTitle", note.value ->> 'title' as "noteTitle"
     from transactions t cross join lateral jsonb_array_elements(t.notes) as note
     where t.id = any ($1) and t.status <> 'Removed'`,
    [[...new Set(transactionIds)]],
  );
  return new Map(rows.map((row) => [row.noteId, row]));
}

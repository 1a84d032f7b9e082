import { type NoteAmendment, noteAsOf } from '@tapeline/domain/amendments/versions.ts';
import type { StoredNote } from '../../entities/lending.ts';
import type { ReadSession } from '../../read-session.ts';

/** The amendments of notes by note, the earliest first. A note without any is left out. */
export async function amendmentsOfNotes(
  session: ReadSession,
  noteIds: readonly string[],
): Promise<Map<string, NoteAmendment[]>> {
  const rows = await session.query<NoteAmendment & { noteId: string }>(
    `select note_id as "noteId", id, title, effective_date::text as "effectiveDate", tranche, terms, replaced from amendments
     where note_id = any ($1) and status = 'Active' order by effective_date, id`,
    [[...noteIds]],
  );
  return Map.groupBy(rows, ({ noteId }) => noteId);
}

/** The amendments of a note, the earliest first. */
export const amendmentsOf = async (session: ReadSession, noteId: string): Promise<NoteAmendment[]> =>
  (await amendmentsOfNotes(session, [noteId])).get(noteId) ?? [];

/** The note with its terms of a day. */
export const noteOnDay = async <Note extends StoredNote>(
  session: ReadSession,
  note: Note,
  day: string,
): Promise<Note> => noteAsOf(note, await amendmentsOf(session, note.id), day);

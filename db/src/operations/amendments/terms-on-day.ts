import { type NoteVersion, noteVersions } from '@tapeline/domain/amendments/versions.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { StoredNote } from '../../entities/lending.ts';
import type { Session } from '../../store.ts';
import { getDocument } from '../listing/list-documents.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { amendmentsOf } from './note-amendments.ts';

/** The version of the terms of a note on a day. @throws Refusal notFound */
export async function termsOnDay(
  session: Session,
  { transaction: id, note: noteId, day }: { transaction: string; note: string; day: string },
): Promise<NoteVersion<StoredNote>> {
  const { notes } = await getDocument(session, TRANSACTIONS, id);
  const note = notes.find((one) => one.id === noteId);
  if (!note) throw new Refusal('notFound');
  const versions = noteVersions(note, await amendmentsOf(session, noteId));
  return versions.findLast(({ from }) => from === null || from <= day)!;
}

import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type StoredNote, Transaction } from '../../entities/lending.ts';
import type { Session } from '../../store.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';

/** A note that can be drawn on, by its own id. */
export interface DrawableNote {
  id: string;
  label: string;
}

/** A page of the notes of Active transactions for a picker, by company, transaction and note. */
export const drawableNotes = (session: Session, query: ChoiceQuery = {}): Promise<Choices<DrawableNote>> =>
  notesOf(session, query, ['Active']);

/** The same with the notes of Closed transactions, which may have draws too. */
export const drawnNotes = (session: Session, query: ChoiceQuery = {}): Promise<Choices<DrawableNote>> =>
  notesOf(session, query, ['Active', 'Closed']);

const notesOf = (session: Session, query: ChoiceQuery, statuses: readonly string[]): Promise<Choices<DrawableNote>> =>
  findChoices(session, query, {
    read: 'transactions/read',
    columns: 't.id, t.label',
    offered: `(
      select note.value ->> 'id' as id, concat_ws(', ', c.name, one.title, note.value ->> 'title') as label
      from transactions one cross join lateral jsonb_array_elements(one.notes) as note
      left join companies c on c.id = one.company_id where one.status = any ($1)
    ) t where true`,
    values: [statuses],
    label: 't.label',
  });

/** A visible note with its transaction. @throws Refusal notFound */
export async function getNote(
  session: Session,
  noteId: string,
): Promise<{ note: StoredNote; transaction: Transaction }> {
  const [found] = await session.query<{ id: string }>(
    `select id from transactions where notes @> jsonb_build_array(jsonb_build_object('id', $1::text)) and status <> 'Removed'`,
    [noteId],
  );
  const transaction = found && (await session.em.findOne(Transaction, { id: found.id }));
  const note = transaction?.notes.find(({ id }) => id === noteId);
  if (!transaction || !note) throw new Refusal('notFound');
  return { note, transaction };
}

import type { ReadSession } from '../../read-session.ts';
import { type ChoiceQuery, type Choices, findChoices } from '../listing/choices.ts';

export interface RepayableNote {
  id: string;
  transactionId: string;
  transactionTitle: string;
  noteTitle: string;
}

const NOTES = `(select note ->> 'id' as id, note ->> 'title' as note_title, transactions.id as transaction_id, transactions.title
  from transactions, jsonb_array_elements(notes) as note where status in ('Active', 'Closed')) t where $1`;
const LABEL = `t.title || ', ' || t.note_title`;

/** A page of the notes that a repayment can be recorded for: those of Active and Closed transactions. */
export const repayableNotes = (session: ReadSession, query: ChoiceQuery = {}): Promise<Choices<RepayableNote>> =>
  findChoices(session, query, {
    read: 'transactions/read',
    columns: `t.id, t.transaction_id as "transactionId", t.title as "transactionTitle", t.note_title as "noteTitle"`,
    offered: NOTES,
    values: [true],
    label: `(${LABEL})`,
  });

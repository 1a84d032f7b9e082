import type { Draw } from '../../entities/draws.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { getDocument, listDocuments, listOf, type Page, readForDocuments } from '../listing/list-documents.ts';

const transaction = 'select one.title from transactions one where one.id = t.transaction_id';
const note = `select one.value ->> 'title' from transactions owner
  cross join lateral jsonb_array_elements(owner.notes) as one
  where owner.id = t.transaction_id and one.value ->> 'id' = t.note_id`;

export const DRAWS = listOf(
  'draws',
  {
    'transaction.title': `(${transaction})`,
    noteTitle: `(${note})`,
    'draws.type': `array(select one.value ->> 'type' from jsonb_array_elements(t.draws) as one)`,
    'amountInMainCurrency.sum': `(t.amount_in_main_currency ->> 'sum')::numeric`,
    'amountInMainCurrency.currency': `t.amount_in_main_currency ->> 'currency'`,
    'exceptions.pending': `jsonb_array_length(jsonb_path_query_array(t.exceptions, '$[*] ? (@.status == "Pending")'))`,
    'exceptions.skipped': `jsonb_array_length(jsonb_path_query_array(t.exceptions, '$[*] ? (@.status == "Skipped")'))`,
  },
  { aliases: { 'transaction.id': 'transaction' } },
);

/** A draw request with the names of its transaction, note and company. */
export type DrawView = Draw & { transactionTitle: string; noteTitle: string; companyName: string };

const NAMES = `select distinct on (page.id) page.id, one.title as "transactionTitle",
    note.value ->> 'title' as "noteTitle", c.name as "companyName"
  from page join transactions one on one.id = page.transaction_id
  cross join lateral jsonb_array_elements(one.notes) as note
  left join companies c on c.id = page.company_id
  where note.value ->> 'id' = page.note_id`;

interface Named {
  id: string;
  transactionTitle: string;
  noteTitle: string;
  companyName: string | null;
}

function withNames(draws: readonly Draw[], rows: readonly unknown[]): DrawView[] {
  const names = new Map((rows as Named[]).map((row) => [row.id, row]));
  return draws.map((draw) => {
    const { transactionTitle = '', noteTitle = '', companyName = null } = names.get(draw.id) ?? {};
    return { ...draw, transactionTitle, noteTitle, companyName: companyName ?? '' };
  });
}

/** A page of the draw requests that the actor can see. */
export async function listDraws(session: ReadSession, query: unknown = {}): Promise<Page<DrawView>> {
  const { documents, total, rows } = await listDocuments(session, DRAWS, query, { statements: [NAMES] });
  return { documents: withNames(documents, rows[0] ?? []), total };
}

export async function viewsOf(session: Session, draws: readonly Draw[]): Promise<DrawView[]> {
  const [rows = []] = await readForDocuments(session, DRAWS, draws, [NAMES]);
  return withNames(draws, rows);
}

export async function viewOf(session: Session, draw: Draw): Promise<DrawView> {
  const [view] = await viewsOf(session, [draw]);
  if (!view) throw new Error('a draw has one view');
  return view;
}

/** A draw request that the actor can see. @throws Refusal notFound */
export const getDraw = async (session: Session, id: string): Promise<DrawView> =>
  viewOf(session, await getDocument(session, DRAWS, id));

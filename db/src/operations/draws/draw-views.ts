import type { Draw } from '../../entities/draws.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';

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

export const {
  list: listDraws,
  all: viewDraws,
  one: viewDraw,
} = viewsOf(DRAWS, [NAMES], (draws, [rows = []]) => withNames(draws, rows));

/** A draw request that the actor can see. @throws Refusal notFound */
export const getDraw = async (session: Session, id: string): Promise<DrawView> =>
  viewDraw(session, await getDocument(session, DRAWS, id));

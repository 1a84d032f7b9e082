import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { ReadSession } from '../../read-session.ts';

/**
 * SQL of the balance to date per currency of the notes that pass a condition on `note_id`: every approved regular and
 * prefunding draw less every active repayment of principal, added up by the database (`balancesOf` is the same for one
 * ledger). A note without any draw or repayment, in any status, is missing: its balance is unknown.
 */
export const balancesOfNotes = (condition: string): string => `
  with amounts as (
    select d.note_id, amount ->> 'currency' as currency, (amount ->> 'sum')::numeric as sum
    from draws d, jsonb_array_elements(d.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount
    where ${condition} and d.status = 'Approved' and draw ->> 'type' <> 'Recycling'
    union all
    select r.note_id, part #>> '{amount,currency}', -(part #>> '{amount,sum}')::numeric
    from repayments r, jsonb_array_elements(r.repayments) as part
    where ${condition} and r.status = 'Active' and part ->> 'kind' = 'principal'
  ), recorded as (
    select note_id from draws where ${condition} union select note_id from repayments where ${condition}
  ), totals as (
    select note_id, currency, trim_scale(sum(sum))::text as sum from amounts group by note_id, currency
  )
  select note_id,
    coalesce(jsonb_agg(jsonb_build_object('sum', sum, 'currency', currency) order by currency collate "C")
      filter (where currency is not null), '[]') as amounts
  from recorded left join totals using (note_id) group by note_id`;

/** The balance to date of these notes per currency, by note id. */
export async function noteBalances(
  session: ReadSession,
  noteIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Amount[]>> {
  if (noteIds.length === 0) return new Map();
  const rows = await session.query<{ noteId: string; amounts: Amount[] }>(
    `select note_id as "noteId", amounts from (${balancesOfNotes('note_id = any ($1)')}) as balances`,
    [[...noteIds]],
  );
  return new Map(rows.map(({ noteId, amounts }) => [noteId, amounts]));
}

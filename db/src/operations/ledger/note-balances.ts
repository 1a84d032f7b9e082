import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { ReadSession } from '../../read-session.ts';

/**
 * The balance to date of these notes per currency, by note id: every approved regular and prefunding draw less every
 * active repayment of principal, added up by the database (`balancesOf` is the same for one ledger). A note without any
 * draw or repayment, in any status, is missing: its balance is unknown.
 */
export async function noteBalances(
  session: ReadSession,
  noteIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Amount[]>> {
  if (noteIds.length === 0) return new Map();
  const rows = await session.query<{ noteId: string; amounts: Amount[] }>(
    `with amounts as (
       select d.note_id, amount ->> 'currency' as currency, (amount ->> 'sum')::numeric as sum
       from draws d, jsonb_array_elements(d.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount
       where d.note_id = any ($1) and d.status = 'Approved' and draw ->> 'type' <> 'Recycling'
       union all
       select r.note_id, part #>> '{amount,currency}', -(part #>> '{amount,sum}')::numeric
       from repayments r, jsonb_array_elements(r.repayments) as part
       where r.note_id = any ($1) and r.status = 'Active' and part ->> 'kind' = 'principal'
     ), recorded as (
       select note_id from draws where note_id = any ($1) union select note_id from repayments where note_id = any ($1)
     ), totals as (
       select note_id, currency, trim_scale(sum(sum))::text as sum from amounts group by note_id, currency
     )
     select note_id as "noteId",
       coalesce(jsonb_agg(jsonb_build_object('sum', sum, 'currency', currency) order by currency collate "C")
         filter (where currency is not null), '[]') as amounts
     from recorded left join totals using (note_id) group by note_id`,
    [[...noteIds]],
  );
  return new Map(rows.map(({ noteId, amounts }) => [noteId, amounts]));
}

import { Migration } from '@mikro-orm/migrations';
import { BASE_RATES, BASE_RATES_LIST, LEAST_FIXING_RATE, MAX_FIXING_RATE } from './as-landed.ts';

/** SQL of a JSON value, without JSON's null. */
const stated = (value: string): string => `nullif(${value}, 'null')`;

/** The terms of a note: `activeTranche`, `timelineInForce` and `commitmentTermsInForce` in SQL. */
const terms = `
create function active_tranche(note jsonb) returns jsonb immutable parallel safe language plpgsql as $$ begin
  return (select tranche from jsonb_array_elements(note -> 'tranches') with ordinality as one (tranche, place)
    where tranche -> 'sequenceActivated' = 'true' order by place limit 1);
end $$;
create function last_due_date(note jsonb) returns date stable parallel safe language plpgsql as $$
declare
  timeline jsonb := coalesce(${stated(`active_tranche(note) #> '{terms,timeline}'`)}, ${stated(`note #> '{terms,timeline}'`)},
    ${stated(`note #> '{tranches,0,terms,timeline}'`)});
begin
  return least((timeline ->> 'maturity')::date, (timeline ->> 'termination')::date);
end $$;
create function note_commitments(note jsonb) returns table (currency text, amount numeric) stable language plpgsql as $$
declare
  active jsonb := active_tranche(note);
begin
  return query select commitment #>> '{amount,currency}', (commitment #>> '{amount,sum}')::numeric
  from jsonb_array_elements(case when active is null and ${stated(`note #> '{terms,commitments}'`)} is not null
    then note #> '{terms,commitments}'
    else (select coalesce(jsonb_agg(commitment), '[]')
      from jsonb_array_elements(note -> 'tranches') as tranche,
        jsonb_array_elements(coalesce(${stated(`tranche #> '{terms,commitments}'`)}, '[]')) as commitment
      where active is null or (tranche ->> 'sequence')::integer <= (active ->> 'sequence')::integer) end) as commitment;
end $$;`;

/**
 * No draw is due after maturity or termination. Only what is written is checked: a request from before this rule, or
 * from before the terms changed, can still be reviewed and rejected.
 */
const dueDates = `
create function check_due_date() returns trigger language plpgsql as $$
declare
  last date;
begin
  if tg_op = 'UPDATE' and new.due_date = old.due_date and (new.status = old.status or new.status <> 'Approved') then
    return new;
  end if;
  select last_due_date(note) into last from transactions t, jsonb_array_elements(t.notes) as note
    where t.id = new.transaction_id and note ->> 'id' = new.note_id;
  if new.due_date > last then
    raise exception 'the draw would be due after maturity or termination on %', last
      using errcode = 'check_violation', constraint = 'draws_due_date';
  end if;
  return new;
end $$;
create trigger draws_due_date before insert or update of due_date, status on draws
  for each row when (new.status in ('Pending', 'In Review', 'Approved')) execute function check_due_date();`;

/**
 * The commitments to a note are not reduced below what is drawn on it and approved. Where several currencies are
 * involved, rates decide, and only the program checks.
 */
const commitments = `
create function check_note_commitments() returns trigger language plpgsql as $$
declare
  actor text := coalesce(current_setting('tapeline.actor_type', true), '');
  blocked text := coalesce(current_setting('tapeline.blocked', true), '');
  broken text;
begin
  -- Also what the actor cannot see counts.
  perform set_config('tapeline.actor_type', 'system', true), set_config('tapeline.blocked', '', true);
  select note ->> 'title' into broken
  from jsonb_array_elements(new.notes) as note
    join jsonb_array_elements(old.notes) as earlier on earlier ->> 'id' = note ->> 'id' and earlier <> note,
    lateral (select coalesce(sum(amount), 0) as sum, coalesce(array_agg(distinct currency), '{}') as currencies from note_commitments(note)) as after,
    lateral (select coalesce(sum(amount), 0) as sum, coalesce(array_agg(distinct currency), '{}') as currencies from note_commitments(earlier)) as before,
    lateral (
      select sum(sum) as sum, array_agg(distinct currency) as currencies from (
        select amount ->> 'currency' as currency, (amount ->> 'sum')::numeric as sum
        from draws d, jsonb_array_elements(d.draws) as draw, jsonb_array_elements(draw -> 'amounts') as amount
        where d.note_id = note ->> 'id' and d.status = 'Approved' and draw ->> 'type' <> 'Recycling'
        union all
        select part #>> '{amount,currency}', -(part #>> '{amount,sum}')::numeric
        from repayments r, jsonb_array_elements(r.repayments) as part
        where r.note_id = note ->> 'id' and r.status = 'Active' and part ->> 'kind' = 'principal'
      ) as moves
    ) as used
  where cardinality(used.currencies) = 1 and before.currencies = used.currencies and after.currencies <@ used.currencies
    and after.sum < before.sum and after.sum < used.sum
  limit 1;
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);
  if broken is not null then
    raise exception 'the commitments to a note would be below what is drawn on it and approved'
      using errcode = 'check_violation', constraint = 'transactions_commitments';
  end if;
  return null;
end $$;
create constraint trigger transactions_commitments after update of notes on transactions
  deferrable initially deferred for each row execute function check_note_commitments();`;

const titles = BASE_RATES.map((rate) => `'${rate}'`).join(', ');

/** The bounds of a base rate are those of the form. Lists that nobody changes are not checked again. */
const fixings = `
create or replace function list_values_hold(name text, list jsonb) returns boolean immutable parallel safe language sql
  return (select coalesce(bool_and(
        coalesce(text_within(value ->> 'title', 1, 150) and jsonb_typeof(value -> 'isRetired') = 'boolean', false)
        and case when lower(name) = lower('${BASE_RATES_LIST}')
          then coalesce(value ->> 'title' in (${titles}) and value -> 'isRetired' = 'false'
            and (value ->> 'date') ~ '^\\d{4}-\\d{2}-\\d{2}$'
            and (value ->> 'rate')::numeric between ${LEAST_FIXING_RATE} and ${MAX_FIXING_RATE}, false)
          else value ->> 'date' is null and value ->> 'rate' is null end), true)
      and count(distinct (lower(value ->> 'title'), value ->> 'date')) = count(*)
    from jsonb_array_elements(list) as value);`;

/** What a facility does not go beyond: its maturity, its commitments, and the bounds of base rates. */
export class FacilityLimits extends Migration {
  override up(): void {
    this.addSql([terms, dueDates, commitments, fixings].join('\n'));
  }
}

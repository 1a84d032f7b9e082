import { Migration } from '@mikro-orm/migrations';
import { documentFiles } from './164-document-files.ts';
import { keepSilent, list, named, object, optional, references, tenantTable, text } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const amendments = tenantTable({
  name: 'amendments',
  tenant: 'company',
  // `changes` says in words what the terms are.
  history: { resource: 'amendments', silent: ['terms', 'replaced', 'scheduled'] },
  statuses: ['Active', 'Removed'],
  columns: {
    transaction_id: 'object_id not null',
    note_id: 'object_id not null',
    title: text({ minLength: 2, maxLength: 120 }),
    effective_date: "date not null check ({column} between '1950-01-01' and '2150-12-31')",
    // Null for the note's own terms.
    tranche: 'integer check ({column} >= 0)',
    terms: object,
    // Null until the note has the changed terms.
    replaced: optional(object),
    changes: list(500),
    // It was agreed before its day.
    scheduled: 'boolean not null default false',
    file_id: `object_id ${references('files')}`,
    remark: optional(text({ maxLength: 2000 })),
  },
  constraints: [
    `foreign key (transaction_id, company_id) ${references('transactions', 'id, company_id')}`,
    ...named('amendments', 'title'),
    "constraint amendments_terms check (terms <> '{}' and terms - '{commitments,interest,fees,drawLimits,maxBaseAgeDays,timeline}'::text[] = '{}')",
  ],
  indexes: ['(note_id, effective_date)', '(transaction_id)'],
});

/** The amendments that an invoice was calculated with. They stay while it is issued. */
const used = `
alter table invoices add column amendment_ids jsonb not null default '[]'
  check (jsonb_typeof(amendment_ids) = 'array' and jsonb_array_length(amendment_ids) <= 100);`;

const rules = `
create constraint trigger amendments_note after insert or update of note_id, transaction_id on amendments
  deferrable initially deferred for each row execute function check_note_of_transaction('amendments_note');
create function check_amendment() returns trigger language plpgsql as $$
declare${ACTOR}
  is_used boolean;
begin
  if tg_op = 'INSERT' and (select count(*) >= 100 from amendments a where a.note_id = new.note_id and a.status <> 'Removed') then
    raise exception 'a note has at most 100 amendments' using errcode = 'check_violation', constraint = 'amendments_most';
  end if;
  if tg_op = 'UPDATE' and (old.status = 'Removed' or (old.transaction_id, old.note_id, old.effective_date, old.title)
      <> (new.transaction_id, new.note_id, new.effective_date, new.title) or old.tranche is distinct from new.tranche) then
    raise exception 'an amendment stays as it was entered' using errcode = 'check_violation', constraint = 'amendments_fixed';
  end if;
  if tg_op = 'UPDATE' and new.status = 'Removed' then${AS_SYSTEM}
    is_used := exists (select from invoices i where i.note_id = new.note_id and i.status = 'Active' and i.amendment_ids ? new.id);${AS_ACTOR}
    if is_used then
      raise exception 'an invoice was calculated with it' using errcode = 'check_violation', constraint = 'amendments_used';
    end if;
  end if;
  return new;
end $$;
create trigger amendments_check before insert or update on amendments for each row execute function check_amendment();`;

/** The terms of a note on a day: \`noteAsOf\` in SQL, for the dates after which nothing can be drawn and for commitments. */
const asOf = `
create function amended_terms(terms jsonb, changes jsonb) returns jsonb immutable parallel safe language sql
  return jsonb_strip_nulls(coalesce(nullif(terms, 'null'), '{}') || (changes - 'timeline') || case when changes ? 'timeline'
    then jsonb_build_object('timeline', coalesce(nullif(terms -> 'timeline', 'null'), '{}') || (changes -> 'timeline')) else '{}' end);
create function amended_note(note jsonb, tranche integer, changes jsonb) returns jsonb stable parallel safe language plpgsql as $$ begin
  if tranche is null then
    return note || jsonb_build_object('terms', amended_terms(note -> 'terms', changes));
  end if;
  return note || jsonb_build_object('tranches', (
    select coalesce(jsonb_agg(case when (one ->> 'sequence')::integer = tranche
      then one || jsonb_build_object('terms', amended_terms(one -> 'terms', changes)) else one end order by place), '[]')
    from jsonb_array_elements(note -> 'tranches') with ordinality as each (one, place)));
end $$;
create function note_as_of(note jsonb, day date) returns jsonb stable language plpgsql as $$
declare
  amendment record;
  result jsonb := note;
begin
  for amendment in select a.tranche, a.replaced from amendments a where a.note_id = note ->> 'id' and a.status = 'Active'
      and a.replaced is not null and a.effective_date > day order by a.effective_date desc, a.id desc loop
    result := amended_note(result, amendment.tranche, amendment.replaced);
  end loop;
  for amendment in select a.tranche, a.terms from amendments a where a.note_id = note ->> 'id' and a.status = 'Active'
      and a.replaced is null and a.effective_date <= day order by a.effective_date, a.id loop
    result := amended_note(result, amendment.tranche, amendment.terms);
  end loop;
  return result;
end $$;
create or replace function check_due_date() returns trigger language plpgsql as $$
declare
  last date;
begin
  if tg_op = 'UPDATE' and new.due_date = old.due_date and (new.status = old.status or new.status <> 'Approved') then
    return new;
  end if;
  select last_due_date(note_as_of(note, new.due_date)) into last from transactions t, jsonb_array_elements(t.notes) as note
    where t.id = new.transaction_id and note ->> 'id' = new.note_id;
  if new.due_date > last then
    raise exception 'the draw would be due after maturity or termination on %', last
      using errcode = 'check_violation', constraint = 'draws_due_date';
  end if;
  return new;
end $$;`;

/**
 * What was agreed for a later day comes into force on that day, also if the commitments are then below what is drawn. All
 * else is as it was: no other change reduces them so far.
 */
const commitments = `
create or replace function check_note_commitments() returns trigger language plpgsql as $$
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
    and not exists (select from amendments a where a.note_id = note ->> 'id' and a.status = 'Active' and a.scheduled
      and after.sum >= (select sum(amount) from note_commitments(amended_note(earlier, a.tranche, a.terms))))
  limit 1;
  perform set_config('tapeline.actor_type', actor, true), set_config('tapeline.blocked', blocked, true);
  if broken is not null then
    raise exception 'the commitments to a note would be below what is drawn on it and approved'
      using errcode = 'check_violation', constraint = 'transactions_commitments';
  end if;
  return null;
end $$;`;

keepSilent('invoices', ['amendment_ids']);

/** The terms of notes by day. */
export class Amendments extends Migration {
  override up(): void {
    this.addSql(
      [
        amendments,
        used,
        rules,
        asOf,
        commitments,
        documentFiles('create or replace function', [
          ['facilityFigures', 'facility_figures', 'file_id'],
          ['covenants', 'covenant_results', 'cure_file_id'],
          ['covenants', 'covenant_waivers', 'file_id'],
          ['amendments', 'amendments', 'file_id'],
        ]),
      ].join('\n'),
    );
  }
}

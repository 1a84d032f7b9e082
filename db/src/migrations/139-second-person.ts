import { Migration } from '@mikro-orm/migrations';
import {
  APP_ROLE,
  asSystem,
  OF_MANAGER,
  oneOf,
  quoted,
  recordAlso,
  references,
  SYSTEM_ONLY,
  table,
} from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM, onStatement, SYSTEM_ACTS } from './triggers.ts';

/** What a manager can require a second person for, with the table of the lines of such a document. */
const KINDS = { calls: 'contributions', distributions: 'distributions' } as const;
const kinds = Object.entries(KINDS);

const MAIL_KINDS = [
  'drawWaits',
  'drawApproved',
  'drawRejected',
  'drawReminder',
  'tapeLate',
  'tapeFailed',
  'correctionProposed',
  'correctionDecided',
  'bankDetailsChanged',
  'callDue',
  'callIssued',
  'distributionIssued',
  'statementPublished',
  'reportPublished',
  'noticeWithdrawn',
  'announcement',
  'importFinished',
  'issueWaits',
  'issueDecided',
];

/** Who makes the change of this transaction, as the history names it. */
const author = `
create function change_author() returns jsonb stable language sql
  return coalesce(nullif(current_setting('tapeline.changed_by', true), '')::jsonb, jsonb_build_object(
    'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'entity', jsonb_build_object('apiName', session_user)));`;

/** The rules of a manager, by kind: {"calls": {"when": "from", "amount": {"sum": "1000000", "currency": "USD"}}}. */
const rules = `
create function second_person_holds(rules jsonb) returns boolean immutable parallel safe language sql
  return jsonb_typeof(rules) = 'object' and (
    select coalesce(bool_and(coalesce(kind in (${quoted(Object.keys(KINDS))}) and case rule ->> 'when'
      when 'from' then (rule #>> '{amount,sum}')::numeric > 0 and rule #>> '{amount,currency}' ~ '^[A-Z]{3}$'
      else rule ->> 'when' in ('never', 'always') and jsonb_typeof(rule -> 'amount') = 'null' end, false)), true)
    from jsonb_each(case jsonb_typeof(rules) when 'object' then rules else '{}' end) as entries (kind, rule));
-- An amount in another currency than the rule's, or that is not known, always needs a second person.
create function needs_second_person(rule jsonb, amount numeric, currency text) returns boolean immutable parallel safe language sql
  return case rule ->> 'when' when 'always' then true
    when 'from' then coalesce(currency <> rule #>> '{amount,currency}' or abs(amount) >= (rule #>> '{amount,sum}')::numeric, true)
    else false end;
create function is_looser_rule(next jsonb, now jsonb) returns boolean immutable parallel safe language sql
  return case when coalesce(now ->> 'when', 'never') = 'never' or next ->> 'when' = 'always' then false
    else not coalesce(now ->> 'when' = 'from' and next ->> 'when' = 'from'
      and now #>> '{amount,currency}' = next #>> '{amount,currency}'
      and (next #>> '{amount,sum}')::numeric <= (now #>> '{amount,sum}')::numeric, false) end;
alter table managers
  add column second_person jsonb not null default '{}' constraint managers_second_person check (second_person_holds(second_person)),
  -- A change that asks less often, until a second person confirms it: the rules, who proposes them and when.
  add column second_person_proposal jsonb constraint managers_second_person_proposal check (
    second_person_proposal is null or second_person_holds(second_person_proposal -> 'rules'));
${recordAlso('managers', ['second_person', 'second_person_proposal'])}
create function check_second_person_rules() returns trigger language plpgsql as $$
declare
  person text := change_author() #>> '{entity,id}';
begin
  if new.second_person_proposal is not null and new.second_person_proposal is distinct from old.second_person_proposal then
    new.second_person_proposal := new.second_person_proposal || jsonb_build_object('by', person);
  end if;
  if exists (select from jsonb_each(old.second_person) as entries (kind, rule) where is_looser_rule(new.second_person -> kind, rule))
    and not coalesce(old.second_person_proposal -> 'rules' = new.second_person and old.second_person_proposal ->> 'by' <> person, false) then
    raise exception 'a second person confirms rules that ask less often' using errcode = 'check_violation', constraint = 'second_person_rules';
  end if;
  return new;
end $$;
create trigger managers_second_person before update of second_person, second_person_proposal on managers
  for each row execute function check_second_person_rules();`;

const preparations = table({
  name: 'preparations',
  history: { exempt: 'Its documents record every change. It says who made the latest.' },
  columns: {
    // Of the call or distribution.
    document_id: 'object_id primary key',
    manager_id: `object_id not null ${references('managers')}`,
    kind: oneOf(Object.keys(KINDS)),
    // Who last changed what it says, and when; null if it is not known.
    prepared: 'jsonb',
    prepared_by: "text generated always as (prepared #>> '{entity,id}') stored",
    // Who asked for a second person, and when. A change of what it says ends that.
    submitted: 'jsonb',
    // Who gave it back since, when and why.
    returned: 'jsonb',
    return_reason: 'text check (char_length({column}) between 1 and 500)',
    // Who issued what it says.
    issued: 'jsonb',
    issued_by: "text generated always as (issued #>> '{entity,id}') stored",
  },
  constraints: [
    'constraint preparations_returned check ((returned is null) = (return_reason is null))',
    'constraint preparations_asked check (submitted is null or returned is null)',
  ],
  indexes: ['(manager_id)'],
  // Who cannot see a call or distribution does not read who prepared it either.
  read: `(${OF_MANAGER}) and (exists (select from capital_calls h where h.id = document_id)
    or exists (select from distribution_events h where h.id = document_id))`,
  write: { insert: SYSTEM_ONLY, update: OF_MANAGER, delete: SYSTEM_ONLY },
});

/** The program asks for a second person and gives back. The triggers alone say who prepared and who issued. */
const rights = `
revoke insert, update, delete on preparations from ${APP_ROLE};
grant update (submitted, returned, return_reason) on preparations to ${APP_ROLE};`;

const AMOUNTS = { calls: 'amount', distributions: 'total_distributed' } as const;

const amounts = `
create function amount_to_issue(kind text, document text, out amount numeric, out currency text) stable language sql as $$
  select sum(line.amount), min(line.currency) from (${kinds
    .map(
      ([kind, lines]) =>
        `select t.${AMOUNTS[kind as keyof typeof AMOUNTS]} as amount, t.currency from ${lines} t
      where kind = '${kind}' and t.activity_id = document and t.status <> 'Removed'`,
    )
    .join('\n    union all ')}) as line
$$;`;

/** Columns that are not what a document says: who gets what, when, and what the notice prints. */
const NOT_SAID = [
  'id',
  'version',
  'metadata',
  'status',
  'code',
  'removal_reason',
  'file_id',
  'file_problem',
  'issued_on',
  'timezone_offset',
  'activity_id',
  'live_activity_id',
  'holding_percentage',
  'holding_class',
  'copied',
];

/**
 * Notes who prepared and who issued a call or distribution, whatever changes it. Whoever last changed what any line says,
 * or added or removed a draft of it, prepared it as a whole.
 */
const noting = `
create function note_preparations(kind text, touched jsonb) returns void language plpgsql security definer set search_path from current as $$
declare${ACTOR}
  author jsonb := change_author();
begin${AS_SYSTEM}
  insert into preparations (document_id, manager_id, kind, prepared, issued)
    select document, min(manager), note_preparations.kind, case when bool_or(changed) then author end, case when bool_or(issued) then author end
    from jsonb_to_recordset(touched) as line (document text, manager text, changed boolean, issued boolean)
    where changed or issued group by document
  on conflict (document_id) do update set
    prepared = coalesce(excluded.prepared, preparations.prepared),
    submitted = case when excluded.prepared is null then preparations.submitted end,
    returned = null, return_reason = null,
    issued = excluded.issued;
  update capital_calls h set issued_title = f.title from funds f
    where f.id = h.fund_id and h.issued_title is null and note_preparations.kind = 'calls' and h.id in (
      select document from jsonb_to_recordset(touched) as line (document text, issued boolean) where issued);${AS_ACTOR}
end $$;
revoke execute on function note_preparations(text, jsonb) from public;
-- What a line says, with its amounts as numbers: 1000.00 says the same as 1000.
create function amounts_as_numbers(lines jsonb) returns jsonb immutable parallel safe language sql
  return (select jsonb_agg(line || jsonb_build_object('amount', (line ->> 'amount')::numeric) order by place)
    from jsonb_array_elements(coalesce(lines, '[]')) with ordinality as entries (line, place));
create function said(line jsonb, unsaid text[]) returns jsonb immutable parallel safe language sql set search_path from current
  return (line - unsaid) || jsonb_build_object('purposes', amounts_as_numbers(line -> 'purposes'),
    'components', amounts_as_numbers(line -> 'components'));
create function note_changed_lines() returns trigger language plpgsql security definer set search_path from current as $$
declare
  kind text := case tg_table_name ${kinds.map(([kind, lines]) => `when '${lines}' then '${kind}'`).join(' ')} end;
  unsaid text[] := array[${quoted(NOT_SAID)}];
  touched jsonb;
begin
  case tg_op
    when 'INSERT' then
      touched := (select jsonb_agg(jsonb_build_object('document', activity_id, 'manager', manager_id, 'changed', true, 'issued', issued))
        from (select distinct activity_id, manager_id, status in ('Active', 'Closed') as issued from added where status <> 'Removed') as line);
    when 'UPDATE' then
      touched := (
        with line as (
          select gone.activity_id as place, added.activity_id as next, added.manager_id as manager, gone.status as earlier, added.status as latest,
            said(to_jsonb(gone), unsaid) is distinct from said(to_jsonb(added), unsaid) as changed
          from added join gone using (id)),
        event as (
          select next as document, manager, (changed and latest <> 'Removed') or (earlier = 'Draft' and latest = 'Removed') or place <> next as changed,
            latest in ('Active', 'Closed') and (changed or earlier not in ('Active', 'Closed')) as issued from line
          union all select place, manager, true, false from line where place <> next)
        select jsonb_agg(distinct jsonb_build_object('document', document, 'manager', manager, 'changed', changed, 'issued', issued))
        from event where changed or issued);
    else
      perform forget_preparations(array(select distinct activity_id::text from gone));
  end case;
  if touched is not null then perform note_preparations(kind, touched); end if;
  return null;
end $$;
create function forget_preparations(documents text[]) returns void language plpgsql security definer set search_path from current as $$${SYSTEM_ACTS}
  delete from preparations p where p.document_id = any (documents) and not exists (
    select from contributions t where t.activity_id = p.document_id union all select from distributions t where t.activity_id = p.document_id);${AS_ACTOR}
end $$;
revoke execute on function forget_preparations(text[]) from public;
${Object.values(KINDS)
  .map((lines) => onStatement(lines, 'prepared', 'note_changed_lines'))
  .join('')}`;

/**
 * The rule itself, when the transaction commits: a dry run may show what an issue would do. What the program issues on
 * nobody's behalf has no second person.
 */
const checking = `
create function check_second_person() returns trigger language plpgsql security definer set search_path from current as $$
declare${ACTOR}
  is_needed boolean;
begin${AS_SYSTEM}
  select needs_second_person(m.second_person -> new.kind, issue.amount, issue.currency) into is_needed
    from managers m cross join amount_to_issue(new.kind, new.document_id) as issue where m.id = new.manager_id;${AS_ACTOR}
  if is_needed and (new.issued_by is null or coalesce(new.issued_by = new.prepared_by, false)) then
    raise exception 'somebody else issues this than who prepared it' using errcode = 'check_violation', constraint = 'second_person';
  end if;
  return null;
end $$;
create constraint trigger preparations_second_person after insert or update of prepared, issued on preparations
  deferrable initially deferred for each row when (new.issued is not null) execute function check_second_person();`;

/** A payment reference begins with initials of the fund's title: those of the title that it had when the call was issued. */
const titles = `
alter table capital_calls add column issued_title text check (char_length(issued_title) between 1 and 1000);`;

/** What was issued before has the title of today. Who last changed the drafts of today prepared them. */
const earlier = asSystem(
  `
update capital_calls h set issued_title = f.title from funds f where f.id = h.fund_id and h.status in ('Active', 'Closed');${kinds
    .map(
      ([kind, lines]) => `
insert into preparations (document_id, manager_id, kind, prepared)
  select distinct on (activity_id) activity_id, manager_id, '${kind}', coalesce(nullif(metadata -> 'changedBy', 'null'), nullif(metadata -> 'createdBy', 'null'))
  from ${lines} where status = 'Draft'
  order by activity_id, coalesce(metadata #>> '{changedBy,timestamp}', metadata ->> 'iat') desc nulls last;`,
    )
    .join('')}`,
);

const messages = ['notifications', 'outbox']
  .map(
    (name) => `
alter table ${name} drop constraint ${name}_kind_check, add constraint ${name}_kind_check check (kind in (${quoted(MAIL_KINDS)})) not valid;
alter table ${name} validate constraint ${name}_kind_check;`,
  )
  .join('');

/**
 * A manager's rule that somebody else issues a document than who prepared it, who prepared each, and the title that the
 * references of a call keep.
 */
export class SecondPerson extends Migration {
  override up(): void {
    this.addSql([author, rules, preparations, amounts, titles, noting, checking, earlier, rights, messages].join('\n'));
  }
}

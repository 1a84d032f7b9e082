import { Migration } from '@mikro-orm/migrations';
import { APP_ROLE, asSystem, keepSilent, OF_MANAGER, quoted } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM, onStatement, SYSTEM_ACTS } from './triggers.ts';

/** What a manager can require a second person for; those without an amount always or never. */
const KINDS = ['calls', 'distributions', 'payments', 'writeOffs', 'navs', 'statements', 'terms'];
const WITHOUT_AMOUNT = ['statements', 'terms'];

const rules = `
create or replace function second_person_holds(rules jsonb) returns boolean immutable parallel safe language sql
  return jsonb_typeof(rules) = 'object' and (
    select coalesce(bool_and(coalesce(kind in (${quoted(KINDS)}) and case rule ->> 'when'
      when 'from' then kind not in (${quoted(WITHOUT_AMOUNT)}) and (rule #>> '{amount,sum}')::numeric > 0
        and rule #>> '{amount,currency}' ~ '^[A-Z]{3}$'
      else rule ->> 'when' in ('never', 'always') and jsonb_typeof(rule -> 'amount') = 'null' end, false)), true)
    from jsonb_each(case jsonb_typeof(rules) when 'object' then rules else '{}' end) as entries (kind, rule));`;

/** A day as a number: unlike its text, it is the same in every session. */
const DAY = "(cut_off_date - date '2000-01-01')::text";
const idOf = (text: string) => `substr(md5(${text}), 1, 24)`;

/** Documents that are prepared and issued together have no header: what they have in common gives them one id. */
const SETS = {
  // What was written off in one step. Metadata of before can hold any text.
  write_offs: `case when metadata ->> 'bundleId' ~ '^[0-9a-f]{24}$' then metadata ->> 'bundleId' else id end`,
  // The values of a fund on one day, and the statements of a fund or main fund of one day.
  navs: idOf(`'navs ' || fund_id || ' ' || ${DAY}`),
  capital_accounts: idOf(`'statements ' || coalesce(fund_id, main_fund_id) || ' ' || ${DAY}`),
} as const;
const sets = Object.entries(SETS)
  .map(
    ([table, id]) => `
alter table ${table} add column activity_id text not null generated always as (${id}) stored;
create index on ${table} (activity_id);
create index on ${table} (activity_id) where status = 'Draft';`,
  )
  .join('');
for (const table of Object.keys(SETS)) keepSilent(table, ['activity_id']);

/** The lines of what is prepared and issued, and what each adds to its amount. */
const LINES = {
  calls: { table: 'contributions', amount: 'sum(t.amount)' },
  distributions: { table: 'distributions', amount: 'sum(t.total_distributed)' },
  writeOffs: { table: 'write_offs', amount: 'sum(t.amount)' },
  // Fees can be charged on both. A value below zero is never set off against another.
  navs: { table: 'navs', amount: 'greatest(sum(abs(t.gross)), sum(abs(t.net)))' },
  statements: { table: 'capital_accounts', amount: 'null::numeric' },
} as const;
const lines = Object.entries(LINES);

// All migrations of a database run in one transaction. Rows that an earlier one inserted are checked before the table changes.
const preparations = `
set constraints all immediate;
alter table preparations drop constraint preparations_kind_check,
  add constraint preparations_kind_check check (kind in (${quoted([...Object.keys(LINES), 'terms'])})),
  -- Rises whenever it is prepared or issued.
  add column version integer not null default 1,
  -- The terms as they are to be, of a fund or a commitment.
  add column proposal jsonb constraint preparations_proposal
    check ((kind = 'terms') = (proposal is not null) and coalesce(octet_length(proposal::text) <= 400000, true));
alter policy read on preparations using ((${OF_MANAGER}) and (exists (select from capital_calls h where h.id = document_id)
  or exists (select from distribution_events h where h.id = document_id)${Object.keys(SETS)
    .map((table) => `\n  or exists (select from ${table} t where t.activity_id = document_id)`)
    .join('')}
  or exists (select from funds f where f.id = document_id) or exists (select from lp_commitments c where c.id = document_id)));`;

const amounts = `
create or replace function amount_to_issue(kind text, document text, out amount numeric, out currency text) stable language sql as $$
  select line.amount, line.currency from (${lines
    .map(
      ([kind, { table, amount }]) =>
        `select ${amount} as amount, min(t.currency) as currency from ${table} t
      where kind = '${kind}' and t.activity_id = document and t.status <> 'Removed' having count(*) > 0`,
    )
    .join('\n    union all ')}) as line
$$;`;

/** As before, for all lines. The file of a computed statement is made later and says nothing of its own; an uploaded one is all that it says. */
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

const noting = `
create or replace function said(line jsonb, unsaid text[]) returns jsonb immutable parallel safe language sql set search_path from current
  return (line - unsaid) || jsonb_build_object('purposes', amounts_as_numbers(line -> 'purposes'),
    'components', amounts_as_numbers(line -> 'components'),
    'file', case when line -> 'statement' = 'null' then line -> 'file_id' end);
create or replace function note_preparations(kind text, touched jsonb) returns void language plpgsql security definer set search_path from current as $$
declare${ACTOR}
  author jsonb := change_author();
begin${AS_SYSTEM}
  insert into preparations (document_id, manager_id, kind, prepared, issued)
    select document, min(manager), note_preparations.kind, case when bool_or(changed) then author end, case when bool_or(issued) then author end
    from jsonb_to_recordset(touched) as line (document text, manager text, changed boolean, issued boolean)
    -- What its last line has left is not prepared any more.
    where (changed or issued) and (${lines.map(([, { table }]) => `exists (select from ${table} t where t.activity_id = document)`).join(' or ')})
    group by document order by document
  on conflict (document_id) do update set
    prepared = coalesce(excluded.prepared, preparations.prepared),
    submitted = case when excluded.prepared is null then preparations.submitted end,
    returned = null, return_reason = null,
    issued = excluded.issued,
    version = preparations.version + 1;
  update capital_calls h set issued_title = f.title from funds f
    where f.id = h.fund_id and h.issued_title is null and note_preparations.kind = 'calls' and h.id in (
      select document from jsonb_to_recordset(touched) as line (document text, issued boolean) where issued);${AS_ACTOR}
end $$;
create or replace function note_changed_lines() returns trigger language plpgsql security definer set search_path from current as $$
declare
  kind text := case tg_table_name ${lines.map(([kind, { table }]) => `when '${table}' then '${kind}'`).join(' ')} end;
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
create or replace function forget_preparations(documents text[]) returns void language plpgsql security definer set search_path from current as $$${SYSTEM_ACTS}
  delete from preparations p where p.document_id = any (documents) and not exists (${lines
    .map(([, { table }]) => `select from ${table} t where t.activity_id = p.document_id`)
    .join(' union all ')});${AS_ACTOR}
end $$;
${Object.keys(SETS)
  .map((table) => onStatement(table, 'prepared', 'note_changed_lines'))
  .join('')}`;

/** The terms of each table that a second person confirms, as a proposal names them. */
const TERMS = {
  funds: { feeTerms: 'fee_terms', investmentPeriodEnd: 'investment_period_end' },
  lp_commitments: { fees: 'fees', sideLetters: 'side_letters' },
} as const;
const termsOf = (columns: Readonly<Record<string, string>>): string =>
  `jsonb_build_object(${Object.entries(columns)
    .map(([name, column]) => `'${name}', to_jsonb(new) -> '${column}'`)
    .join(', ')})`;
const changesTerms = (columns: Readonly<Record<string, string>>): string =>
  `(${Object.values(columns)
    .map((column) => `new.${column}`)
    .join(', ')}) is distinct from (${Object.values(columns)
    .map((column) => `old.${column}`)
    .join(', ')})`;

/** Terms have no draft: a change of terms in force is proposed, and applies once somebody else enters the same. */
const terms = `
create function propose_terms(document text, terms jsonb) returns void language plpgsql security definer set search_path from current as $$
declare${ACTOR}
  author jsonb := change_author();
  manager text := (select f.manager_id from funds f where f.id = document union all
    select c.manager_id from lp_commitments c where c.id = document);
  written integer;
begin
  if manager is null or actor not in ('manager', 'admin', 'system') then
    raise exception 'no such document' using errcode = 'check_violation', constraint = 'second_person_terms';
  end if;${AS_SYSTEM}
  insert into preparations (document_id, manager_id, kind, prepared, submitted, proposal)
    values (document, manager, 'terms', author, author, terms)
  on conflict (document_id) do update set prepared = author, submitted = author, returned = null, return_reason = null, issued = null,
    proposal = excluded.proposal, version = preparations.version + 1
    -- One is decided before the next: a second one would drop the first.
    where preparations.submitted is null or preparations.issued is not null;
  get diagnostics written = row_count;${AS_ACTOR}
  if written = 0 then
    raise exception 'a change of these terms is proposed already' using errcode = 'check_violation', constraint = 'terms_proposed';
  end if;
end $$;
revoke execute on function propose_terms(text, jsonb) from public;
grant execute on function propose_terms(text, jsonb) to ${APP_ROLE};
create function check_terms() returns trigger language plpgsql security definer set search_path from current as $$
declare${ACTOR}
  author jsonb := change_author();
  person text := author #>> '{entity,id}';
  terms jsonb := case tg_table_name ${Object.entries(TERMS)
    .map(([table, columns]) => `when '${table}' then ${termsOf(columns)}`)
    .join(' ')} end;
  is_needed boolean;
  confirmed integer;
begin${AS_SYSTEM}
  select needs_second_person(m.second_person -> 'terms', null, null) into is_needed from managers m where m.id = new.manager_id;
  update preparations set issued = author, version = version + 1
    where document_id = new.id and kind = 'terms' and submitted is not null and issued is null and proposal = terms
      and (not is_needed or coalesce(prepared_by <> person, false));
  get diagnostics confirmed = row_count;${AS_ACTOR}
  if is_needed and confirmed = 0 then
    raise exception 'somebody else confirms terms than who proposes them' using errcode = 'check_violation', constraint = 'second_person_terms';
  end if;
  return new;
end $$;
${Object.entries(TERMS)
  .map(
    ([table, columns]) => `
create trigger ${table}_terms before update of ${Object.values(columns).join(', ')} on ${table} for each row
  when (old.status <> 'Draft' and ${changesTerms(columns)}) execute function check_terms();
create trigger ${table}_terms_gone after delete on ${table}
  referencing old table as gone for each statement execute function forget_terms();`,
  )
  .join('')}`;
const forgetting = `
create function forget_terms() returns trigger language plpgsql security definer set search_path from current as $$${SYSTEM_ACTS}
  delete from preparations p using gone where p.document_id = gone.id and p.kind = 'terms';${AS_ACTOR}
  return null;
end $$;`;

/** Who last changed the drafts of today prepared them. */
const earlier = asSystem(
  Object.keys(SETS)
    .map(
      (table) => `
insert into preparations (document_id, manager_id, kind, prepared)
  select distinct on (activity_id) activity_id, manager_id, '${lines.find(([, line]) => line.table === table)![0]}',
    coalesce(nullif(metadata -> 'changedBy', 'null'), nullif(metadata -> 'createdBy', 'null'))
  from ${table} where status = 'Draft'
  order by activity_id, coalesce(metadata #>> '{changedBy,timestamp}', metadata ->> 'iat') desc nulls last;`,
    )
    .join(''),
);

/** A manager can require that write-offs, NAVs, statements and changes of terms are issued by somebody else than who prepared them, as calls are. */
export class MoreSecondPersons extends Migration {
  override up(): void {
    this.addSql([rules, sets, preparations, amounts, noting, forgetting, terms, earlier].join('\n'));
  }
}

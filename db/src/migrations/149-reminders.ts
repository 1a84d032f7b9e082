import { Migration } from '@mikro-orm/migrations';
import { lockOf, refuse } from './143-cash.ts';
import { quoted, recordAlso } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const REMINDERS = ['before', 'due', 'late1', 'late5', 'late10'];

const reminders = `
alter table funds add column reminders text[] not null default array[${quoted(REMINDERS)}]
  constraint funds_reminders check (reminders <@ array[${quoted(REMINDERS)}]
    and array_position(reminders, null) is null and cardinality(reminders) <= ${REMINDERS.length});
${recordAlso('funds', ['reminders'])}`;

const BASES = ['committed', 'invested', 'interestIncome', 'assets'];
const RATES = [
  ...BASES.flatMap((basis) => [`management,${basis}`, `management,stepDown,${basis}`]),
  'management,offset',
  'management,waiver',
  'success,hurdle',
  'success,rate',
  'success,catchUp',
  'success,interestShare',
  'transaction,cap',
  'defaultInterest,rate',
];
const SUMS = ['management,minimum', 'overallCap'];
const ASSETS = ['management,assetsBasis', 'management,stepDown,assetsBasis'];
const DAY_COUNTS = ['ACT/360', 'ACT/365F', 'ACT/ACT ISDA', '30/360 US', '30E/360'];

const at = (paths: readonly string[]): string => paths.map((path) => `terms #>> '{${path}}'`).join(', ');

/** Fee terms with default interest, which is one more part of them. */
const terms = `
create or replace function terms_of_fees_hold(terms jsonb, currency text) returns boolean immutable parallel safe language sql
  return coalesce(jsonb_typeof(terms) = 'object', false)
    and (select coalesce(bool_and(case when rate ~ '^[0-9]+(\\.[0-9]+)?$' then rate::numeric between 0 and 100 else false end), true)
      from unnest(array[${at(RATES)}]) as rate where rate is not null)
    and (select coalesce(bool_and(case when part ~ '^[0-9]+(\\.[0-9]+)?$' then money_fits(part::numeric, currency) else false end), true)
      from unnest(array[${at(SUMS)}]) as part where part is not null)
    and (select coalesce(bool_and(basis in ('gross', 'net')), true)
      from unnest(array[${at(ASSETS)}]) as basis where basis is not null)
    and coalesce(business_day_holds(terms #>> '{management,stepDown,from}'), true)
    and coalesce(case when terms #>> '{defaultInterest,graceDays}' ~ '^[0-9]{1,3}$'
      then (terms #>> '{defaultInterest,graceDays}')::int <= 365 else terms #>> '{defaultInterest,graceDays}' is null end, false)
    and coalesce(terms #>> '{defaultInterest,dayCount}' in (${quoted(DAY_COUNTS)}), true);`;

/**
 * Default interest that a call asks for is on an overdue call of the same commitment, is the interest of its purposes, and is
 * charged up to a day once: while the call is not removed, no other charges the same call up to that day.
 */
const charges = `
alter table contributions add column default_interest jsonb not null default '[]'
  constraint contributions_default_interest check (jsonb_typeof(default_interest) = 'array' and jsonb_array_length(default_interest) <= 500);
create index on contributions using gin (default_interest jsonb_path_ops) where default_interest <> '[]';
${recordAlso('contributions', ['default_interest'])}

create function check_default_interest() returns trigger language plpgsql as $$
declare${ACTOR}
  is_other boolean;
  is_charged boolean;
  is_whole boolean;
begin
  if tg_op = 'UPDATE' and old.status <> 'Removed'
    and (new.default_interest, new.purposes) is not distinct from (old.default_interest, old.purposes) then
    return new;
  end if;${AS_SYSTEM}
  perform ${lockOf('d.id')} from (select distinct entry ->> 'document' as id from jsonb_array_elements(new.default_interest) as entry order by 1) as d;
  is_other := exists (select from jsonb_array_elements(new.default_interest) as entry
    where coalesce((entry ->> 'amount')::numeric <= 0, true) or (entry ->> 'until') is null
      or not exists (select from contributions c where c.id = entry ->> 'document' and c.commitment_id = new.commitment_id
        and c.id <> new.id and c.currency = new.currency and c.due_date < (entry ->> 'until')::date));
  is_charged := exists (select from jsonb_array_elements(new.default_interest) as entry
    join contributions c on c.status <> 'Removed' and c.id <> new.id
      and c.default_interest @> jsonb_build_array(jsonb_build_object('document', entry -> 'document'))
    cross join lateral jsonb_array_elements(c.default_interest) as charged
    where charged ->> 'document' = entry ->> 'document' and charged ->> 'until' >= entry ->> 'until')
    or (select count(*) <> count(distinct entry ->> 'document') from jsonb_array_elements(new.default_interest) as entry);
  is_whole := (select coalesce(sum((entry ->> 'amount')::numeric), 0) from jsonb_array_elements(new.default_interest) as entry)
    = (select coalesce(sum((purpose ->> 'interest')::numeric), 0) from jsonb_array_elements(new.purposes) as purpose);${AS_ACTOR}${refuse(
      'is_other',
      'default interest is on an overdue call of the same commitment',
      'default_interest_of',
    )}${refuse('is_charged', 'this default interest is charged already', 'default_interest_once')}${refuse(
      'not is_whole',
      'the interest of the call is its default interest',
      'default_interest_whole',
    )}
  return new;
end $$;
create trigger contributions_default_interest before insert or update of default_interest, purposes, status on contributions
  for each row when (new.default_interest <> '[]' and new.status <> 'Removed') execute function check_default_interest();`;

/** Which reminders of its calls a fund sends, and default interest on what is overdue. */
export class Reminders extends Migration {
  override up(): void {
    this.addSql([reminders, terms, charges].join('\n'));
  }
}

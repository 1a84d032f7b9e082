import { Migration } from '@mikro-orm/migrations';
import { recordAlso } from './tenant-table.ts';

const MOST = 100;
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
];
const SUMS = ['management,minimum', 'overallCap'];
const ASSETS = ['management,assetsBasis', 'management,stepDown,assetsBasis'];

const at = (paths: readonly string[]): string => paths.map((path) => `terms #>> '{${path}}'`).join(', ');

/** Terms of one class, or of one investor, begin on distinct days: each holds until the next. */
const checks = `
create function business_day_holds(day text) returns boolean immutable parallel safe language sql
  return day ~ '^\\d{4}-\\d{2}-\\d{2}$' and day between '1950-01-01' and '2150-12-31';
create function terms_of_fees_hold(terms jsonb, currency text) returns boolean immutable parallel safe language sql
  return coalesce(jsonb_typeof(terms) = 'object', false)
    and (select coalesce(bool_and(case when rate ~ '^[0-9]+(\\.[0-9]+)?$' then rate::numeric between 0 and 100 else false end), true)
      from unnest(array[${at(RATES)}]) as rate where rate is not null)
    and (select coalesce(bool_and(case when part ~ '^[0-9]+(\\.[0-9]+)?$' then money_fits(part::numeric, currency) else false end), true)
      from unnest(array[${at(SUMS)}]) as part where part is not null)
    and (select coalesce(bool_and(basis in ('gross', 'net')), true)
      from unnest(array[${at(ASSETS)}]) as basis where basis is not null)
    and coalesce(business_day_holds(terms #>> '{management,stepDown,from}'), true);
create function fee_terms_hold(entries jsonb, classes jsonb, currency text) returns boolean immutable parallel safe language sql
  return (select count(*) = count(distinct jsonb_build_array(entry -> 'Class', entry -> 'from')) and coalesce(bool_and(
      coalesce(business_day_holds(entry ->> 'from'), false) and terms_of_fees_hold(entry -> 'terms', currency)
      and entry ? 'Class' and (entry -> 'Class' = 'null' or exists (
        select from jsonb_array_elements(classes) as class where class -> 'uniqueKey' = entry -> 'Class'))), true)
    from jsonb_array_elements(entries) as entry);
create function side_letters_hold(letters jsonb, currency text) returns boolean immutable parallel safe language sql
  return (select count(*) = count(distinct letter -> 'from') and coalesce(bool_and(
      coalesce(business_day_holds(letter ->> 'from'), false) and terms_of_fees_hold(letter -> 'terms', currency)
      and (letter ->> 'title' is null or (char_length(letter ->> 'title') between 1 and 150 and is_name(letter ->> 'title')))
      and coalesce(letter ->> 'document' ~ '^[0-9a-f]{24}$', true)), true)
    from jsonb_array_elements(letters) as letter);`;

const list = (column: string): string =>
  `${column} jsonb not null default '[]' check (jsonb_typeof(${column}) = 'array' and jsonb_array_length(${column}) <= ${MOST})`;

const columns = `
alter table funds
  add column ${list('fee_terms')},
  add column investment_period_end date constraint funds_investment_period_end
    check (investment_period_end between '1950-01-01' and '2150-12-31'),
  add constraint funds_fee_terms check (fee_terms_hold(fee_terms, classes, currency));
alter table lp_commitments
  add column ${list('side_letters')},
  add constraint lp_commitments_side_letters check (side_letters_hold(side_letters, currency));
${recordAlso('funds', ['fee_terms', 'investment_period_end'])}
${recordAlso('lp_commitments', ['side_letters'])}`;

/** Documents that name a file by its id, or by its key: those of earlier migrations, excuses, and side letters. */
const NAMING = `
    select file_id::text as file from contributions where file_id is not null
    union select excuse_file_id from contributions where excuse_file_id is not null
    union select file_id from distributions where file_id is not null
    union select file_id from capital_accounts where file_id is not null
    union select file_id from reports
    union select unnest(file_ids) from announcements
    union select attachment ->> 'key' from loan_tapes
    union select other ->> 'key' from loan_tapes, jsonb_array_elements(other_attachments) as other
    union select attached ->> 'key' from draws, jsonb_array_elements(attachments) as attached
    union select form ->> 'file' from lps, jsonb_array_elements(tax_forms) as form
    union select letter ->> 'document' from lp_commitments, jsonb_array_elements(side_letters) as letter`;

const hidden = `
create or replace function hidden_files() returns text[] stable language plpgsql as $$
declare
  blocked text := nullif(current_setting('tapeline.blocked', true), '');
  named text[];
begin
  if blocked is null then
    return '{}';
  end if;
  perform set_config('tapeline.blocked', '', true);
  named := array(${NAMING});
  perform set_config('tapeline.blocked', blocked, true);
  return array(select unnest(named) except (${NAMING}));
end $$;`;

/** The fee terms of a fund, by class and date, and what side letters agree with single investors. */
export class FeeTerms extends Migration {
  override up(): void {
    this.addSql([checks, columns, hidden].join('\n'));
  }
}

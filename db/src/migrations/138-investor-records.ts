import { Migration } from '@mikro-orm/migrations';
import { quoted, recordAlso } from './tenant-table.ts';

const TYPES = [
  'individual',
  'familyOffice',
  'pensionFund',
  'insurer',
  'endowment',
  'foundation',
  'fundOfFunds',
  'sovereignWealthFund',
  'bank',
  'assetManager',
  'corporate',
  'government',
  'trust',
  'other',
];
const KYC_STATUSES = ['notStarted', 'inReview', 'passed', 'refused'];
const TAX_FORMS = ['W-9', 'W-8BEN', 'W-8BEN-E', 'W-8IMY', 'W-8EXP', 'W-8ECI', 'CRS', 'FATCA', 'RESIDENCE', 'OTHER'];
const RECEIVED = ['calls', 'distributions', 'statements', 'tax', 'announcements'];

/** A list is inside its limits if each of its entries is; an entry that lacks a part is not. */
const lists = `
create function lei_holds(lei text) returns boolean immutable parallel safe language sql
  return lei is null or (lei ~ '^[A-Z0-9]{18}[0-9]{2}$' and
    (select string_agg(case when c ~ '[0-9]' then c else (ascii(c) - 55)::text end, '' order by place)
      from regexp_split_to_table(lei, '') with ordinality as one (c, place))::numeric % 97 = 1);
create function tax_forms_hold(forms jsonb) returns boolean immutable parallel safe language sql
  return not exists (select from items_of(forms) as form where not (
    coalesce(form ->> 'form' in (${quoted(TAX_FORMS)}), false)
    and coalesce(form ->> 'signedOn' ~ '^\\d{4}-\\d{2}-\\d{2}$', false)
    and coalesce(form ->> 'validUntil' ~ '^\\d{4}-\\d{2}-\\d{2}$', true)
    and coalesce(form ->> 'validUntil' >= form ->> 'signedOn', true)));
-- Nobody confirms an account that they chose or changed.
create function payout_accounts_hold(accounts jsonb) returns boolean immutable parallel safe language sql
  return not exists (select from items_of(accounts) as one where not (
      coalesce(one ->> 'currency' ~ '^[A-Z]{3}$', false)
      and coalesce(char_length(one ->> 'account') between 2 and 250, false)
      and coalesce(char_length(one ->> 'fingerprint') = 64, false)
      and (one -> 'confirmedBy' is null or one -> 'confirmedBy' = 'null'
        or (one #>> '{confirmedBy,id}' <> one #>> '{chosenBy,id}' and coalesce(one ->> 'check' <> '', false)))))
    and (select count(*) = count(distinct one ->> 'currency') from items_of(accounts) as one);
-- The first day on which something of the record is no longer valid. Of each form, the one that is valid longest counts.
create function record_expiry(status text, expires date, forms jsonb) returns date immutable parallel safe language sql
  return least(case when status = 'passed' then expires end, (
    select min(make_date(left(until, 4)::int, substr(until, 6, 2)::int, right(until, 2)::int)) from (
      select max(coalesce(form ->> 'validUntil', '9999-12-31')) as until from items_of(forms) as form group by form ->> 'form') as latest
    where until < '9999-12-31'));
create or replace function contact_holds(contact jsonb) returns boolean immutable parallel safe language sql
  return coalesce(char_length(contact ->> 'name') between 2 and 40, false)
    and coalesce(nullif(contact ->> 'phone', '') ~ '^[0-9]{1,16}$', true) and coalesce(nullif(contact ->> 'email', '') like '%_@_%', true)
    and not exists (select from items_of(contact -> 'receives') as kind where kind #>> '{}' not in (${quoted(RECEIVED)}));`;

const columns = `
alter table lps
  add column type text constraint lps_type check (type in (${quoted(TYPES)})),
  add column tax_id text constraint lps_tax_id_length check (char_length(tax_id) between 1 and 50)
    constraint lps_tax_id_name check (is_name(tax_id)),
  add column tax_residence text constraint lps_tax_residence_length check (char_length(tax_residence) between 2 and 30),
  add column lei text constraint lps_lei check (lei_holds(lei)),
  add column kyc_status text not null default 'notStarted' constraint lps_kyc_status check (kyc_status in (${quoted(KYC_STATUSES)})),
  add column kyc_date date,
  add column kyc_expires_on date,
  add column kyc_reason text constraint lps_kyc_reason_length check (char_length(kyc_reason) between 1 and 500),
  add column tax_forms jsonb not null default '[]'
    constraint lps_tax_forms check (jsonb_typeof(tax_forms) = 'array' and jsonb_array_length(tax_forms) <= 20 and tax_forms_hold(tax_forms)),
  add column payout_accounts jsonb not null default '[]'
    constraint lps_payout_accounts check (jsonb_typeof(payout_accounts) = 'array' and jsonb_array_length(payout_accounts) <= 20
      and payout_accounts_hold(payout_accounts)),
  add constraint lps_kyc_decided check (kyc_status in ('notStarted', 'inReview') or kyc_date is not null),
  add constraint lps_kyc_refused check (kyc_status <> 'refused' or kyc_reason is not null),
  add constraint lps_kyc_expires check (kyc_expires_on > kyc_date);
alter table lps add column expires_on date generated always as (record_expiry(kyc_status, kyc_expires_on, tax_forms)) stored;
${['type collate "C"', 'kyc_status collate "C"', 'kyc_expires_on', 'expires_on']
  .flatMap((column) => [
    `create index on lps (manager_id, ${column}, id);`,
    `create index on lps (manager_id, ${column} desc nulls last, id desc);`,
  ])
  .join('\n')}
create index lps_payout_waiting on lps (manager_id) where payout_accounts @> '[{"confirmedBy": null}]';${recordAlso(
  'lps',
  [
    'type',
    'tax_id',
    'tax_residence',
    'lei',
    'kyc_status',
    'kyc_date',
    'kyc_expires_on',
    'kyc_reason',
    'tax_forms',
    'payout_accounts',
  ],
)}`;

/** Documents that name a file by its id, or by its key: those of earlier migrations, and tax forms. */
const NAMING = `
    select file_id::text as file from contributions where file_id is not null
    union select file_id from distributions where file_id is not null
    union select file_id from capital_accounts where file_id is not null
    union select file_id from reports
    union select unnest(file_ids) from announcements
    union select attachment ->> 'key' from loan_tapes
    union select other ->> 'key' from loan_tapes, jsonb_array_elements(other_attachments) as other
    union select attached ->> 'key' from draws, jsonb_array_elements(attachments) as attached
    union select form ->> 'file' from lps, jsonb_array_elements(tax_forms) as form`;

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

/** What a manager keeps about an investor: tax, checks and where it is paid; and what a contact receives. */
export class InvestorRecords extends Migration {
  override up(): void {
    this.addSql([lists, columns, hidden].join('\n'));
  }
}

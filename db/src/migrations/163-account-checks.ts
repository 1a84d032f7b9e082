import { Migration } from '@mikro-orm/migrations';
import { references } from './tenant-table.ts';

/** How a second person called back: which number, whom, when, and that the digits were read back. */
const checks = `
create function account_check_holds(called jsonb) returns boolean immutable parallel safe language sql
  return coalesce(jsonb_typeof(called) = 'object'
    and char_length(called ->> 'number') between 5 and 250 and char_length(called ->> 'contact') between 2 and 250
    and called ->> 'calledOn' ~ '^\\d{4}-\\d{2}-\\d{2}$' and called -> 'readBack' = 'true', false);

-- Accounts that were confirmed before have a text. Whoever confirms one from now on has called after it was asked for; the
-- day is that of the caller, which may be a day before or after that of UTC. What was confirmed stays as it was, and what waits
-- is confirmed as it was chosen: another account has another id.
create function check_confirmed_accounts() returns trigger language plpgsql as $$
declare
  known jsonb := '[]';
  confirmation text[] := array['confirmedBy', 'confirmedAt', 'check'];
begin
  if tg_op = 'UPDATE' then
    known := old.payout_accounts;
  end if;
  if exists (select from jsonb_array_elements(new.payout_accounts) as one
      where coalesce(one -> 'confirmedBy', 'null') <> 'null'
        and not exists (select from jsonb_array_elements(known) as before where before = one)
        and (exists (select from jsonb_array_elements(known) as before where before ->> 'id' = one ->> 'id'
            and (coalesce(before -> 'confirmedBy', 'null') <> 'null' or before - confirmation <> one - confirmation))
          or not (account_check_holds(one -> 'check') and coalesce((one #>> '{check,calledOn}')::date
            between (one ->> 'chosenAt')::timestamptz::date - 1 and (one ->> 'confirmedAt')::timestamptz::date + 1, false)))) then
    raise exception 'an account is confirmed by a call back' using errcode = 'check_violation', constraint = 'payout_accounts_called';
  end if;
  return new;
end $$;
${['lps', 'companies']
  .map(
    (table) => `create trigger ${table}_confirmed_accounts before update of payout_accounts on ${table}
  for each row when (new.payout_accounts is distinct from old.payout_accounts) execute function check_confirmed_accounts();
create trigger ${table}_confirmed_accounts_added before insert on ${table}
  for each row when (new.payout_accounts <> '[]') execute function check_confirmed_accounts();`,
  )
  .join('\n')}`;

const requests = `
alter table account_requests
  add column letter_id object_id ${references('files')},
  add column device text check (char_length(device) between 1 and 100),
  add column is_new_device boolean;
create index account_requests_letter on account_requests (letter_id) where letter_id is not null;
create or replace function check_account_request() returns trigger language plpgsql as $$ begin
  if (tg_op = 'INSERT' and new.status <> 'Requested') or (tg_op = 'UPDATE' and old.status <> 'Requested') then
    raise exception 'the request is decided' using errcode = 'check_violation', constraint = 'account_requests_decided';
  end if;
  if tg_op = 'UPDATE' and (new.id, new.manager_id, new.company_id, new.investor_lp_id, new.currency, new.bank, new.comment, new.requested_by, new.requested_at,
        new.letter_id, new.device, new.is_new_device)
      is distinct from (old.id, old.manager_id, old.company_id, old.investor_lp_id, old.currency, old.bank, old.comment, old.requested_by, old.requested_at,
        old.letter_id, old.device, old.is_new_device) then
    raise exception 'what was asked for stays' using errcode = 'check_violation', constraint = 'account_requests_fixed';
  end if;
  return new;
end $$;`;

/** The three steps of a call back, the bank letter of a request, and the device that it came from. */
export class AccountChecks extends Migration {
  override up(): void {
    this.addSql([checks, requests].join('\n'));
  }
}

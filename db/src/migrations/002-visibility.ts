import { Migration } from '@mikro-orm/migrations';
import { APP_ROLE } from './001-tables.ts';

/**
 * Who sees which rows, in this one place: every table has one policy, and the program works as a role that cannot
 * pass it by. The actor stands in settings local to the transaction (`store.as`); none set means nobody, who sees nothing.
 */
const actor = `
create function actor_type() returns text stable parallel safe language sql
  return coalesce(current_setting('tapeline.actor_type', true), '');
create function actor_sees_all() returns boolean stable parallel safe language sql
  return actor_type() in ('admin', 'system');
create function actor_is_system() returns boolean stable parallel safe language sql
  return actor_type() = 'system';
create function actor_user() returns text stable parallel safe language sql
  return nullif(current_setting('tapeline.user_id', true), '');
create function actor_manager() returns text stable parallel safe language sql
  return case when actor_type() = 'manager' then nullif(current_setting('tapeline.manager_id', true), '') end;
create function actor_company() returns text stable parallel safe language sql
  return case when actor_type() = 'company' then nullif(current_setting('tapeline.company_id', true), '') end;
create function actor_lps() returns text[] stable parallel safe language sql
  return case when actor_type() in ('LP', 'LPGroup')
    then string_to_array(nullif(current_setting('tapeline.lp_ids', true), ''), ',') end;`;

// Wrapped in a select, a function is evaluated once a statement and not once a row.
const all = '(select actor_sees_all())';
const system = '(select actor_is_system())';
const byManager = 'manager_id = (select actor_manager())';
const byCompany = 'company_id = (select actor_company())';
const anyLP = (column: string) => `${column} = any ((select actor_lps())::text[])`;

const ofCompany = `${all} or ${byManager} or ${byCompany}`;

/** Table -> condition under which a row is seen and may be written. */
const VISIBLE: Record<string, string> = {
  managers: `${all} or id = (select actor_manager())`,
  companies: `${all} or ${byManager} or id = (select actor_company())`,
  lps: `${all} or ${byManager} or ${anyLP('id')}`,
  users: `${all} or ${byManager} or id = (select actor_user())`,
  sign_in_codes: system,
  ownership_tokens: system,
  refresh_tokens: `${system} or user_id = (select actor_user())`,
  limited_calls: system,
  funds: `${all} or ${byManager} or id in (
    select fund_id from lp_commitments where ${anyLP('investor_lp_id')} and status <> 'Removed')`,
  lp_commitments: `${all} or ${byManager} or ${anyLP('investor_lp_id')}`,
  mappings: ofCompany,
  transactions: ofCompany,
  contracts: ofCompany,
  loan_tapes: ofCompany,
  tape_generations: ofCompany,
  borrowing_bases: ofCompany,
};

const policies = Object.entries(VISIBLE).map(
  ([table, condition]) => `create policy visible on ${table} using (${condition}) with check (${condition});`,
);

/** Tables where reading and writing follow different rules. */
const special = `
create policy read on roles for select using (${all} or manager_id is null or ${byManager});
create policy write on roles using (${all} or ${byManager}) with check (${all} or ${byManager});
create policy read on permissions for select using (${all} or (select actor_type()) <> '');
create policy write on permissions using (${all}) with check (${all});
create policy read on currency_rates for select using (${all} or (select actor_type()) <> '');
create policy write on currency_rates using (${all}) with check (${all});
create policy read on files for select using (
  ${all} or ${byManager} or ${byCompany} or ${anyLP('lp_id')}
  or created_by_user_id = (select actor_user()) or (bucket = 'publicFiles' and (select actor_type()) <> ''));
create policy write on files using (${all} or ${byManager} or ${byCompany} or created_by_user_id = (select actor_user()))
  with check (${all} or ${byManager} or ${byCompany} or created_by_user_id = (select actor_user()));
create policy read on history for select using (${all} or ${byManager} or ${byCompany} or ${anyLP('lp_id')});
create policy append on history for insert with check ((select actor_type()) <> '');`;

const TABLES = [...Object.keys(VISIBLE), 'roles', 'permissions', 'currency_rates', 'files', 'history'];

const enforcement = TABLES.map(
  (table) => `alter table ${table} enable row level security; alter table ${table} force row level security;`,
);

const grants = `
grant usage on schema public to ${APP_ROLE};
grant select, insert, update, delete on ${TABLES.join(', ')} to ${APP_ROLE};
revoke update, delete on history from ${APP_ROLE};`;

/** Row level security and the program's rights. */
export class Visibility extends Migration {
  override up(): void {
    this.addSql([actor, ...policies, special, ...enforcement, grants].join('\n'));
  }
}

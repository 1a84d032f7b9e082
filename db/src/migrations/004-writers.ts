import { Migration } from '@mikro-orm/migrations';

/**
 * Who writes which rows. Seeing a row is not enough to change it: an investor sees funds, a borrower its contracts.
 * The permissions of a role are checked above; here stands what no role can ever give.
 */
const functions = `
create function actor_tenant() returns text stable parallel safe language sql
  return nullif(current_setting('tapeline.manager_id', true), '');`;

const all = '(select actor_sees_all())';
const system = '(select actor_is_system())';
const byManager = 'manager_id = (select actor_manager())';
const byCompany = 'company_id = (select actor_company())';

const tenant = `${all} or ${byManager}`;

/** Table -> condition under which a row that is seen may be written. What is not here is written by whoever sees it. */
const WRITABLE: Record<string, string> = {
  managers: all,
  companies: tenant,
  lps: tenant,
  // One's own row is not among them: nobody gives themselves another role. Sign-in and profile write as the system.
  users: tenant,
  refresh_tokens: system,
  funds: tenant,
  lp_commitments: tenant,
  mappings: tenant,
  transactions: tenant,
  contracts: tenant,
  borrowing_bases: tenant,
  tape_generations: tenant,
  // A borrower uploads tapes and takes back those that are not published.
  loan_tapes: `${tenant} or (${byCompany} and generation_id is null)`,
};

const split = Object.entries(WRITABLE).map(
  ([table, condition]) => `
alter policy visible on ${table} rename to read;
create policy insert on ${table} for insert with check (${condition});
create policy update on ${table} for update using (${condition}) with check (${condition});
create policy delete on ${table} for delete using (${condition});`,
);

/** `for` cannot be altered: a policy for reading alone is made anew, under the condition the old one had. */
const readOnly = `
do $$ declare one record; begin
  for one in select tablename, qual from pg_policies
      where schemaname = current_schema and policyname = 'read' and cmd = 'ALL' loop
    execute format('drop policy read on %I', one.tablename);
    execute format('create policy read on %I for select using (%s)', one.tablename, one.qual);
  end loop;
end $$;`;

// A file that belongs to nobody's company or investor is its maker's, within the maker's own tenant.
const own = `created_by_user_id = (select actor_user()) and company_id is null and lp_id is null
  and (manager_id is null or manager_id = (select actor_tenant()))`;

const records = `
alter policy write on files using (${tenant} or ${byCompany} or (${own})) with check (${tenant} or ${byCompany} or (${own}));
drop policy append on history;
create policy append on history for insert with check (
  ${tenant} or ${byCompany} or lp_id = any ((select actor_lps())::text[]));`;

/** Reading and writing under rules of their own. */
export class Writers extends Migration {
  override up(): void {
    this.addSql([functions, ...split, readOnly, records].join('\n'));
  }
}

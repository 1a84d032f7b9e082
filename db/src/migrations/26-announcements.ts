import { Migration } from '@mikro-orm/migrations';
import { ANNOUNCEMENT_KINDS, ANNOUNCEMENT_LIMITS } from './as-landed.ts';
import {
  byLP,
  ISSUED,
  named,
  OF_MANAGER,
  oneOf,
  optional,
  references,
  SIGNED_IN,
  SYSTEM_ONLY,
  table,
  tenantTable,
  text,
} from './tenant-table.ts';

const MAX_FILES = 20;
const OF_TENANT = 'manager_id = (select actor_tenant())';

/** Whom an announcement is for: everyone of the manager, or the people of some or all funds, investors or companies. */
const OF_AUDIENCE = `status = 'Active' and ${OF_TENANT} and case kind
  when 'all' then ${SIGNED_IN}
  when 'funds' then exists (select from lp_commitments c where ${byLP('c.investor_lp_id')} and c.${ISSUED}
    and c.manager_id = announcements.manager_id and (announcements.fund_id is null or c.fund_id = announcements.fund_id)
    and (announcements.class is null or c.class = announcements.class))
  when 'LPs' then case when lp_id is null then (select actor_lps()) is not null else ${byLP('lp_id')} end
  else case when company_id is null then (select actor_company()) is not null else company_id = (select actor_company()) end
end`;

const announcements = tenantTable({
  name: 'announcements',
  tenant: 'manager',
  history: { resource: 'announcements' },
  columns: {
    kind: oneOf(ANNOUNCEMENT_KINDS),
    fund_id: `object_id ${references('funds')}`,
    lp_id: `object_id ${references('lps')}`,
    company_id: `object_id ${references('companies')}`,
    class: optional(text({ minLength: 1, maxLength: 100 })),
    title: text(ANNOUNCEMENT_LIMITS.title),
    sub_title: optional(text({ maxLength: 250 })),
    description: text(ANNOUNCEMENT_LIMITS.description),
    file_ids: `object_id[] not null default '{}' check (cardinality({column}) <= ${MAX_FILES} and array_position({column}, null) is null)`,
    disable_email: 'boolean not null',
    // Recipients are fixed when it is published. Users added later can see it.
    users: 'integer not null default 0 check ({column} >= 0)',
  },
  constraints: [
    "check ((fund_id is null or kind = 'funds') and (lp_id is null or kind = 'LPs') and (company_id is null or kind = 'companies'))",
    'check (class is null or fund_id is not null)',
    ...named('announcements', 'title', 'sub_title'),
  ],
  indexes: ['(fund_id)', '(lp_id)', '(company_id)'],
  read: `${OF_MANAGER} or (${OF_AUDIENCE})`,
});

/** The files of announcements, for whoever may read these. */
const files = `
create function files_of_announcements() returns setof object_id stable language sql as $$
  select unnest(file_ids) from announcements where status = 'Active'
$$;
create policy announced on files for select using (bucket = 'announcements' and id in (select files_of_announcements()));`;

const OWN = `${SYSTEM_ONLY} or (user_id = (select actor_user()) and manager_id is not distinct from (select actor_tenant()))`;

/** What each person has read. */
const activities = table({
  name: 'activities',
  history: { exempt: 'An activity is itself a record of what a person did.' },
  columns: {
    id: 'object_id primary key',
    manager_id: `object_id ${references('managers')}`,
    user_id: 'object_id not null references users (id) on delete cascade deferrable initially deferred',
    resource: text({ minLength: 1, maxLength: 60 }),
    document_id: 'object_id not null',
    first_read_at: 'timestamptz not null',
    last_read_at: 'timestamptz not null',
  },
  constraints: ['constraint activities_once unique (user_id, resource, document_id)'],
  indexes: ['(resource, document_id)'],
  read: `${OF_MANAGER} or user_id = (select actor_user())`,
  write: { insert: OWN, update: OWN, delete: SYSTEM_ONLY },
});

/** Announcements of a manager to its people, and who has read what. */
export class Announcements extends Migration {
  override up(): void {
    this.addSql([announcements, files, activities].join('\n'));
  }
}

import { Migration } from '@mikro-orm/migrations';
import { ORGANIZATION_TITLE } from './as-landed.ts';
import { byLP, OF_MANAGER, recordChanges, references, tenantTable, text } from './tenant-table.ts';

const groups = tenantTable({
  name: 'lp_groups',
  tenant: 'manager',
  history: { resource: 'LPGroups' },
  columns: { title: text(ORGANIZATION_TITLE) },
  indexes: [`unique (manager_id, lower(title)) where status <> 'Removed'`],
  // An investor can see the name of its own group.
  read: `${OF_MANAGER} or id in (select group_id from lps where ${byLP('id')})`,
});

/** Groups were an id and a title on each investor. */
const groupsOfInvestors = `
insert into lp_groups (id, manager_id, title)
  select group_id, manager_id, coalesce(max(group_title), group_id) from lps where group_id is not null group by 1, 2;
alter table lps add foreign key (group_id, manager_id) ${references('lp_groups', 'id, manager_id')};
drop trigger lps_history on lps;
alter table lps drop column group_title;
${recordChanges('lps', ['status', 'manager_id', 'title', 'entity_id', 'domains', 'group_id'], {
  resource: 'LPs',
  owners: { lp: 'id' },
})}`;

/** An entity is a business or a person. A date of birth that was in the past remains in the past. */
const people = `
create function person_holds(person jsonb) returns boolean stable parallel safe language sql
  return person is null or person = 'null' or coalesce((person ->> 'dob')::date < current_date, true);
alter table entities add column person jsonb check (person_holds(person));
drop trigger entities_history on entities;
${recordChanges(
  'entities',
  [
    'status',
    'manager_id',
    'name',
    'formal_id',
    'nationality',
    'business',
    'person',
    'description',
    'domains',
    'category',
    'contacts',
    'banks',
  ],
  { resource: 'entities' },
)}
create index on entities using gin (category);`;

/** Users who act for an investor are counted for each page of investors. */
const usersOfInvestors = `
create index on users using gin (lps);
create index on users ((assoc #>> '{LP,id}')) where type = 'LP';
create index on users ((assoc #>> '{LPGroup,id}')) where type = 'LPGroup';`;

/** Groups of investors, and entities that are persons. */
export class Organizations extends Migration {
  override up(): void {
    this.addSql([groups, groupsOfInvestors, people, usersOfInvestors].join('\n'));
  }
}

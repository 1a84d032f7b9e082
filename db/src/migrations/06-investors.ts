import { Migration } from '@mikro-orm/migrations';
import { ORGANIZATION_TITLE } from './as-landed.ts';
import { CREATED, largeList } from './large-lists.ts';
import {
  byLP,
  list,
  named,
  OF_MANAGER,
  PARTY_COLUMNS,
  PARTY_ENTITY,
  references,
  tenantTable,
  text,
} from './tenant-table.ts';

const lps = tenantTable({
  name: 'lps',
  tenant: 'manager',
  history: { resource: 'LPs', canBeBlocked: true, silent: ['name', 'formal_id', 'country'], owners: { lp: 'id' } },
  columns: {
    title: text(ORGANIZATION_TITLE),
    ...PARTY_COLUMNS,
    domains: list(10),
    group_id: 'object_id',
  },
  constraints: [PARTY_ENTITY, ...named('lps', 'title')],
  indexes: ['(entity_id)', '(group_id, status, manager_id, id)'],
  read: `${OF_MANAGER} or ${byLP('id')}`,
});

const name = `
create trigger lps_name before insert or update of entity_id on lps for each row execute function describe_party();`;

const groups = tenantTable({
  name: 'lp_groups',
  tenant: 'manager',
  history: { resource: 'LPGroups' },
  columns: { title: text(ORGANIZATION_TITLE) },
  constraints: named('lp_groups', 'title'),
  indexes: [`unique (manager_id, lower(title)) where status <> 'Removed'`],
  // An investor can see the name of its own group.
  read: `${OF_MANAGER} or id in (select group_id from lps where ${byLP('id')})`,
});

const groupOfInvestor = `
alter table lps add foreign key (group_id, manager_id) ${references('lp_groups', 'id, manager_id')};`;

const listed = [
  largeList('lps', {
    sorted: [
      'title collate "C"',
      'name collate "C"',
      'formal_id collate "C"',
      'country collate "C"',
      'status collate "C"',
      ...CREATED,
    ],
    searched: ['title', 'name'],
    hasCountries: true,
  }),
  largeList('lp_groups', { sorted: ['title collate "C"'], searched: ['title'] }),
].join('\n');

/** Investors (LPs), and the groups that they belong to. */
export class Investors extends Migration {
  override up(): void {
    this.addSql([lps, name, groups, groupOfInvestor].join('\n'));
    this.addSql(listed);
  }
}

import { Migration } from '@mikro-orm/migrations';
import { CREATED, largeList } from './large-lists.ts';
import { list, OF_MANAGER, PARTY_COLUMNS, PARTY_ENTITY, tenantTable } from './tenant-table.ts';

const companies = tenantTable({
  name: 'companies',
  tenant: 'manager',
  history: {
    resource: 'companies',
    canBeBlocked: true,
    silent: ['name', 'formal_id', 'country'],
    owners: { company: 'id' },
  },
  columns: { ...PARTY_COLUMNS, domains: list(10) },
  constraints: [PARTY_ENTITY],
  indexes: ['(entity_id)'],
  read: `${OF_MANAGER} or id = (select actor_company())`,
});

const listed = largeList('companies', {
  sorted: ['name collate "C"', 'formal_id collate "C"', 'country collate "C"', 'status collate "C"', ...CREATED],
  searched: ['name'],
  hasCountries: true,
});

const name = `
create trigger companies_name before insert or update of entity_id on companies for each row execute function describe_party();`;

/** Companies: borrowers, whose users see what is theirs. */
export class Companies extends Migration {
  override up(): void {
    this.addSql([companies, name].join('\n'));
    this.addSql(listed);
  }
}

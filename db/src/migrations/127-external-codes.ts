import { Migration } from '@mikro-orm/migrations';
import { OF_MANAGER, recordAlso, references, table } from './tenant-table.ts';
import { ACTOR, AS_ACTOR, AS_SYSTEM } from './triggers.ts';

const CODED = ['companies', 'funds', 'lps'] as const;

/** Codes of other systems. Lists are sorted by them, so they have the indexes of a large list. */
const codes = CODED.map(
  (name) => `
alter table ${name} add column external_code text
  constraint ${name}_external_code_length check (char_length(external_code) between 1 and 50)
  constraint ${name}_external_code_name check (is_name(external_code));
create unique index ${name}_external_code on ${name} (manager_id, lower(external_code)) where status <> 'Removed';
create index on ${name} (manager_id, external_code collate "C", id);
create index on ${name} (manager_id, external_code collate "C" desc nulls last, id desc);${recordAlso(name, ['external_code'])}`,
).join('\n');

/** The words of a document are those of its names and of its code. */
const searched = (name: (typeof CODED)[number], kind: string, owners: string, columns: readonly string[]) => `
create or replace function index_${name}(t ${name}) returns void language plpgsql security definer set search_path from current as $$
declare${ACTOR}
begin${AS_SYSTEM}
  if t.status = 'Removed' then
    delete from search_words where document_id = t.id;
  else
    perform index_words('${kind}', t.id, t.manager_id, ${owners}, t.status in ('Active', 'Closed'),
      concat_ws(' ', ${[...columns, 'external_code'].map((column) => `t.${column}`).join(', ')}));
  end if;${AS_ACTOR}
end $$;
drop trigger ${name}_search on ${name};
create trigger ${name}_search after insert or delete or update of ${['status', ...columns, 'external_code'].join(', ')} on ${name}
  for each row execute function search_${name}();`;

const words = [
  searched('companies', 'company', 't.id, null, null', ['name']),
  searched('funds', 'fund', 'null, t.id, null', ['title', 'name']),
  searched('lps', 'investor', 'null, null, t.id', ['title', 'name']),
].join('\n');

/** What a person said that a name in a file means: an investor, a fund or a main fund. */
const names = table({
  name: 'import_names',
  columns: {
    id: 'object_id primary key',
    manager_id: `object_id not null ${references('managers')}`,
    // In the form in which names are compared.
    name: 'text not null check (char_length({column}) between 1 and 1000)',
    lp_id: 'object_id',
    fund_id: 'object_id',
    main_fund_id: 'object_id',
    user_id: 'object_id',
    confirmed_at: 'timestamptz not null default now()',
  },
  constraints: [
    'constraint import_names_of_one check (num_nonnulls(lp_id, fund_id, main_fund_id) = 1)',
    // A document that is deleted for good takes its names with it.
    'foreign key (lp_id, manager_id) references lps (id, manager_id) on delete cascade deferrable initially deferred',
    'foreign key (fund_id, manager_id) references funds (id, manager_id) on delete cascade deferrable initially deferred',
    'foreign key (main_fund_id, manager_id) references main_funds (id, manager_id) on delete cascade deferrable initially deferred',
  ],
  indexes: [
    '(manager_id, name)',
    ...['lp_id', 'fund_id', 'main_fund_id'].map((column) => `unique (manager_id, name) where ${column} is not null`),
  ],
  read: OF_MANAGER,
  write: OF_MANAGER,
  history: { exempt: 'What an import changes is recorded; how its file was read is shown with its check.' },
});

/** The external codes of investors, companies and funds, and the names of files that a person matched to a document. */
export class ExternalCodes extends Migration {
  override up(): void {
    this.addSql(codes);
    this.addSql(words);
    this.addSql(names);
  }
}

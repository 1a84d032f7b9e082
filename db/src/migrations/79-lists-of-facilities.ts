import { Migration } from '@mikro-orm/migrations';

const TERMS = ['$[*].terms', '$[*].tranches[*].terms'];
const LISTS: readonly (readonly [name: string, ...paths: string[]])[] = [
  ['main_currency', '$[*].mainCurrency'],
  ['note_titles', '$[*].title'],
  ['tranche_titles', '$[*].tranches[*].title'],
  ['interest_kind', ...TERMS.map((terms) => `${terms}.interest.kind`)],
  ['base_rate', ...TERMS.map((terms) => `${terms}.interest.baseRate`)],
];

/** The different texts at the paths, sorted. */
const listOf = ([name, ...paths]: readonly [string, ...string[]]): string => `
create function ${name}_of(notes jsonb) returns text[] immutable parallel safe language plpgsql as $$ begin
  return array(select distinct item #>> '{}' from (${paths
    .map((path) => `select jsonb_path_query(notes, '${path} ? (@.type() == "string")') as item`)
    .join(' union all ')}) as texts order by 1);
end $$;`;

/** What the notes of a facility have is a list, of which a filter asks for one element, and no longer a joined text. */
const lists = `
alter table transactions ${LISTS.map(([name]) => `drop column ${name}`).join(', ')};
${LISTS.map(([name]) => `drop function ${name}_of(jsonb);`).join('\n')}
drop function texts_of(jsonb);
${LISTS.map(listOf).join('')}
alter table transactions
${LISTS.map(([name]) => `  add column ${name} text[] generated always as (${name}_of(notes)) stored`).join(',\n')};`;

/** Filters on the notes of facilities hold if one of them meets the condition. */
export class ListsOfFacilities extends Migration {
  override up(): void {
    this.addSql(lists);
  }
}

import { Migration } from '@mikro-orm/migrations';
import { NOT_IN_NAMES } from './as-landed.ts';

/** The names and titles that people enter, by table. Copies of them, such as a company's name, follow. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  announcements: ['title', 'sub_title'],
  chats: ['title'],
  entities: ['name', 'formal_id'],
  funds: ['title'],
  grid_views: ['title'],
  group_filters: ['title'],
  lp_groups: ['title'],
  lps: ['title'],
  main_funds: ['title'],
  option_lists: ['name'],
  permissions: ['title'],
  roles: ['title'],
  service_providers: ['title', 'type'],
  transactions: ['title'],
  users: ['first_name', 'last_name'],
};
/** Documents inside a row that have names: contacts, bank accounts, classes of a fund. */
const NAMED_PARTS: Readonly<Record<string, readonly string[]>> = {
  entities: ['business', 'contacts', 'banks'],
  funds: ['classes'],
};
/** The keys under which they have them. */
const KEYS = ['name', 'formalName', 'title', 'accountName', 'uniqueKey'];

const isName = `
create function is_name(value text) returns boolean immutable parallel safe language sql
  return value is null or value !~ '[${NOT_IN_NAMES}]';
create function names_hold(document jsonb) returns boolean immutable parallel safe language sql as $$
  select coalesce(bool_and(is_name(value #>> '{}')), true) from (
    ${KEYS.map((key) => `select jsonb_path_query(document, 'lax $.**.${key}') as value`).join(' union all\n    ')}) as named $$;`;

// What was stored before is written on one line.
const clean = Object.entries(NAMES).map(([table, columns]) => {
  const set = columns.map(
    (column) => `${column} = btrim(regexp_replace(${column}, '[${NOT_IN_NAMES}[:space:]]+', ' ', 'g'))`,
  );
  return `
update ${table} set ${set.join(', ')} where not (${columns.map((column) => `is_name(${column})`).join(' and ')});`;
});

const constraints = [
  ...Object.entries(NAMES).flatMap(([table, columns]) =>
    columns.map((column) => `alter table ${table} add constraint ${table}_${column}_name check (is_name(${column}));`),
  ),
  // Issued notices and the parts of rows from before stay as they are: they are checked when they change.
  ...['contributions', 'distributions'].map(
    (table) => `alter table ${table} add constraint ${table}_call_number_name check (is_name(call_number)) not valid;`,
  ),
  ...Object.entries(NAMED_PARTS).flatMap(([table, columns]) =>
    columns.map(
      (column) =>
        `alter table ${table} add constraint ${table}_${column}_names check (names_hold(${column})) not valid;`,
    ),
  ),
].join('\n');

/** Names are of one line, without control characters and characters that change the direction of writing. */
export class Names extends Migration {
  override up(): void {
    this.addSql(
      [
        isName,
        `select set_config('tapeline.actor_type', 'system', true);`,
        ...clean,
        `select set_config('tapeline.actor_type', '', true);`,
        constraints,
      ].join('\n'),
    );
  }
}

/** The role of the program: neither superuser nor owner, so that row-level security always applies. */
export const APP_ROLE = 'tapeline_app';

// A function inside a select is evaluated once per statement and not once per row.
/** Conditions of policies. `EVERYTHING` is the access of an admin or of the program itself. */
export const EVERYTHING = '(select actor_sees_all())';
export const SYSTEM_ONLY = '(select actor_is_system())';
export const SIGNED_IN = "(select actor_type()) <> ''";
export const BY_MANAGER = 'manager_id = (select actor_manager())';
export const BY_COMPANY = 'company_id = (select actor_company())';
export const byLP = (column: string): string => `${column} = any ((select actor_lps())::text[])`;
/**
 * Users of the manager that a row belongs to, and those who see everything. It is a range and not `EVERYTHING or …`, so
 * that PostgreSQL reads an index of manager_id instead of the rows of all managers. The functions are not inside a
 * select: the planner calls them, and so expects one manager's rows or all of them. They would be called for each row
 * that another index finds, so the manager, which is asked for once, is compared first.
 */
export const OF_MANAGER = `${BY_MANAGER} or manager_id between actor_managers_from() and actor_managers_to() or (manager_id is null and ${EVERYTHING})`;
/** Users of the manager or of the company that a row belongs to. */
export const OF_COMPANY = `${OF_MANAGER} or ${BY_COMPANY}`;
/** What is issued and not withdrawn. */
export const ISSUED = "status in ('Active', 'Closed')";
/** Users of the manager, and the investor of a row: an investor sees what was issued to it, never a draft. */
export const OF_INVESTOR = `${OF_MANAGER} or (${byLP('investor_lp_id')} and ${ISSUED})`;

/**
 * SQL that changes rows from before a migration. Row-level security applies to the owner of the tables too, and shows it
 * no row unless the system is the actor. A migration that ran before may have left another one.
 */
export const asSystem = (statements: string): string => `
select set_config('tapeline.actor_type', 'system', true);${statements}
select set_config('tapeline.actor_type', '', true);`;

/** A foreign key that is checked when the transaction commits, so that the order of inserts does not matter. */
export const references = (table: string, columns = 'id'): string =>
  `references ${table} (${columns}) deferrable initially deferred`;

/** Texts as a list in SQL. */
export const quoted = (values: readonly string[]): string =>
  values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ');

/** SQL of a list: ('a', 'b'). */
export const among = (values: readonly string[]): string => `(${quoted(values)})`;
/** SQL of whether a value that may be missing or null holds, once it is given. */
export const given = (value: string, condition: string): string =>
  `(${value} is null or ${value} = 'null' or coalesce(${condition}, false))`;

/** A column that must be one of the values of the domain schema. In a column's SQL, `{column}` is its name. */
export const oneOf = (values: readonly string[], fallback?: string): string =>
  `text not null${fallback === undefined ? '' : ` default '${fallback}'`} check ({column} in (${quoted(values)}))`;

/** A text within the limits of its domain schema. @param limits a zod string schema, or the limits themselves */
export function text(limits: { readonly minLength?: number | null; readonly maxLength?: number | null } = {}): string {
  const { minLength, maxLength } = limits;
  const checks = [
    ...(minLength ? [`char_length({column}) >= ${minLength}`] : []),
    ...(maxLength ? [`char_length({column}) <= ${maxLength}`] : []),
  ];
  return `text not null${checks.length === 0 ? '' : ` check (${checks.join(' and ')})`}`;
}

/** The same column, nullable. */
export const optional = (column: string): string => column.replace(' not null', '');

/** The code of a currency (ISO 4217). */
export const currency = "text not null check ({column} ~ '^[A-Z]{3}$')";

/** An amount of money, exact. */
export const money = 'numeric not null check ({column} >= 0)';

/** A list inside a document; defaults to an empty list unless entries are required. */
export const list = (most: number, least = 0): string =>
  `jsonb not null${least === 0 ? " default '[]'" : ''} check (jsonb_typeof({column}) = 'array' and jsonb_array_length({column}) between ${least} and ${most})`;

/** An object inside a document. */
export const object = "jsonb not null check (jsonb_typeof({column}) = 'object')";

/** Constraints of the names and titles that people enter in a table. Copies of them, such as a company's name, follow. */
export const named = (table: string, ...columns: string[]): string[] =>
  columns.map((column) => `constraint ${table}_${column}_name check (is_name(${column}))`);

/**
 * SQL of constraints of documents inside a row that have names, such as contacts. Rows from before these constraints are
 * checked when they change.
 */
export const namedParts = (table: string, ...columns: string[]): string =>
  columns
    .map(
      (column) =>
        `alter table ${table} add constraint ${table}_${column}_names check (names_hold(${column})) not valid;`,
    )
    .join('\n');

/** Whether changes to a table's rows are recorded, and under which collection. */
export type HistoryRegistration =
  | {
      /** Name of the collection in calls, for example "transactions". */
      readonly resource: string;
      /** Whether single documents can be blocked or allowed for one user, as its descriptor in the domain says. */
      readonly canBeBlocked?: true;
      /** Columns whose changes do not describe a user's action. */
      readonly silent?: readonly string[];
      /** Whether its trigger names the columns as jsonb does, because `recordAlso` wrote it before the migrations were folded. */
      readonly asJsonb?: true;
      /** The column of the manager, if it is not manager_id. The others are what earlier versions of the history stored. */
      readonly owners?: { readonly manager?: string; readonly company?: string; readonly lp?: string };
    }
  /** Why changes are not recorded. */
  | { readonly exempt: string };

/** Columns that every document has and that do not describe a user's action. */
const SILENT = ['id', 'version', 'metadata', 'code'];

/** Columns whose field name is not the camel-case form of the column name. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  calculate_bb: 'calculateBB',
  net_bb: 'netBB',
  first_bb: 'firstBB',
  class: 'Class',
  lps: 'LPs',
  investor_lp_id: 'investorLPId',
};

/** The field of a column, as the entity and the history name it. */
export const fieldOf = (column: string): string =>
  FIELD_NAMES[column] ?? column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** How the history stores a value: numerics keep their digits as text, instants are ISO 8601. */
const kindOf = (sql: string): string => /^(numeric|timestamptz)/.exec(sql)?.[1] ?? 'json';

type Recorded = Exclude<HistoryRegistration, { exempt: string }>;

/** The columns of a table whose changes are recorded, with how the history stores each. */
const recordedColumns = (columns: Readonly<Record<string, string>>, { silent = [] }: Recorded): [string, string][] =>
  Object.entries(columns)
    .filter(
      ([column, sql]) => !SILENT.includes(column) && !silent.includes(column) && !sql.includes('generated always'),
    )
    .map(([column, sql]) => [column, kindOf(sql)]);

/** The fields of the recorded columns, as the trigger takes them. */
const recordedFields = (columns: readonly (string | readonly [column: string, kind: string])[]) =>
  Object.fromEntries(
    columns.map((entry) => {
      const [column, kind] = typeof entry === 'string' ? [entry, 'json'] : entry;
      return [column, [fieldOf(column), kind]];
    }),
  );

/** Shorter names first. */
const inOrderOfJsonb = <Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));

/**
 * SQL of the trigger that records every change to a row, whatever makes it. It fires only for statements that set a
 * recorded column. A migration that adds or removes a column drops the trigger and creates it again.
 * @param columns names, or pairs of a name and how the history stores its value ('json' for a name alone)
 */
export function recordChanges(
  table: string,
  columns: readonly (string | readonly [column: string, kind: string])[],
  { resource, owners = {}, asJsonb }: Recorded,
): string {
  const fields = asJsonb ? inOrderOfJsonb(recordedFields(columns)) : recordedFields(columns);
  const json = JSON.stringify(fields);
  const { manager = 'manager_id', company = 'company_id', lp = '' } = owners;
  return `
create trigger ${table}_history after insert or delete or update of ${Object.keys(fields).join(', ')} on ${table}
  for each row execute function record_change('${resource}', '${asJsonb ? json.replaceAll(/[:,]/g, '$& ') : json}', '${manager}', '${company}', '${lp}');`;
}

/** SQL that also records columns which a later migration adds to a table: names, or pairs as in `recordChanges`. */
export function recordAlso(
  table: string,
  columns: readonly (string | readonly [column: string, kind: string])[],
): string {
  return `
do $$ declare
  arguments text[] := (select string_to_array(encode(tgargs, 'escape'), '\\000') from pg_trigger
    where tgrelid = '${table}'::regclass and tgname = '${table}_history');
  fields jsonb := arguments[2]::jsonb || '${JSON.stringify(recordedFields(columns))}';
begin
  drop trigger ${table}_history on ${table};
  execute format(
    'create trigger ${table}_history after insert or delete or update of %s on ${table} for each row execute function record_change(%L, %L, %L, %L, %L)',
    (select string_agg(quote_ident(name), ', ') from jsonb_object_keys(fields) as name),
    arguments[1], fields, arguments[3], arguments[4], arguments[5]);
end $$;`;
}

/** The collection that each column with the id of an owning document refers to. */
export const OWNERS: Readonly<Record<string, string>> = {
  commitment_id: 'LPCommitments',
  company_id: 'companies',
  fund_id: 'funds',
  investor_fund_id: 'funds',
  investor_lp_id: 'LPs',
  lp_id: 'LPs',
  main_fund_id: 'mainFunds',
  transaction_id: 'transactions',
  contract_id: 'contracts',
  tape_id: 'loanTapes',
};

/** SQL of the policy that hides blocked documents, and the rows that belong to them by these columns. */
export const blockedPolicy = (
  name: string,
  owned: readonly (readonly [column: string, collection: string])[],
): string => `
create policy blocked on ${name} as restrictive for select using (${owned
  .map(
    ([column, collection]) =>
      `coalesce(${column} <> all ((select actor_documents('tapeline.blocked', '${collection}'))::text[]), true)`,
  )
  .join(' and ')});`;

/**
 * SQL of the policies for documents that are blocked or allowed for one user. A blocked document also hides what belongs
 * to it: the tapes of a company, the commitments to a fund. An allowed one is only read, and only by its own tenant.
 */
function documentPolicies(
  name: string,
  columns: Readonly<Record<string, string>>,
  history: HistoryRegistration,
): string {
  const own = 'resource' in history && history.canBeBlocked ? history.resource : null;
  const owned: [column: string, collection: string][] = [
    ...(own ? [['id', own] as [string, string]] : []),
    // A fund is a member of a main fund, and not hidden with it.
    ...Object.entries(OWNERS).filter(
      ([column]) => column in columns && !(own === 'funds' && column === 'main_fund_id'),
    ),
  ];
  if (owned.length === 0) return '';
  return `${blockedPolicy(name, owned)}${
    own
      ? `
create policy allowed on ${name} for select using (manager_id = (select actor_tenant())
  and id = any ((select actor_documents('tapeline.allowed', '${own}'))::text[]));`
      : ''
  }`;
}

/** Conditions for each kind of write, if they differ. */
export interface Rights {
  readonly insert: string;
  readonly update: string;
  /** The condition after an update; the same as before it if omitted. */
  readonly updated?: string;
  readonly delete: string;
}

export interface TableDefinition {
  readonly name: string;
  /** SQL of each column by its name; `{column}` in the SQL is the column's name. */
  readonly columns: Readonly<Record<string, string>>;
  /** SQL of the table's constraints. */
  readonly constraints?: readonly string[];
  /** Columns of each index, with an optional "unique" before and condition after: `unique (a, b) where c`. */
  readonly indexes?: readonly string[];
  /** The condition for reading a row. */
  readonly read: string;
  /**
   * The condition for writing a row, before and after the change. Read access is not sufficient for a change: a
   * borrower can read its contracts. Operations check the permissions of roles; this condition is a limit that no role
   * can lift.
   */
  readonly write: string | Rights;
  readonly history: HistoryRegistration;
}

/** Tables by name, with how their changes are recorded; the tests compare them with the database. */
export const HISTORY = new Map<string, HistoryRegistration>();

/** Registers columns that a later migration adds, and whose changes do not describe a user's action. */
export function keepSilent(name: string, columns: readonly string[]): void {
  const history = HISTORY.get(name);
  if (!history || 'exempt' in history) throw new Error(`The table ${name} has no history`);
  HISTORY.set(name, { ...history, silent: [...(history.silent ?? []), ...columns] });
}

/** SQL of a table with its indexes, row-level security and the program's rights. */
export function table(definition: TableDefinition): string {
  const { name, columns, constraints = [], indexes = [], read, write, history } = definition;
  HISTORY.set(name, history);
  const parts = [
    ...Object.entries(columns).map(([column, sql]) => `${column} ${sql.replaceAll('{column}', column)}`),
    ...constraints,
  ];
  const rights: Rights = typeof write === 'string' ? { insert: write, update: write, delete: write } : write;
  const allowed = (['insert', 'update', 'delete'] as const).filter((right) => rights[right] !== 'false');
  return `
create table ${name} (
  ${parts.join(',\n  ')}
);
${indexes.map((index) => `create ${index.startsWith('unique') ? 'unique ' : ''}index on ${name} ${index.replace(/^unique /, '')};`).join('\n')}
create policy read on ${name} for select using (${read});
create policy insert on ${name} for insert with check (${rights.insert});
create policy update on ${name} for update using (${rights.update}) with check (${rights.updated ?? rights.update});
create policy delete on ${name} for delete using (${rights.delete});${documentPolicies(name, columns, history)}
alter table ${name} enable row level security;
alter table ${name} force row level security;
grant ${['select', ...allowed].join(', ')} on ${name} to ${APP_ROLE};${'exempt' in history ? '' : recordChanges(name, recordedColumns(columns, history), history)}`;
}

/** The statuses of documents that have no states of their own. */
const STATUSES = ['Active', 'Disabled', 'Removed', 'Draft', 'Pending'];

/**
 * The columns of a row that belongs to a company: the pair must exist, so the denormalised manager is always correct.
 */
export const COMPANY_COLUMNS = {
  manager_id: `object_id not null ${references('managers')}`,
  company_id: 'object_id not null',
};
export const COMPANY_KEY = `foreign key (company_id, manager_id) ${references('companies', 'id, manager_id')}`;

/** The columns of a party, and their key: its entity in the register, and copies of what the entity is called. */
export const PARTY_COLUMNS = {
  entity_id: 'object_id not null',
  name: "text not null default ''",
  formal_id: "text not null default ''",
  country: "text not null default ''",
};
export const PARTY_ENTITY = `foreign key (entity_id, manager_id) ${references('entities', 'id, manager_id')}`;

export interface DocumentDefinition extends TableDefinition {
  /** Default: Active, Disabled, Removed, Draft, Pending. */
  readonly statuses?: readonly string[];
  /** Default: Active. */
  readonly initialStatus?: string;
}

/**
 * SQL of a table of documents: the columns that every document has, and a gapless code that counts up per manager (per
 * table if it has no `manager_id`).
 */
export function documentTable(definition: DocumentDefinition): string {
  const { statuses = STATUSES, initialStatus = 'Active', ...rest } = definition;
  const codes = 'manager_id' in rest.columns ? '(manager_id, code)' : '(code)';
  return `${table({
    ...rest,
    columns: {
      id: 'object_id primary key',
      status: oneOf(statuses, initialStatus),
      code: 'integer not null check ({column} >= 1)',
      metadata: "jsonb not null default '{}' check (jsonb_typeof({column}) = 'object')",
      version: 'integer not null default 1',
      ...rest.columns,
    },
    constraints: [`constraint ${rest.name}_code unique nulls not distinct ${codes}`, ...(rest.constraints ?? [])],
  })}
create trigger ${rest.name}_code before insert on ${rest.name} for each row execute function count_document();`;
}

export interface TenantDefinition extends Omit<DocumentDefinition, 'read' | 'write'> {
  /**
   * The owner of the documents. `manager`: the manager's users read and write them. `company`: the manager's users
   * write them, and the company's users can also read them.
   */
  readonly tenant: 'manager' | 'company';
  /** Overrides the default if others can read or write too, or not all of these can. */
  readonly read?: string;
  readonly write?: TableDefinition['write'];
}

/**
 * SQL of a tenant's collection, all of it in one call: table, indexes, checks, row-level security, rights of the
 * program, codes and history.
 *
 * @example
 * tenantTable({
 *   name: 'valuations',
 *   tenant: 'manager',
 *   history: { resource: 'valuations', canBeBlocked: true },
 *   columns: { title: text({ minLength: 2, maxLength: 40 }), fund_ids: list(10) },
 * })
 */
export function tenantTable(definition: TenantDefinition): string {
  const { tenant, read, write, indexes = [], ...rest } = definition;
  const ofCompany = tenant === 'company';
  return documentTable({
    ...rest,
    columns: {
      ...(ofCompany ? COMPANY_COLUMNS : { manager_id: COMPANY_COLUMNS.manager_id }),
      ...rest.columns,
    },
    constraints: [
      // Other tables refer to this key, which includes the owner.
      `unique (id, ${ofCompany ? 'company_id' : 'manager_id'})`,
      ...(ofCompany ? [COMPANY_KEY] : []),
      ...(rest.constraints ?? []),
    ],
    // The index of the code starts with the manager.
    indexes:
      ofCompany && !indexes.some((index) => index.startsWith('(company_id')) ? ['(company_id)', ...indexes] : indexes,
    read: read ?? (ofCompany ? OF_COMPANY : OF_MANAGER),
    write: write ?? OF_MANAGER,
  });
}

import { randomBytes } from 'node:crypto';
import { STORED, tableOf } from '@tapeline/db/collections/collections.ts';
import { HEADERS } from '@tapeline/db/operations/capital/headers.ts';
import { type Session, systemActor } from '@tapeline/db/store.ts';
import { endTenant, makeManager, makeTenant } from '@tapeline/db/testing/tenants.ts';
import { addUsers, ofManager } from '@tapeline/demonstration/portfolios.ts';
import { EVERY_COLLECTION } from '@tapeline/domain/collections/collections.ts';
import { productStore } from './product-store.ts';

const FIXTURE = systemActor('Test fixture');

interface ListedCollection {
  /** The address of the list. */
  readonly list: string;
  readonly table: string;
  /** The table of what its documents are the lines of, which is listed in their place. */
  readonly header: string | null;
  /** Whether its list has a grid for many rows. Otherwise it has pages. */
  readonly hasGrid: boolean;
}

/** Every collection with a list but the managers: all tests share the list of these. */
export const LISTED: readonly ListedCollection[] = EVERY_COLLECTION.flatMap(([name, { list, grid }]) => {
  if (!list || name === 'managers') return [];
  const table = tableOf(STORED[name]);
  const header = (HEADERS as Readonly<Record<string, { table: string }>>)[table]?.table ?? null;
  return [{ list, table, header, hasGrid: grid !== undefined }];
});

const TABLES = LISTED.flatMap(({ table, header }) => (header ? [header, table] : [table]));

/** SQL of the id of the nth copy of a row of a table; `$1` is the manager. */
const idOf = (table: string): string => `substr(md5($1 || '${table}' || n), 1, 24)`;

/** As long as amounts get on a screen. */
const LONG_AMOUNT = '1234567890.12';

/** SQL of what a copy has of its own, by its column in every table, or in one. */
const OWN_VALUES: Readonly<Record<string, string>> = {
  title: `title || ' ' || n`,
  name: `name || ' ' || n`,
  email: `n || '-' || email`,
  number: 'n::text',
  call_number: 'n::text',
  // Issued lines would be checked against the commitment, one by one.
  'contributions.status': `'Draft'`,
  'contributions.activity_id': idOf('capital_calls'),
  'distributions.status': `'Draft'`,
  'distributions.activity_id': idOf('distribution_events'),
  family_id: idOf('mappings'),
  asset_prefix: 'substr(md5($1 || n), 1, 16)',
  // A copied tape is not published, because its assets are those of the other one.
  'loan_tapes.generation_id': 'null',
  published_at: 'null',
  // Each facility has one note with its contract, tape, borrowing base, draw and repayment.
  'transactions.notes': `jsonb_set(notes, '{0,id}', to_jsonb(${idOf('notes')}))`,
  transaction_id: idOf('transactions'),
  note_id: idOf('notes'),
  contract_id: idOf('contracts'),
  tape_id: idOf('loan_tapes'),
  // Workers would begin with imports that are not finished.
  finished_at: 'now()',
  'funds.entity_id': '(select id from entities where manager_id = $1 order by id limit 1)',
  ...Object.fromEntries(
    ['target_size', 'hard_cap', 'net_bb', 'first_bb', 'principal', 'value_in_usd'].map((name) => [name, LONG_AMOUNT]),
  ),
};

/** The columns of a table that its rows are written with. A trigger writes their code. */
const columnsOf = (session: Session, table: string) =>
  session.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and column_name <> 'code'`,
    [table],
  );

/** Copies a row of the tenant until the table has so many of it. */
async function fill(session: Session, managerId: string, table: string, size: number): Promise<void> {
  const columns = await columnsOf(session, table);
  const values = columns.map(({ name, type }) => {
    if (name === 'id') return idOf(table);
    const own = OWN_VALUES[`${table}.${name}`] ?? OWN_VALUES[name];
    if (own) return own;
    const long = `regexp_replace(${name}::text, '"(sum|amount)": "[0-9.]+"', '"\\1": "${LONG_AMOUNT}"', 'g')::jsonb`;
    return type === 'jsonb' ? long : name;
  });
  const ofTenant = `from ${table} where manager_id = $1 and status <> 'Removed'`;
  await session.query(
    `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
     select ${values.join(', ')} from (select * ${ofTenant} order by id limit 1) as one,
       generate_series((select count(*)::int + 1 ${ofTenant}), $2::int) as n`,
    [managerId, size],
  );
}

/**
 * Creates a manager with so many documents in each list, or with as many as belong to a tenant that has one of everything.
 * `end` ends its accounts, as with every tenant of a test; rows that no account sees are in nobody's way.
 * @param size 0 for a manager with nothing but its user
 * @returns the email of its user
 */
export async function tenantWithRows(size: number): Promise<{ email: string; end: () => Promise<void> }> {
  const store = await productStore();
  const email = `rows-${randomBytes(5).toString('hex')}@tapeline.test`;
  const managerId = await store.as(FIXTURE, async (session) => {
    const id = size === 0 ? await makeManager(session) : (await makeTenant(session, { each: 1 })).managerId;
    const person = { firstName: 'Mara', lastName: 'Reyes', email, role: 'Fund manager' };
    await addUsers(session, [{ ...person, ...ofManager(id, 'A manager') }]);
    return id;
  });
  if (size > 1) {
    for (const table of TABLES) await store.as(FIXTURE, (session) => fill(session, managerId, table, size));
  }
  return { email, end: () => store.as(FIXTURE, (session) => endTenant(session, managerId)) };
}

import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTITIES } from './entities/index.ts';
import { Company, User } from './entities/people.ts';
import { newId } from './ids.ts';
import { HISTORY } from './migrations/tenant-table.ts';
import { createTape, getTape, removeTape } from './operations/tapes/tapes.ts';
import type { ReadSession } from './read-session.ts';
import { openStore, type Session, SYSTEM } from './store.ts';
import { testActor } from './testing/actors.ts';
import { addEntity } from './testing/entities.ts';
import { makeTenant, type TestTenant } from './testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-store.ts';

let database: TestDatabase;
let one: TestTenant;
let two: TestTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
  // A borrower sees what is issued.
  await database.query(`update invoices set status = 'Active', issued_on = period_to`);
});
afterAll(() => database.close());

/** For each table, how many rows the actor sees, and whether any of them belongs to the other tenant. */
async function sight(actor: Actor): Promise<Record<string, number>> {
  const count = async ({ query }: ReadSession) => {
    const [row] = await query<Record<string, number>>(
      `select ${TENANT_TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`,
    );
    return row!;
  };
  const counted = await database.store.as(actor, count);
  expect(await database.store.read(actor, count)).toEqual(counted);
  return counted;
}

/** Tables with a row of each investor. */
const INVESTOR_TABLES = ['lp_commitments', 'contributions', 'distributions', 'navs', 'write_offs', 'capital_accounts'];
/** A header for the lines of all investors. */
const HEADER_TABLES = ['capital_calls', 'distribution_events'];
const COMPANY_TABLES = [
  'mappings',
  'transactions',
  'contracts',
  'loan_tapes',
  'tape_generations',
  'borrowing_bases',
  'correction_proposals',
  'draws',
  'repayments',
  'invoices',
];
const TENANT_TABLES = [
  ...COMPANY_TABLES,
  'managers',
  'entities',
  'companies',
  'lps',
  'lp_groups',
  'main_funds',
  'funds',
  ...INVESTOR_TABLES,
  ...HEADER_TABLES,
  'reports',
  'files',
  'service_providers',
  'option_lists',
  'users',
  'roles',
  'import_names',
];
const of = (count: number, tables: readonly string[]) => Object.fromEntries(tables.map((table) => [table, count]));
const NOTHING = of(0, TENANT_TABLES);

describe('in every table', () => {
  test('the system and an admin see both tenants', async () => {
    const everything = {
      ...of(4, [...COMPANY_TABLES, ...INVESTOR_TABLES, 'companies', 'lps', 'users']),
      ...of(2, [
        ...HEADER_TABLES,
        'managers',
        'main_funds',
        'funds',
        'reports',
        'roles',
        'service_providers',
        'option_lists',
        'lp_groups',
        'import_names',
      ]),
      files: 6,
      entities: 10,
    };
    expect(await sight(SYSTEM)).toEqual(everything);
    expect(await sight(testActor({ type: 'admin' }))).toEqual(everything);
  });

  test('a manager sees its own half', async () => {
    expect(await sight(testActor({ type: 'manager', managerId: one.managerId }))).toEqual({
      ...of(2, [...COMPANY_TABLES, ...INVESTOR_TABLES, 'companies', 'lps', 'users']),
      ...of(1, [
        ...HEADER_TABLES,
        'managers',
        'main_funds',
        'funds',
        'reports',
        'roles',
        'service_providers',
        'option_lists',
        'lp_groups',
        'import_names',
      ]),
      files: 3,
      entities: 5,
    });
  });

  test('a company sees its own lending and the base rates, and nothing of the fund or its sister', async () => {
    const actor = testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id });
    expect(await sight(actor)).toEqual({
      ...NOTHING,
      ...of(1, [...COMPANY_TABLES, 'companies', 'files', 'entities', 'option_lists']),
    });
  });

  test('an investor sees its own commitments and the funds it is in', async () => {
    const actor = testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[0]!] });
    expect(await sight(actor)).toEqual({
      ...NOTHING,
      ...of(1, [
        ...INVESTOR_TABLES,
        ...HEADER_TABLES,
        'lps',
        'lp_groups',
        'main_funds',
        'funds',
        'reports',
        'files',
        'entities',
      ]),
    });
  });

  test('an LP group sees the union of its LPs', async () => {
    const actor = testActor({ type: 'LPGroup', managerId: one.managerId, lpIds: one.lpIds });
    expect(await sight(actor)).toEqual({
      ...NOTHING,
      ...of(2, [...INVESTOR_TABLES, 'lps', 'entities']),
      ...of(1, [...HEADER_TABLES, 'lp_groups', 'main_funds', 'funds', 'reports', 'files']),
    });
  });

  test('a forged type, or none, sees nothing', async () => {
    const forged = { ...testActor({ type: 'manager', managerId: one.managerId }), type: 'owner' } as unknown as Actor;
    expect(await sight(forged)).toEqual(NOTHING);
    const client = new pg.Client({ connectionString: database.databaseUrl });
    await client.connect();
    const { rows } = await client.query('select count(*)::int as n from loan_tapes');
    await client.end();
    expect(rows).toEqual([{ n: 0 }]);
  });

  test('an id of another type does not widen what is seen', async () => {
    const actor = testActor({
      type: 'company',
      managerId: two.managerId,
      companyId: one.companies[0]!.id,
      lpIds: two.lpIds,
    });
    expect(await sight(actor)).toEqual({
      ...NOTHING,
      ...of(1, [...COMPANY_TABLES, 'companies', 'files', 'entities', 'option_lists']),
    });
  });
});

/** What still has the id of a blocked document: documents of their own that refer to it. Its title is not shown there. */
const NAMED: Partial<Record<DocumentCollection, readonly string[]>> = {
  funds: ['group_filters.fund_ids', 'history.updated_fields', 'obligations.fund_ids', 'transactions.notes'],
  mainFunds: ['funds.main_fund_id', 'history.updated_fields'],
  assetsETLs: ['contracts.mapping_id', 'history.updated_fields', 'loan_tapes.mapping_id'],
};

describe('one blocked document hides what belongs to it, its history and its notifications', () => {
  const tableOf = (collection: DocumentCollection): string =>
    [...HISTORY].find(([, history]) => 'resource' in history && history.resource === collection)![0];

  test.each(DOCUMENT_COLLECTIONS)('of %s', async (collection) => {
    const [document] = await database.query<{ id: string }>(
      `select id from ${tableOf(collection)} where manager_id = $1 order by code limit 1`,
      [one.managerId],
    );
    const readable = await database.query<{ name: string }>(
      `select table_name as name from information_schema.role_table_grants
       where grantee = 'tapeline_app' and table_schema = 'public' and privilege_type = 'SELECT' and table_name <> 'mikro_orm_migrations'`,
    );
    const named = (actor: Actor): Promise<string[]> =>
      database.store.as(actor, async ({ query }) => {
        const rows = await query<{ name: string }>(
          `select distinct name from (${readable
            .map(
              ({ name }) =>
                `select '${name}.' || part.key as name, part.value from ${name} t, jsonb_each_text(to_jsonb(t)) as part`,
            )
            .join(' union all ')}) as columns where position($1 in value) > 0 order by 1`,
          [document!.id],
        );
        return rows.map(({ name }) => name);
      });
    const manager = { type: 'manager' as const, managerId: one.managerId, userId: one.companies[0]!.userId };
    expect((await named(testActor(manager))).length).toBeGreaterThan(2);
    const blocked = testActor({ ...manager, blockedDocuments: [`${collection}/${document!.id}`] });
    expect(await named(blocked)).toEqual(NAMED[collection] ?? []);
  });
});

test('A document out of sight is not found, whatever the tenant', async () => {
  const tapeId = two.companies[0]!.tapeId;
  const actors = [
    testActor({ type: 'manager', managerId: one.managerId }),
    testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id }),
    testActor({ type: 'LP', lpIds: one.lpIds }),
  ];
  for (const actor of actors) {
    await expect(database.store.as(actor, (session) => getTape(session, tapeId))).rejects.toMatchObject({
      code: 'notFound',
    });
  }
});

test('Nobody writes into another tenant, nor moves a row there', async () => {
  const manager = testActor({ type: 'manager', managerId: one.managerId });
  const intrude = database.store.as(manager, async ({ em }) => {
    em.create(Company, { id: newId(), managerId: two.managerId, entityId: addEntity(em, two.managerId, 'Intruder') });
  });
  await expect(intrude).rejects.toThrow('row-level security');
  const move = database.store.as(manager, ({ query }) =>
    query('update companies set manager_id = $1 where id = $2', [two.managerId, one.companies[0]!.id]),
  );
  await expect(move).rejects.toThrow('row-level security');
  const reach = await database.store.as(manager, ({ query }) =>
    query(`update loan_tapes set failure = 'x' where id = $1 returning id`, [two.companies[0]!.tapeId]),
  );
  expect(reach).toEqual([]);
});

describe('who sees a row may not for that change it', () => {
  const borrower = () => testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id });
  const investor = () => testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[0]!] });
  const manager = () => testActor({ type: 'manager', managerId: one.managerId });
  /** How many rows of each table the actor can update, of all that it sees. */
  const touched = (actor: Actor, tables: readonly string[]) =>
    database.store.as(
      actor,
      async ({ query }) => {
        const counts: Record<string, number> = {};
        for (const table of tables) {
          counts[table] = (await query(`update ${table} set id = id returning id`)).length;
        }
        return counts;
      },
      { rollback: true },
    );
  const insertCopy = (actor: Actor, table: string, changes: Record<string, unknown>) =>
    database.store.as(
      actor,
      async ({ query }) => {
        const columns = Object.keys(changes);
        await query(
          `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
          Object.values(changes),
        );
        await query('set constraints all immediate');
      },
      { rollback: true },
    );

  test('a borrower changes none of its terms, mappings and borrowing bases, nor a tape that is published; its open proposal and its draw request that waits it may', async () => {
    expect(await touched(borrower(), TENANT_TABLES)).toEqual({
      ...NOTHING,
      correction_proposals: 1,
      draws: 1,
      files: 1,
    });
  });

  test('a borrower changes its own tape until it is published', async () => {
    const withTape = (work: (session: Session, tapeId: string) => Promise<unknown>) =>
      database.store.as(
        borrower(),
        async (session) => {
          const tape = await createTape(session, {
            companyId: one.companies[0]!.id,
            cutOffDate: '2026-11-30',
            mainCurrency: 'USD',
            exchangeRates: {},
            calculateBB: false,
            attachment: { bucket: 'loanTapes', key: 'k', name: 'n', size: 1, type: 'text/csv', checksum: null },
          });
          return work(session, tape.id);
        },
        { rollback: true },
      );
    const removed = withTape((session, id) => removeTape(session, { id }));
    await expect(removed).resolves.toMatchObject({ id: expect.any(String) });
    const published = withTape(({ query }, id) =>
      query('update loan_tapes set generation_id = $2, published_at = now(), counts = $3 where id = $1', [
        id,
        newId(),
        '{}',
      ]),
    );
    await expect(published).rejects.toThrow('row-level security');
  });

  test('a borrower makes no contract, transaction, mapping or borrowing base, even of its own company', async () => {
    for (const table of ['contracts', 'transactions', 'mappings', 'borrowing_bases']) {
      const copy = database.store.as(borrower(), async ({ query }) => {
        const [row] = await query<Record<string, unknown>>(`select to_jsonb(t) as row from ${table} t limit 1`);
        const [given] = await query<{ columns: string }>(
          `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
           where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        );
        await query(
          `insert into ${table} (${given!.columns}) overriding user value
           select ${given!.columns} from jsonb_populate_record(null::${table}, $1::jsonb)`,
          [JSON.stringify({ ...(row!.row as object), id: newId() })],
        );
      });
      await expect(copy).rejects.toThrow('row-level security');
    }
  });

  test('an investor changes nothing at all', async () => {
    expect(await touched(investor(), TENANT_TABLES)).toEqual(NOTHING);
    const commitment = {
      id: newId(),
      manager_id: one.managerId,
      fund_id: one.fundId,
      investor_kind: 'LP',
      investor_lp_id: one.lpIds[0],
      class: 'Another class',
      closing_date: '2026-01-31',
      currency: 'USD',
      max_commitment: '1000000',
      active_commitment: '0',
    };
    await expect(insertCopy(investor(), 'lp_commitments', commitment)).rejects.toThrow('row-level security');
    await expect(insertCopy(manager(), 'lp_commitments', commitment)).resolves.toBeUndefined();
  });

  test('a manager changes its tenant, but not who the manager is', async () => {
    expect(await touched(manager(), TENANT_TABLES)).toEqual({
      ...of(2, [...COMPANY_TABLES, ...INVESTOR_TABLES, 'companies', 'lps', 'users']),
      files: 3,
      ...of(1, [...HEADER_TABLES, 'main_funds', 'funds', 'reports', 'roles']),
      ...of(1, ['service_providers', 'option_lists', 'lp_groups', 'import_names']),
      // Its own entity is not among them.
      entities: 4,
      managers: 0,
    });
  });

  test('nobody gives themselves other rights by their own row', async () => {
    const [user] = await database.store.as(SYSTEM, ({ em }) =>
      em.find(User, { companyId: one.companies[0]!.id }, { limit: 1 }),
    );
    const self = { ...borrower(), userId: user!.id };
    const changed = await database.store.as(self, ({ query }) =>
      query(`update users set inclusive_resources = '{transactions}' where id = $1 returning id`, [user!.id]),
    );
    expect(changed).toEqual([]);
    const token = database.store.as(self, ({ query }) =>
      query(
        `insert into refresh_tokens (token_hash, family_id, user_id, successor_salt, signed_in_at, created_at, expires_at)
         values ('h', $1, $1, '', now(), now(), now())`,
        [user!.id],
      ),
    );
    await expect(token).rejects.toThrow('row-level security');
  });

  test('a file is put into nobody else’s sight', async () => {
    const file = (more: object) => ({
      id: newId(),
      bucket: 'loanTapes',
      key: newId(),
      name: 'n',
      size: 1,
      type: 'text/csv',
      created_at: new Date(),
      ...more,
    });
    const actor = investor();
    const own = { created_by_user_id: actor.userId };
    await expect(insertCopy(actor, 'files', file({ ...own, manager_id: one.managerId }))).resolves.toBeUndefined();
    for (const owner of [
      { manager_id: two.managerId },
      { company_id: one.companies[0]!.id },
      { manager_id: one.managerId, lp_id: one.lpIds[1] },
    ]) {
      await expect(insertCopy(actor, 'files', file({ ...own, ...owner }))).rejects.toThrow('row-level security');
    }
    const foreign = file({ manager_id: two.managerId, company_id: one.companies[0]!.id });
    await expect(insertCopy(borrower(), 'files', foreign)).rejects.toThrow('files_company');
  });
});

test('A manager sees the history of its own documents; it can be neither written, altered nor deleted', async () => {
  const seen = (actor: Actor) =>
    database.store.as(actor, ({ query }) =>
      query<{ resource: string; n: number }>(
        'select resource, count(distinct document_id)::int as n from history group by 1 order by 1',
      ),
    );
  const own = { companies: 2, contracts: 2, entities: 5, funds: 1, loanTapes: 2, users: 2 };
  expect(
    Object.fromEntries(
      (await seen(testActor({ type: 'manager', managerId: one.managerId }))).map(({ resource, n }) => [resource, n]),
    ),
  ).toMatchObject(own);
  expect(await seen(testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id }))).toEqual(
    [],
  );
  expect(await seen(testActor({ type: 'LP', managerId: one.managerId, lpIds: one.lpIds }))).toEqual([]);
  for (const statement of [
    `insert into history (id, resource) values ('${newId()}', 'x')`,
    `update history set resource = 'x'`,
    'delete from history',
  ]) {
    await expect(database.store.as(SYSTEM, ({ query }) => query(statement))).rejects.toThrow('permission denied');
  }
});

test('Every table has row level security in force, bound also for its owner, and the program owns none', async () => {
  const rows = await database.store.as(SYSTEM, ({ query }) =>
    query<{ relname: string; safe: boolean }>(
      `select relname, relrowsecurity and relforcerowsecurity and not pg_has_role(current_user, relowner, 'USAGE') as safe
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'mikro_orm_migrations'`,
    ),
  );
  expect(rows.filter((row) => !row.safe)).toEqual([]);
  expect(rows.map((row) => row.relname).sort()).toEqual(ENTITIES.map((entity) => entity.meta.tableName).sort());
});

test('The program’s plain role can tell whether the database is ready', async () => {
  await expect(database.store.ping()).resolves.toBeUndefined();
});

test('A superuser’s connection steps down to the program’s role', async () => {
  const store = await openStore({ databaseUrl: database.adminUrl, databasePoolSize: 2 });
  try {
    const [role] = await store.as(SYSTEM, ({ query }) => query('select current_user::text as name'));
    expect(role).toEqual({ name: 'tapeline_app' });
    const actor = testActor({ type: 'manager', managerId: one.managerId });
    const [seen] = await store.as(actor, ({ query }) => query('select count(*)::int as n from managers'));
    expect(seen).toEqual({ n: 1 });
  } finally {
    await store.close();
  }
});

/** Columns that only processes of the version before this one use, until a later migration drops them: see 125. */
const OF_THE_VERSION_BEFORE = [
  'imports.attempts',
  'imports.done_count',
  'import_drafts.check_attempts',
  'import_drafts.check_done',
  'import_drafts.check_queued_at',
];

test('What entities say of their columns is what the tables have', async () => {
  const columns = await database.store.as(SYSTEM, ({ query }) =>
    query<{ name: string; nullable: boolean; generated: boolean }>(
      // Do not use the information schema: it omits tables that the program has no rights on.
      `select relname || '.' || attname as name, not attnotnull as nullable, attgenerated <> '' as generated from pg_attribute join pg_class c on c.oid = attrelid
       where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'mikro_orm_migrations'
         and attnum > 0 and not attisdropped`,
    ),
  );
  const { metadata } = await database.store.as(SYSTEM, async ({ em }) => ({ metadata: em.getMetadata() }));
  const declared = ENTITIES.flatMap((entity) => {
    const meta = metadata.get(entity.meta.className as never);
    return meta.props.map((prop) => ({
      name: `${meta.tableName}.${prop.fieldNames[0]}`,
      nullable: Boolean(prop.nullable),
    }));
  });
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  // Only the database uses some of the columns that it computes.
  const names = new Set(declared.map(({ name }) => name));
  const expected = columns
    .filter(({ name, generated }) => (!generated || names.has(name)) && !OF_THE_VERSION_BEFORE.includes(name))
    .map(({ name, nullable }) => ({ name, nullable }));
  expect(declared.sort(byName)).toEqual(expected.sort(byName));
});

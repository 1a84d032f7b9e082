import { northwindFacility } from '@tapeline/domain/demonstration/facility.ts';
import { NORTHWIND_MAPPING } from '@tapeline/domain/demonstration/mappings.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { Actor } from '@tapeline/domain/people/actor.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fund, LPCommitment } from './entities/funds.ts';
import { ENTITIES } from './entities/index.ts';
import { Company, LP, Manager, Role, User } from './entities/people.ts';
import { newId } from './ids.ts';
import { saveBorrowingBase } from './operations/borrowing-bases/borrowing-bases.ts';
import { registerFile } from './operations/files/files.ts';
import { createMapping } from './operations/mappings/mappings.ts';
import { beginGeneration, publishGeneration } from './operations/tapes/generations.ts';
import { createTape, getTape, removeTape } from './operations/tapes/tapes.ts';
import { createTransaction } from './operations/transactions/transactions.ts';
import { openStore, type Session, SYSTEM } from './store.ts';
import { testActor } from './testing/actors.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-store.ts';

interface Tenant {
  managerId: string;
  companies: { id: string; tapeId: string }[];
  lpIds: string[];
  fundId: string;
}

let database: TestDatabase;
let one: Tenant;
let two: Tenant;

async function makeCompany(session: Session, managerId: string, fundId: string) {
  const { em, now } = session;
  const company = em.create(Company, { id: newId(now), managerId, entity: { name: 'A company' } });
  const assoc = { company: { id: company.id } };
  const person = { firstName: 'Bea', lastName: 'Lind', email: `${company.id}@example.test` };
  em.create(User, { id: newId(now), ...person, type: 'company', assoc, managerId, companyId: company.id });
  await em.flush();
  const mapping = await createMapping(session, { companyId: company.id, body: parseMapping(NORTHWIND_MAPPING) });
  const facility = northwindFacility({ company: company.id, mapping: mapping.id, fund: fundId });
  const transaction = await createTransaction(session, transactionSchema.parse(facility));
  const file = await registerFile(session, {
    bucket: 'loanTapes',
    name: 'tape.xlsx',
    size: 10,
    type: 'text/csv',
    managerId,
    companyId: company.id,
  });
  const tape = await createTape(session, {
    companyId: company.id,
    cutOffDate: '2026-10-31',
    mainCurrency: 'USD',
    exchangeRates: { USD: '1' },
    calculateBB: true,
    attachment: { bucket: file.bucket, key: file.key, name: file.name, size: 10, type: file.type, checksum: null },
  });
  const attempt = await beginGeneration(session, { tapeId: tape.id });
  await publishGeneration(session, {
    tapeId: tape.id,
    ...attempt,
    manifest: { assets: [], errored: [], columns: [], customFields: [] },
    counts: { dataRows: 0, assets: 0, errored: 0, discarded: 0, blankRows: 0 },
    statistics: { assetsStatuses: [], sum: [], outstandingSum: [] },
  });
  const figures = { currency: 'USD', netBB: '1.00', firstBB: '2.00', result: {}, resultKey: null };
  const contractId = transaction.notes[0]!.contracts[0]!.id!;
  await saveBorrowingBase(session, { tapeId: tape.id, generationId: attempt.generationId, contractId, ...figures });
  return { id: company.id, tapeId: tape.id };
}

async function makeTenant(session: Session): Promise<Tenant> {
  const { em, now } = session;
  const manager = em.create(Manager, { id: newId(now), entity: { name: 'A manager' } });
  const managerId = manager.id;
  em.create(Role, { id: newId(now), managerId, title: 'Their own', level: 9, permissions: [] });
  const fund = em.create(Fund, {
    id: newId(now),
    managerId,
    title: 'A fund',
    type: 'SMA',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: '1',
    hardCap: '1',
  });
  const lpIds: string[] = [];
  for (const title of ['Investor one', 'Investor two']) {
    const lp = em.create(LP, { id: newId(now), managerId, title, entity: { name: title } });
    em.create(LPCommitment, {
      id: newId(now),
      managerId,
      fundId: fund.id,
      investorKind: 'LP',
      investorLPId: lp.id,
      closingDate: '2026-01-31',
      currency: 'USD',
      maxCommitment: '10',
      activeCommitment: '10',
    });
    lpIds.push(lp.id);
  }
  await em.flush();
  const companies = [await makeCompany(session, managerId, fund.id), await makeCompany(session, managerId, fund.id)];
  return { managerId, companies, lpIds, fundId: fund.id };
}

beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = await database.store.as(SYSTEM, async (session) => [
    await makeTenant(session),
    await makeTenant(session),
  ]);
});
afterAll(() => database.close());

/** Of every table, how many rows the actor sees, and whether any is of the other tenant. */
async function sight(actor: Actor): Promise<Record<string, number>> {
  return database.store.as(actor, async ({ query }) => {
    const [row] = await query<Record<string, number>>(
      `select ${TENANT_TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`,
    );
    return row!;
  });
}

const COMPANY_TABLES = [
  'mappings',
  'transactions',
  'contracts',
  'loan_tapes',
  'tape_generations',
  'borrowing_bases',
  'files',
];
const TENANT_TABLES = [...COMPANY_TABLES, 'managers', 'companies', 'lps', 'funds', 'lp_commitments', 'users', 'roles'];
const of = (count: number, tables: readonly string[]) => Object.fromEntries(tables.map((table) => [table, count]));
const NOTHING = of(0, TENANT_TABLES);

describe('in every table', () => {
  test('the system and an admin see both tenants', async () => {
    const everything = {
      ...of(4, [...COMPANY_TABLES, 'companies', 'lps', 'lp_commitments', 'users']),
      ...of(2, ['managers', 'funds', 'roles']),
    };
    expect(await sight(SYSTEM)).toEqual(everything);
    expect(await sight(testActor({ type: 'admin' }))).toEqual(everything);
  });

  test('a manager sees its own half', async () => {
    expect(await sight(testActor({ type: 'manager', managerId: one.managerId }))).toEqual({
      ...of(2, [...COMPANY_TABLES, 'companies', 'lps', 'lp_commitments', 'users']),
      ...of(1, ['managers', 'funds', 'roles']),
    });
  });

  test('a company sees its own lending, and nothing of the fund or its sister', async () => {
    const actor = testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id });
    expect(await sight(actor)).toEqual({ ...NOTHING, ...of(1, [...COMPANY_TABLES, 'companies']) });
  });

  test('an investor sees its own commitments and the funds it is in', async () => {
    const actor = testActor({ type: 'LP', managerId: one.managerId, lpIds: [one.lpIds[0]!] });
    expect(await sight(actor)).toEqual({ ...NOTHING, lps: 1, lp_commitments: 1, funds: 1 });
  });

  test('an LP group sees the union of its LPs', async () => {
    const actor = testActor({ type: 'LPGroup', managerId: one.managerId, lpIds: one.lpIds });
    expect(await sight(actor)).toEqual({ ...NOTHING, lps: 2, lp_commitments: 2, funds: 1 });
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
    expect(await sight(actor)).toEqual({ ...NOTHING, ...of(1, [...COMPANY_TABLES, 'companies']) });
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
    em.create(Company, { id: newId(), managerId: two.managerId, entity: { name: 'Intruder' } });
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
  /** How many rows each table lets the actor update, of all that it sees. */
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

  test('a borrower changes none of its terms, mappings and borrowing bases, nor a tape that is published', async () => {
    expect(await touched(borrower(), TENANT_TABLES)).toEqual({ ...NOTHING, files: 1 });
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
    const removed = withTape((session, id) => removeTape(session, { id, onlyUnpublished: true }));
    await expect(removed).resolves.toMatchObject({ objectPrefix: expect.stringContaining('lake/') });
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
        await query(
          `insert into ${table} overriding user value select (jsonb_populate_record(null::${table}, $1::jsonb)).*`,
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
      ...of(2, [...COMPANY_TABLES, 'companies', 'lps', 'lp_commitments', 'users']),
      ...of(1, ['funds', 'roles']),
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

  test('history is written of what is in sight alone', async () => {
    const entry = (more: object) => ({
      id: newId(),
      resource: 'contracts',
      document_id: newId(),
      operation: 'Update',
      updated_fields: '[]',
      changed_by: '{}',
      changed_at: new Date(),
      ...more,
    });
    await expect(insertCopy(manager(), 'history', entry({ manager_id: one.managerId }))).resolves.toBeUndefined();
    for (const [actor, owner] of [
      [manager(), { manager_id: two.managerId }],
      [borrower(), { company_id: one.companies[1]!.id }],
      [investor(), { manager_id: one.managerId }],
    ] as const) {
      await expect(insertCopy(actor, 'history', entry(owner))).rejects.toThrow('row-level security');
    }
  });
});

test('History shows what the actor sees of the documents, and can be neither altered nor deleted', async () => {
  const company = testActor({ type: 'company', managerId: one.managerId, companyId: one.companies[0]!.id });
  const resources = await database.store.as(company, ({ query }) =>
    query<{ resource: string; n: number }>(
      'select resource, count(distinct document_id)::int as n from history group by 1 order by 1',
    ),
  );
  expect(resources).toEqual(
    ['assetsETLs', 'borrowingBases', 'companies', 'contracts', 'loanTapes', 'transactions', 'users'].map(
      (resource) => ({
        resource,
        n: 1,
      }),
    ),
  );
  for (const statement of [`update history set resource = 'x'`, 'delete from history']) {
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

test('What entities say of their columns is what the tables have', async () => {
  const columns = await database.store.as(SYSTEM, ({ query }) =>
    query<{ name: string; nullable: boolean }>(
      `select table_name || '.' || column_name as name, is_nullable = 'YES' as nullable
       from information_schema.columns where table_schema = 'public' and table_name <> 'mikro_orm_migrations'`,
    ),
  );
  const { metadata } = await database.store.as(SYSTEM, async ({ em }) => ({ metadata: em.getMetadata() }));
  const declared = ENTITIES.flatMap((entity) => {
    const meta = metadata.get(entity.meta.className as never);
    return meta.props.map((prop) => ({
      name: `${meta.tableName}.${prop.fieldNames[0]}`,
      nullable: Boolean(prop.nullable) || Boolean(prop.generated),
    }));
  });
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  expect(declared.sort(byName)).toEqual(columns.sort(byName));
});

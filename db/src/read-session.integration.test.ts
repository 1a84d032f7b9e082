import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTITIES } from './entities/index.ts';
import { type Company, Manager } from './entities/people.ts';
import { CurrencyRate } from './entities/records.ts';
import { newId } from './ids.ts';
import { findDocuments } from './read-session.ts';
import { openStore, type Store, SYSTEM } from './store.ts';
import { testActor } from './testing/actors.ts';
import { addEntity } from './testing/entities.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-store.ts';

let database: TestDatabase;
/** A single connection for everything: anything that a read leaves behind on it would affect the next read. */
let store: Store;
let managerIds: string[];
beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  store = await openStore({ databaseUrl: database.databaseUrl, databasePoolSize: 1 });
  managerIds = await store.read(SYSTEM, async (session) =>
    (await findDocuments(session, Manager, 'order by t.id')).map(({ id }) => id),
  );
});
afterAll(async () => {
  await store.close();
  await database.close();
});

const companiesOf = (managerId: string) =>
  store.read(testActor({ type: 'manager', managerId }), async ({ query }) =>
    (await query<{ manager_id: string }>('select manager_id from companies')).map((row) => row.manager_id),
  );

test('A document that is read has the same properties as one that is managed, in every table', async () => {
  const orm = new MikroORM({ clientUrl: database.databaseUrl, entities: [...ENTITIES], connect: false } as never);
  const compared: string[] = [];
  for (const entity of ENTITIES) {
    const { className, tableName, props, primaryKeys } = orm.getMetadata(entity as typeof Company);
    const [{ may } = { may: false }] = await database.store.read(SYSTEM, ({ query }) =>
      query<{ may: boolean }>(`select has_table_privilege($1, 'select') as may`, [tableName]),
    );
    if (!may) continue;
    const eager = props.filter(({ lazy }) => !lazy).map(({ name }) => name);
    const managed = await database.store.as(SYSTEM, async ({ em }) =>
      (await em.find(entity as typeof Company, {})).map((document) =>
        Object.fromEntries(eager.map((name) => [name, (document as Record<string, unknown>)[name]])),
      ),
    );
    const byKey = (one: Record<string, unknown>) => primaryKeys.map((key) => String(one[key])).join();
    const sorted = (all: Record<string, unknown>[]) => all.sort((a, b) => (byKey(a) < byKey(b) ? -1 : 1));
    const read = await database.store.read(SYSTEM, (session) => findDocuments(session, entity as typeof Company, ''));
    expect(sorted(read as never), className).toEqual(sorted(managed));
    if (read.length > 0) compared.push(className);
  }
  await orm.close();
  expect(compared).toEqual(
    expect.arrayContaining(['User', 'Fund', 'LPCommitment', 'Contract', 'History', 'CurrencyRate']),
  );
});

describe('on one connection', () => {
  test('each call sees what its own actor may, in whatever order they come', async () => {
    expect(managerIds.length).toBeGreaterThan(1);
    for (const calls of [managerIds, managerIds.toReversed(), [...managerIds, ...managerIds]]) {
      const seen = await Promise.all(calls.map(companiesOf));
      expect(seen.map((ids) => [...new Set(ids)])).toEqual(calls.map((id) => [id]));
    }
  });

  test('nothing of the actor is left for what comes after it', async () => {
    await companiesOf(managerIds[0]!);
    const left = `select current_setting('tapeline.actor_type', true) as type, current_setting('transaction_read_only') as only`;
    // A forged actor has no settings but its type, and sees nothing.
    const nobody = { ...testActor({ type: 'manager' }), type: '' } as never;
    expect(await store.read(nobody, ({ query }) => query('select 1 from companies'))).toEqual([]);
    expect(await store.as(SYSTEM, ({ query }) => query(left))).toEqual([{ type: 'system', only: 'off' }]);
  });

  test('a read cannot write, and the next call goes on as usual', async () => {
    const rates = () => store.read(SYSTEM, (session) => findDocuments(session, CurrencyRate, ''));
    const before = await rates();
    const write = store.read(SYSTEM, ({ query }) => query('delete from currency_rates'));
    await expect(write).rejects.toThrow('read-only transaction');
    const lift = store.read(SYSTEM, ({ queries }) =>
      queries([
        { sql: `select set_config('transaction_read_only', 'off', true)` },
        { sql: 'delete from currency_rates' },
      ]),
    );
    await expect(lift).rejects.toThrow('read-write mode');
    expect(await rates()).toEqual(before);
    expect(before).not.toEqual([]);
  });

  test('a statement that fails takes the others with it, kept or not', async () => {
    const good = { sql: 'select $1::int as n', values: [7], kept: true };
    const bad = { sql: 'select 1 / $1::int as n', values: [0], kept: true };
    for (let time = 0; time < 2; time += 1) {
      await expect(store.read(SYSTEM, ({ queries }) => queries([good, bad]))).rejects.toThrow('division by zero');
      expect(await store.read(SYSTEM, ({ queries }) => queries([good, good]))).toEqual([[{ n: 7 }], [{ n: 7 }]]);
    }
  });

  test('what is asked at once is one transaction, and each call gets its own rows', async () => {
    const now = 'select now()::text as at, $1::int as n';
    const asked = await store.read(SYSTEM, async ({ query, queries }) => {
      const [first, several, last] = await Promise.all([
        query<{ at: string; n: number }>(now, [1]),
        queries<{ at: string; n: number }[][]>([
          { sql: now, values: [2], kept: true },
          { sql: now, values: [3] },
        ]),
        query<{ at: string; n: number }>(now, [4]),
      ]);
      const [later] = await query<{ at: string }>('select now()::text as at');
      return { rows: [first, ...several, last].flat(), later: later?.at };
    });
    expect(asked.rows.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    expect(new Set(asked.rows.map(({ at }) => at)).size).toBe(1);
    expect(asked.later).not.toBe(asked.rows[0]?.at);
  });

  test('each statement gets its own rows, whichever of them are kept', async () => {
    const isKept = [false, true, true, false, true, false];
    const statements = isKept.map((kept, index) => ({
      sql: `select ${index} as n, $1::int as v`,
      values: [index * 10],
      kept,
    }));
    for (let time = 0; time < 2; time += 1) {
      const rows = await store.read(SYSTEM, ({ queries }) => queries(statements));
      expect(rows).toEqual(isKept.map((_, index) => [{ n: index, v: index * 10 }]));
    }
  });

  test('100 statements stay prepared, and those that were used last are among them', async () => {
    const often = { sql: 'select $1::int as often', values: [1], kept: true };
    const prepared = () =>
      store.read(SYSTEM, ({ query }) => query<{ statement: string }>('select statement from pg_prepared_statements'));
    for (let one = 0; one < 150; one += 1) {
      const rare = { sql: `select ${one} as rare`, kept: true };
      const answers = await store.read(SYSTEM, ({ queries }) => queries([rare, often]));
      expect(answers).toEqual([[{ rare: one }], [{ often: 1 }]]);
    }
    // What the first one adds gives way when its batch ends.
    await prepared();
    const texts = (await prepared()).map(({ statement }) => statement);
    expect(texts).toHaveLength(100);
    expect(texts.filter((text) => text.includes('as often'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('select 149 as rare'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('select 0 as rare'))).toEqual([]);
    expect(await store.read(SYSTEM, ({ query }) => query('select 0 as rare', [], { kept: true }))).toEqual([
      { rare: 0 },
    ]);
  });

  test('a session that writes keeps its statements prepared as well, and sees what it has written', async () => {
    const many = 'select count(*)::int as n, $1::text as word from managers';
    const count = (word: string, add: boolean) =>
      store.as(
        SYSTEM,
        async (session) => {
          const id = newId();
          if (add) session.em.create(Manager, { id, entityId: addEntity(session.em, id, 'Another') });
          await session.em.flush();
          return session.query(many, [word], { kept: true });
        },
        { rollback: true },
      );
    expect(await count('first', false)).toEqual([{ n: managerIds.length, word: 'first' }]);
    expect(await count('second', true)).toEqual([{ n: managerIds.length + 1, word: 'second' }]);
    const prepared = await store.as(SYSTEM, ({ query }) =>
      query('select statement from pg_prepared_statements where strpos(statement, $1) > 0', [many]),
    );
    expect(prepared).toHaveLength(1);
    // Others are planned for their values again.
    const mode = await store.as(SYSTEM, async ({ query }) => {
      await query(many, ['third'], { kept: true });
      return query(`select current_setting('plan_cache_mode') as mode`);
    });
    expect(mode).toEqual([{ mode: 'auto' }]);
  });

  test('a kept statement that fails in a session that writes can be asked again', async () => {
    const divide = (by: number) =>
      store.as(SYSTEM, ({ query }) => query('select 6 / $1::int as n', [by], { kept: true }));
    for (let time = 0; time < 2; time += 1) {
      await expect(divide(0)).rejects.toThrow('division by zero');
      expect(await divide(2)).toEqual([{ n: 3 }]);
    }
    const broken = () => store.as(SYSTEM, ({ query }) => query('select 1 from no_such_table', [], { kept: true }));
    await expect(broken()).rejects.toThrow('no_such_table');
    await expect(broken()).rejects.toThrow('no_such_table');
    expect(await divide(3)).toEqual([{ n: 2 }]);
  });

  test('if a statement fails, all that is asked at once does, and what is asked later does not', async () => {
    const outcome = await store.read(SYSTEM, async ({ query }) => {
      const both = await Promise.allSettled([query('select 1 as n'), query('select 1 / $1::int as n', [0])]);
      return { both: both.map(({ status }) => status), later: await query('select 2 as n') };
    });
    expect(outcome).toEqual({ both: ['rejected', 'rejected'], later: [{ n: 2 }] });
  });

  test('the queries of a writing session answer alike, and see what it has written', async () => {
    const statements = [
      { sql: 'select count(*)::int as n from managers' },
      { sql: 'select $1::text as t', values: ['x'] },
    ];
    const written = store.as(
      SYSTEM,
      async (session) => {
        const id = newId();
        session.em.create(Manager, { id, entityId: addEntity(session.em, id, 'A third') });
        await session.em.flush();
        return session.queries(statements);
      },
      { rollback: true },
    );
    expect(await written).toEqual([[{ n: managerIds.length + 1 }], [{ t: 'x' }]]);
    expect(await store.read(SYSTEM, ({ queries }) => queries(statements))).toEqual([
      [{ n: managerIds.length }],
      [{ t: 'x' }],
    ]);
  });
});

test('Bound values arrive as they are', async () => {
  const texts = ['plain', '', 'a"b', String.raw`a\b`, 'a,b', '{x}', 'NULL', "it's", 'Zürich', '  '];
  const at = new Date('2026-11-02T09:30:00.125Z');
  const [row] = await store.read(SYSTEM, ({ query }) =>
    query(
      `select $1::text[] as texts, $2::timestamptz = '2026-11-02 09:30:00.125+00' as same, $3::jsonb as body, $4::boolean as yes,
         $5::text as nothing, $6::text[] as holed, $7::double precision as figure, $8::text[] as empty`,
      [texts, at, { a: ['b'] }, true, null, ['a', null], 0.1, []],
    ),
  );
  expect(row).toEqual({
    texts,
    same: true,
    body: { a: ['b'] },
    yes: true,
    nothing: null,
    holed: ['a', null],
    figure: 0.1,
    empty: [],
  });
});

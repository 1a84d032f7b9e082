import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDatabase } from './check-database.ts';
import { migrate } from './migrate.ts';
import { BASELINE, MIGRATIONS } from './migrations/index.ts';
import { checksumOf, FOLDED } from './migrations/version.ts';
import { type EmptyDatabase, makeEmptyDatabase } from './testing/empty-database.ts';
import { createTestDatabase } from './testing/test-store.ts';
import { openStoreWhenReady } from './wait-for.ts';

let database: EmptyDatabase;
beforeAll(async () => {
  // The first migrated database of a server makes the program's role.
  await (await createTestDatabase()).close();
  database = await makeEmptyDatabase();
});
afterAll(() => database.close());

const migrated = (options?: Parameters<typeof migrate>[1]) => migrate(database.databaseAdminUrl, options);
const openStore = () =>
  openStoreWhenReady(
    { databaseUrl: database.databaseUrl, databasePoolSize: 1, startupWaitSeconds: 0 },
    { info: () => undefined },
  );

test('an empty database is migrated, and a migrated one is left as it is', async () => {
  expect(await migrated()).toEqual({ ran: MIGRATIONS.map(({ name }) => name), repaired: [] });
  expect(await migrated()).toEqual({ ran: [], repaired: [] });
  expect(await checkDatabase(database)).toMatchObject({ problems: [] });
});

test('tables, columns, indexes, functions and rights that somebody added for other purposes are no difference', async () => {
  await database.query(`
    create table of_the_bank (id integer primary key);
    alter table companies add column of_the_bank text;
    create index of_the_bank_name on companies (of_the_bank);
    create function of_the_bank() returns integer language sql return 1;
    grant select on of_the_bank to public`);
  expect(await migrated()).toEqual({ ran: [], repaired: [] });
});

describe('what is not as the migrations make it', () => {
  /** What somebody did to the database, and what is reported. */
  const DAMAGE: Readonly<Record<string, string>> = {
    'the column contributions.metadata is not as it should be':
      'alter table contributions alter column metadata drop not null',
    'the column notifications.level is missing': 'alter table notifications drop column level cascade',
    'the function actor_sees_all() is not as it should be':
      'create or replace function actor_sees_all() returns boolean stable parallel safe language sql return true',
    // Other names of parameters: PostgreSQL can't replace it, and a check of commitments calls it.
    'the function deltas_hold(jsonb,date,numeric,numeric) is not as it should be': `
      drop function deltas_hold cascade;
      create function deltas_hold(list jsonb, closing date, active numeric, most numeric) returns boolean immutable parallel safe language sql return true;
      alter table lp_commitments add constraint lp_commitments_deltas check (deltas_hold(deltas, closing_date, active_commitment, max_commitment));
      do $$ begin
        execute format('alter function deltas_hold owner to %I', (select tableowner from pg_tables where tablename = 'lp_commitments'));
      end $$`,
    // A function that acts as the owner of the tables.
    'the right forget_history(timestamp with time zone,integer): EXECUTE to public should not exist':
      'grant execute on function forget_history to public',
    'the index contracts.contracts_one_active is missing': 'drop index contracts_one_active',
    'the policy funds.blocked is missing': 'drop policy blocked on funds',
    'the policy funds.everybody should not exist': 'create policy everybody on funds using (true)',
    'the table funds is not as it should be': 'alter table funds disable row level security',
    'the trigger funds.funds_history is missing': 'drop trigger funds_history on funds',
    'the right document_codes: SELECT to tapeline_app should not exist':
      'grant select on document_codes to tapeline_app',
  };

  test('is not a function that PostgreSQL describes in other words after it was made from its own', async () => {
    const [{ definition } = { definition: '' }] = await database.query<{ definition: string }>(
      `select pg_get_functiondef('deltas_hold'::regproc) as definition`,
    );
    await database.query(definition);
    expect(
      await database.query(`select 1 where pg_get_functiondef('deltas_hold'::regproc) <> $1`, [definition]),
    ).toHaveLength(1);
    expect(await migrated()).toEqual({ ran: [], repaired: [] });
  });

  test('is named, refused and reported, and repaired on request', async () => {
    for (const statement of Object.values(DAMAGE)) await database.query(statement);
    const refused = await migrated().then(
      () => '',
      (error: Error) => error.message,
    );
    const { problems } = await checkDatabase(database);
    expect(problems).toHaveLength(1);
    for (const [named, text] of [['refused', refused] as const, ['reported', problems[0]!] as const]) {
      expect(text, named).toContain('The tables are not those that the migrations make:');
      expect(text, named).toContain('npm run migrate -- --repair');
    }
    const { ran, repaired } = await migrated({ repair: true });
    expect(ran).toEqual([]);
    expect(repaired).toEqual(expect.arrayContaining(Object.keys(DAMAGE)));
    expect(await migrated()).toEqual({ ran: [], repaired: [] });
    expect(await checkDatabase(database)).toMatchObject({ problems: [] });
  });

  test('is repaired with the checks and triggers of other tables that call it, or not at all', async () => {
    const renamed = DAMAGE['the function deltas_hold(jsonb,date,numeric,numeric) is not as it should be']!;
    await database.query(renamed);
    await database.query(`
      create table of_the_auditor (deltas jsonb, constraint sound check (deltas_hold(deltas, null, 0, 0)));
      create trigger watched before insert on of_the_auditor for each row when (deltas_hold(new.deltas, null, 0, 0))
        execute function suppress_redundant_updates_trigger();
      do $$ begin
        execute format('alter table of_the_auditor owner to %I', (select tableowner from pg_tables where tablename = 'lp_commitments'));
      end $$`);
    const { repaired } = await migrated({ repair: true });
    expect(repaired).toEqual(
      expect.arrayContaining([
        'the constraint of_the_auditor.sound is missing',
        'the trigger of_the_auditor.watched is missing',
      ]),
    );
    const callers = () =>
      database.query<{ name: string }>(
        `select conname as name from pg_constraint where conname = 'sound' union all select tgname from pg_trigger where tgname = 'watched'`,
      );
    expect((await callers()).map(({ name }) => name)).toEqual(['sound', 'watched']);
    // What is outside the schema can't be made again.
    await database.query('drop table of_the_auditor');
    await database.query(renamed);
    await database.query(`
      create schema auditor;
      create table auditor.books (deltas jsonb, constraint sound check (deltas_hold(deltas, null, 0, 0)))`);
    await expect(migrated({ repair: true })).rejects.toThrow(
      /nothing was changed:\n- the function deltas_hold[\s\S]*something of your own is named here/,
    );
    expect((await callers()).map(({ name }) => name)).toEqual(['sound']);
    await database.query('drop schema auditor cascade');
    expect((await migrated({ repair: true })).repaired).toContain(
      'the function deltas_hold(jsonb,date,numeric,numeric) is not as it should be',
    );
  });

  test('undoes the migrations that ran before it was found, and is repaired before them', async () => {
    const earlier = await makeEmptyDatabase();
    try {
      const next = MIGRATIONS.findIndex(({ name }) => name === '30-search');
      const later = MIGRATIONS.slice(next).map(({ name }) => name);
      const upgrade = (options?: Parameters<typeof migrate>[1]) => migrate(earlier.databaseAdminUrl, options);
      await upgrade({ to: MIGRATIONS[next - 1]!.name });
      await earlier.query('drop policy blocked on funds');
      await expect(upgrade()).rejects.toThrow('the policy funds.blocked is missing');
      expect(await earlier.query('select name from mikro_orm_migrations where name = any ($1)', [later])).toEqual([]);
      expect(await upgrade({ repair: true })).toEqual({
        ran: later,
        repaired: ['the policy funds.blocked is missing'],
      });
    } finally {
      await earlier.close();
    }
  });

  test('is named instead of the error of a migration that needs it', async () => {
    const earlier = await makeEmptyDatabase();
    try {
      const upgrade = (options?: Parameters<typeof migrate>[1]) => migrate(earlier.databaseAdminUrl, options);
      await upgrade({ to: MIGRATIONS[MIGRATIONS.findIndex(({ name }) => name === '25-notifications') - 1]!.name });
      await earlier.query('drop function own_messages cascade');
      await expect(upgrade()).rejects.toThrow(
        /^The tables are not those that the migrations make:[\s\S]*\n- the function own_messages\(\) is missing[\s\S]*npm run migrate -- --repair/,
      );
      expect((await upgrade({ repair: true })).repaired).toContain('the function own_messages() is missing');
    } finally {
      await earlier.close();
    }
  });

  test('is not repaired if data could be lost: nothing changes, and the message says how to move the data', async () => {
    await database.query('alter table document_codes alter column last type bigint');
    await database.query('drop policy blocked on funds');
    await expect(migrated({ repair: true })).rejects.toThrow(
      /can't be repaired, and nothing was changed:\n- the column document_codes\.last is not as it should be[\s\S]*make a backup with the version/,
    );
    expect(
      await database.query(`select polname from pg_policy where polname = 'blocked' and polrelid = 'funds'::regclass`),
    ).toEqual([]);
    await database.query('alter table document_codes alter column last type integer');
    expect((await migrated({ repair: true })).repaired).toEqual(['the policy funds.blocked is missing']);
  });
});

describe('a migration that did something else when it ran', () => {
  const changeChecksum = () =>
    database.query(`update mikro_orm_migrations set checksum = 'of other text' where name = $1`, [MIGRATIONS[3]!.name]);

  test('stops the program and the migrations, until the tables are compared and repaired', async () => {
    await changeChecksum();
    const problem = `The migration ${MIGRATIONS[3]!.name} did something else when this database ran it.`;
    await expect(openStore()).rejects.toThrow(problem);
    await expect(migrated()).rejects.toThrow(problem);
    expect((await checkDatabase(database)).problems).toEqual([expect.stringContaining(problem)]);
    expect(await migrated({ repair: true })).toEqual({ ran: [], repaired: [] });
    await (await openStore()).close();
  });
});

describe('a database from before the migrations were folded', () => {
  const later = MIGRATIONS.slice(BASELINE.length).map(({ name }) => name);
  /** What a database of then has in place of the baseline. Only the last of its names says anything. */
  const storeFolded = async (count: number) => {
    const folded = [...Array.from({ length: count - 1 }, (_, index) => `${index + 1}-of-then`), FOLDED.last];
    const names = [...folded, ...later];
    await database.query('delete from mikro_orm_migrations');
    await database.query('insert into mikro_orm_migrations (name) select unnest($1::text[])', [names]);
    return names;
  };
  const storedNames = async () =>
    (await database.query<{ name: string }>('select name from mikro_orm_migrations order by id')).map(
      ({ name }) => name,
    );

  test('is used, and migrated, like a new one if it has all of them and its tables are those of the baseline', async () => {
    const names = await storeFolded(FOLDED.count);
    await (await openStore()).close();
    expect(await checkDatabase(database)).toMatchObject({ problems: [] });
    await database.query('drop policy blocked on funds');
    await expect(migrated()).rejects.toThrow('the policy funds.blocked is missing');
    expect(await storedNames()).toEqual(names);
    expect(await migrated({ repair: true })).toEqual({ ran: [], repaired: ['the policy funds.blocked is missing'] });
    expect(await database.query('select name, checksum from mikro_orm_migrations')).toEqual(
      expect.arrayContaining(
        MIGRATIONS.map((migration) => ({ name: migration.name, checksum: checksumOf(migration) })),
      ),
    );
    expect(await storedNames()).toHaveLength(MIGRATIONS.length);
    expect(await migrated()).toEqual({ ran: [], repaired: [] });
  });

  test('is refused if it has only some of them, with the commit that has them all, and nothing changes', async () => {
    const names = await storeFolded(FOLDED.count - 1);
    const problem = `it has ${FOLDED.count - 1} of the ${FOLDED.count} migrations that were folded into the baseline. Nothing was changed. Run \`npm run migrate\` of commit ${FOLDED.commit} first`;
    await expect(openStore()).rejects.toThrow(problem);
    await expect(migrated()).rejects.toThrow(problem);
    await expect(migrated({ repair: true })).rejects.toThrow(problem);
    expect((await checkDatabase(database)).problems).toEqual([expect.stringContaining(problem)]);
    expect(await storedNames()).toEqual(names);
  });
});

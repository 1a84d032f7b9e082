import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { rememberColumns, statementAccount } from '@tapeline/db/operations/cash/statement-accounts.ts';
import { listStatementFiles } from '@tapeline/db/operations/cash/statement-files.ts';
import { readableFile } from '@tapeline/db/operations/files/readable-files.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { type Store, SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { type CashLedger, mt940Statement, openCashLedger } from '@tapeline/db/testing/cash-ledger.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import {
  DELIVERY_REST_MS,
  deliveryPrefix,
  MAX_DELIVERIES_LEFT,
  MAX_DELIVERIES_TAKEN,
  MAX_REFUSALS_TOLD,
} from '@tapeline/domain/cash/statement-delivery.ts';
import { MAX_STATEMENT_BYTES } from '@tapeline/domain/cash/statement-limits.ts';
import type { CsvMapping } from '@tapeline/domain/cash/statements/csv-mapping.ts';
import type { PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startObjectStorage, type TestObjectStorage } from '../testing/object-storage.ts';
import { claimStorage } from './claim.ts';
import { compareObjects, EVERY_OBJECT } from './compare-objects.ts';
import { openFileStore } from './file-store.ts';
import { type ObjectStore, objectKey } from './object-store.ts';
import { openS3Store } from './s3-store.ts';
import { listDeliveries, takeDelivery } from './statement-deliveries.ts';
import { sweepObjects } from './sweep.ts';

const DAY_MS = 24 * 3_600_000;
/** A file that is written now has rested by then. */
const later = (ms = DELIVERY_REST_MS + 1_000) => new Date(Date.now() + ms);

let storage: TestObjectStorage;
let home: string;
let database: TestDatabase;
let ledger: CashLedger;
let objects: ObjectStore;
let managerId: string;
let places = 0;

beforeAll(async () => {
  storage = await startObjectStorage({ pageSize: 10 });
  home = await mkdtemp(join(tmpdir(), 'deliveries-'));
});
afterAll(async () => {
  await storage?.close();
  await rm(home, { recursive: true, force: true });
});

async function openStorage(kind: 'files' | 's3'): Promise<ObjectStore> {
  places += 1;
  const opened =
    kind === 's3'
      ? await openS3Store({ ...storage.settings, prefix: `test-${places}/` }, home)
      : await openFileStore({ home: join(home, String(places)), appSecret: 'only for tests', publicUrl: 'http://x' });
  onTestFinished(() => opened.close());
  return opened;
}

const deliver = (name: string, content: string | Buffer) =>
  objects.putStream(`${deliveryPrefix(managerId)}${name}`, Readable.from([Buffer.from(content)]));

/** One run of the job, for the manager. */
async function run(now = later(), store: Store = database.store, of = objects) {
  const { ready } = await listDeliveries(of, managerId, now);
  const outcomes: Record<string, string> = {};
  for (const object of ready) {
    outcomes[object.key.slice(deliveryPrefix(managerId).length)] = await takeDelivery(
      { store, objects: of },
      object,
      now,
    );
  }
  return outcomes;
}

async function keysOf(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list(`bankStatements/${managerId}/${prefix}`)) keys.push(key);
  return keys.map((key) => key.replace(`bankStatements/${managerId}/`, ''));
}
const files = async (actor = ledger.manager()) => {
  const { documents } = await ledger.as((session) => listStatementFiles(session), actor);
  return documents;
};
const counted = async () => {
  const [row] = await database.query<Record<string, number>>(
    `select (select count(*)::int from bank_statements where bank_account_id = $1) as statements,
       (select count(*)::int from payments where bank_account_id = $1) as payments`,
    [ledger.account],
  );
  return row;
};
const statement = (number: number, day = '2026-05-04', reference = `R${number}`, text = 'PAYMENT') =>
  mt940Statement(number, day, '1000', [{ amount: '10.00', reference, text }]);

/** A person of the manager with these permissions, and documents that are blocked for them. */
async function addPerson(permissions: readonly PermissionKey[], blocked: readonly string[] = []): Promise<UserActor> {
  const [userId, roleId] = [newId(), newId()];
  const own = { firstName: 'Ada', lastName: 'Ray', email: `${userId}@example.test` };
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(Role, { id: roleId, managerId, title: `Role ${roleId}`, level: 5, permissions: [...permissions] });
    em.create(User, {
      id: userId,
      ...own,
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
      roleId,
      type: 'manager',
      assoc: { manager: { id: managerId } },
      managerId,
      exclusiveResources: [...blocked],
    });
  });
  return { ...testActor({ type: 'manager', managerId, permissions, blockedDocuments: blocked }), userId, ...own };
}

const toldOf = (person: UserActor) =>
  database.query<{ title: string; description: string; page: string; kind: string }>(
    'select title, description, page, kind from notifications where user_id = $1 order by id',
    [person.userId],
  );

const MAPPING: CsvMapping = {
  separator: ';',
  decimal: ',',
  dateOrder: 'DMY',
  bookedOn: 'Day',
  valuedOn: null,
  amount: 'Amount',
  debit: null,
  credit: null,
  balance: null,
  currency: null,
  reference: null,
  charges: null,
  counterpartyName: null,
  counterpartyAccount: null,
  remittance: ['Text'],
};
const CSV = 'Day;Amount;Text\n04.05.2026;12,50;Interest\n';

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, seedFoundations);
  return () => database.close();
});
beforeEach(async () => {
  ledger = await openCashLedger(database, { now: new Date() });
  ({ managerId } = ledger.tenant);
});

describe.each(['files', 's3'] as const)('in %s', (kind) => {
  beforeEach(async () => {
    objects = await openStorage(kind);
  });

  test('a delivered file is imported as an upload is, by the program, and moved', async () => {
    const content = statement(1);
    await deliver('2026-05-04.sta', content);
    expect(await run()).toEqual({ '2026-05-04.sta': 'imported' });
    expect(await keysOf('incoming/')).toEqual([]);
    const [file] = await files();
    expect(file).toMatchObject({ name: '2026-05-04.sta', outcome: 'Imported', reason: null, statements: 1, added: 1 });
    expect(file?.metadata.createdBy).toMatchObject({ entity: { apiName: 'Statement delivery' } });
    const by = await database.query<Record<string, unknown>>(
      `select metadata #>> '{createdBy,entity,apiName}' as name from payments where bank_account_id = $1
       union all select changed_by #>> '{entity,apiName}' from history where resource = 'bankStatements' and manager_id = $2`,
      [ledger.account, managerId],
    );
    expect(by).toEqual([{ name: 'Statement delivery' }, { name: 'Statement delivery' }]);
    // Whoever may see its statements opens the file.
    const stored = await ledger.as((session) => readableFile(session, file!.fileId!));
    expect(await text(await objects.getStream(objectKey(stored.bucket, stored.key)))).toBe(content);
    expect(stored.key).toBe(`${managerId}/imported/${file!.id}/2026-05-04.sta`);
  });

  test('a file that was written within a minute waits, and one that is still written is left alone', async () => {
    await deliver('new.sta', statement(1));
    for (const name of ['a.sta.part', 'b.filepart', 'c.tmp']) await deliver(name, 'half of it');
    expect(await run(later(DELIVERY_REST_MS - 10_000))).toEqual({});
    expect(await run(later(DELIVERY_REST_MS + 1_000))).toEqual({ 'new.sta': 'imported' });
    expect(await keysOf('incoming/')).toHaveLength(3);
    expect(await files()).toHaveLength(1);
  });

  test('a refused file is moved with its reason beside it, told of once, and does not keep the next one waiting', async () => {
    const [fund] = await database.query<{ id: string }>('select id from funds where manager_id = $1', [managerId]);
    const [writes, reads] = [await addPerson(['payments/read', 'payments/write']), await addPerson(['payments/read'])];
    const blocked = await addPerson(['payments/read', 'payments/write'], [`funds/${fund!.id}`]);
    const strange = statement(1).replace('US640210000210004471', 'DE89370400440532013000');
    await deliver('a.sta', strange);
    await deliver('b.sta', statement(2));
    expect(await run()).toEqual({ 'a.sta': 'refused', 'b.sta': 'imported' });
    expect(await run()).toEqual({});
    const [imported, refused] = await files();
    expect(imported).toMatchObject({ name: 'b.sta', outcome: 'Imported' });
    const reason = expect.stringContaining('the account DE89370400440532013000, which is none of your bank accounts');
    expect(refused).toMatchObject({ name: 'a.sta', outcome: 'Refused', reason, statements: 0, added: 0 });
    expect((await keysOf('refused/')).sort()).toEqual([`refused/${refused!.id}.txt`, `refused/${refused!.id}/a.sta`]);
    const beside = await objects.getStream(`bankStatements/${managerId}/refused/${refused!.id}.txt`);
    expect((await text(beside)).trim()).toBe(refused!.reason);
    const stored = await ledger.as((session) => readableFile(session, refused!.fileId!));
    expect(await text(await objects.getStream(objectKey(stored.bucket, stored.key)))).toBe(strange);

    expect(await toldOf(writes)).toEqual([
      {
        kind: 'statementRefused',
        title: 'The statement file a.sta was refused',
        description: expect.stringContaining(refused!.reason!),
        page: '/cash/statements/delivered',
      },
    ]);
    expect(await toldOf(reads)).toEqual([]);
    // It may be of a fund that is hidden from them.
    expect(await toldOf(blocked)).toEqual([]);
    expect(await files(reads)).toHaveLength(2);
    expect(await files(blocked)).toEqual([]);
    await expect(ledger.as((session) => readableFile(session, refused!.fileId!), blocked)).rejects.toMatchObject({
      code: 'notFound',
    });
    await expect(files(await addPerson(['funds/read']))).rejects.toMatchObject({ code: 'forbidden' });
    expect(await files(testActor({ type: 'manager', managerId: newId() }))).toEqual([]);
  });

  test('the same file adds nothing, under another name or delivered twice', async () => {
    await deliver('one.sta', statement(1));
    await deliver('two.sta', statement(1));
    await run();
    const before = await counted();
    await pause(1_100);
    await deliver('one.sta', statement(1));
    expect(await run()).toEqual({ 'one.sta': 'imported' });
    expect(await counted()).toEqual(before);
    expect(before).toEqual({ statements: 1, payments: 1 });
    expect((await files()).map(({ added }) => added)).toEqual([0, 0, 1]);
    expect(await keysOf('imported/')).toHaveLength(3);
  });

  test('CSV files are read by the columns that their account remembers, from the folder of the account', async () => {
    const { account } = ledger;
    await deliver('may.csv', CSV);
    await deliver(`${account}/may.csv`, CSV);
    await deliver(`${newId()}/may.csv`, CSV);
    await deliver(`${account}/more/may.csv`, CSV);
    expect(Object.values(await run())).toEqual(['refused', 'refused', 'refused', 'refused']);
    const reasonOf = async (name: string) => (await files()).find((file) => file.name === name)?.reason;
    expect(await reasonOf('may.csv')).toContain('Deliver CSV files to the folder of their bank account');
    expect(await reasonOf(`${account}/may.csv`)).toBe(
      'Describe the columns of the CSV files of Pay-in account first, and deliver the file again.',
    );
    expect((await files()).map(({ reason }) => reason).join()).toContain('is none of your bank accounts');
    expect(await reasonOf(`${account}/more/may.csv`)).toContain('to the folder of a bank account');

    await ledger.as(async (session) => {
      const { id, version } = await statementAccount(session, account);
      return rememberColumns(session, { id, version, csvMapping: MAPPING });
    });
    await deliver(`${account}/june.csv`, CSV);
    // The folder may have files of other formats too.
    await deliver(`${account}/june.sta`, statement(1));
    const taken = await run();
    expect(taken).toMatchObject({ [`${account}/june.csv`]: 'imported', [`${account}/june.sta`]: 'imported' });
    expect(await counted()).toEqual({ statements: 2, payments: 2 });
  });

  test('files that are empty, too large or of another kind are refused', async () => {
    await deliver('empty.sta', '');
    await deliver('archive.sta', Buffer.from('504b030414000000', 'hex'));
    const most = Buffer.alloc(MAX_STATEMENT_BYTES, ' ');
    most.write(statement(1));
    await deliver('most.sta', most);
    await deliver('more.sta', Buffer.concat([most, Buffer.from(' ')]));
    const taken = await run();
    expect(taken).toMatchObject({ 'empty.sta': 'refused', 'archive.sta': 'refused', 'more.sta': 'refused' });
    const reasons = Object.fromEntries((await files()).map(({ name, reason }) => [name, reason]));
    expect(reasons['empty.sta']).toBe('The file is empty');
    expect(reasons['archive.sta']).toContain('its content is not of that type');
    expect(reasons['more.sta']).toBe('A file has at most 16 MB');
    expect(reasons['most.sta'] ?? '').not.toContain('16 MB');
    expect(await keysOf('incoming/')).toEqual([]);
  });

  test('what changes while it is taken stays, and is another file', async () => {
    await deliver('a.sta', statement(1));
    const { ready } = await listDeliveries(objects, managerId, later());
    await deliver('a.sta', `${statement(1)}\n\n`);
    expect(await takeDelivery({ store: database.store, objects }, ready[0]!, later())).toBe('waits');
    // A bank that writes it again while it is imported: what it wrote is taken by the next run.
    const again = await listDeliveries(objects, managerId, later());
    const busy: ObjectStore = {
      ...objects,
      async putStream(key, content, options) {
        const stored = await objects.putStream(key, content, options);
        if (key.includes('/imported/')) await deliver('a.sta', statement(2, '2026-05-05'));
        return stored;
      },
    };
    expect(await takeDelivery({ store: database.store, objects: busy }, again.ready[0]!, later())).toBe('imported');
    expect(await keysOf('incoming/')).toEqual(['incoming/a.sta']);
    expect(await run()).toEqual({ 'a.sta': 'imported' });
    expect(await counted()).toEqual({ statements: 2, payments: 2 });
  });

  test('a run that is killed at any step, or loses the storage, imports once and loses nothing', async () => {
    await deliver('good.sta', statement(1));
    await deliver('strange.sta', statement(2).replace(':25:US64', ':25:DE64'));
    // It stops at each call of the storage that changes something, before and after it is done.
    let stopAt = 0;
    for (let runs = 0; runs < 40; runs += 1) {
      let calls = 0;
      const stop = () => {
        calls += 1;
        if (calls > stopAt) throw new Error('killed');
      };
      const dying: ObjectStore = {
        ...objects,
        async putStream(...given) {
          stop();
          const stored = await objects.putStream(...given);
          stop();
          return stored;
        },
        async delete(key) {
          stop();
          await objects.delete(key);
          stop();
        },
      };
      const isDone = await run(later(), database.store, dying).then(
        () => true,
        () => false,
      );
      const { statements, payments } = (await counted())!;
      expect([0, 1]).toContain(statements);
      expect(payments).toBe(statements);
      expect((await files()).length).toBeLessThanOrEqual(2);
      if (isDone) break;
      stopAt += 1;
    }
    expect(stopAt).toBeGreaterThan(4);
    expect(await counted()).toEqual({ statements: 1, payments: 1 });
    expect((await files()).map(({ name, outcome }) => [name, outcome]).sort()).toEqual([
      ['good.sta', 'Imported'],
      ['strange.sta', 'Refused'],
    ]);
    expect([await keysOf('incoming/'), (await keysOf('imported/')).length, (await keysOf('refused/')).length]).toEqual([
      [],
      1,
      2,
    ]);
  });

  test('neither the sweep nor the comparison takes files that wait for strangers, and both know those that were taken', async () => {
    const own = await createTestDatabase();
    onTestFinished(() => own.close());
    const tenant = await openCashLedger(own, { now: new Date() });
    ({ managerId } = tenant.tenant);
    await claimStorage(own.store, objects);
    await deliver('b.sta', statement(1));
    await deliver('c.sta', 'nothing that a bank writes');
    await run(later(), own.store);
    await deliver('a.sta', statement(2));
    await objects.putStream('bankStatements/stranger/a.sta', Readable.from(['x']));
    const nothing = { info: () => undefined, warn: () => undefined };
    const swept = await sweepObjects({ store: own.store, objects, log: nothing }, { now: later(3 * DAY_MS) });
    expect([swept.recorded, swept.trashed]).toEqual([[], []]);
    const { findings } = await compareObjects(
      { store: own.store, objects },
      { share: EVERY_OBJECT, now: later(3 * DAY_MS) },
    );
    const keys = findings.flatMap(({ examples }) => examples);
    expect(keys.filter((key) => key.includes(managerId) || key.includes('stranger'))).toEqual([
      'bankStatements/stranger/a.sta',
    ]);
    expect(await keysOf('')).toHaveLength(4);
  });
});

describe('in a folder', () => {
  let root: string;
  beforeEach(async () => {
    objects = await openStorage('files');
    root = join(objects.place, deliveryPrefix(managerId));
  });
  const put = async (name: string, content: string) => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  };

  test('names that no object can have are refused where they are, once, and hidden files are left alone', async () => {
    await put('Statement (1) für Mai.sta', statement(1));
    await put('.statement.sta.Xa81', 'half of it');
    await put('z.sta', statement(2));
    expect(await run()).toEqual({ 'Statement (1) für Mai.sta': 'refused', 'z.sta': 'imported' });
    expect(await run()).toEqual({ 'Statement (1) für Mai.sta': 'waits' });
    expect((await keysOf('incoming/')).length).toBe(2);
    const refused = (await files()).find(({ outcome }) => outcome === 'Refused');
    expect(refused).toMatchObject({ fileId: null, reason: expect.stringContaining('under another name') });
  });

  test('files that stay where they are never keep others waiting, however many they are', async () => {
    for (let index = 0; index <= MAX_DELIVERIES_TAKEN; index += 1) await put(`no key ${index}.sta`, 'x');
    await run();
    await put('z.sta', statement(1));
    expect(await run()).toMatchObject({ 'z.sta': 'imported', 'no key 0.sta': 'waits' });
    const refused = `select count(*)::int as count from statement_files where manager_id = $1 and outcome = 'Refused'`;
    expect(await database.query(refused, [managerId])).toEqual([{ count: MAX_DELIVERIES_TAKEN + 1 }]);
  });

  test('the earliest file is taken also if thousands of names come before its own', async () => {
    const prefix = `bankStatements/${managerId}/incoming/`;
    const object = (name: string, minute: number) => ({
      key: `${prefix}${name}`,
      size: 1,
      storedAt: new Date(Date.UTC(2026, 3, 1, 10, minute)),
    });
    const list = async function* () {
      for (let index = 0; index < 1_500; index += 1) yield object(`.hidden-${index}`, 0);
      for (let index = 0; index < 1_500; index += 1) yield object(`a no key ${index}.sta`, 1);
      for (let index = 0; index < 1_500; index += 1) yield object(`b-${index}.sta`, 5);
      yield object('z.sta', 2);
    };
    const { ready, hasMore } = await listDeliveries({ list } as never, managerId, later());
    expect([ready[0]?.delivery.name, ready.length, hasMore]).toEqual([
      'z.sta',
      MAX_DELIVERIES_TAKEN + MAX_DELIVERIES_LEFT,
      true,
    ]);
  });

  test('a file or folder without rights is a fault of its own, and no fault of the machine', async () => {
    await put('a.sta', statement(1));
    const denied = (code: string, path?: string) => async () => {
      throw Object.assign(new Error(`${code}: permission denied`), { code, path });
    };
    const { ready } = await listDeliveries(objects, managerId, later());
    const take = (of: Partial<ObjectStore>) =>
      takeDelivery({ store: database.store, objects: { ...objects, ...of } }, ready[0]!, later());
    const refused = {
      code: 'serverError',
      message: expect.stringContaining('may not read and delete bankStatements/'),
    };
    await expect(take({ getStream: denied('EACCES', root) })).rejects.toMatchObject(refused);
    // It is imported, and stays: once.
    await expect(take({ delete: denied('EPERM', root) })).rejects.toMatchObject(refused);
    await expect(take({ delete: denied('EACCES', root) })).rejects.toMatchObject(refused);
    expect(await counted()).toEqual({ statements: 1, payments: 1 });
    await expect(take({ head: denied('EMFILE', root) })).rejects.toMatchObject({ code: 'EMFILE' });
    await expect(take({ head: denied('EACCES') })).rejects.toMatchObject({ code: 'EACCES' });
    const list = () => ({ [Symbol.asyncIterator]: () => ({ next: denied('EACCES', root) }) });
    await expect(listDeliveries({ list }, managerId, later())).rejects.toMatchObject(refused);
    expect(await run()).toEqual({ 'a.sta': 'imported' });
  });

  test('links to what is elsewhere are not followed', async () => {
    const elsewhere = join(home, `${managerId}.sta`);
    await writeFile(elsewhere, statement(1));
    await put('b.sta', statement(2));
    await symlink(elsewhere, join(root, 'a.sta'));
    await symlink(home, join(root, 'c'));
    expect(await run()).toEqual({ 'b.sta': 'imported' });
  });

  test('the folder stays when the last file is taken', async () => {
    await put('a.sta', statement(1));
    await run();
    await writeFile(join(root, 'b.sta'), statement(2, '2026-05-05'));
    expect(await run()).toEqual({ 'b.sta': 'imported' });
  });

  test('a run takes so many files, the earliest first, and people are told of so many a day', async () => {
    const person = await addPerson(['payments/read', 'payments/write']);
    for (let index = 0; index <= MAX_DELIVERIES_TAKEN; index += 1) await put(`${index}.sta`, `none ${index}`);
    const { ready, hasMore } = await listDeliveries(objects, managerId, later());
    expect([ready.length, hasMore]).toEqual([MAX_DELIVERIES_TAKEN, true]);
    await run();
    const rest = await listDeliveries(objects, managerId, later());
    expect([rest.ready.length, rest.hasMore]).toEqual([1, false]);
    const told = await toldOf(person);
    expect(told).toHaveLength(MAX_REFUSALS_TOLD);
    expect(told.map(({ description }) => description.includes('further refused files'))).toEqual(
      told.map((_, index) => index === MAX_REFUSALS_TOLD - 1),
    );
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LegalEntity } from '@tapeline/db/entities/register.ts';
import { saveBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { fileStored, registerFile, removeFile } from '@tapeline/db/operations/files/files.ts';
import { instanceId } from '@tapeline/db/operations/storage/instance.ts';
import { beginGeneration, failTape } from '@tapeline/db/operations/tapes/generations.ts';
import { removeTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { type Store, SYSTEM } from '@tapeline/db/store.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { addDemonstrationLogos } from '@tapeline/demonstration/logos.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startObjectStorage, type TestObjectStorage } from '../testing/object-storage.ts';
import { makeStoredTape, publishStoredTape } from '../testing/published-tape.ts';
import { discardAttempt, publishOffered } from './attempt-objects.ts';
import { claimStorage, guardStorage, takeStorage } from './claim.ts';
import { compareObjects, describeFindings, EVERY_OBJECT } from './compare-objects.ts';
import { checkContent } from './content-check.ts';
import { openFileStore } from './file-store.ts';
import type { ObjectStore } from './object-store.ts';
import { openS3Store } from './s3-store.ts';
import { LEAST_CAP, sweepObjects } from './sweep.ts';

const DAY_MS = 24 * 3_600_000;

let storage: TestObjectStorage;
let home: string;
let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  storage = await startObjectStorage({ pageSize: 10 });
  home = await mkdtemp(join(tmpdir(), 'sweep-'));
  database = await createTestDatabase({ demonstration: true });
  store = database.store;
});
afterAll(async () => {
  await database?.close();
  await storage?.close();
  await rm(home, { recursive: true, force: true });
});

let prefixes = 0;
/** Storage for one test: files, or a prefix in the S3-compatible server. */
async function openStorage(kind: 'files' | 's3', prefix?: string): Promise<ObjectStore> {
  prefixes += 1;
  const objects =
    kind === 's3'
      ? await openS3Store({ ...storage.settings, prefix: prefix ?? `test-${prefixes}/` }, home)
      : await openFileStore({
          home: join(home, String(prefixes)),
          appSecret: 'only for tests',
          publicUrl: 'http://localhost',
        });
  onTestFinished(() => objects.close());
  return objects;
}

/** Another seeded database, of the same instance if it is a copy or a restored dump. */
async function openDatabase(instance?: string): Promise<Store> {
  const other = await createTestDatabase({ demonstration: true });
  onTestFinished(() => other.close());
  if (instance) {
    await other.store.as(SYSTEM, ({ query }) =>
      query('insert into instance (id, created_at) values ($1, now())', [instance]),
    );
  }
  return other.store;
}

async function keysOf(objects: ObjectStore, prefix = 'lake/'): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list(prefix)) keys.push(key);
  return keys;
}

function recorder() {
  const lines: { message: string; key?: string }[] = [];
  const note = (fields: object, message: string) => void lines.push({ message, ...fields });
  return { lines, info: note, warn: note };
}

let day = 0;
async function makeTape(objects: ObjectStore, of = store) {
  day += 1;
  return makeStoredTape(of, objects, `2024-${String((day % 12) + 1).padStart(2, '0')}-01`);
}
async function publishTape(objects: ObjectStore, of = store) {
  const tape = await makeTape(objects, of);
  await publishStoredTape(of, tape);
  return tape;
}

const sweepAt = (objects: ObjectStore, days: number, of = store, log = recorder()) =>
  sweepObjects({ store: of, objects, log }, { now: new Date(Date.now() + days * DAY_MS) });

describe.each(['files', 's3'] as const)('objects in %s', (kind) => {
  test('unknown to a restored older database stay, however often it sweeps', async () => {
    const objects = await openStorage(kind);
    await claimStorage(store, objects);
    for (let tapes = 0; tapes < 3; tapes += 1) await publishTape(objects);
    const before = await keysOf(objects);
    expect(before).toHaveLength(3);

    const older = await openDatabase(await store.as(SYSTEM, instanceId));
    for (const days of [0, 8, 30, 365]) {
      expect(await sweepAt(objects, days, older)).toMatchObject({
        recorded: [],
        trashed: [],
        deleted: [],
        unknown: { objects: 3 },
      });
    }
    expect(await keysOf(objects)).toEqual(before);
  });

  test('of another instance are neither swept nor written, and the error says what to do', async () => {
    const objects = await openStorage(kind);
    await claimStorage(store, objects);
    await publishTape(objects);
    const before = await keysOf(objects, 'lake/');

    const stranger = await openDatabase();
    const refused = {
      code: 'serverError',
      message: expect.stringMatching(/belongs to another instance.*S3_PREFIX.*npm run storage:claim/),
    };
    await expect(sweepAt(objects, 30, stranger)).rejects.toMatchObject(refused);
    const guarded = guardStorage(objects, () => claimStorage(stranger, objects));
    await expect(guarded.ping()).rejects.toMatchObject(refused);
    const [key = ''] = before;
    await expect(guarded.putStream('lake/a/b/c', Readable.from(['x']))).rejects.toMatchObject(refused);
    await expect(guarded.delete(key)).rejects.toMatchObject(refused);
    await expect(guarded.move(key, 'trash/x/y')).rejects.toMatchObject(refused);
    await expect(guarded.signUpload({ key, size: 1, type: 'text/csv', now: new Date() })).rejects.toMatchObject(
      refused,
    );
    expect(await keysOf(objects)).toEqual(before);

    // An operator can take it over deliberately; the former owner is refused from then on.
    expect(await takeStorage(stranger, objects)).toBe(await store.as(SYSTEM, instanceId));
    await guarded.ping();
    await expect(sweepAt(objects, 0)).rejects.toMatchObject(refused);
  });

  test('that were dropped stay seven days in their place and seven in the trash, and each is logged', async () => {
    const objects = await openStorage(kind);
    const kept = await publishTape(objects);
    const lost = await makeTape(objects);
    await store.as(SYSTEM, (session) => failTape(session, { tapeId: lost.tapeId, failure: 'gone' }));
    const key = `${lost.objectPrefix}assets.parquet`;
    expect((await sweepAt(objects, 0)).recorded).toMatchObject([{ key, size: 6 }]);

    const log = recorder();
    expect(await sweepAt(objects, 6.99, store, log)).toMatchObject({ recorded: [], trashed: [], deleted: [] });
    expect(await sweepObjects({ store, objects, log }, { now: in7(), dryRun: true })).toMatchObject({
      trashed: [{ key }],
    });
    expect(await keysOf(objects)).toContain(key);
    expect((await sweepAt(objects, 7.01, store, log)).trashed).toMatchObject([{ key }]);
    expect(await keysOf(objects)).not.toContain(key);
    expect(await keysOf(objects, 'trash/')).toEqual([`trash/${key}`]);
    expect((await sweepAt(objects, 13.99, store, log)).deleted).toEqual([]);
    expect(await sweepAt(objects, 14.02, store, log)).toMatchObject({ deleted: [{ key }] });
    const attempts = await store.as(SYSTEM, ({ query }) =>
      query<{ id: string }>('select id from tape_generations where id = any($1)', [
        [kept, lost].map((tape) => tape.generationId),
      ]),
    );
    expect(attempts).toEqual([{ id: kept.generationId }]);
    expect(await keysOf(objects, 'trash/')).toEqual([]);
    expect(await keysOf(objects)).toEqual([`${kept.objectPrefix}assets.parquet`]);
    const logged = log.lines.filter((line) => line.key === key).map(({ message }) => message);
    expect(logged).toEqual([
      'a dropped object is moved to the trash',
      'a dropped object is moved to the trash',
      'a dropped object is deleted from the trash',
    ]);
  });

  test('that the database needs again are restored from the trash', async () => {
    const objects = await openStorage(kind);
    const older = await openDatabase();
    const tape = await publishTape(objects, older);
    const key = `${tape.objectPrefix}assets.parquet`;
    // A later state of the same database removed the tape and deleted it; then the earlier state was restored.
    await claimStorage(older, objects);
    await objects.move(key, `trash/${key}`);
    expect(await sweepAt(objects, 0, older)).toMatchObject({ putBack: [key], unknown: { objects: 0 } });
    expect(await keysOf(objects)).toEqual([key]);
    expect(await keysOf(objects, 'trash/')).toEqual([]);
  });
});

const in7 = () => new Date(Date.now() + 7.01 * DAY_MS);

test('one run moves a capped share, and at least the minimum', async () => {
  const objects = await openStorage('s3');
  const own = await openDatabase();
  const tape = await makeTape(objects, own);
  const key = (index: number) => `${tape.objectPrefix}part-${String(index).padStart(3, '0')}`;
  const parts = LEAST_CAP + 4;
  await Promise.all(Array.from({ length: parts }, (_, index) => objects.putStream(key(index), Readable.from(['x']))));
  await own.as(SYSTEM, (session) => removeTape(session, { id: tape.tapeId }));
  expect((await sweepAt(objects, 0, own)).recorded).toHaveLength(parts + 1);
  expect((await sweepAt(objects, 8, own)).trashed).toHaveLength(LEAST_CAP);
  expect((await sweepAt(objects, 8, own)).trashed).toHaveLength(parts + 1 - LEAST_CAP);
});

test('an object that was recorded and is needed stays, and is no longer recorded', async () => {
  const objects = await openStorage('s3');
  const tape = await publishTape(objects);
  const keys = [`${tape.objectPrefix}assets.parquet`, 'loanTapes/beside.pdf'];
  await objects.putStream('loanTapes/beside.pdf', Readable.from(['x']));
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query(
    `update loan_tapes set other_attachments = '[{"bucket": "loanTapes", "key": "beside.pdf", "name": "beside.pdf", "size": 1, "type": "application/pdf", "checksum": null}]' where id = $1`,
    [tape.tapeId],
  );
  await admin.query(`insert into dropped_objects select key, 6, 'by mistake', now() from unnest($1::text[]) as key`, [
    keys,
  ]);
  await admin.end();
  const log = recorder();
  await sweepAt(objects, 8, store, log);
  for (const key of keys) {
    expect(await keysOf(objects, key)).toEqual([key]);
    expect(log.lines).toContainEqual(expect.objectContaining({ key, message: expect.stringContaining('is needed') }));
  }
});

test.each(['files', 's3'] as const)(
  'a replaced generation in %s stays as long as a borrowing base of it, and no longer',
  async (kind) => {
    const objects = await openStorage(kind);
    const of = await openDatabase();
    await claimStorage(of, objects);
    const first = await publishTape(objects, of);
    await objects.putStream(`${first.objectPrefix}base.parquet`, Readable.from(['results']));
    const base = await of.as(SYSTEM, async (session) => {
      const [contract] = await session.query<{ id: string }>(
        'select c.id from contracts c join loan_tapes t on t.company_id = c.company_id where t.id = $1 limit 1',
        [first.tapeId],
      );
      return saveBorrowingBase(session, {
        tapeId: first.tapeId,
        generationId: first.generationId,
        contractId: contract!.id,
        currency: 'USD',
        netBB: '1.00',
        firstBB: '2.00',
        result: {} as BorrowingBaseResult,
        resultKey: `${first.objectPrefix}base.parquet`,
      });
    });
    const republish = async () => {
      const { tapeId } = first;
      const next = await of.as(SYSTEM, (session) => beginGeneration(session, { tapeId }));
      await objects.putStream(`${next.objectPrefix}assets.parquet`, Readable.from(['assets']));
      await publishStoredTape(of, { tapeId, ...next });
      return next;
    };
    const second = await republish();
    const third = await republish();
    const firstKeys = [`${first.objectPrefix}assets.parquet`, `${first.objectPrefix}base.parquet`];
    const working = `${first.objectPrefix}staged/00000.batch`;
    await objects.putStream(working, Readable.from(['staged']));

    // Nothing was calculated from the second one, so it is swept; working parts are, of all of them.
    const { recorded } = await sweepAt(objects, 0, of);
    expect(recorded.map(({ key }) => key).sort()).toEqual([`${second.objectPrefix}assets.parquet`, working].sort());
    for (const days of [8, 16, 400]) await sweepAt(objects, days, of);
    expect(await keysOf(objects)).toEqual([...firstKeys, `${third.objectPrefix}assets.parquet`].sort());
    expect(await keysOf(objects, 'trash/')).toEqual([]);
    const generations = async () =>
      (
        await of.as(SYSTEM, ({ query }) =>
          query<{ id: string }>('select id from tape_generations where tape_id = $1 order by id', [first.tapeId]),
        )
      ).map(({ id }) => id);
    expect(await generations()).toEqual([first.generationId, third.generationId]);
    // A version before this one may have put it into the trash.
    await objects.move(firstKeys[0]!, `trash/${firstKeys[0]}`);
    expect((await sweepAt(objects, 400, of)).putBack).toEqual([firstKeys[0]]);
    expect((await compareObjects({ store: of, objects }, { share: EVERY_OBJECT })).findings).toEqual([
      expect.objectContaining({ finding: 'missing', examples: ['loanTapes/k'] }),
    ]);

    await of.as(SYSTEM, ({ query }) => query(`update borrowing_bases set status = 'Removed' where id = $1`, [base.id]));
    expect((await sweepAt(objects, 401, of)).recorded.map(({ key }) => key).sort()).toEqual(firstKeys);
    expect(await keysOf(objects)).toContain(firstKeys[0]);
    for (const days of [409, 417, 425]) await sweepAt(objects, days, of);
    expect(await keysOf(objects)).toEqual([`${third.objectPrefix}assets.parquet`]);
    expect(await generations()).toEqual([third.generationId]);
  },
);

describe.each(['files', 's3'] as const)('the database compared with objects in %s', (kind) => {
  async function openCompared() {
    const [objects, of] = [await openStorage(kind), await openDatabase()];
    await claimStorage(of, objects);
    const put = (key: string, content: string) => objects.putStream(key, Readable.from([content]));
    // The attachment of every stored tape.
    await put('loanTapes/k', 'x');
    const upload = async (name: string) => {
      const info = { bucket: 'loanTapes', name, size: 7, type: 'text/csv' } as const;
      const file = await of.as(SYSTEM, (session) => registerFile(session, info));
      const stored = await put(`loanTapes/${file.key}`, 'content');
      await of.as(SYSTEM, (session) => fileStored(session, { ...file, ...stored }));
      return { file, key: `loanTapes/${file.key}` };
    };
    let days = 0;
    const compare = async (share = EVERY_OBJECT) => {
      days += 0.001;
      return compareObjects({ store: of, objects }, { share, now: new Date(Date.now() + days * DAY_MS) });
    };
    const passDays = (passed: number) => {
      days += passed;
    };
    return { objects, of, put, upload, compare, passDays };
  }

  test('shows what is missing, has changed or is unknown, until it is well again', async () => {
    const { objects, of, put, upload, compare, passDays } = await openCompared();
    const tape = await publishTape(objects, of);
    const part = `${tape.objectPrefix}assets.parquet`;
    const [whole, lost, cut, altered] = [
      await upload('whole.csv'),
      await upload('lost.csv'),
      await upload('cut.csv'),
      await upload('altered.csv'),
    ];
    expect(await compare()).toEqual({
      compared: [
        { kind: 'lake', objects: 1, contents: 0 },
        { kind: 'loanTapes', objects: 5, contents: 4 },
      ],
      findings: [],
    });

    await objects.delete(lost.key);
    await put(cut.key, 'conten');
    await put(altered.key, 'CONTENT');
    await put(part, '');
    const unknown = [`lake/${tape.tapeId}/${'a'.repeat(24)}/assets.parquet`, 'loanTapes/nobody/tape.csv'];
    for (const key of unknown) await put(key, 'unknown');
    // An upload that has not been confirmed, and a staged part, are no orphans however old they are.
    await put('uploads/loanTapes/nobody/tape.csv', 'arriving');
    await put(`${tape.objectPrefix}staged/00000.batch`, 'staged');
    const damage = [
      { finding: 'missing', count: 1, examples: [lost.key] },
      { finding: 'size', count: 2, examples: [part, cut.key] },
      { finding: 'content', count: 1, examples: [altered.key] },
    ];
    expect((await compare()).findings).toEqual(damage);
    passDays(1.01);
    const { findings } = await compare();
    expect(findings).toEqual([...damage, { finding: 'orphan', count: 2, examples: unknown }]);
    const { problems, notes } = describeFindings(findings);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toBe(
      `1 stored object is missing: ${lost.key}. Copy the object from the folder \`objects\` of a backup to the same key; a loan tape can also be processed again from its file.`,
    );
    expect(notes).toEqual([expect.stringContaining(`unknown to the database: ${unknown.join(', ')}.`)]);

    await put(cut.key, 'content');
    await put(altered.key, 'content');
    await put(part, 'assets');
    await of.as(SYSTEM, (session) => removeFile(session, lost.file));
    for (const key of unknown) await objects.delete(key);
    expect((await compare()).findings).toEqual([]);
    expect(await objects.head(whole.key)).not.toBeNull();
  });

  test('continues share by share where it ended, and then begins again', async () => {
    const { objects, of, upload, compare } = await openCompared();
    const tape = await publishTape(objects, of);
    const lost = await upload('lost.csv');
    await upload('whole.csv');
    const part = `${tape.objectPrefix}assets.parquet`;
    await objects.delete(part);
    await objects.delete(lost.key);
    const share = { objects: 1, bytes: 2 ** 20 };
    const missingNow = async () => (await compare(share)).findings.flatMap(({ examples }) => examples);
    expect(await missingNow()).toEqual([lost.key]);
    expect(await missingNow()).toEqual([part, lost.key]);
    await of.as(SYSTEM, (session) => removeFile(session, lost.file));
    // The file is no longer referred to; the finding goes when the round is complete.
    expect(await missingNow()).toEqual([part, lost.key]);
    expect(await missingNow()).toEqual([part]);
  });
});

test('an unused upload is dropped, and a used one never', async () => {
  const objects = await openStorage('s3');
  const announce = (name: string, days: number) =>
    store.as(SYSTEM, (session) => registerFile(session, { bucket: 'loanTapes', name, size: 1, type: 'text/csv' }), {
      now: new Date(Date.now() + days * DAY_MS),
    });
  const [never, fresh, used] = [
    await announce('never.csv', -1.01),
    await announce('fresh.csv', -0.9),
    await announce('used.csv', -2),
  ];
  for (const { key } of [never, fresh, used]) await objects.putStream(`loanTapes/${key}`, Readable.from(['x']));
  await store.as(SYSTEM, (session) => fileStored(session, { ...used, checksum: 'any' }));
  expect(await sweepAt(objects, 0)).toMatchObject({ uploads: 1 });
  expect(await keysOf(objects, 'loanTapes/')).toHaveLength(3);
  await store.as(SYSTEM, (session) => fileStored(session, { ...fresh, checksum: 'any' }));
  await sweepAt(objects, 7.01);
  expect(await keysOf(objects, 'loanTapes/')).toEqual([fresh, used].map(({ key }) => `loanTapes/${key}`).sort());
  // Removing a file drops its bytes.
  await store.as(SYSTEM, (session) => removeFile(session, used));
  await sweepAt(objects, 7.02);
  expect(await keysOf(objects, 'loanTapes/')).toEqual([`loanTapes/${fresh.key}`]);
});

test('a replaced logo is dropped after a day, and one that an entity refers to never', async () => {
  const objects = await openStorage('files');
  const upload = async (name: string, days: number) => {
    const info = { bucket: 'publicFiles', name, size: 1, type: 'image/png' } as const;
    const now = new Date(Date.now() + days * DAY_MS);
    const file = await store.as(SYSTEM, (session) => registerFile(session, info), { now });
    await objects.putStream(`publicFiles/${file.key}`, Readable.from(['x']));
    await store.as(SYSTEM, (session) => fileStored(session, { ...file, checksum: 'any' }));
    return file;
  };
  const [replaced, logo, icon, fresh] = [
    await upload('replaced.png', -1.01),
    await upload('logo.png', -30),
    await upload('icon.png', -30),
    await upload('fresh.png', -0.9),
  ];
  const { id: entityId } = await store.as(SYSTEM, async ({ em }) => {
    const entity = await em.findOneOrFail(LegalEntity, { name: 'Alder Auto' });
    if (entity.business) entity.business = { ...entity.business, logo: logo.key, icon: icon.id };
    return entity;
  });
  const imagesNow = () => keysOf(objects, 'publicFiles/');
  const keysOfFiles = (...files: { key: string }[]) => files.map(({ key }) => `publicFiles/${key}`).sort();

  expect(await sweepAt(objects, 0)).toMatchObject({ images: 1 });
  expect(await sweepAt(objects, 0)).toMatchObject({ images: 0 });
  expect(await imagesNow()).toEqual(keysOfFiles(replaced, logo, icon, fresh));
  await store.as(SYSTEM, async ({ em }) => {
    const entity = await em.findOneOrFail(LegalEntity, { id: entityId });
    if (entity.business) entity.business = { ...entity.business, icon: null };
  });
  // The sweep of the eighth day finds the three of them dropped by the clock of the database.
  expect(await sweepAt(objects, 7.01)).toMatchObject({ images: 2 });
  expect(await imagesNow()).toEqual(keysOfFiles(logo));
});

test('each manager and company of the demonstration gets a logo of its own, once', async () => {
  const objects = await openStorage('files');
  const stored = await addDemonstrationLogos(store, objects);
  expect(stored).toBeGreaterThan(5);
  const entity = await store.as(SYSTEM, ({ em }) =>
    em.findOneOrFail(LegalEntity, { name: 'Northwind Consumer Loans' }),
  );
  const key = `publicFiles/${entity.business?.logo}`;
  expect(await keysOf(objects, 'publicFiles/')).toContain(key);
  const head = await buffer(await objects.getStream(key));
  checkContent({ bucket: 'publicFiles', type: 'image/png', key, head });
  expect(head.readUInt32BE(16)).toBe(96);
  expect(await addDemonstrationLogos(store, objects)).toBe(0);
});

test('an attempt deletes its own objects at once, unless it was offered for publishing', async () => {
  const objects = await openStorage('s3');
  const [never, offered] = [await makeTape(objects), await makeTape(objects)];
  for (const tape of [never, offered])
    await objects.putStream(`${tape.objectPrefix}staged/0.batch`, Readable.from(['x']));
  await publishOffered(objects, offered, async () => {});
  for (const tape of [never, offered]) await discardAttempt(objects, tape);
  const left = ['assets.parquet', 'offered.json'].map((name) => offered.objectPrefix + name);
  expect(await keysOf(objects)).toEqual(left);
  // A database restored from an earlier dump sees it as failed: a later state may have published it, so it stays.
  await store.as(SYSTEM, (session) => failTape(session, { tapeId: offered.tapeId, failure: 'gone' }));
  for (const days of [0, 8, 16]) expect((await sweepAt(objects, days)).unknown.examples).toEqual(left);
  expect(await keysOf(objects)).toEqual(left);
  // A rejected file belonged to no document.
  const refusal = publishOffered(objects, offered, () => Promise.reject(new Refusal('badRequest', 'taken over')));
  await expect(refusal).rejects.toThrow('taken over');
  expect((await sweepAt(objects, 0)).recorded).toMatchObject([{ key: left[0] }]);
});

test('unmarked storage is claimed if it is empty or has tapes of ours, and refused if it knows none of them', async () => {
  const empty = await openStorage('s3');
  await claimStorage(store, empty);
  const ours = await openStorage('s3');
  await publishTape(ours);
  await claimStorage(store, ours);
  const strangers = await openStorage('s3');
  await strangers.putStream(`lake/${'a'.repeat(24)}/${'b'.repeat(24)}/assets.parquet`, Readable.from(['x']));
  await expect(claimStorage(store, strangers)).rejects.toMatchObject({
    message: expect.stringContaining('contains tapes that are not in this database'),
  });
});

test('of two that claim an empty storage at the same moment one succeeds', async () => {
  const objects = await openStorage('s3');
  const other = await openDatabase();
  const claims = await Promise.allSettled([claimStorage(store, objects), claimStorage(other, objects)]);
  expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('two instances share a bucket by prefixes, and neither sees or aborts uploads of the other', async () => {
  const [one, two] = [await openStorage('s3', 'one/'), await openStorage('s3', 'two/')];
  const other = await openDatabase();
  await claimStorage(store, one);
  await claimStorage(other, two);
  await publishTape(one);
  expect(await keysOf(one)).toHaveLength(1);
  expect(await keysOf(two)).toEqual([]);
});

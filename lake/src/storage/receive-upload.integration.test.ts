import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { StoredFile } from '@tapeline/db/entities/records.ts';
import { findFile, registerFile, uploadedFile } from '@tapeline/db/operations/files/files.ts';
import { type Store, SYSTEM } from '@tapeline/db/store.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { isBucket } from '@tapeline/domain/files/buckets.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startObjectStorage, type TestObjectStorage } from '../testing/object-storage.ts';
import { openFileStore, SIGNED_PATH } from './file-store.ts';
import { type ObjectStore, objectKey } from './object-store.ts';
import { confirmUpload, receiveUpload } from './receive-upload.ts';
import { openS3Store } from './s3-store.ts';

const CONTENT = 'id,sum\n1,2\n';
const OTHER = 'id,sum\n9,9\n';
const DAY_MS = 24 * 3_600_000;

let database: TestDatabase;
let store: Store;
let storage: TestObjectStorage;
let home: string;

beforeAll(async () => {
  database = await createTestDatabase();
  store = database.store;
  storage = await startObjectStorage();
  home = await mkdtemp(join(tmpdir(), 'uploads-'));
});
afterAll(async () => {
  await database?.close();
  await storage?.close();
  await rm(home, { recursive: true, force: true });
});

let opened = 0;
async function openStorage(kind: 'files' | 's3'): Promise<ObjectStore> {
  opened += 1;
  const own = join(home, String(opened));
  const objects =
    kind === 's3'
      ? await openS3Store({ ...storage.settings, prefix: `${opened}/` }, own)
      : await openFileStore({ home: own, appSecret: 'a secret of sixteen', publicUrl: 'http://localhost' });
  onTestFinished(() => objects.close());
  return objects;
}

const announce = () =>
  store.as(SYSTEM, (session) =>
    registerFile(session, { bucket: 'loanTapes', name: 'tape.csv', size: CONTENT.length, type: 'text/csv' }),
  );
const keyOf = (file: StoredFile) => objectKey(file.bucket, file.key);
const signed = (objects: ObjectStore, file: StoredFile) =>
  objects.signUpload({ key: keyOf(file), size: file.size, type: file.type, now: new Date() });
const contentOf = async (objects: ObjectStore, file: StoredFile) => text(await objects.getStream(keyOf(file)));
const confirm = (objects: ObjectStore, file: StoredFile) =>
  store.as(SYSTEM, async (session) => confirmUpload(session, objects, await findFile(session, file)));

async function keysOf(objects: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list('')) keys.push(key);
  return keys;
}

test('an S3 address cannot change a file after it was confirmed, and later uploads to it are removed', async () => {
  const objects = await openStorage('s3');
  const file = await announce();
  const address = await signed(objects, file);
  const put = (body: string) =>
    fetch(address, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body }).then(({ status }) => status);
  await expect(confirm(objects, file)).rejects.toMatchObject({ message: expect.stringContaining('was not uploaded') });

  // Sent again before it was confirmed: the later upload counts.
  expect([await put(OTHER), await put(CONTENT)]).toEqual([200, 200]);
  const { checksum } = await confirm(objects, file);
  expect(await keysOf(objects)).toEqual([keyOf(file)]);

  expect(await put(OTHER)).toBe(200);
  expect(await confirm(objects, file)).toMatchObject({ status: 'Active', checksum });
  expect(await contentOf(objects, file)).toBe(CONTENT);
  await objects.tidy(new Date(Date.now() + 0.9 * DAY_MS));
  expect(await keysOf(objects)).toHaveLength(2);
  await objects.tidy(new Date(Date.now() + 1.1 * DAY_MS));
  expect(await keysOf(objects)).toEqual([keyOf(file)]);
});

test('an S3 upload that is not what was declared is not kept, and the address may be used again', async () => {
  const objects = await openStorage('s3');
  const file = await announce();
  const put = async (body: string) =>
    fetch(await signed(objects, file), { method: 'PUT', headers: { 'content-type': 'text/csv' }, body });
  await put('PK\u0003\u0004 a zip!');
  await expect(confirm(objects, file)).rejects.toMatchObject({
    message: expect.stringContaining('content is not of that type'),
  });
  expect(await keysOf(objects)).toEqual([]);
  await put(CONTENT);
  expect(await confirm(objects, file)).toMatchObject({ status: 'Active', size: CONTENT.length });
});

test('of two concurrent uploads to one address the first to finish becomes the file, and the other is rejected', async () => {
  const objects = await openStorage('files');
  const file = await announce();
  const now = new Date();
  const grant = objects.verifySigned((await signed(objects, file)).split(SIGNED_PATH)[1]!, { method: 'PUT', now });
  const send = (body: Readable) => receiveUpload(store, objects, { grant, contentType: 'text/csv', body, now });
  const slow = new PassThrough();
  slow.write(OTHER.slice(0, 4));
  const late = send(slow);
  late.catch(() => {});
  const { checksum } = await send(Readable.from([Buffer.from(CONTENT)]));
  slow.end(OTHER.slice(4));
  await expect(late).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('already been used'),
  });
  expect(await contentOf(objects, file)).toBe(CONTENT);
  expect(await store.as(SYSTEM, (session) => findFile(session, file))).toMatchObject({ checksum });
  expect(await keysOf(objects)).toEqual([keyOf(file)]);
});

test('two concurrent confirmations of one upload agree', async () => {
  const objects = await openStorage('s3');
  const file = await announce();
  await fetch(await signed(objects, file), { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: CONTENT });
  const [one, other] = await Promise.all([confirm(objects, file), confirm(objects, file)]);
  expect(one).toMatchObject({ status: 'Active', checksum: other.checksum });
});

test('what a body refers to, sent straight to the storage, is checked then: reports, statements, announcements', async () => {
  const objects = await openStorage('s3');
  store.completeUploadsWith((session, file) => confirmUpload(session, objects, file));
  const contents = {
    fundReports: ['report.pdf', 'application/pdf', '%PDF-1.7 of a report'],
    capitalAccounts: ['account.pdf', 'application/pdf', '%PDF-1.7 of a statement'],
    announcements: ['note.txt', 'text/plain', 'A note'],
  } as const;
  for (const [bucket, [name, type, body]] of Object.entries(contents)) {
    if (!isBucket(bucket)) throw new Error(bucket);
    const file = await store.as(SYSTEM, (session) => registerFile(session, { bucket, name, type, size: body.length }));
    const refer = (keyOrId: string) => store.as(SYSTEM, (session) => uploadedFile(session, { bucket, keyOrId }));
    await expect(refer(file.key)).rejects.toMatchObject({ message: `${name} was not uploaded` });
    await fetch(await signed(objects, file), { method: 'PUT', headers: { 'content-type': type }, body });
    expect(await refer(file.key)).toMatchObject({ id: file.id, status: 'Active', size: body.length });
    expect(await refer(file.id)).toMatchObject({ key: file.key, status: 'Active' });
    expect(await contentOf(objects, file)).toBe(body);
    await expect(refer('none')).rejects.toMatchObject({ code: 'notFound' });
  }
});

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startObjectStorage, type TestObjectStorage } from '../testing/object-storage.ts';
import { deletePrefix, type ObjectStore, uploadKeyOf } from './object-store.ts';
import { openS3Store } from './s3-store.ts';

let storage: TestObjectStorage;
let home: string;
let store: ObjectStore;

beforeAll(async () => {
  storage = await startObjectStorage({ pageSize: 10 });
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 's3-home-'));
  store = await openS3Store(storage.settings, home);
  return async () => {
    await store.close();
    await rm(home, { recursive: true, force: true });
  };
});
afterAll(() => storage.close());

const bytes = (content: string) => Readable.from([Buffer.from(content)]);
const keysUnder = async (prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
};
/** The copies, without the links to the latest ones. */
const cached = async () => (await readdir(join(home, 'object-cache'))).filter((name) => !name.endsWith('.latest'));

test('an object is read back unchanged, whole, in part and as a local file', async () => {
  const stored = await store.putStream('loanTapes/a/tape.csv', bytes('hello'));
  expect(stored).toEqual({
    size: 5,
    checksum: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  });
  expect(await text(await store.getStream('loanTapes/a/tape.csv'))).toBe('hello');
  expect(await text(await store.getStream('loanTapes/a/tape.csv', { start: 1, end: 3 }))).toBe('ell');
  expect(await readFile(await store.localPath('loanTapes/a/tape.csv'), 'utf8')).toBe('hello');
  expect(await store.head('loanTapes/a/tape.csv')).toMatchObject({ size: 5 });
  expect(await store.head('loanTapes/a/none.csv')).toBeNull();
  await expect(store.getStream('loanTapes/a/none.csv')).rejects.toMatchObject({
    code: 'serverError',
    flags: { object: 'is missing in the object storage' },
  });
  await expect(store.localPath('loanTapes/a/none.csv')).rejects.toMatchObject({
    code: 'serverError',
    flags: { object: 'is missing in the object storage' },
  });
});

test('a file is sent in one request, and a larger one in parts, with the same checksum', async () => {
  const path = join(home, 'file');
  const large = Buffer.alloc(32 * 2 ** 20 + 17, 'a line of a tape\n');
  for (const content of [Buffer.alloc(0), randomBytes(1), randomBytes(6 * 2 ** 20), large]) {
    await writeFile(path, content);
    const checksum = createHash('sha256').update(content).digest('hex');
    expect(await store.putFile('lake/t/g/part', path)).toEqual({ size: content.length, checksum });
    expect((await buffer(await store.getStream('lake/t/g/part'))).equals(content)).toBe(true);
  }
  const content = randomBytes(11 * 2 ** 20);
  const stored = await store.putStream('lake/t/g/streamed', Readable.from([content], { objectMode: false }));
  expect(stored.checksum).toBe(createHash('sha256').update(content).digest('hex'));
  expect((await readFile(await store.localPath('lake/t/g/streamed'))).equals(content)).toBe(true);
});

test('a stream that fails leaves nothing behind and does not change the existing object', async () => {
  await store.putStream('lake/t/g/part', bytes('before'));
  let length = 0;
  const failing = () =>
    Readable.from(
      (async function* () {
        for (let parts = 0; parts < length; parts += 1) yield Buffer.alloc(2 ** 20);
        throw new Error('the line broke');
      })(),
    );
  // One that fits a single request, and one of which parts had been sent.
  for (length of [1, 12]) {
    await expect(store.putStream('lake/t/g/part', failing())).rejects.toThrow('the line broke');
    expect(await text(await store.getStream('lake/t/g/part'))).toBe('before');
    await vi.waitFor(() => expect(storage.unfinishedUploads()).toEqual([]), 10_000);
  }
});

test('a multipart upload whose process was killed is aborted after a day', async () => {
  const { settings } = storage;
  const client = new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    credentials: storage.settings.keys,
  });
  await client.send(new CreateMultipartUploadCommand({ Bucket: settings.bucket, Key: 'lake/t/g/killed' }));
  client.destroy();
  const now = new Date();
  expect(await store.tidy(new Date(now.getTime() + 23 * 3_600_000))).toBe(0);
  expect(storage.unfinishedUploads()).toEqual(['lake/t/g/killed']);
  expect(await store.tidy(new Date(now.getTime() + 25 * 3_600_000))).toBe(1);
  expect(storage.unfinishedUploads()).toEqual([]);
});

test('more objects than fit one response are listed in order, and deleted by prefix without others', async () => {
  const keys = Array.from({ length: 33 }, (_, at) => `lake/many/g/${String(at).padStart(5, '0')}`);
  for (let at = 0; at < keys.length; at += 100) {
    await Promise.all(keys.slice(at, at + 100).map((key) => store.putStream(key, bytes(key))));
  }
  await store.putStream('lake/many/g2/a', bytes('a'));
  expect(await keysUnder('lake/many/g/')).toEqual(keys);
  expect(await deletePrefix(store, 'lake/many/g/')).toBe(33);
  expect(await keysUnder('lake/many/')).toEqual(['lake/many/g2/a']);
  await store.delete('lake/many/none');
});

test('a signed address accepts one upload of the declared size and type, and serves the file under its name', async () => {
  const key = 'loanTapes/x/tape.csv';
  const now = new Date();
  const url = await store.signUpload({ key, size: 5, type: 'text/csv', now });
  const put = (body: string, type: string) => fetch(url, { method: 'PUT', body, headers: { 'Content-Type': type } });
  expect((await put('hello', 'text/html')).status).toBe(403);
  expect((await put('hello!', 'text/csv')).status).toBe(403);
  expect(await store.head(key)).toBeNull();
  expect((await put('hello', 'text/csv')).status).toBe(200);
  // It is stored beside the object, which the address never reaches.
  expect(await store.head(key)).toBeNull();
  expect(await store.move(uploadKeyOf(key), key)).toBe(true);
  const given = await fetch(await store.signDownload({ key, name: 'Zürich.csv', type: 'text/csv', now }));
  expect(await given.text()).toBe('hello');
  expect(given.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Z%C3%BCrich.csv");
  const longAgo = new Date(now.getTime() - 16 * 60_000);
  expect((await fetch(await store.signDownload({ key, name: 'a', type: 'text/csv', now: longAgo }))).status).toBe(403);
});

test('a local copy is downloaded once for concurrent readers, and again after the object changed', async () => {
  await store.putStream('lake/t/g/part', bytes('one'));
  const paths = await Promise.all(Array.from({ length: 5 }, () => store.localPath('lake/t/g/part')));
  expect(new Set(paths).size).toBe(1);
  expect(await cached()).toHaveLength(1);
  await store.putStream('lake/t/g/part', bytes('two'));
  expect(await readFile(await store.localPath('lake/t/g/part'), 'utf8')).toBe('two');
  // A damaged copy is downloaded again.
  await writeFile(await store.localPath('lake/t/g/part'), 'tw');
  expect(await readFile(await store.localPath('lake/t/g/part'), 'utf8')).toBe('two');
});

test('the local copies stay within their limit: the least recently used are deleted, those in use stay', async () => {
  const small = await openS3Store({ ...storage.settings, cacheBytes: 25 }, home);
  const hour = 3_600_000;
  const now = Date.now();
  const restingHours = [5, 2, 3, 0];
  const paths: string[] = [];
  for (const [at, hours] of restingHours.entries()) {
    await store.putStream(`lake/t/cache/${at}`, bytes('0123456789'));
    const path = await store.localPath(`lake/t/cache/${at}`);
    paths.push(path);
    await utimes(path, new Date(now - hours * hour), new Date(now - hours * hour));
  }
  // 40 bytes: the two least recently used are deleted.
  expect(await small.tidy(new Date(now))).toBe(2);
  expect(paths.map((path) => existsSync(path))).toEqual([false, true, false, true]);
  // Using a copy makes it the most recent, and nothing used within the hour is deleted.
  await small.localPath('lake/t/cache/1');
  expect(await small.tidy(new Date(now))).toBe(0);
  await small.localPath('lake/t/cache/0');
  expect(await small.tidy(new Date(now))).toBe(0);
  expect((await cached()).length).toBe(3);
  await small.close();
});

test('the remains of a killed download are removed after hours without growth', async () => {
  const half = join(home, 'object-cache', `${'a'.repeat(64)}.0123456789ab`);
  await writeFile(half, 'half');
  const now = new Date();
  expect(await store.tidy(now)).toBe(0);
  expect(await store.tidy(new Date(now.getTime() + 7 * 3_600_000))).toBe(1);
  expect(await cached()).toEqual([]);
});

test('a short outage is bridged by retries, and a longer one is a retryable error', async () => {
  const path = join(home, 'file');
  await writeFile(path, 'content');
  await storage.goDown();
  const putting = store.putFile('lake/t/g/late', path);
  const up = storage.comeUp();
  expect((await putting).size).toBe(7);
  await up;
  expect(await text(await store.getStream('lake/t/g/late'))).toBe('content');
  await storage.goDown();
  try {
    await expect(store.head('lake/t/g/late')).rejects.not.toMatchObject({ name: 'Refusal' });
  } finally {
    await storage.comeUp();
  }
  await store.ping();
});

test('while the storage does not respond, objects are read from their latest local copy', async () => {
  const key = 'lake/t/g/published';
  await store.putStream(key, bytes('first'));
  await store.localPath(key);
  await store.putStream(key, bytes('second'));
  const path = await store.localPath(key);
  await store.putStream('lake/t/g/never-read', bytes('x'));
  await storage.goDown();
  try {
    expect(await store.localPath(key)).toBe(path);
    expect(await readFile(path, 'utf8')).toBe('second');
    // The second page does not wait for the storage again.
    expect(await store.localPath(key)).toBe(path);
    await expect(store.localPath('lake/t/g/never-read')).rejects.not.toMatchObject({ name: 'Refusal' });
    // A copy that was evicted is no longer known.
    await rm(path);
    await expect(store.localPath(key)).rejects.not.toMatchObject({ name: 'Refusal' });
  } finally {
    await storage.comeUp();
  }
  expect(await readFile(await store.localPath(key), 'utf8')).toBe('second');
  await store.delete(key);
  await expect(store.localPath('lake/t/g/nothing')).rejects.toMatchObject({
    code: 'serverError',
    flags: { object: 'is missing in the object storage' },
  });
});

test('wrong keys and a missing bucket are explained, and not retried', async () => {
  const path = join(home, 'file');
  await writeFile(path, 'content');
  for (const [change, words] of [
    [{ keys: { ...storage.settings.keys, secretAccessKey: 'wrong' } }, /S3_ACCESS_KEY_ID/],
    [{ keys: { ...storage.settings.keys, accessKeyId: 'nobody' } }, /S3_ACCESS_KEY_ID/],
    [{ bucket: 'elsewhere' }, /no bucket elsewhere/],
  ] as const) {
    const wrong = await openS3Store({ ...storage.settings, ...change }, home);
    const refused = { name: 'Refusal', code: 'serverError', message: expect.stringMatching(words) };
    await expect(wrong.putFile('lake/t/g/x', path)).rejects.toMatchObject(refused);
    await expect(wrong.putStream('lake/t/g/x', bytes('x'))).rejects.toMatchObject(refused);
    await expect(deletePrefix(wrong, 'lake/')).rejects.toMatchObject(refused);
    if (!('bucket' in change)) {
      await expect(wrong.head('lake/t/g/x')).rejects.toMatchObject(refused);
      await expect(wrong.localPath('lake/t/g/x')).rejects.toMatchObject(refused);
      await expect(wrong.ping()).rejects.toMatchObject(refused);
    }
    await wrong.close();
  }
});

test('without keys, the credentials of the machine are used, for calls and for signed addresses', async () => {
  const { accessKeyId, secretAccessKey } = storage.settings.keys;
  // As the metadata service of a container or instance answers for its role.
  const metadata = createServer((_call, answer) => {
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    answer.setHeader('content-type', 'application/json');
    answer.end(
      JSON.stringify({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: 'of-the-role', Expiration }),
    );
  }).listen(0, '127.0.0.1');
  await once(metadata, 'listening');
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `http://127.0.0.1:${(metadata.address() as AddressInfo).port}/role`);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    metadata.close();
  });
  const ofRole = await openS3Store({ ...storage.settings, keys: null }, home);
  onTestFinished(() => ofRole.close());
  await ofRole.putStream('loanTapes/role/tape.csv', bytes('by role'));
  const url = await ofRole.signDownload({
    key: 'loanTapes/role/tape.csv',
    name: 'tape.csv',
    type: 'text/csv',
    now: new Date(),
  });
  expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe('of-the-role');
  expect(await (await fetch(url)).text()).toBe('by role');
});

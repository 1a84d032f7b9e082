import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import { mayHoldSheet, XLSX_TYPE } from '@tapeline/domain/files/file-types.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkContent } from './content-check.ts';
import { HALF_WRITTEN_MS, openFileStore, SIGNED_PATH } from './file-store.ts';
import { checkKey, deletePrefix, type ObjectStore } from './object-store.ts';

let home: string;
let store: ObjectStore;
const settings = () => ({ home, appSecret: 'a secret of sixteen', publicUrl: 'http://localhost:3000' });

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'objects-'));
  store = await openFileStore(settings());
});
afterEach(() => rm(home, { recursive: true, force: true }));

const bytes = (content: string) => Readable.from([Buffer.from(content)]);
const keysUnder = async (prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
};

test('An object is read back unchanged, with its size and SHA-256', async () => {
  const stored = await store.putStream('loanTapes/a/tape.csv', bytes('hello'));
  expect(stored).toEqual({
    size: 5,
    checksum: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  });
  expect(await text(await store.getStream('loanTapes/a/tape.csv'))).toBe('hello');
  expect(await text(await store.getStream('loanTapes/a/tape.csv', { start: 1, end: 3 }))).toBe('ell');
  expect(await readFile(await store.localPath('loanTapes/a/tape.csv'), 'utf8')).toBe('hello');
  expect(await store.head('loanTapes/a/tape.csv')).toMatchObject({ size: 5 });
  expect(await store.head('loanTapes/a')).toBeNull();
  await expect(store.getStream('loanTapes/a/none.csv')).rejects.toMatchObject({
    code: 'serverError',
    flags: { object: 'is missing in the object storage' },
  });
});

test('A stream that fails leaves nothing behind and does not change the existing object', async () => {
  await store.putStream('lake/t/g/part', bytes('before'));
  const failing = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('the line broke');
    })(),
  );
  await expect(store.putStream('lake/t/g/part', failing)).rejects.toThrow('the line broke');
  expect(await text(await store.getStream('lake/t/g/part'))).toBe('before');
  expect(await readdir(join(home, 'incoming'))).toEqual([]);
});

test('Objects are listed and deleted by prefix, without others', async () => {
  for (const key of ['lake/t1/g1/a', 'lake/t1/g1/b', 'lake/t1/g10/a', 'lake/t2/g1/a']) {
    await store.putStream(key, bytes(key));
  }
  expect(await keysUnder('lake/t1/g1/')).toEqual(['lake/t1/g1/a', 'lake/t1/g1/b']);
  expect(await keysUnder('lake/t1/g1')).toEqual(['lake/t1/g1/a', 'lake/t1/g1/b', 'lake/t1/g10/a']);
  expect(await deletePrefix(store, 'lake/t1/g1/')).toBe(2);
  expect(await keysUnder('lake/')).toEqual(['lake/t1/g10/a', 'lake/t2/g1/a']);
  expect(await keysUnder('nowhere/at/all/')).toEqual([]);
  await store.delete('lake/t9/none');
});

test('No key leads out of the store', async () => {
  await writeFile(join(home, 'secret'), 'secret');
  for (const key of [
    'lake/../../secret',
    '../secret',
    '/etc/passwd',
    'lake//x',
    'lake/.hidden',
    'lake/a\\b',
    'lake/a\0b',
    'lake',
  ]) {
    expect(() => checkKey(key)).toThrow('not a valid file key');
    await expect(store.getStream(key)).rejects.toThrow();
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (part) => {
      const key = `lake/${part}`;
      try {
        checkKey(key);
      } catch {
        return;
      }
      expect(join('/root', key).startsWith('/root/lake/')).toBe(true);
      expect(key).not.toMatch(/\.\.\/|\0|\/\//);
    }),
  );
});

describe('a signed address', () => {
  const now = new Date('2026-11-01T12:00:00Z');
  const upload = { key: 'loanTapes/a/tape.csv', size: 5, type: 'text/csv', now };
  const tokenOf = (address: string) => address.slice(`http://localhost:3000${SIGNED_PATH}`.length);

  test('carries what it allows, for fifteen minutes', async () => {
    const token = tokenOf(await store.signUpload(upload));
    expect(store.verifySigned(token, { method: 'PUT', now })).toMatchObject({
      key: upload.key,
      size: 5,
      type: 'text/csv',
    });
    const late = new Date(now.getTime() + 15 * 60_000);
    expect(() => store.verifySigned(token, { method: 'PUT', now: late })).toThrow('expired');
  });

  test('allows one method only', async () => {
    const up = tokenOf(await store.signUpload(upload));
    const download = { key: upload.key, name: 'tape.csv', type: 'text/csv', now };
    await expect(store.signDownload(download)).rejects.toThrow(`A stored file is missing: ${upload.key}.`);
    await store.putStream(upload.key, Readable.from(['bytes']));
    const down = tokenOf(await store.signDownload(download));
    expect(() => store.verifySigned(up, { method: 'GET', now })).toThrow('does not allow GET');
    expect(() => store.verifySigned(down, { method: 'PUT', now })).toThrow('does not allow PUT');
    expect(store.verifySigned(down, { method: 'HEAD', now }).name).toBe('tape.csv');
  });

  test('cannot be altered, or created with another secret', async () => {
    const token = tokenOf(await store.signUpload(upload));
    const [body, signature] = token.split('.') as [string, string];
    const altered = Buffer.from(Buffer.from(body, 'base64url').toString().replace('"size":5', '"size":9')).toString(
      'base64url',
    );
    const other = await openFileStore({ ...settings(), appSecret: 'another secret of ours' });
    const forged = tokenOf(await other.signUpload(upload));
    for (const wrong of [`${altered}.${signature}`, forged, body, '', `${token}.data`]) {
      expect(() => store.verifySigned(wrong, { method: 'PUT', now })).toThrow('not valid');
    }
  });
});

describe('the content of an upload', () => {
  const zip = Buffer.from('504b0304140000', 'hex');
  const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  /** A zip archive up to the start of its first entry. */
  const entry = (name: string, content = '') => {
    const head = Buffer.alloc(30);
    head.write('504b0304', 'hex');
    head.writeUInt16LE(name.length, 26);
    return Buffer.concat([head, Buffer.from(name + content)]);
  };
  const check = (type: string, head: Buffer, bucket: Bucket = 'loanTapes') => checkContent({ bucket, type, head });

  test('matches its declared type', () => {
    expect(check(XLSX_TYPE, zip)).toBe('zip');
    expect(check('text/csv', Buffer.from('id,sum\n1,2\n'))).toBe('text');
    expect(check('application/vnd.ms-excel', Buffer.from('id;sum\n'))).toBe('text');
    expect(check('text/csv', Buffer.from('id\0,sum\v\r\n1\0,2\r\n\x1a'))).toBe('text');
    expect(check('text/csv', Buffer.from('id,sum', 'utf16le'))).toBe('text');
    expect(check(XLSX_TYPE, ole)).toBe('ole');
    expect(check('application/pdf', Buffer.from('%PDF-1.7'), 'fundReports')).toBe('pdf');
    expect(check('image/png', Buffer.from('89504e470d0a1a0a00', 'hex'), 'publicFiles')).toBe('png');
    expect(check('application/zip', entry('agenda.pdf'), 'announcements')).toBe('zip');
    expect(check('application/x-zip-compressed', entry('[Content_Types].xml'), 'announcements')).toBe('ooxml');
    for (const part of ['[Content_Types].xml', '_rels/.rels', 'docProps/app.xml', 'xl/workbook.xml']) {
      expect(check(XLSX_TYPE, entry(part), 'announcements'), part).toBe('ooxml');
    }
    const odt = 'application/vnd.oasis.opendocument.text';
    expect(check(odt, entry('mimetype', odt), 'announcements')).toBe('odf');
    expect(check('image/heic', Buffer.from('\0\0\0\x18ftypheic\0\0'), 'announcements')).toBe('heif');
    expect(check('video/mp4', Buffer.from('\0\0\0\x18ftypisom\0\0'), 'announcements')).toBe('mp4');
    expect(check('application/x-tar', Buffer.concat([Buffer.alloc(257), Buffer.from('ustar')]), 'announcements')).toBe(
      'tar',
    );
  });

  test('is refused in words where it is something else', () => {
    expect(() => check('text/csv', ole)).toThrow('its content is not of that type');
    expect(() => check(XLSX_TYPE, ole, 'fundReports')).toThrow('its content is not of that type');
    expect(() => check(XLSX_TYPE, Buffer.from('id,sum'))).toThrow('its content is not of that type');
    expect(() => check('text/csv', zip)).toThrow('its content is not of that type');
    expect(() => check('text/csv', Buffer.alloc(0))).toThrow('empty');
    expect(() => check('text/csv', Buffer.from([0x69, 0x01, 0x64]))).toThrow('Unknown file type');
    expect(() => check('text/csv', Buffer.from('id\0\0\0\0'))).toThrow('Unknown file type');
    expect(() => check('application/x-msdownload', Buffer.from('MZ'))).toThrow('are not accepted');
    // A document can be kept with a tape. It is refused as the tape itself.
    expect(check('application/pdf', Buffer.from('%PDF-1.7'))).toBe('pdf');
    expect(['application/pdf', 'image/png', 'text/csv', XLSX_TYPE].map(mayHoldSheet)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    // An archive or a program is no office document, whatever it is called.
    for (const part of ['setup.exe', 'META-INF/MANIFEST.MF', 'AndroidManifest.xml', 'word', 'mimetype']) {
      expect(() => check(XLSX_TYPE, entry(part), 'announcements'), part).toThrow('its content is not of that type');
    }
    expect(() => check('video/mp4', Buffer.from('\0\0\0\x18ftypheic\0\0'), 'announcements')).toThrow(
      'not of that type',
    );
    expect(() => check('application/pdf', Buffer.from('<html>%PDF-1.7'), 'announcements')).toThrow('not of that type');
    // Public files are images, and an SVG could contain scripts.
    expect(() => check('image/svg+xml', Buffer.from('<svg/>'), 'publicFiles')).toThrow('Choose a PNG');
    expect(() => check('application/pdf', Buffer.from('%PDF-1.7'), 'publicFiles')).toThrow('Choose a PNG');
  });
});

test('Partial files of a killed writer are removed after hours without growth', async () => {
  const half = join(home, 'incoming', 'half');
  await writeFile(half, 'half');
  const now = new Date();
  expect(await store.tidy(now)).toBe(0);
  expect(await store.tidy(new Date(now.getTime() + HALF_WRITTEN_MS + 60_000))).toBe(1);
  expect(await readdir(join(home, 'incoming'))).toEqual([]);
});

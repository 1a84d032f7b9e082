import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ApiAnswer, type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { northwindLoan } from '../northwind-tapes.ts';
import { sheetXml, workbookBytes } from '../workbook-bytes.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SHEET = 'Loan Tape';
// Large enough that the refusal comes while it is still being sent.
const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5 << 20)]);
const ENCRYPTED = Buffer.concat([OLE, Buffer.from('EncryptedPackage', 'utf16le')]);
// Before every tape of the demonstration, so that none of them is compared with it.
const CUT_OFF_DATE = '2019-01-31';

interface File {
  key: string;
  signedUrl: string;
}

let manager: ApiClient;
let company: string;
let headers: string[];
let tapesBefore: string | null;
const tapesOfTest: string[] = [];

const tapeCount = async () =>
  (await manager.get('/crud/loanTape', { filter: { company }, limit: 1 })).headers.get('x-docs-count');

beforeAll(async () => {
  manager = await signedIn('manager@tapeline.test');
  const [northwind] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Northwind Consumer Loans' } }))
    .json;
  company = northwind.id;
  const [mapping] = (await manager.get('/crud/assetsETLs', { filter: { company }, sort: { code: -1 }, limit: 1 })).json;
  headers = mapping.extractedOriginColsFromLoanTape;
  tapesBefore = await tapeCount();
});

afterAll(async () => {
  for (const loanTapeId of tapesOfTest) {
    await manager.call('DELETE', '/LTP/assets/deleteProcess', { body: { loanTapeId, removePublished: true } });
  }
  expect(await tapeCount()).toBe(tapesBefore);
});

async function announce(name: string, size: number, type: string, directory?: string): Promise<File> {
  const body = { filesInfo: [{ name, size, type }], ...(directory === undefined ? {} : { directory }) };
  const answer = await manager.post('/files/signedUrls/loanTapes?operation=upload', body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json[0].fileMetadata;
}

async function put(file: File, bytes: Uint8Array, type: string): Promise<ApiAnswer> {
  const answer = await fetch(file.signedUrl, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: Buffer.from(bytes),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: text ? JSON.parse(text) : null,
    bytes: new Uint8Array(),
  };
}

async function upload(bytes: Uint8Array, name = 'tape.xlsx', type = XLSX): Promise<File> {
  const file = await announce(name, bytes.byteLength, type);
  expect((await put(file, bytes, type)).status).toBe(200);
  return file;
}

const schedule = (file: { key: string }, more: object = {}) =>
  manager.post('/files/loanTapeScheduler', {
    cutOffDate: CUT_OFF_DATE,
    companyId: company,
    mainCurrency: 'USD',
    attachments: [{ key: file.key }],
    ...more,
  });

/** No tape, no bytes, and nothing in the registry that could be downloaded. */
async function expectNothingKept(file: { key: string }): Promise<void> {
  expect(await tapeCount()).toBe(tapesBefore);
  expect(existsSync(join(inject('productHome'), 'objects', 'loanTapes', file.key))).toBe(false);
  const download = await manager.post('/files/signedUrls/loanTapes?operation=download', {
    filesInfo: [{ key: file.key }],
  });
  expect(download.json).toEqual([{ error: 'The file is not there, or was not uploaded whole' }]);
}

const tape = (rows: readonly (readonly (string | number | null)[])[], name = SHEET) =>
  workbookBytes({ name, xml: sheetXml(rows) });
const loan = (values: Parameters<typeof northwindLoan>[0]) => {
  const row = northwindLoan(values);
  return headers.map((header) => row[header] ?? null);
};

describe('an upload', () => {
  it('is taken only as it was announced, once, and by the method of its address', async () => {
    const csv = Buffer.from('Loan ID\nA1\n');
    const file = await announce('../../etc/passwd', csv.length, 'text/csv', '../../../tmp');
    expect(file.key).toMatch(/^[A-Za-z0-9/_-]+\/[0-9a-f]{24}\/etc-passwd$/);
    expectRefusal(await put(file, csv.subarray(1), 'text/csv'), 400, 'exactly 11 bytes');
    expectRefusal(await put(file, Buffer.concat([csv, csv]), 'text/csv'), 400, 'exactly 11 bytes');
    expectRefusal(await put(file, csv, 'text/html'), 400, 'Send the file as text/csv');
    const [body, signature] = file.signedUrl.split('.').slice(-2) as [string, string];
    const forged = file.signedUrl.replace(signature, signature.split('').reverse().join(''));
    expectRefusal(await put({ ...file, signedUrl: forged }, csv, 'text/csv'), 403, 'not valid');
    expectRefusal(await put({ ...file, signedUrl: file.signedUrl.replace(`.${signature}`, '') }, csv, 'text/csv'), 403);
    expect(body.length).toBeGreaterThan(20);
    expect((await fetch(file.signedUrl)).status).toBe(403);
    expect((await fetch(file.signedUrl, { method: 'DELETE' })).status).toBe(403);
    await expectNothingKept(file);
    expect((await put(file, csv, 'text/csv')).status).toBe(200);
    expectRefusal(await put(file, Buffer.from('Loan ID\nB2\n'), 'text/csv'), 403, 'used already');

    const [download] = (
      await manager.post('/files/signedUrls/loanTapes?operation=download', { filesInfo: [{ key: file.key }] })
    ).json;
    const read = await fetch(download.fileMetadata.signedUrl);
    expect(await read.text()).toBe(csv.toString());
    expect(read.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(read.headers.get('x-content-type-options')).toBe('nosniff');
    expectRefusal(await put(download.fileMetadata, csv, 'text/csv'), 403, 'does not allow PUT');
    // Lacks what the mapping reads: it is not kept either.
    expectRefusal(await schedule(file), 400);
    await expectNothingKept(file);
  });

  it.each([
    ['a legacy .xls', OLE, 'application/vnd.ms-excel', 'Save it as .xlsx'],
    ['an .xls called .xlsx', OLE, XLSX, 'Save it as .xlsx'],
    ['a workbook behind a password', ENCRYPTED, XLSX, 'without a password'],
    ['a text called .xlsx', Buffer.from('Loan ID,Balance\n'), XLSX, 'its content is not that'],
    ['a workbook called .csv', tape([['Loan ID']]), 'text/csv', 'its content is not that'],
    ['bytes of no kind', Buffer.from([1, 2, 3, 0, 255, 254]), 'text/csv', 'unknown kind'],
  ])('of %s is refused', async (_, bytes, type, message) => {
    const file = await announce('tape.xlsx', bytes.length, type);
    expectRefusal(await put(file, bytes, type), 400, message);
    expectRefusal(await schedule(file), 400, 'was not uploaded');
    await expectNothingKept(file);
  });

  it('of a kind, size or number that is not taken gets no address', async () => {
    const ask = (filesInfo: unknown) => manager.post('/files/signedUrls/loanTapes?operation=upload', { filesInfo });
    expect((await ask([{ name: 'a.exe', size: 5, type: 'application/x-msdownload' }])).json).toEqual([
      { error: 'Files of the type application/x-msdownload are not taken' },
    ]);
    for (const filesInfo of [[], Array(51).fill({ name: 'a', size: 1, type: 'text/csv' })]) {
      expect(expectRefusal(await ask(filesInfo), 400, 'Name 1 to 50 files').flags).toHaveProperty('filesInfo');
    }
    for (const size of [0, -1, 1.5, 2 ** 31])
      expectRefusal(
        await ask([{ name: 'a.csv', size, type: 'text/csv' }]),
        400,
        /The file is empty|A file has at most|must be the number/,
      );
    expectRefusal(await ask([{ name: 'a.csv' }]), 400, /^(size|type): /);
    expectRefusal(await manager.post('/files/signedUrls/nothing', { filesInfo: [] }), 404);
    const traversal = { filesInfo: [{ key: '../../secrets.json' }] };
    const [answer] = (await manager.post('/files/signedUrls/loanTapes?operation=download', traversal)).json;
    expect(answer).toEqual({ error: 'The file is not there, or was not uploaded whole' });
    expectRefusal(await schedule({ key: '../../secrets.json' }), 400, 'upload it first');
  });
});

describe('a tape is refused, and nothing of it kept, for', () => {
  const BOMB = Buffer.alloc(60 << 20, ' ');
  it.each<[string, () => Uint8Array, RegExp, object?]>([
    ['a file cut short', () => tape([headers, loan({})]).subarray(0, 900), /cut short/],
    ['an archive made to fill memory', () => workbookBytes({ name: SHEET, xml: BOMB }), /400 times its packed size/],
    [
      'an archive that hides its size',
      () => workbookBytes({ name: SHEET, xml: BOMB, declaredBytes: 1000 }),
      /unpacks to more than/,
    ],
    ['a sheet that is not there', () => tape([headers, loan({})], 'March "A&B"'), /March "A&B"/],
    ['a sheet named that is not there', () => tape([headers, loan({})]), /Loan Tape/, { sheetName: 'April' }],
    ['headers that are missing', () => tape([headers.slice(3), loan({}).slice(3)]), /Loan ID.*Borrower ID/],
    ['an empty sheet', () => tape([]), /empty|no header|no rows/i],
    ['a header alone', () => tape([headers]), /no rows|no data/i],
  ])('%s', async (_, bytes, message, more = {}) => {
    const file = await upload(bytes());
    const refusal = expectRefusal(await schedule(file, more), 400, message);
    expect(Object.keys(refusal.flags)).toEqual(['attachments.tape.xlsx']);
    await expectNothingKept(file);
  });
});

it('a .csv becomes a tape, whose errored rows can be discarded, some and then all', async () => {
  const rows = [
    headers,
    loan({}),
    loan({ 'Loan ID': 'T-2', 'Principal Balance': 99_999_999_999.99 }),
    loan({ 'Loan ID': null }),
    loan({ 'Loan ID': 'T-4', 'Principal Balance': 'see note' }),
    loan({ 'Loan ID': 'T-1' }),
  ];
  const csv = rows.map((row) => row.map((cell) => cell ?? '').join(',')).join('\n');
  const file = await upload(Buffer.from(csv), 'tape.csv', 'text/csv');
  const preview = await manager.get(`/LTP/preview/${encodeURIComponent(file.key)}/${encodeURIComponent(SHEET)}`);
  expect(preview.json).toMatchObject({ headerRow: 1 });
  expect(preview.json.rows).toHaveLength(5);

  const made = await schedule(file);
  expect([made.status, made.json.uploadedCount, made.json.errors]).toEqual([201, 1, []]);
  const [{ id }] = made.json.loanTapes;
  tapesOfTest.push(id);
  const read = async () => (await manager.get('/crud/loanTape', { filter: { id } })).json[0];
  for (let tries = 0; tries < 150 && (await read()).schedulerStatus !== 'Completed'; tries++) await sleep(200);
  const counts = { dataRows: 5, assets: 2, errored: 3, discarded: 0, blankRows: 0 };
  expect(await read()).toMatchObject({ processStatus: 'Completed', failure: null, counts });
  const assets = await manager.get('/crud/assets', { filter: { loanTape: id } });
  expect(assets.text).toContain('"outstandingSum":{"sum":99999999999.9900,"currency":"USD"}');
  // Another tape of the same file, which the mapping cannot read then, does not take the file of this one along.
  const [alder] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Alder Auto' } })).json;
  expectRefusal(await schedule(file, { companyId: alder.id }), 400, 'which the mapping reads');
  expect(existsSync(join(inject('productHome'), 'objects', 'loanTapes', file.key))).toBe(true);
  expectRefusal(await schedule(file, { assetsETL: '0'.repeat(24) }), 400, 'not one of the company');

  const errored = async () =>
    (await manager.get('/crud/assets/errored', { filter: { loanTapeId: id } })).json.map(
      ({ rowNumber }: { rowNumber: number }) => rowNumber,
    );
  expect(await errored()).toEqual([4, 5, 6]);
  const discard = (body: object) =>
    manager.call('DELETE', '/LTP/assets/errored', { body: { loanTapeId: id, ...body } });
  expect(expectRefusal(await discard({ rows: [5, 2] }), 400, ': 2').flags).toHaveProperty('rows');
  expect(expectRefusal(await discard({ rows: [] }), 400).flags).toHaveProperty('rows');
  expect(await errored()).toEqual([4, 5, 6]);

  expect((await discard({ rows: [5, 5] })).json).toEqual({
    ids: [id],
    counts: { ...counts, errored: 2, discarded: 1 },
  });
  expect(await errored()).toEqual([4, 6]);
  expectRefusal(await discard({ rows: [5] }), 400, ': 5');
  const both = await Promise.all([discard({ rows: [4] }), discard({ rows: [4] })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect((await discard({})).json.counts).toEqual({ ...counts, errored: 0, discarded: 3 });
  expect(await errored()).toEqual([]);
  expect((await discard({})).json.counts).toEqual({ ...counts, errored: 0, discarded: 3 });
  expect((await read()).counts).toEqual({ ...counts, errored: 0, discarded: 3 });

  const body = { loanTapeId: id, removePublished: true };
  expect((await manager.call('DELETE', '/LTP/assets/deleteProcess', { body })).json).toEqual({ ids: [id] });
  tapesOfTest.pop();
  expectRefusal(await manager.call('DELETE', '/LTP/assets/deleteProcess', { body }), 404);
  expect(existsSync(join(inject('productHome'), 'objects', 'lake', id))).toBe(false);
  expect((await manager.get('/crud/assets', { filter: { loanTape: id } })).json).toEqual([]);
});

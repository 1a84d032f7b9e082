import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { type ApiAnswer, type ApiClient, expectRefusal } from '../api-client.ts';
import { type NorthwindTapes, northwindLoan, northwindTapes } from '../northwind-tapes.ts';
import { fieldsOf, screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';
import { sheetXml, workbookBytes } from '../workbook-bytes.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SHEET = 'Loan Tape';
// Large enough that the error response arrives while the file is still being sent.
const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(5 << 20)]);
const ENCRYPTED = Buffer.concat([OLE, Buffer.from('EncryptedPackage', 'utf16le')]);
// Before the facility's contract.
const CUT_OFF_DATE = '2019-01-31';

interface File {
  key: string;
  signedUrl: string;
}

const tenant = ownTenant();
let manager: ApiClient;
let tapes: NorthwindTapes;
let company: string;
let headers: readonly string[];
let tapesBefore: string | null;

const tapeCount = async () =>
  (await manager.get('/crud/loanTape', { filter: { company }, limit: 1 })).headers.get('x-docs-count');

beforeAll(async () => {
  manager = tenant.manager;
  tapes = await northwindTapes(manager);
  ({ company, headers } = tapes);
});
beforeEach(async () => {
  tapesBefore = await tapeCount();
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

/** Expects that no tape was created and that the registry has no file that can be downloaded. */
async function expectNothingKept(file: { key: string }): Promise<void> {
  expect(await tapeCount()).toBe(tapesBefore);
  const download = await manager.post('/files/signedUrls/loanTapes?operation=download', {
    filesInfo: [{ key: file.key }],
  });
  expect(download.json).toEqual([{ error: 'The file does not exist, or its upload is incomplete' }]);
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
    expectRefusal(await put(file, Buffer.from('Loan ID\nB2\n'), 'text/csv'), 403, 'already been used');

    const [download] = (
      await manager.post('/files/signedUrls/loanTapes?operation=download', { filesInfo: [{ key: file.key }] })
    ).json;
    const read = await fetch(download.fileMetadata.signedUrl);
    expect(await read.text()).toBe(csv.toString());
    expect(read.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(read.headers.get('x-content-type-options')).toBe('nosniff');
    expectRefusal(await put(download.fileMetadata, csv, 'text/csv'), 403, 'does not allow PUT');
    // A file that lacks columns that the mapping reads is not kept either.
    expectRefusal(await schedule(file), 400);
    await expectNothingKept(file);
  });

  it.each([
    ['a text called .xlsx', Buffer.from('Loan ID,Balance\n'), XLSX, 'its content is not of that type'],
    ['a workbook called .csv', tape([['Loan ID']]), 'text/csv', 'its content is not of that type'],
    ['bytes of no kind', Buffer.from([1, 2, 3, 0, 255, 254]), 'text/csv', 'Unknown file type'],
  ])('of %s is refused', async (_, bytes, type, message) => {
    const file = await announce('tape.xlsx', bytes.length, type);
    expectRefusal(await put(file, bytes, type), 400, message);
    expectRefusal(await schedule(file), 400, 'was not uploaded');
    await expectNothingKept(file);
  });

  it.each([
    ['a legacy .xls', OLE, 'application/vnd.ms-excel', 'legacy Excel file (.xls)'],
    ['an .xls called .xlsx', OLE, XLSX, 'legacy Excel file (.xls)'],
    ['a workbook behind a password', ENCRYPTED, XLSX, 'without a password'],
    [
      'an HTML table called .xls',
      Buffer.from('<table><tr><td>Loan</td></tr></table>'),
      'application/vnd.ms-excel',
      'an HTML page',
    ],
  ])('of %s is refused as a tape, and not kept', async (_, bytes, type, message) => {
    const file = await announce('tape.xlsx', bytes.length, type);
    expect((await put(file, bytes, type)).status).toBeLessThan(300);
    expectRefusal(await schedule(file), 400, message);
    await expectNothingKept(file);
  });

  it('of a kind, size or number that is not taken gets no address', async () => {
    const ask = (filesInfo: unknown) => manager.post('/files/signedUrls/loanTapes?operation=upload', { filesInfo });
    expect((await ask([{ name: 'a.exe', size: 5, type: 'application/x-msdownload' }])).json).toEqual([
      {
        error: expect.stringMatching(
          /^Files of type application\/x-msdownload are not accepted\. Upload Markdown, text,/,
        ),
      },
    ]);
    const at = (bucket: string, size: number, type = 'application/pdf') =>
      manager.post(`/files/signedUrls/${bucket}?operation=upload`, { filesInfo: [{ name: 'a', size, type }] });
    const MB = 1024 * 1024;
    for (const [bucket, most, message] of [
      ['announcements', 100 * MB, 'A file has at most 100 MB'],
      ['fundReports', 100 * MB, 'A file has at most 100 MB'],
      ['importerFiles', 20 * MB, 'A file has at most 20 MB'],
    ] as const) {
      expect((await at(bucket, most)).json[0].fileMetadata.size, bucket).toBe(most);
      expect((await at(bucket, most + 1)).json, bucket).toEqual([{ error: message }]);
    }
    expect((await at('publicFiles', 512 * 1024 + 1, 'image/png')).json).toEqual([
      { error: 'An image has at most 512 KB' },
    ]);
    for (const filesInfo of [[], Array(51).fill({ name: 'a', size: 1, type: 'text/csv' })]) {
      expect(expectRefusal(await ask(filesInfo), 400, 'Give 1 to 50 files').flags).toHaveProperty('filesInfo');
    }
    for (const size of [0, -1, 1.5, 2 ** 31])
      expectRefusal(
        await ask([{ name: 'a.csv', size, type: 'text/csv' }]),
        400,
        /The file is empty|A file has at most|must be the number/,
      );
    expectRefusal(await ask([{ name: 'a.csv' }]), 400, /^filesInfo\.0\.size is required$/);
    expectRefusal(await ask([{ name: 'a.csv', size: '5' }]), 400, /^filesInfo\.0\.size must be the number of bytes$/);
    expectRefusal(await manager.post('/files/signedUrls/nothing', { filesInfo: [] }), 404);
    const traversal = { filesInfo: [{ key: '../../secrets.json' }] };
    const [answer] = (await manager.post('/files/signedUrls/loanTapes?operation=download', traversal)).json;
    expect(answer).toEqual({ error: 'The file does not exist, or its upload is incomplete' });
    expectRefusal(await schedule({ key: '../../secrets.json' }), 400, 'Upload it first');
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

  // Other documents of the month come with it, of any type that a tape may have.
  const pdf = await upload(Buffer.from('%PDF-1.4\n%%EOF\n'), 'servicer report.pdf', 'application/pdf');
  const made = await schedule(file, { otherAttachments: [{ key: pdf.key }] });
  expect([made.status, made.json.uploadedCount, made.json.errors]).toEqual([201, 1, []]);
  const [{ id }] = made.json.loanTapes;
  const read = async () => (await manager.get('/crud/loanTape', { filter: { id } })).json[0];
  await tapes.finished(id);
  const counts = { dataRows: 5, assets: 2, errored: 3, discarded: 0, blankRows: 0 };
  expect(await read()).toMatchObject({ processStatus: 'Completed', failure: null, counts });
  expect((await read()).otherAttachments).toMatchObject([{ key: pdf.key, type: 'application/pdf' }]);
  const assets = await manager.get('/crud/assets', { filter: { loanTape: id } });
  expect(assets.text).toContain('"outstandingSum":{"sum":99999999999.9900,"currency":"USD"}');
  // A second tape from the same file fails if its mapping cannot read the file. That must not delete this tape's file.
  const [alder] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Alder Auto' } })).json;
  expectRefusal(await schedule(file, { companyId: alder.id }), 400, 'which the mapping reads');
  expect(existsSync(join(inject('productHome'), 'objects', 'loanTapes', file.key))).toBe(true);
  expectRefusal(await schedule(file, { assetsETL: '0'.repeat(24) }), 400, 'does not belong to the borrower');

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
    ids: [expect.stringMatching(/00000005$/)],
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
  expectRefusal(await manager.call('DELETE', '/LTP/assets/deleteProcess', { body }), 404);
  // Published data stays in place until the sweep, because a database restored from yesterday's backup needs it.
  expect(existsSync(join(inject('productHome'), 'objects', 'lake', id))).toBe(true);
  expect((await manager.get('/crud/assets', { filter: { loanTape: id } })).json).toEqual([]);
});

it('rates of 13.70 where fractions are expected are warnings: before the upload, of the tape and of each asset', async () => {
  const rows = [
    headers,
    ...[13.7, 12.25, 0.1149, 9].map((rate, at) =>
      loan({ 'Loan ID': `W-${at}`, 'Interest Rate': rate, 'Days Past Due': at === 3 ? 9_999 : 0 }),
    ),
  ];
  const file = await upload(tape(rows));
  const [mapping] = (await manager.get('/crud/assetsETLs', { filter: { company }, sort: { code: -1 }, limit: 1 })).json;
  const preview = await manager.post('/LTP/preview/ETL', {
    fileUrl: file.key,
    sheetName: SHEET,
    cutOffDate: CUT_OFF_DATE,
    currency: 'USD',
    rules: mapping.rules,
  });
  expect(preview.json).toMatchObject({ assets: 4, errored: 0, warned: 3 });
  const rate = preview.json.targets.findIndex(({ path }: { path: string }) => path === 'interestRate');
  const reason = 'is outside the plausible range (0.25% to 100%, or 0)';
  expect(preview.json.rows[0].cells[rate]).toEqual({ value: '1370%', error: null, warning: reason });
  expect(preview.json.rows[2].cells[rate]).toEqual({ value: '11.49%', error: null, warning: null });

  const made = await schedule(file);
  expect(made.status, made.text).toBe(201);
  expect(made.json.warnings).toEqual([
    {
      attachment: 'tape.xlsx',
      message: expect.stringContaining('3 of the first 4 rows would have warnings with this mapping'),
    },
  ]);
  const [{ id }] = made.json.loanTapes;
  const published = await tapes.finished(id);
  expect(published).toMatchObject({ counts: { assets: 4, errored: 0 } });
  expect(published.warnings).toEqual({
    assets: 3,
    fields: [
      {
        path: 'daysPastDue',
        label: 'Days past due',
        assets: 1,
        reason: 'is outside the plausible range (0 to 3,650)',
      },
      { path: 'interestRate', label: 'Interest rate', assets: 3, reason },
    ],
  });
  expect(published.statistics).not.toHaveProperty('warnings');
  const assets = (await manager.get('/crud/assets', { filter: { loanTape: id }, sort: { row: 1 } })).json;
  expect(assets.map(({ warnings }: { warnings: { path: string }[] }) => warnings.map(({ path }) => path))).toEqual([
    ['interestRate'],
    ['interestRate'],
    [],
    ['daysPastDue', 'interestRate'],
  ]);
});

it('a cell that cannot be read leaves its field empty where the mapping says so, counted, listed and told at its asset', async () => {
  const [{ rules }] = (await manager.get('/crud/assetsETLs', { filter: { company }, sort: { code: -1 }, limit: 1 }))
    .json;
  const entity = { name: 'Lenient Loans', formalId: 'LL-1', nationality: { country: 'US' } };
  const business = { type: 'LLC', formalName: 'Lenient Loans', currency: 'USD' };
  const borrower = await manager.post('/crud/companies', { entity: { ...entity, business } });
  expect(borrower.status, borrower.text).toBe(201);
  const companyId = borrower.json.id;
  const lenient = rules.map((rule: object) => ({ ...rule, onUnreadable: 'empty' }));
  const body = { company: companyId, rules: lenient, loanTapeSheetName: SHEET };
  const mapping = await manager.post('/crud/assetsETLs', body);
  expect(mapping.status, mapping.text).toBe(201);
  expect(mapping.json.rules[0].onUnreadable).toBe('empty');
  const rows = [
    headers,
    loan({ 'Loan ID': 'U-1' }),
    loan({ 'Loan ID': 'U-2', 'Months on Book': 'in delay', Recoveries: '=HYPERLINK' }),
    loan({ 'Loan ID': 'U-3', 'Months on Book': 'soon' }),
    loan({ 'Loan ID': null }),
  ];
  const made = await schedule(await upload(tape(rows)), { companyId });
  expect(made.status, made.text).toBe(201);
  const [{ id }] = made.json.loanTapes;
  const published = await tapes.finished(id);
  // An id is Mandatory, and so is an error.
  expect(published.counts).toMatchObject({ dataRows: 4, assets: 3, errored: 1 });
  const reason = 'is empty because the cell could not be read';
  expect(published.warnings).toEqual({
    assets: 2,
    fields: [
      { path: 'monthsOnBook', label: 'Months on book', assets: 2, reason, isUnread: true },
      { path: 'sums.recoveries', label: 'Recoveries', assets: 1, reason, isUnread: true },
    ],
  });
  const listed = await manager.get('/crud/assets', {
    filter: { loanTape: id, 'monthsOnBook.unread': { exists: true } },
    sort: { row: 1 },
  });
  expect(listed.status, listed.text).toBe(200);
  type Warned = { targetData: { assetId: string; monthsOnBook: number | null }; warnings: object[] };
  expect(
    listed.json.map(({ targetData, warnings }: Warned) => [targetData.assetId, targetData.monthsOnBook, warnings]),
  ).toEqual([
    [
      'U-2',
      null,
      [
        { path: 'monthsOnBook', label: 'Months on book', reason: 'is empty: "in delay" is not a number' },
        { path: 'sums.recoveries', label: 'Recoveries', reason: 'is empty: "=HYPERLINK" is not a number' },
      ],
    ],
    ['U-3', null, [{ path: 'monthsOnBook', label: 'Months on book', reason: 'is empty: "soon" is not a number' }]],
  ]);
  const screens = await screensOf(tenant.emails.manager);
  const screen = await screens.get(paths.tape(id));
  expect(screen.text).toContain('Fields left empty because their cells could not be read');
  expect(screen.text).toContain('Months on book (2 assets)');
});

it('a tape whose ids are row numbers says so in its document, and no other tape does', async () => {
  const entity = { name: 'Numbered Loans', formalId: 'NL-1', nationality: { country: 'US' } };
  const owner = await manager.post('/crud/companies', { entity });
  expect(owner.status, owner.text).toBe(201);
  const companyId = owner.json.id;
  const publish = async (id: object, cutOffDate: string) => {
    const rules = [
      { targetCol: 'assetId', checks: ['Mandatory'], sequence: 1, ...id },
      {
        originCol: 'Balance',
        targetCol: 'sums.outstandingSum',
        serializations: [{ type: 'SerializedSum' }],
        sequence: 2,
      },
    ];
    const mapped = await manager.post('/crud/assetsETLs', {
      company: companyId,
      rules,
      loanTapeSheetName: 'loans',
      primaryCurrency: 'USD',
    });
    expect(mapped.status, mapped.text).toBe(201);
    const file = await upload(Buffer.from('Loan ID,Balance\nN-1,1000\nN-2,2000\n'), 'loans.csv', 'text/csv');
    const made = await schedule(file, { companyId, assetsETL: mapped.json.id, cutOffDate, again: true });
    expect(made.status, made.text).toBe(201);
    return tapes.finished(made.json.loanTapes[0].id);
  };
  const byRow = await publish({ originCol: null, serializations: [{ type: 'rowNumber' }] }, '2018-01-31');
  expect(byRow).toMatchObject({ processStatus: 'Completed', unstableIds: true });
  const byId = await publish({ originCol: 'Loan ID', serializations: [{ type: 'text' }] }, '2018-02-28');
  expect(byId).toMatchObject({ processStatus: 'Completed' });
  expect(byId).not.toHaveProperty('unstableIds');
  const { json: listed } = await manager.get('/crud/loanTape', {
    filter: { company: companyId },
    sort: { cutOffDate: 1 },
  });
  expect(listed.map(({ unstableIds }: { unstableIds?: boolean }) => unstableIds)).toEqual([true, undefined]);
});

it('a tape of a day in the future is made with a warning, one of today without', async () => {
  const warningsFor = async (cutOffDate: string) => {
    const made = await schedule(await upload(tape([headers, loan({})])), { cutOffDate });
    expect(made.status, made.text).toBe(201);
    const [{ id }] = made.json.loanTapes;
    await tapes.finished(id);
    const body = { loanTapeId: id, removePublished: true };
    expect((await manager.call('DELETE', '/LTP/assets/deleteProcess', { body })).status).toBe(200);
    return made.json.warnings;
  };
  expect(await warningsFor(new Date().toISOString().slice(0, 10))).toEqual([]);
  expect(await warningsFor('2150-06-30')).toEqual([
    { attachment: 'tape.xlsx', message: 'The tape of 30 Jun 2150 is in the future.' },
  ]);
});

describe('a tape whose currencies disagree', () => {
  const rules = [
    {
      originCol: 'Loan ID',
      targetCol: 'assetId',
      checks: ['Mandatory'],
      serializations: [{ type: 'text' }],
      sequence: 1,
    },
    {
      originCol: 'Balance',
      targetCol: 'sums.outstandingSum',
      serializations: [{ type: 'SerializedSum' }],
      sequence: 2,
    },
  ].map((rule) => ({ checks: [], validations: [], remainOriginCol: false, ...rule }));
  let lagos: string;
  let mapping: string;
  const scheduled = async (text: string, more: object = {}) => {
    const file = await upload(Buffer.from(text), 'loans.csv', 'text/csv');
    return schedule(file, { companyId: lagos, assetsETL: mapping, ...more });
  };
  const read = async (id: string) => (await manager.get('/crud/loanTape', { filter: { id } })).json[0];
  const plain = (id: string) => `Loan ID,Balance\n${id},1000\n`;

  beforeAll(async () => {
    const made = await manager.post('/crud/companies', {
      entity: {
        name: 'Lagos Asset Finance',
        formalId: 'RC-1',
        nationality: { country: 'NG' },
        business: { type: 'LLC', formalName: 'Lagos Asset Finance', currency: 'NGN' },
      },
    });
    expect(made.status, made.text).toBe(201);
    lagos = made.json.id;
    const mapped = await manager.post('/crud/assetsETLs', { company: lagos, rules, loanTapeSheetName: 'loans' });
    expect(mapped.status, mapped.text).toBe(201);
    expect(mapped.json.primaryCurrency).toBe('NGN');
    mapping = mapped.json.id;
  });

  it('has the company’s currency if it names none, and is asked nothing', async () => {
    const made = await scheduled(plain('N-1'), { mainCurrency: undefined, onDoubt: 'ask' });
    expect([made.status, made.json?.warnings], made.text).toEqual([201, []]);
    const done = await tapes.finished(made.json.loanTapes[0].id);
    expect(done).toMatchObject({
      mainCurrency: 'NGN',
      questions: [],
      processStatus: 'Completed',
      warnings: { assets: 0 },
    });
    expect(done.statistics.outstandingSum).toMatchObject([{ amount: { sum: 1000, currency: 'NGN' } }]);
  });

  it('waits until the question is answered, and nothing is published meanwhile', async () => {
    const text = 'Loan ID,Balance\nE-1,"€1000"\nE-2,2000\n';
    const made = await scheduled(text, { onDoubt: 'ask', cutOffDate: '2019-02-28' });
    const [{ id }] = made.json.loanTapes;
    const open = await read(id);
    expect(open).toMatchObject({
      schedulerStatus: 'Completed',
      processStatus: 'Pending',
      publishedAt: null,
      failure: null,
      questions: [
        { code: 'amountCurrency', data: { file: 'EUR', company: 'NGN', mapping: 'NGN', tape: 'USD' } },
        { code: 'mainCurrency', data: { choices: ['EUR', 'NGN', 'USD'] } },
      ],
    });
    const answer = (answers: object) => manager.post(`/LTP/questions/${id}`, { answers });
    expectRefusal(await manager.post('/LTP/assets/errored', { loanTapeId: id }), 400, 'open questions');
    expect(expectRefusal(await answer({ amountCurrency: 'GBP' }), 400).flags).toEqual({
      'answers.amountCurrency': 'must be one of EUR, NGN, USD',
      'answers.mainCurrency': 'is required',
    });
    expect((await read(id)).version).toBe(open.version);
    const answered = await answer({ amountCurrency: 'EUR', mainCurrency: 'USD' });
    expect([answered.status, answered.json.loanTapeId]).toEqual([200, id]);
    const done = await tapes.finished(id);
    expect(done).toMatchObject({
      processStatus: 'Completed',
      mainCurrency: 'USD',
      questions: [],
      answers: { amountCurrency: 'EUR', mainCurrency: 'USD' },
    });
    // "€1000" is no number to this mapping; the amount without a sign is in the currency that was answered.
    expect(done.statistics.outstandingSum).toMatchObject([{ amount: { sum: 2000, currency: 'EUR' } }]);
    expectRefusal(await answer({ amountCurrency: 'EUR' }), 400, 'no open questions');
  });

  it('is published with the same codes as warnings if nobody is to be asked', async () => {
    const made = await scheduled(plain('W-1'), { cutOffDate: '2019-03-31' });
    expect(made.json.warnings).toMatchObject([
      { attachment: 'loans.csv', code: 'mainCurrency', data: { tape: 'USD' } },
    ]);
    expect(await tapes.finished(made.json.loanTapes[0].id)).toMatchObject({
      processStatus: 'Completed',
      mainCurrency: 'USD',
      warnings: { questions: [{ code: 'mainCurrency' }] },
    });
  });

  it('is answered on its page, and not asked again about the same currencies', async () => {
    const first = await scheduled(plain('A-1'), { onDoubt: 'ask', cutOffDate: '2019-04-30' });
    const [{ id }] = first.json.loanTapes;
    const screens = await screensOf(tenant.emails.manager);
    const page = await screens.get(paths.tape(id));
    expect(page.text).toContain('NGN (the borrower, the mapping), USD (the upload)');
    expect(page.text).not.toContain('Nothing was saved');
    const unanswered = await screens.submit(paths.tape(id), { intent: 'answer', 'answers.mainCurrency': '' });
    expect(unanswered.status).toBe(422);
    const sent = await screens.submit(paths.tape(id), { intent: 'answer', 'answers.mainCurrency': 'USD' });
    expect([sent.status, sent.headers.get('location')]).toEqual([302, paths.tape(id)]);
    expect(await tapes.finished(id)).toMatchObject({ processStatus: 'Completed', mainCurrency: 'USD' });
    const again = await scheduled(plain('A-1'), { onDoubt: 'ask', cutOffDate: '2019-05-31' });
    expect(await tapes.finished(again.json.loanTapes[0].id)).toMatchObject({
      processStatus: 'Completed',
      questions: [],
      answers: { mainCurrency: 'USD' },
    });
  });
});

it('the same file again answers the tape that it made, for the same company, day, sheet and mapping', async () => {
  const csv = Buffer.from(
    [headers, loan({ 'Loan ID': 'S-1' })].map((row) => row.map((cell) => cell ?? '').join(',')).join('\n'),
  );
  const send = async (more: object = {}) => {
    const answer = await schedule(await upload(csv, 'tape.csv', 'text/csv'), { cutOffDate: '2019-02-28', ...more });
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  };
  const idsOf = ({ loanTapes }: { loanTapes: { id: string }[] }) => loanTapes.map(({ id }) => id);
  const before = Number(await tapeCount());
  const both = await Promise.all([send(), send()]);
  const id = idsOf(both[0])[0] as string;
  expect(both.map(idsOf)).toEqual([[id], [id]]);
  expect(both.map(({ loanTapes }) => loanTapes[0].existed).sort()).toEqual([false, true]);
  await tapes.finished(id);
  const repeated = await send();
  expect(repeated).toMatchObject({ uploadedCount: 1, errors: [], loanTapes: [{ id, existed: true }] });
  expect(repeated.warnings.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringMatching(/^This tape exists\. The same file .* send again: true$/),
  ]);
  // A CSV has no sheet, so its name changes nothing. What else differs is named.
  const other = { sheetName: 'Any', mainCurrency: 'EUR', exchangeRates: { EUR: '0.5' }, calculateBB: true };
  const different = await send(other);
  expect(different.loanTapes).toMatchObject([{ id, existed: true }]);
  expect(different.warnings.map(({ message }: { message: string }) => message)).toContainEqual(
    expect.stringMatching(
      /^This tape exists\. .* Unlike this upload, it has main currency USD instead of EUR, other exchange rates \(EUR, .* more\), no borrowing base requested\. No other tape was made\./,
    ),
  );
  expect(Number(await tapeCount())).toBe(before + 1);
  // Another day, and another because it was asked for.
  const others = [await send({ cutOffDate: '2019-03-31' }), await send({ again: true })];
  expect(others.map(({ loanTapes }) => loanTapes[0].existed)).toEqual([false, false]);
  const [, second = ''] = others.flatMap(idsOf);
  expect(new Set([id, ...others.flatMap(idsOf)]).size).toBe(3);
  // The screen asks, with a link to the tape, and loads it again if that is confirmed.
  const screens = await screensOf(tenant.emails.manager);
  await tapes.finished(second);
  const { key } = await upload(csv, 'tape.csv', 'text/csv');
  const review = paths.newTape({ company, files: key.split('/')[0], date: '2019-02-28' });
  const fields = fieldsOf(await screens.get(review), 'tapes[0].cutOffDate');
  expect(fields).toMatchObject({ 'tapes[0].companyId': company, 'tapes[0].cutOffDate': '2019-02-28' });
  const form = (more: Record<string, string> = {}) => {
    const sent = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...more })) sent.append(name, value);
    return screens.send(review, sent);
  };
  const asked = await form();
  expect(asked.status, asked.text.slice(0, 500)).toBe(422);
  expect(asked.text).toContain(`href="${paths.tape(second)}"`);
  expect(Number(await tapeCount())).toBe(before + 3);
  const confirmed = JSON.parse(
    /name="confirmedWarnings" value="([^"]*)"/.exec(asked.text)?.[1]?.replaceAll('&quot;', '"') ?? '[]',
  );
  expect(confirmed).toEqual([expect.stringMatching(/^tape\.csv: This tape exists\./)]);
  const loadAgain = () => form({ confirmedWarnings: JSON.stringify(confirmed) });
  const [one, two] = await Promise.all([loadAgain(), loadAgain()]);
  expect([one.status, two.status], two.text.slice(0, 500)).toEqual([302, 302]);
  expect(two.headers.get('location')).toBe(one.headers.get('location'));
  expect(Number(await tapeCount())).toBe(before + 4);
});

import { beforeAll, expect, test } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { ownTenantWithoutMappings } from '../tenant.ts';

const tenant = ownTenantWithoutMappings();
const other = ownTenantWithoutMappings();
let manager: ApiClient;
beforeAll(() => {
  manager = tenant.manager;
});

const HEADERS = 'LP code,Name,Formal id,Country';

/** Uploads a CSV file to a signed URL, and returns its key. */
async function upload(rows: readonly string[], headers = HEADERS): Promise<string> {
  const bytes = new TextEncoder().encode([headers, ...rows, ''].join('\n'));
  const signed = await manager.post('/files/signedUrls/importerFiles?operation=upload', {
    filesInfo: [{ name: 'investors.csv', size: bytes.byteLength, type: 'text/csv' }],
  });
  const { key, signedUrl } = signed.json[0].fileMetadata;
  const put = await fetch(signedUrl, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: bytes });
  expect(put.status).toBe(200);
  return key;
}

const request = (...keys: string[]) => ({
  kind: 'LPs',
  attachments: keys.map((key) => ({ key, name: 'investors.csv' })),
});
const titles = async () => ((await manager.get('/crud/LPs')).json as { title: string }[]).map(({ title }) => title);

test('sheets are checked with every problem, imported all or none, listed and undone', async () => {
  const right = await upload(['7101,Vega Pension,VEG-1,NO', '7102,Rigel Life,RIG-1,SE']);
  const wrong = await upload(['7103,Deneb Fund,DEN-1,', '7101,Altair Fund,ALT-1,DK'], HEADERS);
  const before = await titles();

  const checked = await manager.post('/files/importer/dryRun', request(right, wrong));
  expect(checked.status, checked.text).toBe(200);
  expect(checked.json).toMatchObject({
    bulkActionCode: null,
    uploadResults: [
      { kind: 'LPs', uploadedCount: 2, totalCount: 2, errors: [], attachment: { key: right } },
      {
        uploadedCount: 0,
        totalCount: 2,
        errors: [
          { row: 2, column: 'Country', message: 'is required' },
          { row: 3, column: 'LP code', message: expect.stringMatching(/same as in row 2/) },
        ],
      },
    ],
  });
  const refused = await manager.post('/files/importer', request(right, wrong));
  expectRefusal(refused, 400, /Nothing was imported/);
  expect(refused.json.flags ?? refused.json.data?.flags).toMatchObject({ 'sheets.1.rows.2.Country': 'is required' });
  expect(await titles()).toEqual(before);

  const imported = await manager.post('/files/importer', request(right));
  expect(imported.status, imported.text).toBe(201);
  const { bulkActionCode, uploadResults } = imported.json;
  expect(uploadResults).toMatchObject([{ uploadedCount: 2, totalCount: 2, errors: [] }]);
  expect(await titles()).toEqual(expect.arrayContaining(['Vega Pension', 'Rigel Life']));
  const listed = await manager.get('/files/importer/data', { filter: { 'resource.kind': 'LPs' } });
  expect(listed.json).toMatchObject([{ bulkActionCode, uploadedCount: 2, resource: { kind: 'LPs' } }]);
  expect((await other.manager.get('/files/importer/data')).json).toEqual([]);
  expect((await other.manager.call('DELETE', `/files/importer/${bulkActionCode}`)).status).toBe(404);

  const undone = await manager.call('DELETE', `/files/importer/${bulkActionCode}`);
  expect([undone.status, undone.json]).toEqual([200, { ids: [bulkActionCode] }]);
  expect(await titles()).toEqual(before);
  expectRefusal(await manager.call('DELETE', `/files/importer/${bulkActionCode}`), 400, /already undone/);
  // Codes of removed records are not used again.
  const again = await manager.post('/files/importer/dryRun', request(right));
  expect(again.json.uploadResults[0].errors[0]).toMatchObject({ row: 2, column: 'LP code' });
});

test('what cannot be read is refused at its attachment', async () => {
  const unknown = await manager.post('/files/importer/dryRun', request('no/such.csv'));
  expectRefusal(unknown, 400, /does not exist/);
  const headers = await manager.post('/files/importer/dryRun', request(await upload(['1,2'], 'Number,Someone')));
  expectRefusal(headers, 400, /has no column “Name”/);
  expectRefusal(await manager.post('/files/importer', request(await upload([]))), 400, /no rows/);
  expectRefusal(await manager.post('/files/importer', { kind: 'LPs', attachments: [] }), 400);
  const foreign = await other.manager.post('/files/importer/dryRun', request(await upload(['7301,A,A-1,NO'])));
  expectRefusal(foreign, 400, /does not exist/);
  const draft = { ...request(await upload(['7302,A,A-2,NO'])), status: 'Draft' };
  expectRefusal(await manager.post('/files/importer', draft), 400);
});

test('importing needs its permission', async () => {
  const borrower = await signedIn(tenant.emails.borrower);
  expectRefusal(await borrower.post('/files/importer', request('a')), 403);
  expectRefusal(await borrower.get('/files/importer/data'), 403);
});

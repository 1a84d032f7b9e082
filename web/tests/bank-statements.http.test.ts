import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deliveryPrefix } from '@tapeline/domain/cash/statement-delivery.ts';
import { beforeAll, expect, inject, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let account: string;
const IBAN = 'GB29NWBK60161331926819';

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  const created = await tenant.manager.post('/crud/bankAccounts', {
    title: 'Dollar collections',
    bankName: 'National Bank',
    accountNumber: 'GB29 NWBK 6016 1331 9268 19',
    currency: 'USD',
    openingDate: '2026-03-31',
  });
  expect(created.status, created.text).toBe(201);
  account = created.json.id;
});

const statement = (number: number, day: string, opening: string, closing: string, ...lines: string[]): string =>
  [
    ':20:S',
    `:25:${IBAN}`,
    `:28C:${number}`,
    `:60F:C${day}USD${opening}`,
    ...lines.flatMap((line, index) => [`:61:${day}${line}NTRFNONREF//${day}-${index}`, ':86:Capital call 9 <b>']),
    `:62F:C${day}USD${closing}`,
    '-',
  ].join('\n');

/** Uploads a file as a program does, and imports it. */
async function imported(content: string, more: object = {}, api = tenant.manager) {
  const filesInfo = [{ name: 'statement.txt', size: Buffer.byteLength(content), type: 'text/plain' }];
  const signed = await api.post('/files/signedUrls/bankStatements?operation=upload', { filesInfo });
  const [{ fileMetadata }] = signed.json;
  await fetch(fileMetadata.signedUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: content });
  return api.post('/crud/bankStatements', { attachment: fileMetadata, ...more });
}

test('a program uploads a file, imports it once, and reads its lines, gaps and payments', async () => {
  const first = await imported(statement(1, '260401', '0,', '250,', 'C300,', 'D50,'));
  expect(first.status, first.text).toBe(201);
  expect(first.json).toMatchObject([
    { isNew: true, added: 2, known: 0, lineCount: 2, gap: null, closing: { date: '2026-04-01', amount: { sum: 250 } } },
  ]);
  const third = await imported(statement(3, '260403', '260,', '261,', 'C1,'));
  expect(third.json).toMatchObject([{ gap: { after: '1', amount: { sum: 10, currency: 'USD' } } }]);
  const again = await imported(statement(1, '260401', '0,', '250,', 'C300,', 'D50,'));
  expect(again.json).toMatchObject([{ id: first.json[0].id, isNew: false, added: 0, known: 2 }]);

  const listed = await tenant.manager.get('/crud/bankStatements?filter={"number":"1"}');
  expect(listed.json).toMatchObject([{ id: first.json[0].id, bankAccount: { id: account }, format: 'MT940' }]);
  const { lines } = (await tenant.manager.get(`/crud/bankStatements/${first.json[0].id}`)).json;
  expect(lines).toMatchObject([
    { amount: { sum: 300, currency: 'USD' }, reference: '260401-0', remittance: 'Capital call 9 <b>' },
    { amount: { sum: -50, currency: 'USD' }, reference: '260401-1' },
  ]);
  const payment = await tenant.manager.get(`/crud/payments/${lines[1].payment}`);
  expect(payment.json).toMatchObject({ direction: 'out', amount: { sum: 50 }, bankReference: '260401-1' });
});

test('a file that is not understood is refused with what is wrong, and nothing of it is stored', async () => {
  const before = (await tenant.manager.get('/crud/bankStatements?limit=1')).json.length;
  const wrong = await imported(statement(9, '260409', '0,', '7,', 'C6,'));
  expect(wrong.status).toBe(400);
  expect(wrong.json.errors?.attachment ?? wrong.text).toContain('the closing balance is 7.00');
  const unknown = await imported(statement(9, '260409', '0,', '6,', 'C6,').replace(IBAN, 'DE89370400440532013000'));
  expect(unknown.text).toContain('DE89370400440532013000, which is none of your bank accounts');
  expect((await tenant.manager.get('/crud/bankStatements?limit=1')).json.length).toBe(before);
});

test('investors and borrowers neither read nor import statements', async () => {
  for (const email of [tenant.emails.investor, tenant.emails.borrower]) {
    const outsider = await screensOf(email);
    expect((await outsider.api.get('/crud/bankStatements')).status).toBe(403);
    expect((await outsider.get(paths.bankStatements())).status).toBe(403);
    expect((await imported('x', {}, outsider.api).catch(() => ({ status: 403 }))).status).toBe(403);
  }
});

async function upload(content: string, name: string, fields: Readonly<Record<string, string>> = {}) {
  const form = new FormData();
  form.append('csrf', client.token);
  form.append('intent', 'import');
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('upload', new File([content], name));
  return client.send(paths.importStatements(), form);
}

test('a person without JavaScript imports a file and sees its lines, and is told of a second time', async () => {
  const file = statement(20, '260420', '500,', '1500,', 'C1000,');
  const sent = await upload(file, 'april.sta');
  expect(sent.status, read(sent)).toBe(302);
  const page = read(await client.get(sent.headers.get('location')!));
  expect(page).toContain('1 line imported. They lead from the opening to the closing balance.');
  expect(page).toContain('Capital call 9 &lt;b&gt;');
  expect(page).toContain('1,000.00');
  const again = await upload(file, 'april.sta');
  expect(read(await client.get(again.headers.get('location')!))).toContain(
    'Nothing was added. 1 statement was imported before.',
  );
  expect(read(await client.get(paths.bankStatements()))).toContain('Dollar collections');
});

test('a form with a file that is refused says why, and keeps the account', async () => {
  const sent = await upload('Date,Amount\n2026-04-21,5.00\n', 'lines.csv', { bankAccount: account });
  expect(sent.status).toBe(422);
  expect(read(sent)).toContain('Describe the columns');
  const none = await client.submit(paths.importStatements(), { intent: 'import' });
  expect(read(none)).toContain('Choose');
});

test('the columns of a CSV file are described once for an account', async () => {
  const columns = paths.statementColumns(account);
  const form = await client.get(columns);
  const version = /name="accountVersion" value="(\d+)"/.exec(form.text)?.[1] ?? '';
  const fields = {
    intent: 'create',
    accountVersion: version,
    separator: ',',
    decimal: '.',
    dateOrder: 'YMD',
    bookedOn: 'Date',
  };
  const wrong = await client.submit(columns, { ...fields, debit: 'Out' });
  expect(wrong.status).toBe(422);
  const saved = await client.submit(columns, { ...fields, amount: 'Amount', remittance: 'Text' });
  expect(saved.headers.get('location')).toBe(paths.importStatements({ account }));
  const sent = await upload('Date,Amount,Text\n2026-04-21,5.00,Interest\n', 'lines.csv', { bankAccount: account });
  expect(sent.status, read(sent)).toBe(302);
  expect(read(await client.get(sent.headers.get('location')!))).toContain('Interest');
  expect((await client.get(columns)).text).toContain('value="Amount"');
});

test('what a bank delivers to the storage is imported or refused by itself, and shown with the reason', {
  timeout: 180_000,
}, async () => {
  const { json: me } = await tenant.manager.get('/crud/bankStatements?limit=1');
  const managerId = me[0].assoc.manager.id;
  const folder = join(inject('productHome'), 'objects', deliveryPrefix(managerId));
  await mkdir(folder, { recursive: true });
  const before = new Date(Date.now() - 3_600_000);
  const deliver = async (name: string, content: string) => {
    await writeFile(join(folder, `.${name}`), content);
    await utimes(join(folder, `.${name}`), before, before);
    await rename(join(folder, `.${name}`), join(folder, name));
  };
  await deliver('good.sta', statement(77, '260601', '0,', '7,', 'C7,'));
  await deliver('strange.sta', 'not what a bank writes');
  const taken = async () => (await tenant.manager.get('/crud/statementFiles')).json;
  await expect
    .poll(async () => (await taken()).map(({ name }: { name: string }) => name).sort(), { timeout: 150_000 })
    .toEqual(['good.sta', 'strange.sta']);
  const files = await taken();
  const of = (name: string) => files.find((file: { name: string }) => file.name === name);
  expect(of('good.sta')).toMatchObject({ outcome: 'Imported', reason: null, statements: 1, added: 1 });
  expect(of('strange.sta')).toMatchObject({ outcome: 'Refused', reason: expect.stringContaining('no camt.053') });
  const [imported] = (await tenant.manager.get('/crud/bankStatements?filter={"number":"77"}')).json;
  expect(imported).toMatchObject({
    fileName: 'good.sta',
    metadata: { createdBy: { entity: { apiName: 'Statement delivery' } } },
  });

  for (const path of [paths.bankStatements(), paths.deliveredStatements()]) {
    const page = await client.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('strange.sta');
    expect(page.text).toContain('no camt.053');
  }
  expect((await client.get(paths.document(of('strange.sta').file))).status).toBe(200);
  expect((await client.get(paths.importStatements())).text).toContain(`${deliveryPrefix(managerId)}${account}/`);
  const { json: told } = await tenant.manager.get('/crud/notifications');
  expect(JSON.stringify(told)).toContain('The statement file strange.sta was refused');
  for (const email of [tenant.emails.investor, tenant.emails.borrower]) {
    const outsider = await screensOf(email);
    expect((await outsider.api.get('/crud/statementFiles')).status).toBe(403);
    expect((await outsider.get(paths.deliveredStatements())).status).toBe(403);
  }
});

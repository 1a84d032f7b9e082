import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { beforeAll, expect, test, vi } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

/** The importer as a browser without scripts uses it. */
const tenant = ownTenant();
let client: ScreenClient;

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
});

const CSV = 'text/csv';

/** Sends a form with files in one field. */
function upload(
  path: string,
  fields: Record<string, string>,
  files: readonly { name: string; type: string; content: BlobPart }[],
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ csrf: client.token, ...fields })) form.append(name, value);
  for (const { name, type, content } of files) form.append('upload', new Blob([content], { type }), name);
  return client.send(path, form);
}

const toOf = (answer: ScreenAnswer): string => {
  expect(answer.status, answer.text.slice(0, 2000)).toBe(302);
  return answer.headers.get('location') ?? '';
};
/** What React puts between two texts is not shown. */
const textOf = ({ text }: ScreenAnswer): string => text.replaceAll('<!-- -->', '');
const versionOf = ({ text }: ScreenAnswer): string => /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';

const LPS = [
  'Number;Investor name;Tax id;Country',
  '9001;=HYPERLINK("http://x.example");I-9001;US',
  '9002;<script>alert(1)</script>;I-9002;US',
  '9003;Norrland Pension;I-9003;',
  'x;Fjord Pension;I-9004;NO',
].join('\n');

test('a file is uploaded, its columns are matched, its rows corrected on the page, imported and undone', async () => {
  const [name] = ['lps.csv'];
  const uploaded = await upload(paths.newImport('LPs'), { intent: 'sheet' }, [{ name, type: CSV, content: LPS }]);
  const columns = toOf(uploaded);
  expect(columns).toMatch(/\/columns$/);
  const page = await client.get(columns);
  expect(page.text).toContain('B: Investor name');

  // A required column without a choice is refused; what was chosen stays.
  const mapping = { c0: 'A', c1: 'B', c2: 'C', c3: '' };
  const refused = await client.submit(columns, { intent: 'map', version: versionOf(page), ...mapping });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('is required: choose the column of the file');
  expect(refused.text).toMatch(/<option value="B" selected="">B: Investor name/);
  const check = toOf(await client.submit(columns, { intent: 'map', version: versionOf(page), ...mapping, c3: 'D' }));

  const checked = await client.get(check);
  expect(checked.text).toContain('2 problems in 2 rows');
  const all = await client.get(`${check}?show=all`);
  // Texts of the file are shown, and never run.
  expect(all.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(all.text).not.toContain('<script>alert(1)</script>');

  // The first correction is still wrong, and stays in its field.
  const shown = '4-3 5-0';
  const correct = async (fields: Record<string, string>) => {
    const now = await client.get(check);
    return toOf(await client.submit(check, { intent: 'check', version: versionOf(now), shown, ...fields }));
  };
  await correct({ 'x-4-3': 'SE', 'x-5-0': 'y' });
  const again = await client.get(check);
  expect(again.text).toContain('1 problem in 1 row');
  expect(again.text).toContain('value="y"');
  const early = await client.submit(check, { intent: 'check', version: versionOf(again), go: 'import', shown: '' });
  expect(early.status).toBe(422);
  expect(early.text).toContain('Nothing was imported.');
  await correct({ 'x-4-3': 'SE', 'x-5-0': '9004' });
  const clean = await client.get(check);
  expect(clean.text).toContain('No problems.');

  const record = toOf(
    await client.submit(check, { intent: 'check', version: versionOf(clean), go: 'import', shown: '' }),
  );
  expect(record).toMatch(/^\/importer\/[0-9a-f]{24}$/);
  await vi.waitFor(async () => expect((await client.get(record)).text).toContain('Norrland Pension'), {
    timeout: 60_000,
    interval: 250,
  });
  const names = async () =>
    ((await tenant.manager.get('/crud/LPs')).json as { title: string }[]).map(({ title }) => title);
  expect(await names()).toEqual(expect.arrayContaining(['=HYPERLINK("http://x.example")', 'Fjord Pension']));

  const asked = toOf(await client.submit(record, { intent: 'undo' }));
  expect((await client.get(asked)).text).toContain('Undo this import?');
  toOf(await client.submit(record, { intent: 'undo', confirmed: 'yes' }));
  expect((await client.get(record)).text).toContain('Everything was removed');
  expect(await names()).not.toContain('Fjord Pension');
});

test('a file of another system: its dates, amounts, missing columns and total are understood', async () => {
  const first = async (path: string) =>
    ((await tenant.manager.get(`${path}?limit=1`)).json as { code: number; targetSize: { currency: string } }[])[0];
  const [fund, investor] = [await first('/crud/funds'), await first('/crud/LPs')];
  const currency = fund?.targetSize.currency ?? '';
  const line = (date: string, amount: string) => `LP-${investor?.code};${fund?.code};${date};Q;${amount}`;
  const content = [
    'Investor no.;Fund no.;Valuation date;Title;NAV',
    line('03/04/2021', '1.250'),
    line('05/06/2021', '2.000'),
    ';;;Total;3.250',
    '',
  ].join('\n');
  const columns = toOf(
    await upload(paths.newImport('navs'), { intent: 'sheet' }, [{ name: 'navs.csv', type: CSV, content }]),
  );
  const page = await client.get(columns);
  // The file has no such column, so that one value is proposed for all rows.
  expect(page.text).toMatch(/<option value="LP" selected="">LP/);
  const placeOf = (key: string) => IMPORT_COLUMNS.navs.findIndex((column) => column.key === key);
  const chosen = {
    intent: 'map',
    version: versionOf(page),
    [`c${placeOf('investorCode')}`]: 'A',
    [`c${placeOf('fundCode')}`]: 'B',
    [`c${placeOf('date')}`]: 'C',
    [`c${placeOf('callName')}`]: 'D',
    [`c${placeOf('defaultValue')}`]: 'E',
    [`v${placeOf('investorType')}`]: 'LP',
    [`v${placeOf('currency')}`]: `${currency}s`,
  };
  const unclear = await client.submit(columns, { ...chosen, dates: '', numbers: '' });
  expect(unclear.status).toBe(422);
  expect(unclear.text).toContain('is required, because 03/04/2021 can be two dates');
  expect(unclear.text).toContain('is required, because 1.250 can be two numbers');
  const check = toOf(await client.submit(columns, { ...chosen, dates: 'dayFirst', numbers: 'comma' }));
  const checked = textOf(await client.get(check));
  expect(checked).toContain('3 Apr 2021');
  expect(checked).toContain('Row 4 is a total. It is compared with the rows, and is not imported.');
  expect(checked).toContain('Row 4, Total');
  expect(checked).toContain('It agrees with 2 rows.');

  // One correction for all rows that mean the same; an amount is entered as the file writes it.
  const correct = async (fields: Record<string, string>) => {
    const version = versionOf(await client.get(check));
    toOf(await client.submit(check, { intent: 'check', version, shown: '', ...fields }));
    return textOf(await client.get(`${check}?show=all`));
  };
  expect(checked).toContain('Use a currency code of ISO 4217');
  const inCurrency = await correct({ useAll: `2-${placeOf('currency')}-${currency}` });
  expect(inCurrency).not.toContain('Use a currency code of ISO 4217');
  const amount = `2-${placeOf('defaultValue')}`;
  expect(await correct({ shown: amount, [`x-${amount}`]: '1.500,5' })).toContain('1,500.5');
  toOf(await client.submit(check, { intent: 'discard' }));
});

test('a large file is checked by a worker, with its progress on a page of its own', async () => {
  const rows = Array.from({ length: 201 }, (_, index) => `${9_300 + index},Fjord ${index},I-93${index},NO`);
  const content = ['LP code,Name,Formal id,Country', ...rows, ''].join('\n');
  const check = toOf(
    await upload(paths.newImport('LPs'), { intent: 'sheet' }, [{ name: 'large.csv', type: CSV, content }]),
  );
  const checking = toOf(await client.get(`${check}?show=all`));
  expect(checking).toBe(`${check}/checking?show=all`);
  const progress = await client.get(checking);
  if (progress.status === 200) {
    expect(progress.text).toContain('role="progressbar"');
    expect(progress.text).toContain('http-equiv="refresh"');
  }
  // Its result is shown where the check was asked for, and is kept while the pages are read.
  await vi.waitFor(async () => expect(toOf(await client.get(checking))).toBe(`${check}?show=all`), {
    timeout: 60_000,
    interval: 250,
  });
  const checked = await client.get(`${check}?show=all`);
  expect(textOf(checked)).toContain('No problems.');
  // Checking again without a change runs it again.
  const again = { intent: 'check', version: versionOf(checked), shown: '' };
  expect(toOf(await client.submit(check, again))).toBe(check);
  expect(toOf(await client.get(check))).toBe(`${check}/checking`);
  const borrower = await screensOf(tenant.emails.borrower);
  expect((await borrower.get(checking)).status).toBe(403);
  toOf(await client.submit(check, { intent: 'discard' }));
  expect((await client.get(checking)).status).toBe(404);
});

test('files that are too large, of another type or without rows are refused at the field', async () => {
  const send = (content: BlobPart, name = 'lps.csv', type = CSV) =>
    upload(paths.newImport('LPs'), { intent: 'sheet' }, [{ name, type, content }]);
  for (const megabytes of [20, 30]) {
    const large = await send(`a,b\n${'x'.repeat(megabytes * 1024 * 1024)}`);
    expect(large.status, large.text).toBe(422);
    expect(large.text).toContain('A file has at most 20 MB');
  }
  const pdf = await send('%PDF-1.7\n', 'lps.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(pdf.status).toBe(422);
  const empty = await send('LP code,Name,Formal id,Country\n');
  expect(empty.status).toBe(422);
  expect(empty.text).toContain('has no rows below its headers');
  const none = await client.submit(paths.newImport('LPs'), { intent: 'sheet' });
  expect(none.status).toBe(422);
});

test('only those with the permission open the importer, and a draft is its user’s own', async () => {
  const borrower = await screensOf(tenant.emails.borrower);
  expect((await borrower.get(paths.importer())).status).toBe(403);
  expect((await borrower.get(paths.importTemplate('LPs'))).status).toBe(403);
  const uploaded = await upload(paths.newImport('LPs'), { intent: 'sheet' }, [
    { name: 'lps.csv', type: CSV, content: 'LP code,Name,Formal id,Country\n9100,Fjord,I-9100,NO\n' },
  ]);
  const check = toOf(uploaded);
  expect(check).toMatch(/^\/importer\/drafts\/[0-9a-f]{24}$/);
  const other = await screensOf('manager@tapeline.test');
  expect((await other.get(check)).status).toBe(404);
  expect((await client.get(paths.importer())).text).toContain(check);
  toOf(await client.submit(check, { intent: 'discard' }));
  expect((await client.get(check)).status).toBe(404);
});

test('a template is a workbook or CSV, with the headers of its kind', async () => {
  const csv = await client.get(paths.importTemplate('navs', { format: 'csv' }));
  expect(csv.headers.get('content-disposition')).toContain('NAVs%20template.csv');
  expect(csv.text).toMatch(/^\ufeff?Investor type,Investor code,Fund code/);
  const xlsx = await client.get(paths.importTemplate('navs'));
  expect(xlsx.headers.get('content-type')).toContain('spreadsheetml');
  expect((await client.get('/importer/template/assets')).status).toBe(404);
});

const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

test('PDFs are matched by their names, reviewed on one screen, imported as drafts and published together', async () => {
  const [fund] = (await tenant.manager.get('/crud/funds?limit=1')).json as {
    id: string;
    title: string;
    classes: { uniqueKey: string }[];
  }[];
  const named = await upload(paths.newImport('reports'), { intent: 'pdfs', date: '2021-03-31', status: 'Draft' }, [
    { name: `${fund?.title} Q1.pdf`, type: 'application/pdf', content: PDF },
    { name: 'Unclear.pdf', type: 'application/pdf', content: `${PDF}\n` },
  ]);
  const files = toOf(named);
  const matched = await client.get(files);
  expect(matched.text).toContain('Choose the fund or class.');
  const owners = { 'o-0': fund?.id ?? '', 'o-1': `${fund?.id}:${fund?.classes[0]?.uniqueKey}` };
  const review = { intent: 'review', version: versionOf(matched), go: 'import', ...owners };
  const record = toOf(await client.submit(files, review));
  await vi.waitFor(async () => expect((await client.get(record)).text).toContain('Publish 2 now'), {
    timeout: 60_000,
    interval: 250,
  });
  const reports = async () => {
    const { json } = await tenant.manager.get(
      `/crud/reports?filter=${encodeURIComponent(JSON.stringify({ cutOffDate: '2021-03-31' }))}`,
    );
    return (json as { status: string }[]).map(({ status }) => status);
  };
  expect(await reports()).toEqual(['Draft', 'Draft']);
  const published = await client.submit(record, { intent: 'publish', confirmed: 'yes' });
  expect(textOf(published)).toContain('2 reports published.');
  expect(await reports()).toEqual(['Active', 'Active']);
  expect((await client.get(record)).text).not.toContain('Publish 2 now');
  const undo = await client.submit(record, { intent: 'undo', confirmed: 'yes' });
  expect(undo.text).toMatch(/This import cannot be undone\. Changed or issued since: Report \d+, Report \d+\./);
});

test('imported users are Pending, and invited together', async () => {
  const [investor] = (await tenant.manager.get('/crud/LPs?limit=1')).json as { code: number }[];
  const people = ['ida', 'ole'].map((name) => `${name}.${tenant.emails.manager}`);
  const rows = people.map((email) => `Ida,Holt,${email},${investor?.code}`);
  const content = ['First name,Last name,Email,LP code', ...rows, ''].join('\n');
  const check = toOf(
    await upload(paths.newImport('users'), { intent: 'sheet' }, [{ name: 'users.csv', type: CSV, content }]),
  );
  const version = versionOf(await client.get(check));
  const record = toOf(await client.submit(check, { intent: 'check', version, go: 'import', shown: '' }));
  await vi.waitFor(async () => expect((await client.get(record)).text).toContain('Invite 2 now'), {
    timeout: 60_000,
    interval: 250,
  });
  const invited = await client.submit(record, { intent: 'invite', confirmed: 'yes' });
  expect(textOf(invited)).toContain('2 invitations sent.');
  expect((await client.get(record)).text).not.toContain('Invite 2 now');
  const undo = await client.submit(record, { intent: 'undo', confirmed: 'yes' });
  expect(undo.text).toContain('Changed or issued since: Ida Holt, Ida Holt.');
});

test('a NAV of a day to come is named by the check, and imported once that is confirmed', async () => {
  const first = async (path: string) =>
    ((await tenant.manager.get(`${path}?limit=1`)).json as { code: number; targetSize: { currency: string } }[])[0];
  const [fund, investor] = [await first('/crud/funds'), await first('/crud/LPs')];
  const cells: Record<string, string> = {
    investorType: 'LP',
    investorCode: String(investor?.code),
    fundCode: String(fund?.code),
    date: '2150-06-30',
    callName: 'Q2',
    defaultValue: '125',
    currency: fund?.targetSize.currency ?? '',
  };
  const columns = IMPORT_COLUMNS.navs;
  const content = [columns.map(({ label }) => label), columns.map(({ key }) => cells[key] ?? '')]
    .map((row) => row.join(';'))
    .join('\n');
  const file = { name: 'future.csv', type: CSV, content };
  const check = toOf(await upload(paths.newImport('navs'), { intent: 'sheet' }, [file]));
  const page = await client.get(check);
  expect(textOf(page)).toContain('The NAV of 30 Jun 2150 is in the future.');
  const send = { intent: 'check', version: versionOf(page), go: 'import', shown: '' };
  const asked = await client.submit(check, send);
  expect([asked.status, asked.text.includes('Confirm first that the rows with a warning are right')]).toEqual([
    422,
    true,
  ]);
  const confirmed =
    /name="confirmedWarnings"[^>]* value="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const record = toOf(await client.submit(check, { ...send, confirmedWarnings: confirmed }));
  await vi.waitFor(
    async () =>
      expect((await tenant.manager.get('/crud/navs', { filter: { cutOffDate: '2150-06-30' } })).json).toHaveLength(1),
    { timeout: 60_000, interval: 250 },
  );
  toOf(await client.submit(record, { intent: 'undo', confirmed: 'yes' }));
});

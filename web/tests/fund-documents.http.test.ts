import { SYSTEM } from '@tapeline/db/store.ts';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { paths } from '../app/paths.ts';
import { productStore } from './product-store.ts';
import { type ScreenAnswer, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let investor: ScreenClient;
let fund: string;
const lps: string[] = [];

/** A PDF file of one empty page. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

/** Sends a form with files, as a page without scripts does. */
function upload(path: string, fields: Record<string, string>, files: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ csrf: client.token, ...fields })) form.append(name, value);
  for (const [name, text] of Object.entries(files)) {
    form.append(name, new Blob([text], { type: 'application/pdf' }), `${name}.pdf`);
  }
  return client.send(path, form);
}

const documents = () => paths.fund(fund, { view: 'documents' });
/** The values of the checkboxes of a page. */
const choices = ({ text }: ScreenAnswer): string[] =>
  [...text.matchAll(/<input[^>]*>/g)].flatMap(([tag]) =>
    tag.includes('name="documents"') ? (/ value="([^"]+)"/.exec(tag)?.[1] ?? []) : [],
  );
const statements = async (screens: ScreenClient) =>
  (await screens.api.get('/crud/capitalAccounts', { filter: { fund } })).json as {
    id: string;
    status: string;
    investor: { id: string };
    fileMetadata: { name: string } | null;
  }[];

const publishChosen = async (...values: readonly string[]) => {
  const chosen = values.map((value) => ['documents', value] as const);
  const answer = await client.submit(documents(), [['intent', 'publishDocuments'], ...chosen]);
  expect(answer.status, answer.text.slice(0, 500)).toBe(302);
};

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  investor = await screensOf(tenant.emails.investor);
  const own = (await investor.api.get('/crud/LPs')).json as { id: string }[];
  lps.push(own[0]!.id);
  const entity = { name: 'Marsh Pension', formalId: 'LP-MAR', nationality: { country: 'US' } };
  lps.push((await created('/crud/LPs', { title: 'Marsh Pension', entity })).id);
  const terms = { type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 4000, hardCap: 4000 };
  fund = (await created('/crud/funds', { title: 'Paper Fund', ...terms })).id;
  for (const id of lps) {
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: { sum: 2000, currency: 'USD' },
    });
  }
});

test('statements are computed, published and downloaded; an investor sees its own only', async () => {
  const form = paths.newStatements({ fund });
  expect((await client.get(form)).text).toContain('Marsh Pension');
  const fields = { intent: 'compute', cutOffDate: '2026-06-30', whom: 'all' };
  // What nothing was paid into is worth zero; what was called for has a value that somebody records.
  await created('/crud/contributions', {
    fund,
    callNumber: '1',
    cutOffDate: '2026-02-02',
    dueDate: '2026-02-20',
    amount: { sum: 200, currency: 'USD' },
    callPurposes: [{ title: 'Investments', kind: 'investments', amount: 200 }],
    status: 'Active',
  });
  const early = await client.submit(form, fields);
  expect(early.status).toBe(422);
  expect(early.text).toContain('has no NAV on or before 30 Jun 2026');
  expect(early.text).toContain('value="2026-06-30"');
  await created(
    '/crud/navs',
    lps.map((id) => ({
      fund,
      investor: { id, kind: 'LP' },
      cutOffDate: '2026-06-30',
      gross: 0,
      net: 0,
      currency: 'USD',
    })),
  );
  expect((await client.submit(form, { ...fields, whom: 'chosen' })).text).toContain('Choose at least one investor');
  const stored = await client.submit(form, fields);
  const drafts = paths.fund(fund, { view: 'documents', select: 'drafts' });
  expect([stored.status, stored.headers.get('location')]).toEqual([302, drafts]);
  expect(await statements(investor)).toEqual([]);

  const page = await client.get(documents());
  const chosen = choices(page);
  expect(chosen).toHaveLength(2);
  expect(choices(await investor.get(documents()))).toEqual([]);
  expect(
    (
      await investor.submit(documents(), [
        ['intent', 'publishDocuments'],
        ['documents', chosen[0]!],
      ])
    ).status,
  ).toBe(403);
  const review = await client.submit(documents(), [
    ['intent', 'reviewDocuments'],
    ...chosen.map((value) => ['documents', value] as const),
  ]);
  expect(review.text).toContain('Who is told');
  expect(review.text).toContain('No one is notified: Marsh Pension');
  expect(await statements(investor)).toEqual([]);
  const published = await client.submit(documents(), [
    ['intent', 'publishDocuments'],
    ...chosen.map((value) => ['documents', value] as const),
  ]);
  expect(published.status, published.text.slice(0, 500)).toBe(302);
  const own = await statements(investor);
  expect(own.map((one) => [one.investor.id, one.status])).toEqual([[lps[0], 'Active']]);

  const workbook = await investor.api.call('GET', paths.statementWorkbook(own[0]!.id));
  expect(workbook.status).toBe(200);
  expect(Buffer.from(workbook.bytes.subarray(0, 2)).toString()).toBe('PK');
  const other = (await statements(client)).find((one) => one.investor.id === lps[1])!;
  expect((await investor.api.call('GET', paths.statementWorkbook(other.id))).status).toBe(404);
  await vi.waitFor(async () => expect((await statements(investor))[0]?.fileMetadata).not.toBeNull(), {
    timeout: 120_000,
    interval: 500,
  });
  const shown = await investor.get(documents());
  expect(shown.text).toContain('Capital account 2026-06-30');
  expect(shown.text).not.toContain('Marsh Pension');
  // The versions that the list showed before the publication are no longer the latest.
  const again = await client.submit(documents(), [
    ['intent', 'publishDocuments'],
    ['documents', chosen[0]!],
  ]);
  expect([again.status, again.text.includes('Someone else has changed this')]).toEqual([422, true]);
});

test('a statement is uploaded for one investor, and removed with a reason', async () => {
  const form = paths.newStatements({ fund, how: 'upload' });
  const fields = { intent: 'upload', cutOffDate: '2026-03-31' };
  expect((await upload(form, fields)).text).toContain('Choose the file of at least one investor');
  const wrong = await upload(form, fields, { [`file-${lps[1]}`]: 'This is no PDF' });
  expect([wrong.status, wrong.text.includes(`file-${lps[1]}.pdf:`)]).toEqual([422, true]);
  const stored = await upload(form, fields, { [`file-${lps[1]}`]: PDF });
  expect(stored.status, stored.text.slice(0, 500)).toBe(302);
  const name = `file-${lps[1]}.pdf`;
  const page = await client.get(documents());
  expect(page.text).toContain(name);
  expect((await investor.get(documents())).text).not.toContain(name);
  const uploaded = (await statements(client)).find(({ fileMetadata }) => fileMetadata?.name === name)!;
  const value = choices(page).find((one) => one.includes(uploaded.id))!;
  // A draft needs no reason. What was published does, and before it is asked who is told.
  await publishChosen(value);
  const [published] = choices(await client.get(documents())).filter((one) => one.includes(uploaded.id));
  const review = await client.submit(documents(), { intent: 'reviewRemoval', documents: published! });
  expect([review.status, review.text.includes('Who is told'), review.text.includes('Reason')]).toEqual([
    200,
    true,
    true,
  ]);
  const removal = (reason: string) =>
    client.submit(documents(), { intent: 'removeDocuments', documents: published!, reason });
  const refused = await removal('');
  expect([refused.status, refused.text.includes('Give a reason for withdrawing it')]).toEqual([422, true]);
  expect(refused.text).toContain('Who is told');
  expect((await removal('The wrong file')).status).toBe(302);
  expect((await client.get(documents())).text).not.toContain(name);
});

test('a report is uploaded as a draft, published, and read by the investors of the fund', async () => {
  const form = paths.newReport({ fund });
  const fields = { intent: 'create', cutOffDate: '2026-06-30' };
  expect((await upload(form, fields)).status).toBe(422);
  expect((await upload(form, fields, { file: PDF })).status).toBe(302);
  expect((await investor.get(documents())).text).not.toContain('Fund report');
  const [value] = choices(await client.get(`${documents()}&kind=report`));
  expect((await client.submit(documents(), { intent: 'publishDocuments', documents: value! })).status).toBe(302);
  expect((await investor.get(documents())).text).toContain('Fund report');
});

/** The names of a zip file's entries, from its central directory. */
function zipNames(bytes: Uint8Array): string[] {
  const zip = Buffer.from(bytes);
  const names: string[] = [];
  for (let at = zip.indexOf('504b0102', 0, 'hex'); at >= 0; at = zip.indexOf('504b0102', at + 46, 'hex')) {
    names.push(zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28)).toString());
  }
  return names;
}

/** Publishes a report whose file has this name and content. */
async function publishReport(name: string, type: string, content: string, more: object = {}) {
  const info = { name, size: content.length, type };
  const signed = await tenant.manager.post('/files/signedUrls/fundReports?operation=upload', { filesInfo: [info] });
  const { fileMetadata: file } = signed.json[0] as { fileMetadata: { key: string; signedUrl: string } };
  const url = new URL(file.signedUrl, inject('productUrl'));
  const put = await fetch(url, { method: 'PUT', body: content, headers: { 'content-type': type } });
  const body = { fund, cutOffDate: '2026-09-30', status: 'Active', fileMetadata: { key: file.key }, ...more };
  return { file, put, answer: await tenant.manager.post('/crud/reports', [body]) };
}

const fileIdOf = async (key: string) => {
  const store = await productStore();
  const [row] = await store.read(SYSTEM, (session) =>
    session.query<{ id: string }>('select id from files where key = $1', [key]),
  );
  return row?.id ?? '';
};

test('a report is previewed and downloaded safely, and the manager sees who has read it', async () => {
  const { file, answer } = await publishReport('../../etc/Third quarter.pdf', 'application/pdf', PDF);
  expect(answer.status, answer.text).toBe(201);
  expect(file.key).not.toContain('..');
  const id = await fileIdOf(file.key);
  const unread = await client.get(paths.document(id));
  expect(unread.text).toContain('Read by 0 of 1');

  const page = await investor.get(paths.document(id));
  expect([page.status, page.text.includes('Read by')]).toEqual([200, false]);
  const content = await investor.get(paths.documentContent(id));
  expect([content.status, content.headers.get('content-type'), content.text]).toEqual([200, 'application/pdf', PDF]);
  expect(content.headers.get('content-security-policy')).toContain("default-src 'none'; sandbox");
  expect(content.headers.get('x-content-type-options')).toBe('nosniff');
  expect(content.headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''\.\.%2F/);
  const read = await client.get(paths.document(id));
  expect(read.text).toContain('Read by 1 of 1');
  expect((await client.get(documents())).text).toMatch(/1<!-- --> of <!-- -->1/);

  const archive = await investor.api.call('GET', paths.documentArchive({ fund, kind: 'report' }));
  expect([archive.status, archive.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const names = zipNames(archive.bytes);
  expect(names).toContain('..-..-etc-Third quarter.pdf'.replace(/^[. ]+/, ''));
  for (const name of names) expect(name).not.toMatch(/[/\\:]|^\./);

  // Once it is withdrawn, its address says so to whoever could read it, and its file is gone.
  const [published] = choices(await client.get(`${documents()}&kind=report`)).filter((value) =>
    value.includes(answer.json[0].id),
  );
  const removed = await client.submit(documents(), {
    intent: 'removeDocuments',
    documents: published!,
    reason: 'Of another quarter',
  });
  expect(removed.status, removed.text.slice(0, 500)).toBe(302);
  for (const screens of [client, investor]) {
    const withdrawn = await screens.get(paths.document(id));
    expect([withdrawn.status, withdrawn.text.includes('withdrew the report of 30 Sep 2026 on')]).toEqual([200, true]);
  }
  for (const path of [paths.documentContent(id), paths.download(id)]) {
    expect((await investor.get(path)).status, path).toBe(404);
  }
  // Why is for the manager.
  expect((await client.get(paths.document(id))).text).toContain('Of another quarter');
  expect((await investor.get(paths.document(id))).text).not.toContain('Of another quarter');
  expect((await (await screensOf(tenant.emails.borrower)).get(paths.document(id))).status).toBe(404);
});

const nobody = 'No one is notified: Marsh Pension. Invite a user of each, or add a contact with an email to its entity';
const warningsOf = (documents: readonly { warnings?: string[] }[]) => documents.map(({ warnings }) => warnings ?? []);
/** Only the second investor has nobody who could be told. */
function expectSecondOnly(documents: readonly { investor: { id: string }; warnings?: string[] }[]): void {
  expect(new Map(documents.map((one) => [one.investor.id, warningsOf([one])[0]]))).toEqual(
    new Map([
      [lps[0], []],
      [lps[1], [nobody]],
    ]),
  );
}

test('a call that publishes warns of each investor of whom nobody is told, and of what is past', async () => {
  const statement = (id: string | undefined, more: object = {}) => ({
    fund,
    investor: { id, kind: 'LP' },
    cutOffDate: '2026-07-31',
    ...more,
  });
  const published = lps.map((id) => statement(id, { status: 'Active' }));
  expect(warningsOf(await created('/crud/capitalAccounts', published))).toEqual([[], [nobody]]);
  const drafts = await created(
    '/crud/capitalAccounts',
    lps.map((id) => statement(id)),
  );
  expect(warningsOf(drafts)).toEqual([[], []]);
  const change = (items: readonly { id: string; version: number }[], status: string) =>
    tenant.manager.call('PUT', '/crud/capitalAccounts/bulk', {
      body: items.map(({ id, version }) => ({ id, version, status })),
    });
  const issued = await change(drafts, 'Active');
  expect([issued.status, warningsOf(issued.json)]).toEqual([200, [[], [nobody]]]);
  // What is published already is not published again.
  expect(warningsOf((await change(issued.json, 'Active')).json)).toEqual([[], []]);

  const reports = await Promise.all([
    publishReport('now.pdf', 'application/pdf', PDF),
    publishReport('old.pdf', 'application/pdf', PDF, { cutOffDate: '2026-01-31' }),
    publishReport('draft.pdf', 'application/pdf', PDF, { status: 'Draft' }),
  ]);
  const past = 'No one is notified, because its date has passed. Send it from its page to notify them';
  expect(reports.map(({ answer }) => warningsOf(answer.json)[0])).toEqual([[nobody], [past], []]);

  const call = (more: object) => ({
    fund,
    cutOffDate: '2026-11-02',
    dueDate: '2149-01-01',
    amount: { sum: 20, currency: 'USD' },
    callPurposes: [{ title: 'Investments', kind: 'investments', amount: 20 }],
    ...more,
  });
  const calls = await created('/crud/contributions', call({ callNumber: '2', status: 'Active' }));
  expectSecondOnly(calls);
  const payment = {
    fund,
    callNumber: 'D1',
    cutOffDate: new Date().toISOString().slice(0, 10),
    distributionKind: 'Interest',
    principal: { sum: 0, currency: 'USD' },
    components: [{ title: 'Interest', actionType: 'INTEREST', amount: { sum: 8, currency: 'USD' } }],
    status: 'Active',
  };
  expectSecondOnly(await created('/crud/distributions', payment));
});

test('an investor sees own documents only: in the list, in the preview and in the zip', async () => {
  const stored = await upload(
    paths.newStatements({ fund, how: 'upload' }),
    { intent: 'upload', cutOffDate: '2026-05-31' },
    { [`file-${lps[0]}`]: PDF, [`file-${lps[1]}`]: PDF },
  );
  expect(stored.status, stored.text.slice(0, 500)).toBe(302);
  const keys = await tenant.manager.get('/crud/capitalAccounts', { filter: { fund, cutOffDate: '2026-05-31' } });
  const drafts = new Set(keys.json.map((one: { id: string }) => one.id));
  await publishChosen(...choices(await client.get(documents())).filter((value) => drafts.has(value.split('.')[1])));
  const [own, foreign] = await Promise.all(
    lps.map((lp) => {
      const one = keys.json.find((each: { investor: { id: string } }) => each.investor.id === lp);
      return fileIdOf(one.fileMetadata.key);
    }),
  );
  expect((await client.get(paths.documents({ fund }))).text).toContain(`file-${lps[1]}`);
  const list = await investor.get(paths.documents({ fund }));
  expect([list.text.includes(`file-${lps[0]}`), list.text.includes(`file-${lps[1]}`)]).toEqual([true, false]);
  expect((await investor.get(paths.investor(lps[0]!, { view: 'documents' }))).text).toContain(`file-${lps[0]}`);
  expect((await investor.get(paths.documents({ investor: lps[1]! }))).status).toBe(404);
  expect((await investor.get(paths.documentArchive({ investor: lps[1]! }))).status).toBe(404);
  for (const path of [paths.document, paths.documentContent, paths.download]) {
    expect((await investor.get(path(foreign!))).status, path('')).toBe(404);
    expect((await investor.get(path(own!))).status, path('')).not.toBe(404);
  }
  const archive = await investor.api.call('GET', paths.documentArchive({ fund, kind: 'statement' }));
  expect(zipNames(archive.bytes)).toContain(`file-${lps[0]}.pdf`);
  expect(zipNames(archive.bytes).join()).not.toContain(lps[1]);
  const borrower = await screensOf(tenant.emails.borrower);
  for (const path of [paths.documents({ fund }), paths.documentArchive({ fund }), paths.document(own!)]) {
    expect((await borrower.get(path)).status, path).toBe(404);
  }
});

test('a file that is not what it says is refused, and nothing that can run scripts is shown', async () => {
  const html = '<!doctype html><script>alert(1)</script>';
  const spoofed = await publishReport('report.pdf', 'application/pdf', html);
  expect([spoofed.put.status, spoofed.answer.status]).toEqual([400, 400]);
  expect(spoofed.answer.text).not.toContain('report.pdf"');

  // A page and an SVG image are stored as files, and only downloaded.
  for (const type of ['text/html', 'image/svg+xml']) {
    const { file, answer } = await publishReport('page.html', type, html);
    const id = await fileIdOf(file.key);
    if (answer.status !== 201) continue;
    expect((await client.get(paths.documentContent(id))).status, type).toBe(404);
    expect((await client.get(paths.document(id))).text).toContain('no preview');
    const { headers } = await client.get(paths.download(id));
    const sent = await fetch(new URL(headers.get('location') ?? '', inject('productUrl')));
    expect(sent.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(sent.headers.get('x-content-type-options')).toBe('nosniff');
  }
  // What is stored under a false type, by whatever way, is not sent to be shown.
  const { file } = await publishReport('notes.txt', 'text/plain', html);
  const id = await fileIdOf(file.key);
  const store = await productStore();
  await store.as(SYSTEM, (session) => session.query("update files set type = 'image/png' where id = $1", [id]));
  expect((await client.get(paths.documentContent(id))).status).toBe(404);
  for (const path of ['/documents/..%2F..%2Fetc%2Fpasswd/content', '/documents/%2e%2e/content']) {
    expect((await client.get(path)).status, path).toBe(404);
  }
});

test('each bucket takes files only from those who may fill it', async () => {
  const borrower = await screensOf(tenant.emails.borrower);
  const buckets = [
    'capitalAccounts',
    'capitalCalls',
    'fundReports',
    'announcements',
    'importerFiles',
    'testFiles',
    'loanTapes',
    'publicFiles',
  ];
  const takenFrom = async (screens: ScreenClient) => {
    const taken: string[] = [];
    for (const bucket of buckets) {
      const filesInfo = [{ name: 'file.png', size: 10, type: 'image/png' }];
      const { status } = await screens.api.post(`/files/signedUrls/${bucket}?operation=upload`, { filesInfo });
      expect([200, 403], bucket).toContain(status);
      if (status === 200) taken.push(bucket);
    }
    return taken;
  };
  expect(await takenFrom(client)).toEqual(buckets.filter((bucket) => bucket !== 'testFiles'));
  expect(await takenFrom(await screensOf('admin@tapeline.test'))).toContain('testFiles');
  expect(await takenFrom(borrower)).toEqual(['loanTapes']);
  expect(await takenFrom(investor)).toEqual([]);
});

test('the calls of a main fund that publish warn as those of its funds', async () => {
  const terms = { type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 4000, hardCap: 4000 };
  const { id: mainFund } = await created('/crud/mainFunds', { title: 'Paper Funds', ...terms });
  const members = await tenant.manager.call('PUT', `/crud/mainFunds/${mainFund}/classes`, {
    body: { classMembers: [fund] },
  });
  expect(members.status, members.text).toBe(200);
  const statements = lps.map((id) => ({ investor: { id, kind: 'LP' }, cutOffDate: '2026-07-31', status: 'Active' }));
  expectSecondOnly(await created(`/crud/mainFunds/capitalAccounts/${mainFund}`, statements));
  const { file } = await publishReport('all.pdf', 'application/pdf', PDF, { status: 'Draft' });
  const report = { cutOffDate: '2026-09-30', status: 'Active', fileMetadata: { key: file.key } };
  expect(warningsOf(await created(`/crud/mainFunds/reports/${mainFund}`, [report]))).toEqual([[nobody]]);
});

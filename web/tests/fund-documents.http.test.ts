import { beforeAll, expect, test, vi } from 'vitest';
import { paths } from '../app/routes/paths.ts';
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
  const fields = { intent: 'compute', cutOffDate: '2026-06-30', status: 'Draft', whom: 'all' };
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
  expect([stored.status, stored.headers.get('location')]).toEqual([302, documents()]);
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
  const fields = { intent: 'upload', cutOffDate: '2026-03-31', status: 'Active' };
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
  const remove = (reason: string) =>
    client.submit(documents(), { intent: 'removeDocuments', documents: value, reason });
  expect((await remove('')).text).toContain('Say why this is removed');
  expect((await remove('The wrong file')).status).toBe(302);
  expect((await client.get(documents())).text).not.toContain(name);
});

test('a report is uploaded as a draft, published, and read by the investors of the fund', async () => {
  const form = paths.newReport({ fund });
  const fields = { intent: 'create', cutOffDate: '2026-06-30', status: 'Draft' };
  expect((await upload(form, fields)).status).toBe(422);
  expect((await upload(form, fields, { file: PDF })).status).toBe(302);
  expect((await investor.get(documents())).text).not.toContain('Fund report');
  const [value] = choices(await client.get(`${documents()}&kind=report`));
  expect((await client.submit(documents(), { intent: 'publishDocuments', documents: value! })).status).toBe(302);
  expect((await investor.get(documents())).text).toContain('Fund report');
});

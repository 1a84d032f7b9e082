import { createHash } from 'node:crypto';
import { extractText } from 'unpdf';
import { beforeAll, expect, inject, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ApiClient, anonymous, expectRefusal, signedIn } from './api-client.ts';
import { codeOfNewMail, mailsTo } from './mailbox.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

const tenant = ownTenant();
let manager: ScreenClient;
let colleague: ScreenClient;
let borrower: ScreenClient;
let bases: Record<string, string>;
let senior: string;
beforeAll(async () => {
  ({ bases } = await createTwoNotes(tenant.manager));
  senior = bases.Senior as string;
  manager = await screensOf(tenant.emails.manager);
  colleague = await screensOf(await secondManager(tenant.emails.manager));
  borrower = await screensOf(tenant.emails.borrower);
});

const pathOf = (base: string) => `/crud/borrowingBase/${base}/certificates`;
const latest = async (base: string) => (await tenant.manager.get(pathOf(base))).json[0];

/** The code that a form of the borrower's page, or a call, sends by email. */
async function codeBy(email: string, ask: () => Promise<unknown>): Promise<string> {
  const before = await mailsTo(email);
  await ask();
  return codeOfNewMail(email, before);
}

/** Whether a file is the accepted one, by the public page and by the public call. */
async function verify(address: string, bytes: Uint8Array): Promise<[page: string, call: boolean]> {
  const path = new URL(address).pathname;
  const visitor = await anonymous();
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const form = new FormData();
  form.set('csrf', visitor.cookies.get('tapeline_csrf') ?? '');
  form.set('file', new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }), 'certificate.pdf');
  const page = await fetch(new URL(path, inject('productUrl')), { method: 'POST', body: form, headers: { cookie } });
  const { json } = await visitor.post(`/files${path}`, { content: Buffer.from(bytes).toString('base64') });
  return [read({ text: await page.text() }), json.accepted];
}

test('the borrower confirms the figures with a code, the lender accepts them, and the sealed PDF is verified', async () => {
  const page = paths.certification(senior);
  expect(read(await manager.get(page))).toContain('has not submitted a certificate');
  // A lender neither confirms nor submits.
  expect((await manager.submit(page, { intent: 'confirm' })).status).toBe(403);
  expect((await borrower.submit(page, { intent: 'confirm' })).status).toBe(302);
  const mine = (await borrower.api.get(pathOf(senior))).json[0];
  expect(mine).toMatchObject({ status: 'Draft', figures: 'ours', number: 1 });
  // The draft is the borrower's.
  expect((await tenant.manager.get(pathOf(senior))).json).toEqual([]);
  const sign = { certificate: mine.id, version: String(mine.version), name: 'Bea Lind', title: 'CFO' };
  const code = await codeBy(tenant.emails.borrower, async () => {
    const asked = await borrower.submit(page, { intent: 'sendCode', certificate: mine.id });
    expect(asked.status).toBe(302);
    const cookie = asked.headers.getSetCookie().map((line) => line.split(';')[0]);
    // The plain client does not keep cookies: the code belongs to this browser.
    borrower = { ...borrower, cookie: [borrower.cookie, ...cookie].join('; ') };
  });
  const wrong = code === '000000' ? '000001' : '000000';
  const submit = (fields: object) =>
    borrower.send(
      page,
      new URLSearchParams({ csrf: borrower.token, intent: 'submit', ...sign, ...fields } as Record<string, string>),
      { 'content-type': 'application/x-www-form-urlencoded', cookie: borrower.cookie },
    );
  const refused = await submit({ code: wrong });
  expect(refused.status).toBe(422);
  expect(read(refused)).toContain('is wrong or no longer valid');
  // Another person's code, and a code that signs in.
  const other = await codeBy(tenant.emails.borrower, async () => {
    await (await anonymous()).post('/auth/code', { email: tenant.emails.borrower });
  });
  if (other !== code) expect((await submit({ code: other })).status).toBe(422);
  const submitted = await submit({ code });
  expect(submitted.status, read(submitted).slice(0, 3000)).toBe(302);

  const home = read(await manager.get(paths.home()));
  expect(home).toContain('submitted by the borrower');
  expect(read(await manager.get(page))).toContain('Start review');
  expect((await borrower.submit(page, { intent: 'review', certificate: mine.id })).status).toBe(403);
  expect((await manager.submit(page, { intent: 'review', certificate: mine.id })).status).toBe(302);
  const asked = await manager.submit(page, { intent: 'accept', certificate: mine.id });
  expect(read(await manager.get(asked.headers.get('location') as string))).toContain('Accept this certificate?');
  const accepted = await manager.submit(page, { intent: 'accept', certificate: mine.id, confirmed: 'yes' });
  expect(accepted.status, read(accepted).slice(0, 3000)).toBe(302);

  const { sha256, verification, file, status, decidedBy } = await latest(senior);
  expect([status, typeof decidedBy]).toEqual(['Accepted', 'string']);
  const shown = read(await borrower.get(page));
  expect(shown).toContain(sha256);
  expect(shown).toContain(verification);
  for (const reader of [manager, borrower]) {
    const download = await fetch(new URL(paths.download(file), inject('productUrl')), {
      headers: { cookie: reader.cookie },
    });
    const bytes = new Uint8Array(await download.arrayBuffer());
    expect([download.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, sha256]);
    const { text } = await extractText(Uint8Array.from(bytes), { mergePages: true });
    expect(text.replaceAll(/\s+/g, '')).toContain(verification);
    expect(text).toContain('Bea Lind, CFO');
    const [page1, call1] = await verify(verification, bytes);
    expect(page1).toContain('This file is the accepted certificate.');
    expect(call1).toBe(true);
    const changed = Uint8Array.from(bytes);
    changed[changed.length - 10] = (changed[changed.length - 10] ?? 0) ^ 1;
    const [page2, call2] = await verify(verification, changed);
    expect(page2).toContain('This file is not the accepted certificate');
    expect(call2).toBe(false);
    // An address that does not exist is answered the same.
    const [page3, call3] = await verify(new URL(`/verify/${'x'.repeat(43)}`, verification).href, bytes);
    expect([page3.replaceAll(/\s/g, ''), call3]).toEqual([page2.replaceAll(/\s/g, ''), false]);
  }
  const visitor = await anonymous();
  expect((await manager.get('/verify/short')).status).toBe(404);
  expectRefusal(await visitor.post(`/files/verify/${'x'.repeat(43)}`, { content: '' }), 400);
  expectRefusal(await visitor.post(`/files/verify/${'x'.repeat(43)}`, { content: 'A'.repeat(12 * 1024 * 1024) }), 400);
});

test('own figures are typed, read from a workbook or copied, disputed line by line, and corrected', async () => {
  const base = bases.Mezzanine as string;
  const page = paths.certification(base);
  const figures = paths.ownFigures(base);
  expect((await manager.get(figures)).status).toBe(404);
  const nothing = await borrower.submit(figures, { intent: 'read', pasted: 'Only words' });
  expect(nothing.status).toBe(422);
  expect(read(nothing)).toContain('No line has a label and an amount');
  const foreign = await borrower.submit(figures, { intent: 'read', pasted: 'Total pool\t1.234,50\nReserves\t0' });
  expect(foreign.status).toBe(422);
  expect(read(foreign)).toContain('1.234,50');
  const form = new FormData();
  form.set('csrf', borrower.token);
  form.set('intent', 'read');
  form.set('pasted', '');
  form.set('workbook', new Blob(['Line,Amount\nNet borrowing base,"1,234.50"\nCash,10\n']), 'ours.csv');
  const read1 = await borrower.send(figures, form);
  expect(read1.status, read(read1).slice(0, 3000)).toBe(302);
  const [draft] = (await borrower.api.get(pathOf(base))).json;
  expect(draft).toMatchObject({ status: 'Draft', figures: 'own' });
  expect(draft.lines.find((line: { key: string }) => line.key === 'netBB')).toMatchObject({ theirs: 1234.5 });
  const fields = {
    intent: 'create',
    'lines[0].label': 'Our base',
    'lines[0].amount': '1.00',
    'lines[0].line': 'netBB',
    'lines[0].remark': 'Before fees',
  };
  const decimals = await borrower.submit(figures, { ...fields, 'lines[0].amount': '1.0051' });
  expect(decimals.status).toBe(422);
  expect(read(decimals)).toContain('must have at most 2 decimals');
  expect((await borrower.submit(figures, fields)).status).toBe(302);
  expect(read(await borrower.get(page))).toContain('Before fees');

  const submit = async (api: ApiClient) => {
    const [{ id, version }] = (await api.get(pathOf(base))).json;
    const code = await codeBy(tenant.emails.borrower, () => api.post(`${pathOf(base)}/${id}/code`, {}));
    return api.post(`${pathOf(base)}/${id}/submit`, { name: 'Bea Lind', title: 'CFO', code, version });
  };
  const api = await signedIn(tenant.emails.borrower);
  expect((await submit(api)).json).toMatchObject({ status: 'Submitted' });
  const { id } = await latest(base);
  expect((await colleague.submit(page, { intent: 'review', certificate: id })).status).toBe(302);
  const review = read(await colleague.get(page));
  expect(review).toContain('Reason to dispute');
  const dispute = (reason: string) =>
    colleague.submit(page, {
      ...{ intent: 'dispute', certificate: id, 'lines[0].line': 'relevant', 'lines[0].reason': '' },
      ...{ 'lines[1].line': 'netBB', 'lines[1].reason': reason },
    });
  expect((await dispute('')).status).toBe(422);
  expect((await dispute('no')).status).toBe(422);
  expect((await dispute('Fees are not part of the base')).status).toBe(302);
  const disputed = read(await borrower.get(page));
  expect(disputed).toContain('Fees are not part of the base');
  expect(read(await borrower.get(paths.home()))).toContain('your lender disputes it');
  expect((await borrower.submit(page, { intent: 'confirm' })).status).toBe(302);
  expect((await submit(api)).json).toMatchObject({ status: 'Submitted', number: 2, figures: 'ours' });
  expect((await tenant.manager.get(pathOf(base))).json.map(({ status }: { status: string }) => status)).toEqual([
    'Submitted',
    'Superseded',
  ]);
  // A submission whose review did not begin is not decided.
  const second = await latest(base);
  expectRefusal(await tenant.manager.post(`${pathOf(base)}/${second.id}/accept`, {}), 400);
  expectRefusal(await api.post(`${pathOf(base)}/${second.id}/accept`, {}), 403);
  // Below another base, it is not found.
  expectRefusal(await tenant.manager.post(`${pathOf(senior)}/${second.id}/review`, {}), 404);
});

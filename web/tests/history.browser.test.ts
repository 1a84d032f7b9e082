import { systemActor } from '@tapeline/db/store.ts';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { productStore } from './product-store.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

/** Creates a company and changes its domains. */
async function changedCompany(name: string): Promise<string> {
  const { manager } = tenant;
  const entity = { name, formalId: 'LR-1', nationality: { country: 'US' } };
  const company = (await manager.post('/crud/companies', { entity, domains: ['larkspur.example'] })).json;
  const body = { ...company, domains: ['larkspur.example', 'tansy.example'] };
  const answer = await manager.call('PUT', `/crud/companies/${company.id}`, { body });
  expect(answer.status, answer.text).toBe(200);
  return company.id;
}

it.each([true, false])('a manager finds a change and reads its differences (JavaScript: %s)', async (javaScript) => {
  const name = javaScript ? 'Larkspur Receivables' : 'Tansy Equipment';
  const id = await changedCompany(name);
  const page = await openPage({ javaScript });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.settings());
  await page.getByRole('main').getByRole('link', { name: 'History', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  await page.getByLabel('Who').fill('mara');
  await page.getByLabel('Collection').selectOption('Borrowers');
  await page.getByLabel('Operation').selectOption('Changed');
  await page.getByLabel('Field').fill('domains');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL((url) => url.searchParams.get('field') === 'domains');
  // The sentence opens to the documents of the action and their fields.
  const action = page.getByRole('listitem').filter({ hasText: `Changed borrower ${name}: domains` });
  await action.getByText('tansy.example', { exact: false }).first().waitFor();
  await action.getByText(`Changed borrower ${name}: domains`).click();
  await action.getByRole('term').getByText('Domains').waitFor();
  await action.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name: `Changed: ${name}` }).waitFor();
  await page.getByText('Took effect').waitFor();
  expect(new URL(page.url()).searchParams.get('field')).toBe('domains');
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

  await page.getByRole('link', { name: 'All changes of this document' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  expect(new URL(page.url()).pathname).toBe(paths.documentHistory('companies', id));
  await page.getByText(`Created borrower ${name}`).waitFor();
  expect(await page.getByRole('button', { name: 'Delete permanently' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Open borrower' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('navigation', { name: 'Parts of the borrower' }).getByRole('link', { name: 'History' }).click();
  await page.getByText(`Changed borrower ${name}: domains`).waitFor();
});

/** A call of a new fund to eight investors, issued in one request. Returns the title of the fund. */
async function issuedCall(title: string): Promise<string> {
  const { manager } = tenant;
  const created = async (path: string, body: unknown) => {
    const answer = await manager.post(path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  };
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 8000, hardCap: 8000 };
  const fund = (await created('/crud/funds', { title, ...terms })).id;
  for (let n = 1; n <= 8; n += 1) {
    const entity = { name: `${title} investor ${n}`, formalId: `${title}-${n}`, nationality: { country: 'US' } };
    const { id } = await created('/crud/LPs', { title: `${title} investor ${n}`, entity });
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-15',
      maxCommitment: { sum: 1000, currency: 'USD' },
    });
  }
  await created('/crud/contributions', {
    fund,
    status: 'Active',
    callNumber: '9',
    cutOffDate: '2026-03-02',
    dueDate: '2026-03-20',
    amount: { sum: 800, currency: 'USD' },
    callPurposes: [{ title: 'A loan', kind: 'investments', amount: 800 }],
    pdfOptions: { fundLevel: true },
  });
  return title;
}

it.each([true, false])(
  'a call to eight investors is one line that opens to its notices (JavaScript: %s)',
  async (javaScript) => {
    const fund = await issuedCall(javaScript ? 'Yarrow Fund' : 'Sorrel Fund');
    const sentence = `Issued capital call 9 of ${fund}: 8 notices`;
    const page = await openPage({ javaScript, widthPx: 390 });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.history());
    const action = page.getByRole('listitem').filter({ has: page.getByText(sentence, { exact: true }) });
    const notice = action.getByRole('link', { name: new RegExp(`${fund}, call 9, `) });
    await action.getByText(sentence, { exact: true }).click();
    await notice.first().waitFor();
    expect(await notice.count()).toBe(6);
    expect(await overflowsSideways(page)).toBe(false);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await action.getByRole('link', { name: 'All 8 changes' }).click();
    await page.getByText('8 changes of one action').waitFor();
    await expect.poll(() => page.getByRole('row', { name: new RegExp(`${fund}, call 9, `) }).count()).toBe(8);
    expect(await overflowsSideways(page)).toBe(false);
  },
);

it('an admin deletes a removed document for good by typing its title', async () => {
  const name = 'Foxglove Leasing';
  const id = await changedCompany(name);
  const store = await productStore();
  await store.as(systemActor('Test fixture'), ({ query }) =>
    query(`update companies set status = 'Removed' where id = $1`, [id]),
  );
  const page = await openPage({ widthPx: 390, expectedErrors: [/422/] });
  await signIn(page, 'admin@tapeline.test');
  await page.goto(paths.documentHistory('companies', id));
  await page.getByRole('heading', { level: 1, name }).waitFor();
  expect(await overflowsSideways(page)).toBe(false);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByLabel('Title').fill('Foxglove');
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page
    .getByText(/must be “Foxglove Leasing”/)
    .first()
    .waitFor();
  await page.getByLabel('Title').fill(name);
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('Permanently deleted').first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Delete permanently' }).count()).toBe(0);
  await page.getByText(/^Permanently deleted (a borrower|borrower Foxglove Leasing)/).waitFor();
});

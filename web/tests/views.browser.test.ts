import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
beforeAll(async () => {
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'EUR', targetSize: 40_000, hardCap: 50_000 };
  const added = await tenant.manager.post('/crud/funds', { title: 'Skerry Credit Fund', ...terms });
  expect(added.status, added.text).toBe(201);
});

it.each([true, false])(
  'a view of a list is saved, opened by its link, made the default and removed (JavaScript %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const name = `By size ${randomUUID().slice(0, 8)}`;
    const search = new URLSearchParams({ sort: '{"targetSize":-1}', columns: 'title,targetSize', grid: 'all' });
    await page.goto(`${paths.funds()}?${search}`);
    if (javaScript) await scriptsReady(page);
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('link', { name: 'Save this view', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Save a view' }).waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save view', exact: true }).click();
    await page.getByText('Enter a name').first().waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('checkbox', { name: 'Open this list with it', exact: true }).check();
    await page.getByRole('button', { name: 'Save view', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Funds', exact: true }).waitFor();

    // The list opens with it, with its columns and its order.
    await page.goto(paths.funds());
    const address = new URL(page.url()).searchParams;
    expect([address.get('sort'), address.get('columns')]).toEqual(['{"targetSize":-1}', 'title,targetSize']);
    await expect
      .poll(() =>
        page
          .getByRole('columnheader')
          .allTextContents()
          // The grid numbers the columns that it is sorted by, and adds new ones to the page behind the others.
          .then((texts) => texts.map((text) => text.replace(/[\s\d]+$/, '').trim()).sort()),
      )
      .toEqual(['Select', 'Target size', 'Title']);
    if (javaScript) {
      await page.getByText(name, { exact: true }).first().click();
      await page.getByRole('link', { name: 'Manage views', exact: true }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    }

    await page.goto(paths.views());
    await page.getByRole('link', { name: `Edit ${name}`, exact: true }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${name}, renamed`);
    await page.getByRole('checkbox', { name: 'Share with my colleagues', exact: true }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Views', exact: true }).waitFor();

    // A colleague opens it by its link, and does not have it as the default.
    const link = await page.getByRole('link', { name: `${name}, renamed`, exact: true }).getAttribute('href');
    const colleague = await openPage({ javaScript });
    await signIn(colleague, tenant.emails.analyst);
    await colleague.goto(link ?? '');
    await colleague.getByRole('heading', { level: 1, name: 'Funds', exact: true }).waitFor();
    expect(new URL(colleague.url()).searchParams.get('columns')).toBe('title,targetSize');
    const investor = await openPage({ javaScript: false });
    await signIn(investor, 'investor@tapeline.test');
    expect((await investor.request.get(link ?? '')).status()).toBe(404);

    await page.getByRole('button', { name: `Delete ${name}, renamed`, exact: true }).click();
    await page.getByRole('link', { name: `${name}, renamed`, exact: true }).waitFor({ state: 'detached' });
  },
);

it.each([true, false])(
  'selected rows are exported with the visible columns, and the footer adds up by currency (JavaScript %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await page.goto(`${paths.funds()}?${new URLSearchParams({ columns: 'title,targetSize', grid: 'all' })}`);
    const totals = page.getByLabel('Totals of all funds found', { exact: true });
    await totals.getByText('Total target size', { exact: true }).waitFor();
    expect(await totals.textContent()).toMatch(/USD|EUR/);
    if (javaScript) await scriptsReady(page);
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      javaScript
        ? page.getByRole('link', { name: 'Export 1 to CSV', exact: true }).click()
        : page.getByRole('button', { name: 'Export selected to CSV', exact: true }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/title.*targetSize/);
  },
);

it('a saved filter narrows the lists, and not more than its user sees', async () => {
  const page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  const name = `One fund ${randomUUID().slice(0, 8)}`;
  await page.goto(paths.filters());
  await scriptsReady(page);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  const funds = page.getByRole('group', { name: 'Funds', exact: true });
  const only = (await funds.locator('label').first().textContent()) ?? '';
  await funds.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Save filter', exact: true }).click();
  await page.getByRole('link', { name: `Edit ${name}`, exact: true }).waitFor();
  await page.goto(`${paths.funds()}?grid=all`);
  await scriptsReady(page);
  await page.getByRole('banner').locator('summary', { hasText: 'All funds' }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('banner').locator('summary', { hasText: name }).waitFor();
  await page.getByText('1 fund', { exact: true }).first().waitFor();
  await page.getByRole('cell').getByRole('link', { name: only, exact: true }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  // The page that changes the filter still offers every fund.
  await page.goto(paths.filters());
  expect(await page.getByRole('group', { name: 'Funds', exact: true }).getByRole('checkbox').count()).toBeGreaterThan(
    1,
  );
  await page.getByRole('link', { name: `Edit ${name}`, exact: true }).click();
  // The page before has a field of the same name.
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${name}!`);
  await page.getByRole('button', { name: 'Save filter', exact: true }).click();
  await page.getByRole('button', { name: `Delete ${name}!`, exact: true }).click();
  await page.getByRole('button', { name: `Delete ${name}!`, exact: true }).waitFor({ state: 'detached' });
  await page.goto(`${paths.funds()}?grid=all`);
  await page.getByRole('heading', { level: 1, name: 'Funds', exact: true }).waitFor();
  expect(await page.getByText('1 fund', { exact: true }).count()).toBe(0);
});

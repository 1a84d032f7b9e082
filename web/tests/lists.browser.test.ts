import { systemActor } from '@tapeline/db/store.ts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { paths, pathsOf } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { lookProblems } from './look-problems.ts';
import { productStore } from './product-store.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const LIST = pathsOf('serviceProviders').list();
/** One more than a plain table has. */
const MANY = 201;

/** The code of the grid, as far as the page has asked for it. */
const gridCode = (page: Page): Promise<number> =>
  page.evaluate(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/data-grid.client')).length,
  );

/** Adds what is missing to so many service providers. */
async function haveProviders(count: number): Promise<void> {
  const { length } = (await tenant.manager.get('/crud/serviceProviders', { limit: 500 })).json;
  for (let at = length + 1; at <= count; at += 1) {
    const title = `Provider ${String(at).padStart(3, '0')}`;
    expect((await tenant.manager.post('/crud/serviceProviders', { title, type: 'Auditor' })).status).toBe(201);
  }
}

const firstTitle = (page: Page) => page.getByRole('row').nth(1).getByRole('link');

it('a list of 0, 1 and 6 rows is a plain table that is searched, filtered and sorted by its address', async () => {
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(LIST);
  await page.getByText('No service providers found').waitFor();
  await scriptsReady(page);
  expect((await lookProblems(page)).join('\n')).toBe('');
  await haveProviders(1);
  await page.goto(LIST);
  await page.getByRole('cell', { name: 'Provider 001', exact: true }).waitFor();
  await scriptsReady(page);
  expect((await lookProblems(page)).join('\n')).toBe('');
  await haveProviders(6);
  await page.goto(LIST);
  await scriptsReady(page);
  expect(await page.getByRole('row').count()).toBe(7);
  expect(await gridCode(page)).toBe(0);
  expect((await lookProblems(page)).join('\n')).toBe('');

  await page.getByRole('columnheader', { name: 'Title' }).getByRole('link').click();
  await page.waitForURL((url) => url.searchParams.get('sort') === '{"title":-1}');
  await expect.poll(() => firstTitle(page).textContent()).toBe('Provider 006');
  expect(await page.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort')).toBe('descending');

  // The list follows while the text is typed, and keeps its order.
  await page.getByRole('searchbox').fill('Provider 00');
  await page.getByRole('searchbox').fill('Provider 004');
  await page.waitForURL((url) => url.searchParams.get('find') === 'Provider 004' && url.searchParams.has('sort'));
  await expect.poll(() => page.getByRole('row').count()).toBe(2);

  await page.goto(LIST);
  await scriptsReady(page);
  await page.locator('summary', { hasText: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Disabled');
  await page.getByText('No service providers found').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Remove filter: Status: Disabled' }).click();
  await expect.poll(() => page.getByRole('row').count()).toBe(7);
});

it('a plain table works without JavaScript', async () => {
  await haveProviders(6);
  const page = await openPage({ javaScript: false });
  await signIn(page, tenant.emails.manager);
  await page.goto(LIST);
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('link').click();
  await page.waitForURL((url) => url.searchParams.get('sort') === '{"title":-1}');
  expect(await firstTitle(page).textContent()).toMatch(/^Provider (006|201)$/);
  await page.getByRole('searchbox').fill('Provider 002');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.waitForURL((url) => url.searchParams.get('find') === 'Provider 002');
  expect(await page.getByRole('row').count()).toBe(2);
});

it('selected rows have a bar that stays, until the selection is cleared', async () => {
  await haveProviders(6);
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(LIST);
  await scriptsReady(page);
  const bar = page.getByRole('form', { name: 'Selected rows' });
  expect(await bar.count()).toBe(0);
  await page.getByRole('checkbox', { name: 'Select Provider 002' }).check();
  await page.getByRole('checkbox', { name: 'Select Provider 003' }).check();
  await bar.getByText('2 selected').waitFor();
  const link = bar.getByRole('link', { name: 'Export 2 to CSV' });
  expect(new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams.getAll('id')).toHaveLength(2);
  await bar.getByRole('button', { name: 'Clear' }).click();
  await bar.waitFor({ state: 'detached' });
  expect(await page.getByRole('checkbox', { name: 'Select Provider 002' }).isChecked()).toBe(false);
});

it('a list of more than 200 rows has the grid, and cards in pages on a phone', async () => {
  await haveProviders(MANY);
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(LIST);
  await page.getByRole('gridcell', { name: 'Provider 001', exact: true }).waitFor();
  expect(await gridCode(page)).toBe(1);
  // Filtered, it is a table again.
  await page.getByRole('searchbox').fill('Provider 20');
  await page.getByRole('cell', { name: 'Provider 201', exact: true }).waitFor();

  const phone = await openPage({ widthPx: 390 });
  await signIn(phone, tenant.emails.manager);
  await phone.goto(LIST);
  await scriptsReady(phone);
  await phone.getByText(`1 to 50 of ${MANY} service providers`).waitFor();
  expect(await gridCode(phone)).toBe(0);
  const [card] = await phone.getByRole('link', { name: 'Provider 001' }).all();
  const height = await card?.evaluate((link) => link.closest('tr')?.getBoundingClientRect().height ?? Number.NaN);
  expect(height).toBeLessThan(80);
  expect(await overflowsSideways(phone)).toBe(false);
  expect(await accessibilityViolations(phone)).toEqual([]);
});

it('? lists the shortcuts, and the focus returns to where it was', async () => {
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.home());
  await scriptsReady(page);
  const link = page.getByRole('navigation').getByRole('link', { name: 'Funds', exact: true }).first();
  await link.focus();
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.getByText('Search or jump to').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
});

/** Presses Tab until something is focused, from the start of the page, and follows each link that skips. @returns how often */
async function tabsTo(page: Page, isThere: () => Promise<boolean>): Promise<number> {
  for (let presses = 1; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if (await isThere()) return presses;
    if (await isFocused(page, 'a', 'Skip')) await page.keyboard.press('Enter');
  }
  return Number.POSITIVE_INFINITY;
}

const isFocused = (page: Page, selector: string, text: string): Promise<boolean> =>
  page.evaluate(
    ([part, words]) =>
      document.activeElement?.matches(part) === true && document.activeElement.textContent?.startsWith(words) === true,
    [selector, text] as const,
  );

it('the filter of a tape is reached within 12 presses of Tab, and the focus returns from its asset', async () => {
  const page = await openPage();
  await signIn(page, 'manager@tapeline.test');
  const [tape] = (await (await signedIn('manager@tapeline.test')).get('/crud/loanTape', { sort: { cutOffDate: 1 } }))
    .json;
  await page.goto(paths.tape(tape.id, { view: 'assets' }));
  await scriptsReady(page);
  expect(await tabsTo(page, () => isFocused(page, 'summary', ' Filter'))).toBeLessThanOrEqual(12);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Field' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await isFocused(page, 'summary', ' Filter')).toBe(true);

  // The grid's rows arrive while the panel is open: their cells are drawn again.
  let arrive = (): void => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/crud/assets?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await scriptsReady(page);
  const cell = page.locator('.ag-row[row-index="0"] .ag-cell').nth(1);
  await cell.waitFor();
  await page.locator('.ag-header-cell').nth(1).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => cell.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog');
  await panel.waitFor();
  const arrived = page.waitForResponse('**/crud/assets?*');
  arrive();
  await arrived;
  expect(await panel.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await expect.poll(() => cell.evaluate((element) => element === document.activeElement)).toBe(true);
});

it('a list of 10,000 rows fits each width in both themes', async () => {
  await haveProviders(1);
  const [like] = (await tenant.manager.get('/crud/serviceProviders', { limit: 1 })).json as { id: string }[];
  const store = await productStore();
  await store.as(systemActor('Test fixture'), (session) =>
    session.query(
      `insert into service_providers (id, metadata, manager_id, title, type, entity_ids)
       select substr(md5(id || n), 1, 24), metadata, manager_id, 'Provider ' || n, type, entity_ids
       from service_providers, generate_series(1000, 10999) as n where id = $1`,
      [like?.id],
    ),
  );
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(LIST);
  await page.locator('.ag-row[row-index="3"]').waitFor();
  expect((await lookProblems(page)).join('\n')).toBe('');
});

import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let tapes: NorthwindTapes;
let tape = '';
beforeAll(async () => {
  tapes = await northwindTapes(tenant.manager);
  const loan = (id: string, balance: number, status: string) =>
    tapes.loan({ 'Loan ID': id, 'Principal Balance': balance, 'Loan Status': status });
  await tapes.publish([loan('M-1', 300, 'Current'), loan('M-2', 100, 'Current')], { cutOffDate: '2017-01-31' });
  tape = await tapes.publish([loan('M-1', 290, 'Current'), loan('M-2', 100, '90+ DPD')], {
    cutOffDate: '2017-02-28',
    name: 'menu.xlsx',
  });
}, 300_000);

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('the page of a tape, $words', ({ javaScript }) => {
  it('keeps rarer actions in a menu, and opens it by the keyboard', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.tape(tape));
    if (javaScript) await scriptsReady(page);
    const file = page.getByRole('link', { name: 'Original file' });
    await page.getByRole('heading', { level: 1, name: 'menu.xlsx' }).waitFor();
    expect(await file.isVisible()).toBe(false);
    const menu = page.locator('summary[aria-label="More actions"]');
    await menu.focus();
    await page.keyboard.press('Enter');
    await file.waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator('a:focus').textContent()).toBe('Original file');
    const href = (await file.getAttribute('href')) ?? '';
    expect((await page.request.get(href)).headers()['content-disposition']).toContain('menu.xlsx');
    if (javaScript) {
      await page.keyboard.press('Escape');
      await file.waitFor({ state: 'hidden' });
      expect(await page.locator('summary:focus').getAttribute('aria-label')).toBe('More actions');
      await menu.click();
    }
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Remove tape?').waitFor();
    await (javaScript
      ? page.getByRole('button', { name: 'Cancel' })
      : page.getByRole('link', { name: 'No', exact: true })
    ).click();
    await page.getByText('Remove tape?').waitFor({ state: 'hidden' });
  });

  it('shows how its statuses moved in a tab, whose pool leads to the assets and their totals', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.tape(tape));
    await page.getByRole('link', { name: 'Status migration' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'migration');
    const moved = page.getByRole('table', { name: 'Status migration' }).getByRole('row', { name: /^Current/ });
    // 300.00 stayed Current and 100.00 became Default.
    await moved.getByText('75.0').waitFor();
    await moved.getByText('25.0').waitFor();
    await page.getByRole('navigation', { name: 'Shares of' }).getByRole('link', { name: 'Count' }).click();
    await expect.poll(() => moved.getByText('50.0').count()).toBe(2);
    await page.getByRole('table', { name: 'Pool by status' }).getByRole('link', { name: 'Default' }).click();
    await page.waitForURL((url) => url.searchParams.has('filter'));
    const totals = page.locator('dl[aria-label="Totals of all assets found"]');
    await totals.getByText('100.00').waitFor();
    await page.getByText('1 of 2 assets').last().waitFor();
  });
});

it.each([
  { widthPx: 1440, colorScheme: 'light' },
  { widthPx: 390, colorScheme: 'dark' },
] as const)('its menu and tab fit at $widthPx px in $colorScheme', async (look) => {
  const page = await openPage(look);
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.tape(tape, { view: 'migration' }));
  await scriptsReady(page);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.locator('summary[aria-label="More actions"]').click();
  await page.getByRole('link', { name: 'Original file' }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
});

import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { addApprovedDraw } from './approved-draw.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

it('a pricing grid is entered in the terms, and its note is forecast on a curve', { timeout: 300_000 }, async () => {
  const drawn = await addApprovedDraw(tenant.emails.manager, { dueDate: '2026-08-03', sum: '30000000' });
  const [list] = (await tenant.manager.get('/crud/tables', { filter: { name: 'Base rates' } })).json;
  await tenant.manager.call('PUT', `/crud/tables/${list.id}`, {
    body: { ...list, values: [...list.values, { title: 'SOFR', date: '2026-08-01', rate: 4.25 }] },
  });
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.editTranche(drawn.transactionId, drawn.noteId, 1));
  for (const closed of await page.locator('details:not([open]) > summary').all()) await closed.click();
  await page.getByRole('button', { name: 'Add tier' }).click();
  await page.getByRole('textbox', { name: 'From utilization' }).fill('50');
  await page.getByRole('textbox', { name: 'Spread or fixed rate' }).fill('4');
  await page.getByRole('textbox', { name: 'Default margin' }).fill('2');
  expect(await accessibilityViolations(page)).toEqual([]);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflowsSideways(page)).toBe(false);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('spread 4% from 50% utilization').first().waitFor();

  await page.goto(paths.transaction(drawn.transactionId, { note: drawn.noteId, view: 'draws' }));
  await page
    .getByText(/spread 4% from 50% utilization/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Forecast' }).click();
  await page.getByRole('heading', { name: 'Forecast by period' }).waitFor();
  await page.getByRole('textbox', { name: 'Rates by day (optional)' }).fill('2027-01-01 four');
  await page.getByRole('button', { name: 'Forecast' }).click();
  await page.getByRole('alert').getByText('is not a day and a rate').waitFor();
  expect(await page.getByRole('heading', { name: 'Forecast by period' }).count()).toBe(0);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Rates by day (optional)' }).fill('2027-01-01 4.1\n2027-07-01 3.8');
  await page.getByRole('button', { name: 'Forecast' }).click();
  await page.getByRole('heading', { name: 'Forecast by period' }).waitFor();
  await page.getByRole('row', { name: /1 Jan 2027 to 1 Feb 2027.*8\.1/ }).waitFor();
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflowsSideways(page)).toBe(false);
    expect(await accessibilityViolations(page)).toEqual([]);
  }
});

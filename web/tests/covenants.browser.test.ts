import { expect, it } from 'vitest';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

it('a covenant is created, breached by a figure that another person reviews, and waived', {
  timeout: 300_000,
}, async () => {
  const other = await secondManager(tenant.emails.manager);
  const [facility] = (
    await tenant.manager.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } })
  ).json;
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(`/monitoring/covenants/new?transaction=${facility.id}&note=${facility.notes[0].id}`);
  await page.getByRole('textbox', { name: 'Title' }).fill('Leverage');
  await page.getByRole('button', { name: 'Net borrowing base' }).click();
  const figure = page.getByRole('textbox', { name: /^Figure/ });
  expect(await figure.inputValue()).toBe('[Net borrowing base]');
  await figure.fill('[Total debt]');
  await page.getByRole('combobox', { name: 'Unit' }).selectOption('times');
  await page.getByLabel('From 1').fill('2026-09-30');
  await page.getByRole('textbox', { name: 'Limit 1' }).fill('5');
  await page.getByRole('combobox', { name: 'Frequency' }).selectOption('quarterly');
  await page.getByLabel('First test').fill('2026-09-30');
  await page.getByLabel('Days to cure').fill('10');
  await page.getByText('Total debt must be at most 5x').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create covenant' }).click();
  await page.getByRole('heading', { name: /Leverage/, level: 2 }).waitFor();
  const panel = page.getByRole('region', { name: 'Covenant', exact: true });
  await panel.getByText('Total debt is not known').waitFor();
  await panel.getByRole('link', { name: 'Enter figures' }).click();
  await page.getByRole('combobox', { name: 'Name' }).fill('Total debt');
  await page.getByLabel('As of').fill('2026-09-30');
  await page.getByRole('textbox', { name: 'Figure' }).fill('5.4');
  await page.getByRole('button', { name: 'Enter figure' }).click();
  await page.getByText('Someone else must review it').waitFor();
  const theirs = await openPage();
  await signIn(theirs, other);
  await theirs.goto('/monitoring/facility-figures');
  await theirs.getByRole('button', { name: 'Review' }).click();
  await theirs.getByRole('button', { name: 'Mark as reviewed' }).click();
  await theirs.getByText('No figures to review').waitFor();
  await page.goto('/monitoring/covenants');
  await page.getByRole('link', { name: /Leverage/ }).click();
  await panel.getByRole('row', { name: /Over the limit by 0\.40/ }).waitFor();
  await page
    .getByRole('navigation', { name: 'State' })
    .getByRole('link', { name: /Breached/ })
    .waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
  await panel.getByRole('link', { name: 'Waive' }).click();
  await page.getByLabel('Waived until').fill('2026-12-30');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Debt is repaid in December');
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await page.getByText('Debt is repaid in December').waitFor();
  const [covenant] = (await tenant.manager.get('/crud/covenants', { filter: { title: 'Leverage' } })).json;
  const [waiver] = (await tenant.manager.get(`/crud/covenants/${covenant.id}/waivers`)).json;
  expect(waiver).toMatchObject({ status: 'Requested', until: '2026-12-30' });
  expect(covenant.state).toBe('breached');
});

import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const ADMIN = 'admin@tapeline.test';

describe.each([{ javaScript: true }, { javaScript: false }])('with JavaScript $javaScript', ({ javaScript }) => {
  it('an admin chooses a manager, sees only its documents, and then sees all again', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, ADMIN);
    await page.goto(paths.home());
    await page
      .getByRole('banner')
      .getByRole('link', { name: /Acting for All managers/ })
      .click();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Find a manager' }).fill(tenant.managerName.slice(-10));
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('1 manager', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Act for ${tenant.managerName}` }).click();
    await page.waitForURL((url) => url.pathname === paths.home());
    await page.goto(paths.companies());
    await page.getByRole('cell', { name: 'Alder Auto', exact: true }).waitFor();
    expect(await page.getByText('Fernhill Equipment Finance').count()).toBe(0);
    await page.goto(paths.actingFor());
    await page.getByRole('button', { name: 'Show all managers' }).click();
    await page.waitForURL((url) => url.pathname === paths.home());
    await page
      .getByRole('banner')
      .getByRole('link', { name: /Acting for All managers/ })
      .waitFor();
    // What belongs to one manager asks for it first.
    await page.goto(paths.newFund());
    await page.getByText('Choose the manager that the new document belongs to', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Find a manager' }).fill(tenant.managerName.slice(-10));
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('1 manager', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Act for ${tenant.managerName}` }).click();
    await page.getByRole('heading', { name: 'New fund', exact: true }).waitFor();
  });
});

it('a manager cannot choose another one', async () => {
  const page = await openPage({ javaScript: false, expectedErrors: [/404/] });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.home());
  expect(await page.getByRole('link', { name: /Acting for/ }).count()).toBe(0);
  const answer = await page.goto(paths.actingFor());
  expect(answer?.status()).toBe(404);
});

import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const ADMIN = 'admin@tapeline.test';
const OF_MANAGERS = [
  ...['Home', 'Approvals', 'Calendar', 'Monitoring', 'Loan tapes', 'Borrowers', 'Funds', 'Investors'],
  ...['Capital activity', 'Cash'],
  ...['Documents', 'Announcements', 'Ask', 'Settings'],
];
const OF_INVESTORS = ['Home', 'Commitments', 'Calls and distributions', 'Documents', 'Announcements', 'Ask'];
const ACCOUNTS = {
  'manager@tapeline.test': OF_MANAGERS,
  'analyst@tapeline.test': OF_MANAGERS,
  'borrower@tapeline.test': [
    ...['Home', 'Facilities', 'Loan tapes', 'Draws', 'Repayments', 'Documents', 'Calendar', 'Announcements', 'Ask'],
  ],
  'investor@tapeline.test': OF_INVESTORS,
  'victor.lambert@endowments.test': OF_INVESTORS,
  [ADMIN]: ['Home', 'Managers', 'People', 'Organizations', 'Health', 'Settings'],
} as const;

const mainLinks = (page: Page) => page.locator('nav[aria-label="Main"]:visible').getByRole('link');

/** What links are called, without the number of what waits. */
const labelsOf = async (links: Locator) => (await links.allTextContents()).map((text) => text.replace(/\d+$/, ''));

/** The lowest edge of an item of the rail, and how far the rail could scroll. */
async function measureRail(page: Page) {
  const boxes = await Promise.all((await mainLinks(page).all()).map((link) => link.boundingBox()));
  const hidden = await page.locator('.rail nav').evaluate((nav) => nav.scrollHeight - nav.clientHeight);
  return { lowest: Math.max(...boxes.map((box) => (box ? box.y + box.height : Number.POSITIVE_INFINITY))), hidden };
}

describe.each(Object.entries(ACCOUNTS))('%s', (email, labels) => {
  it('has its items and no others, all visible at a height of 900 px, and each opens', async () => {
    const page = await openPage({ javaScript: false });
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, email);
    await page.goto(paths.home());
    expect(await labelsOf(mainLinks(page))).toEqual([...labels]);
    const { lowest, hidden } = await measureRail(page);
    expect([lowest < 900, hidden]).toEqual([true, 0]);
    const addresses = await Promise.all((await mainLinks(page).all()).map((link) => link.getAttribute('href')));
    for (const [index, address] of addresses.entries()) {
      const answer = await page.goto(address ?? '');
      expect([address, answer?.status()]).toEqual([address, 200]);
      expect(await labelsOf(page.locator('.rail [aria-current="page"]'))).toEqual([labels[index]]);
      expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).textContent()).toContain(labels[index]);
    }
  });

  it('has four of them on a phone and all of them behind More, without JavaScript', async () => {
    const page = await openPage({ javaScript: false, widthPx: 390 });
    await signIn(page, email);
    await page.goto(paths.home());
    const shown = await labelsOf(mainLinks(page));
    expect(shown).toHaveLength(4);
    expect(shown[0]).toBe('Home');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const more = page.locator('#more-screens').getByRole('link');
    expect(await labelsOf(more)).toEqual([...labels]);
    await more
      .filter({ hasText: 'Announcements' })
      .or(more.filter({ hasText: 'Settings' }))
      .last()
      .click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(['/announcements', '/settings']).toContain(new URL(page.url()).pathname);
    expect(await overflowsSideways(page)).toBe(false);
  });
});

it.each([true, false])(
  'an administrator has the items of the manager, and goes back to the administration (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript });
    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, ADMIN);
    await page.goto(paths.actingFor({ find: tenant.managerName }));
    await page.getByRole('button', { name: `Act for ${tenant.managerName}` }).click();
    await page.waitForURL((url) => url.pathname === paths.home());
    await page.locator('.rail').getByRole('link', { name: 'Monitoring', exact: true }).waitFor();
    expect(await labelsOf(mainLinks(page))).toEqual(OF_MANAGERS);
    expect((await measureRail(page)).hidden).toBe(0);
    await page.goto(paths.funds());
    await page.locator('.rail').getByRole('button', { name: 'Back to administration' }).click();
    await page.locator('.rail').getByRole('link', { name: 'Health', exact: true }).waitFor();
    expect(await labelsOf(mainLinks(page))).toEqual([...ACCOUNTS[ADMIN]]);
    expect(await page.getByRole('button', { name: 'Back to administration' }).count()).toBe(0);
  },
);

it('the lists of an item are its tabs, and a page below them says where it is', async () => {
  const page = await openPage({ javaScript: false });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.monitoring());
  const tabs = page.getByRole('navigation', { name: 'Monitoring', exact: true }).getByRole('link');
  expect(await tabs.allTextContents()).toEqual([
    'Facilities',
    'Borrowing bases',
    'Covenants',
    'Deliverables',
    'Draws',
    'Repayments',
    'Contracts',
  ]);
  await tabs.filter({ hasText: 'Contracts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contracts', exact: true }).waitFor();
  expect(await tabs.and(page.locator('[aria-current="page"]')).allTextContents()).toEqual(['Contracts']);
  await page.getByRole('main').locator('tbody').getByRole('link').first().click();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Contracts' }).waitFor();
  expect(await tabs.count()).toBe(0);
  await page.goto(paths.capital());
  expect(new URL(page.url()).pathname).toBe(paths.capitalCalls());
  await page
    .getByRole('navigation', { name: 'Capital activity', exact: true })
    .getByRole('link', { name: 'Distributions' })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Distributions', exact: true }).waitFor();
});

it('the palette and the keys lead to tabs and settings', async () => {
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.home());
  await scriptsReady(page);
  await page.keyboard.type('gm');
  await page.waitForURL((url) => url.pathname === paths.monitoring());
  await page.keyboard.type('gs');
  await page.waitForURL((url) => url.pathname === paths.settings());
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
  await page.keyboard.type('mappings');
  await expect.poll(() => page.getByRole('option').first().textContent()).toContain('MappingsLoan tapes');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === paths.mappings());
});

it.each([
  { widthPx: 1280, colorScheme: 'dark' },
  { widthPx: 390, colorScheme: 'light' },
] as const)('settings, cash and documents fit $widthPx px, $colorScheme', async (look) => {
  const page = await openPage(look);
  await signIn(page, tenant.emails.manager);
  for (const path of [
    paths.settings(),
    paths.cash(),
    paths.cash({ view: 'payables' }),
    paths.payments(),
    paths.bankAccounts(),
    paths.newPayment(),
    paths.facilityDocuments(),
  ]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await overflowsSideways(page), path).toBe(false);
    expect(await accessibilityViolations(page), path).toEqual([]);
  }
});

it('settings find a setting, a person and a list, without JavaScript', async () => {
  const page = await openPage({ javaScript: false });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.settings());
  const main = page.getByRole('main');
  for (const name of ['People and access', 'Organizations', 'Data import', 'Lists', 'History', 'Your account'])
    await main.getByRole('link', { name, exact: true }).waitFor();
  const find = async (text: string) => {
    await page.getByRole('searchbox', { name: 'Find a setting, person, role or list' }).fill(text);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('find') === text);
  };
  await find('roles');
  await main.getByRole('link', { name: 'People and access', exact: true }).waitFor();
  expect(await main.getByRole('link', { name: 'History', exact: true }).count()).toBe(0);
  await find(tenant.emails.manager);
  await page.getByRole('heading', { level: 2, name: 'People', exact: true }).waitFor();
  await find('purposes');
  await main.getByRole('region', { name: 'Lists', exact: true }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/tables\/[0-9a-f]{24}$/);
  await page.goto(paths.settings({ find: 'no such thing' }));
  await page.getByText('Nothing found for “no such thing”').waitFor();
});

it('cash lists what is due and what was paid, and investors have lists of their own', async () => {
  const page = await openPage({ javaScript: false });
  await signIn(page, 'manager@tapeline.test');
  await page.goto(paths.cash());
  await page.getByText('1 to 30 days').first().waitFor();
  await page
    .getByRole('link', { name: /^Call / })
    .first()
    .click();
  await page.waitForURL((url) => url.searchParams.has('activity'));
  const investor = await openPage({ javaScript: false, expectedErrors: [/404/] });
  await signIn(investor, tenant.emails.investor);
  expect((await investor.goto(paths.cash()))?.status()).toBe(404);
});

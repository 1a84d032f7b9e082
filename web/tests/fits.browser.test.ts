import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { openPage, scriptsReady, signIn } from './browser.ts';

const MANAGER = 'manager@tapeline.test';
const INVESTOR = 'investor@tapeline.test';
/** Two screens of 900 px. */
const MAX_FIRST_TAB_PX = 1800;
const MAX_PHONE_HOME_PX = 2000;

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

/** The address of the first document of a list that the account sees. */
const firstOf = async (page: Page, list: string, address: (id: string) => string) => {
  const answer = await page.request.get(list, { params: { limit: '1' } });
  const [found] = (await answer.json()) as { id: string }[];
  return address(found?.id ?? '');
};

it('The first tab of a page is at most two screens high', async () => {
  const page = await openPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, MANAGER);
  const addresses = [
    paths.monitoring(),
    await firstOf(page, '/crud/transactions', (id) => paths.transaction(id)),
    await firstOf(page, '/crud/funds', (id) => paths.fund(id)),
    await firstOf(page, '/crud/LPs', (id) => paths.investor(id)),
    await firstOf(page, '/crud/loanTape', (id) => paths.tape(id)),
    await firstOf(page, '/crud/borrowingBase', (id) => paths.borrowingBase(id)),
    await firstOf(page, '/crud/companies', (id) => paths.company(id)),
    await firstOf(page, '/crud/mainFunds', (id) => paths.mainFund(id)),
  ];
  const tooHigh: string[] = [];
  for (const address of addresses) {
    const answer = await page.goto(address);
    await scriptsReady(page);
    const height = await heightOf(page);
    if (answer?.status() !== 200 || height > MAX_FIRST_TAB_PX)
      tooHigh.push(`${address}: ${answer?.status()}, ${height}`);
  }
  expect(tooHigh).toEqual([]);
});

it.each([MANAGER, INVESTOR])('Home of %s is short on a phone', async (email) => {
  const page = await openPage({ widthPx: 390 });
  await signIn(page, email);
  await page.goto(paths.home());
  await scriptsReady(page);
  expect(await heightOf(page)).toBeLessThanOrEqual(MAX_PHONE_HOME_PX);
});

it('A row of Today is one link on a phone, as high as a finger needs', async () => {
  const page = await openPage({ widthPx: 390 });
  await signIn(page, MANAGER);
  await page.goto(paths.home());
  const rows = page.getByRole('region', { name: 'Today' }).getByRole('listitem');
  const sizes = await rows.evaluateAll((items) =>
    items.map((item) => {
      const [row, link] = [item.getBoundingClientRect(), item.querySelector('a')?.getBoundingClientRect()];
      return { isTall: row.height >= 44, isCovered: link !== undefined && link.height >= row.height - 2 };
    }),
  );
  expect(sizes.length).toBeGreaterThan(0);
  expect([...new Set(sizes.map(({ isTall, isCovered }) => isTall && isCovered))]).toEqual([true]);
});

it('A message that appears when a field is left does not move the button that is pressed', async () => {
  const page = await openPage();
  await signIn(page, MANAGER);
  await page.goto('/design');
  await scriptsReady(page);
  const field = page.getByLabel('Advance rate');
  await field.fill('140');
  const submit = page.getByRole('button', { name: 'Save' }).last();
  await submit.scrollIntoViewIfNeeded();
  const before = await submit.boundingBox();
  await page.mouse.move(before!.x + before!.width / 2, before!.y + before!.height / 2);
  await page.mouse.down();
  expect(await submit.boundingBox()).toEqual(before);
  expect(await field.getAttribute('aria-invalid')).not.toBe('true');
  await page.mouse.up();
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
});

it('A panel beside a list is the last part of the breadcrumb', async () => {
  const page = await openPage();
  await signIn(page, MANAGER);
  await page.goto(paths.approvals());
  const request = page.getByRole('main').locator(`a[href^="${paths.approvals()}/"]`).first();
  const title = (await request.textContent()) ?? '';
  await request.click();
  await page.waitForURL(/\/approvals\/.+/);
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Breadcrumb' }).locator('[aria-current="page"]').textContent())
    .toContain(title);
});

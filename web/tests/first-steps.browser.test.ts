import { randomBytes } from 'node:crypto';
import { Manager, Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { addEntity } from '@tapeline/db/testing/entities.ts';
import { endTenant } from '@tapeline/db/testing/tenants.ts';
import { expect, it, onTestFinished } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { productStore } from './product-store.ts';

/** A manager without any documents, with one user. */
async function newManager(): Promise<string> {
  const store = await productStore();
  const [managerId, email] = [newId(), `first-${randomBytes(5).toString('hex')}@tapeline.test`];
  await store.as(SYSTEM, async ({ em }) => {
    em.create(Manager, { id: managerId, entityId: addEntity(em, managerId, 'New Harbour Credit') });
    const role = await em.findOneOrFail(Role, { title: 'Fund manager', managerId: null });
    em.create(User, {
      id: newId(),
      type: 'manager',
      managerId,
      assoc: { manager: { id: managerId } },
      firstName: 'Mara',
      lastName: 'Holt',
      email,
      roleId: role.id,
      status: 'Active',
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
    });
  });
  onTestFinished(() => store.as(SYSTEM, (session) => endTenant(session, managerId)));
  return email;
}

it.each([true, false])('a new manager sees its first steps and no empty part (JavaScript: %s)', async (javaScript) => {
  const email = await newManager();
  const page = await openPage({ javaScript });
  await signIn(page, email);
  await page.goto(paths.home());
  const steps = page.getByRole('region', { name: 'Get started' });
  await steps.getByText('0 of 4 done', { exact: true }).waitFor();
  const headings = () => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
  expect(await headings()).toEqual(['Get started']);
  expect(await steps.getByRole('listitem').count()).toBe(4);
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowsSideways(page)).toBe(false);
  // Each step leads to a page, and a step without its first one leads nowhere yet.
  const links = await steps.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links.length).toBeGreaterThan(0);
  for (const address of links) expect([address, (await page.request.get(address!)).status()]).toEqual([address, 200]);
  expect(links).not.toContain(paths.newTape());

  const manager = await signedIn(email);
  const terms = { type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 1, hardCap: 1 };
  expect((await manager.post('/crud/funds', { title: 'First Fund', ...terms })).status).toBe(201);
  await page.goto(paths.home());
  await steps.getByText('1 of 4 done', { exact: true }).waitFor();
  await steps.getByRole('link', { name: 'Choose a fund', exact: true }).waitFor();

  await steps.getByRole('button', { name: /^Hide/ }).click();
  await expect.poll(() => steps.count()).toBe(0);
  await page.goto(paths.home());
  await page.getByRole('heading', { level: 2, name: 'Today', exact: true }).waitFor();
  expect(await steps.count()).toBe(0);
});

it.each([true, false])(
  'a new manager gives its fund an investor and a bank account on the way to the first call (JavaScript: %s)',
  async (javaScript) => {
    const email = await newManager();
    const manager = await signedIn(email);
    const terms = { type: 'SMA', strategy: 'ABL', currency: 'SEK', targetSize: 5_000_000, hardCap: 9_000_000 };
    const fund = (await manager.post('/crud/funds', { title: 'First Fund', ...terms })).json.id as string;
    const page = await openPage({ javaScript });
    await signIn(page, email);
    await page.goto(paths.fund(fund));
    // Nothing can be called before somebody has committed.
    const main = page.getByRole('main');
    await main.getByText('Nothing was called or distributed yet').waitFor();
    expect(await main.getByRole('link', { name: 'New capital call' }).count()).toBe(0);

    await main.getByRole('link', { name: 'New commitment', exact: true }).first().click();
    await main.getByRole('link', { name: 'New investor', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Vasa Pension');
    await page.getByLabel('Formal id').fill('SE-991');
    await page.getByLabel('Country').first().selectOption('SE');
    await page.getByRole('button', { name: 'Create investor' }).click();
    await page.waitForURL((url) => url.pathname === paths.newCommitment(fund));
    // The investor has the name of its entity, and is chosen.
    const chosen = page.getByRole('combobox', { name: 'Investor', exact: true }).locator('option:checked');
    expect(await chosen.textContent()).toBe('Vasa Pension');
    await page.getByLabel('Maximum commitment').fill('2m');
    await page.getByRole('button', { name: 'Create commitment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Vasa Pension' }).waitFor();

    await page.goto(paths.home());
    const steps = page.getByRole('region', { name: 'Get started' });
    await steps.getByRole('link', { name: 'Add an account' }).click();
    await page.waitForURL((url) => url.searchParams.get('fund') === fund);
    // The account is asked for at once, with what is known.
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('First Fund');
    expect(await page.getByLabel('Account holder').inputValue()).toBe('First Fund');
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Formal id').fill('SE-992');
    await page.getByLabel('Country').first().selectOption('SE');
    await page.getByLabel('Account type').selectOption({ index: 1 });
    await page.getByLabel('Account number').fill('7702218841');
    await page.getByRole('textbox', { name: /^Bank\b/ }).fill('First Tidewater Bank');
    await page.getByLabel('Address of the bank').fill('1 Kungsgatan, Stockholm');
    await page.getByRole('button', { name: 'Create entity' }).click();
    await page.waitForURL((url) => url.pathname === paths.fund(fund));
    const { entity } = (await manager.get(`/crud/funds/${fund}`)).json;
    expect(entity).toMatchObject({ name: 'First Fund', banks: [{ title: 'Main account' }] });

    await page.goto(paths.newCapitalCall({ fund }));
    await page.getByRole('textbox', { name: 'Amount', exact: true }).first().fill('1m');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('First investments');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('heading', { name: 'Who is told', exact: true }).waitFor();
    expect(await main.getByText('The fund has no bank account', { exact: false }).count()).toBe(0);
    // A review is read from its beginning.
    if (javaScript) await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  },
);

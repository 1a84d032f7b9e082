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

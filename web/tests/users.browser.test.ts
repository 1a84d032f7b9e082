import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openDetails, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { mailsTo } from './mailbox.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const userId = async (email: string): Promise<string> =>
  (await tenant.manager.get('/crud/users', { filter: { email } })).json[0].id;
const titleOf = (name: string) => ({ level: 1, name }) as const;

it.each([true, false])(
  'a manager invites a user, edits, disables and removes them (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const email = `amina-${javaScript}-${tenant.emails.manager.replace('manager-', '')}`;

    await page.goto(paths.users());
    await page.getByRole('link', { name: 'Invite a user' }).click();
    await page.getByRole('combobox', { name: 'Organization' }).selectOption({ label: 'Northwind Consumer Loans' });
    await page.getByLabel('First name').fill('A');
    await page.getByLabel('Last name').fill('Farouk');
    await page.getByLabel('Email', { exact: true }).fill(email);
    // With scripts, only the roles of the organization's type are offered. Otherwise they are grouped by type.
    // The only one is chosen, and can be taken away.
    if (javaScript) {
      expect(await page.getByRole('option', { name: 'Analyst (level 10)' }).count()).toBe(0);
      const chosen = page.getByLabel('Role').locator('option:checked');
      await expect.poll(() => chosen.textContent()).toBe('Borrower (level 15)');
      await page.getByLabel('Role').selectOption('');
    } else await page.getByLabel('Role').selectOption({ label: 'Analyst (level 10)' });
    await openDetails(page);
    await page.getByLabel('Phone number').fill('+44 20');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByText('Invalid phone number').first().waitFor();
    await page.getByText('At least 2 characters').first().waitFor();
    expect(await page.getByLabel('Last name').inputValue()).toBe('Farouk');
    await page.getByLabel('First name').fill('Amina');
    await page.getByLabel('Phone number').fill('442079460000');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.locator('#user-role-error').waitFor();
    await page.getByLabel('Role').selectOption({ label: 'Borrower (level 15)' });
    await page.getByRole('button', { name: 'Create user' }).click();

    await page.getByRole('heading', titleOf('Amina Farouk')).waitFor();
    await page.getByText(/was sent/).waitFor();
    expect(await mailsTo(email)).toHaveLength(1);
    await page.getByRole('button', { name: 'Resend invitation' }).waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Last name').fill('Okafor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', titleOf('Amina Okafor')).waitFor();
    // The history is sentences that open to their fields.
    const renamed = page.getByRole('listitem').filter({ hasText: /^Changed user Amina Okafor: last name/ });
    await renamed.getByText(/^Changed user Amina Okafor: last name/).click();
    await renamed.getByRole('term').filter({ hasText: 'Last name' }).waitFor();

    await page.getByRole('button', { name: 'Activate' }).click();
    // Nobody has confirmed the email yet, so it asks.
    if (javaScript) await page.getByRole('alertdialog').getByRole('button', { name: 'Activate' }).click();
    else await page.getByRole('button', { name: 'Activate' }).last().click();
    // Activated, not only asked.
    await expect.poll(() => page.getByRole('button', { name: 'Activate' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Disable' }).click();
    if (javaScript) await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
    else await page.getByRole('button', { name: 'Disable' }).last().click();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    const id = await userId(email);
    expect((await tenant.manager.get(`/crud/users/${id}`)).json).toMatchObject({
      status: 'Active',
      lastName: 'Okafor',
      type: 'company',
      phoneNumber: '442079460000',
    });
    await page.getByRole('button', { name: 'Remove' }).click();
    if (javaScript) await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    else await page.getByRole('button', { name: 'Remove' }).last().click();
    await page.getByText('Amina Okafor was removed and signed out.').waitFor();
    expect((await tenant.manager.get(`/crud/users/${id}`)).status).toBe(404);
  },
);

it.each(['light', 'dark'] as const)(
  'lists users in a table, finds and filters them, and fits a phone (%s)',
  async (colorScheme) => {
    const page = await openPage({ colorScheme });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.users());
    await scriptsReady(page);
    await page.getByRole('cell', { name: tenant.emails.borrower }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Find a user').fill(tenant.emails.borrower);
    await page.getByText('1 user', { exact: true }).first().waitFor();
    const cell = page.getByRole('cell', { name: 'Bea Lindqvist', exact: true });
    const link = cell.getByRole('link', { name: 'Bea Lindqvist', exact: true });
    expect(await link.getAttribute('href')).toBe(paths.user(await userId(tenant.emails.borrower)));
    const inNewTab = async (open: () => Promise<void>) => {
      const opened = page.context().waitForEvent('page');
      await open();
      const tab = await opened;
      await tab.getByRole('heading', titleOf('Bea Lindqvist')).waitFor();
      await tab.close();
    };
    await inNewTab(() => link.click({ modifiers: ['Control'] }));
    await link.focus();
    await inNewTab(() => page.keyboard.press('Control+Enter'));
    expect(new URL(page.url()).pathname).toBe(paths.users());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', titleOf('Bea Lindqvist')).waitFor();
    await page.getByText(tenant.emails.borrower).first().waitFor();
    const phone = await openPage({ colorScheme, widthPx: 390 });
    await signIn(phone, tenant.emails.manager);
    for (const path of [
      paths.users({ filter: '{"status":"Active"}' }),
      paths.editUsers(),
      paths.roles(),
      paths.permissions(),
    ]) {
      await phone.goto(path);
      await scriptsReady(phone);
      expect(await overflowsSideways(phone), path).toBe(false);
      expect(await accessibilityViolations(phone), path).toEqual([]);
    }
  },
);

it.each([true, false])('several users get another role at once (JavaScript: %s)', async (javaScript) => {
  const { manager, emails } = tenant;
  const [{ assoc, role }] = (await manager.get('/crud/users', { filter: { email: emails.analyst } })).json;
  const mark = `${javaScript}-${emails.manager.replace('manager-', '')}`;
  const body = (name: string) => ({
    firstName: name,
    lastName: `Several${javaScript}`,
    email: `${name}-${mark}`,
    type: 'manager',
    assoc,
    role,
  });
  expect((await manager.post('/crud/users', [body('Olga'), body('Paul')])).status).toBe(201);
  const page = await openPage({ javaScript, expectedErrors: [/422/] });
  await signIn(page, emails.manager);
  const names = ['Olga', 'Paul'].map((name) => `${name} Several${javaScript}`);
  await page.goto(paths.users());
  if (javaScript) await page.goto(paths.editUsers());
  else await page.getByRole('button', { name: 'Edit several', exact: true }).click();
  await page.getByRole('heading', titleOf('Edit several users')).waitFor();
  await page.getByLabel('Find a user').fill(`Several${javaScript}`);
  if (!javaScript) await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('2 users', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Change the chosen users' }).click();
  await page.getByText('Choose at least one user').first().waitFor();

  // Chosen in the list of users, they are chosen here too.
  await page.goto(paths.users());
  if (javaScript) await scriptsReady(page);
  for (const name of names) {
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('checkbox').check();
  }
  await page.getByRole('button', { name: javaScript ? 'Edit 2 users' : 'Edit several', exact: true }).click();
  await page.getByRole('heading', titleOf('Edit several users')).waitFor();
  await page.getByText('2 users', { exact: true }).first().waitFor();
  for (const name of names) expect(await page.getByLabel(name, { exact: true }).isChecked()).toBe(true);
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption({ label: 'Fund manager (level 5)' });
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Active');
  await page.getByRole('button', { name: 'Change the chosen users' }).click();
  await page.getByText('2 users changed.').waitFor();
  const changed = (await manager.get('/crud/users', { filter: { name: { like: `Several${javaScript}` } } })).json;
  expect(changed.map((user: { status: string }) => user.status)).toEqual(['Active', 'Active']);
});

it.each([true, false])('what a person can see and do is explained and changed (JavaScript: %s)', async (javaScript) => {
  const { emails, manager } = tenant;
  const page = await openPage({ javaScript, colorScheme: javaScript ? 'light' : 'dark' });
  await signIn(page, emails.manager);
  const id = await userId(javaScript ? emails.analyst : emails.borrower);
  const analyst = await signedIn(javaScript ? emails.analyst : emails.borrower);
  const { firstName } = (await manager.get(`/crud/users/${id}`)).json;
  await page.goto(paths.user(id));
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await page.getByRole('row', { name: /Loan tapes and assets/ }).waitFor();
  await page.getByLabel('Collection').selectOption({ label: 'Borrowers' });
  await page.getByLabel('Name or id').fill('Northwind');
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText(`${firstName} can open Northwind Consumer Loans.`).waitFor();
  await page.getByText(/role includes companies\/read/).waitFor();
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

  await page.getByRole('button', { name: `Block it for ${firstName}` }).click();
  await page.getByText(`${firstName} can't open Northwind Consumer Loans.`).waitFor();
  await page.getByText(/was blocked for .* individually/).waitFor();
  await page.getByText(/ sees 404 /).waitFor();
  const companies = async () => Number((await analyst.get('/crud/companies')).headers.get('x-docs-count'));
  const [northwind] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Northwind Consumer Loans' } }))
    .json;
  expect((await analyst.get(`/crud/companies/${northwind.id}`)).status).toBe(404);
  expect(await companies()).toBe(javaScript ? 1 : 0);
  await page.getByRole('button', { name: 'Remove the entry for Northwind Consumer Loans' }).click();
  await page.getByText(`${firstName} can open Northwind Consumer Loans.`).waitFor();
  expect((await analyst.get(`/crud/companies/${northwind.id}`)).status).toBe(200);

  await page.getByRole('link', { name: 'Edit access' }).click();
  await page.getByLabel('Read Borrowers').selectOption({ label: 'Removed' });
  await page.getByLabel('Write Repayments').selectOption({ label: 'Added' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Borrowers\s*companies\s*removed/ }).waitFor();
  await page.getByRole('row', { name: /Repayments\s*repayments\s*role\s*added/ }).waitFor();
  expect((await manager.get(`/crud/users/${id}`)).json).toMatchObject({
    exclusiveResources: ['companies/read'],
    inclusiveResources: ['repayments/write'],
  });
  expect((await analyst.get('/crud/companies')).status).toBe(403);
  // Leaves the account as the other tests expect it.
  const { version } = (await manager.get(`/crud/users/${id}`)).json;
  const restored = { version, exclusiveResources: [], inclusiveResources: [] };
  expect((await manager.call('PUT', `/crud/users/${id}`, { body: restored })).status).toBe(200);
});

it.each([true, false])(
  'a role is copied, edited in its matrix, and read where it is shared (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, colorScheme: javaScript ? 'dark' : 'light', expectedErrors: [/403/] });
    await signIn(page, tenant.emails.manager);
    const title = `Servicing ${javaScript}`;
    await page.goto(paths.roles());
    await page.getByRole('link', { name: 'Analyst', exact: true }).click();
    await page.getByText(/All managers share this role/).waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Copy to a new role' }).click();
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Level').fill('3');
    expect(await page.getByLabel('Read Draws').isChecked()).toBe(true);
    await page.getByLabel('Write Borrowers').check();
    await page.getByRole('button', { name: 'Create role' }).click();
    await page
      .getByText(/must be 5 or a larger number/)
      .first()
      .waitFor();
    expect(await page.getByLabel('Write Borrowers').isChecked()).toBe(true);
    await page.getByLabel('Level').fill('12');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('heading', titleOf(title)).waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Write Borrowers').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    const [analyst] = (await tenant.manager.get('/crud/roles', { filter: { title: 'Analyst' } })).json;
    await page.getByText(`${analyst.permissions.length} permissions`).waitFor();
    const [role] = (await tenant.manager.get('/crud/roles', { filter: { title } })).json;
    expect(role).toMatchObject({ level: 12, version: 2 });
    expect(role.permissions).not.toContain('companies/write');
    await page.goto(paths.roles());
    await page.getByRole('link', { name: title }).waitFor();
  },
);

it('a permission of the installation is created and edited by an administrator, without JavaScript too', async () => {
  const page = await openPage({ javaScript: false, expectedErrors: [/422/] });
  await signIn(page, 'admin@tapeline.test');
  const key = `browser/${tenant.emails.manager.replace(/\W|\d|tapeline.*/g, '')}/read`;
  await page.goto(paths.permissions());
  await page.getByRole('link', { name: 'New permission' }).click();
  await page.getByLabel('Title').fill('Browser read');
  await page.getByLabel('Key').fill('browser');
  await page.getByRole('button', { name: 'Create permission' }).click();
  await page
    .getByText(/followed by \/read or \/write, for example/)
    .first()
    .waitFor();
  await page.getByLabel('Key').fill(key);
  await page.getByLabel('Manager').check();
  await page.getByRole('button', { name: 'Create permission' }).click();
  await page.getByRole('link', { name: 'Manager can hold Browser read' }).first().click();
  await page.getByLabel('Investor', { exact: true }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === paths.permissions());
  const admin = await signedIn('admin@tapeline.test');
  const [permission] = (await admin.get('/crud/permissions', { filter: { key } })).json;
  expect(permission.allowed.toSorted()).toEqual(['LP', 'manager']);
});

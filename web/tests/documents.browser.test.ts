import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { drawBody, drawnNote } from './drawn-note.ts';
import { lookProblems } from './look-problems.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

/** A PDF file of one page with a line of text. */
const TEXT = 'BT /F1 24 Tf 20 100 Td (Quarterly letter) Tj ET';
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${TEXT.length}>>stream
${TEXT}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

it('a notification appears on an open page without a reload', async () => {
  const note = await drawnNote(tenant.manager, '40000000');
  const borrower = await screensOf(tenant.emails.borrower);
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.notifications());
  await scriptsReady(page);
  await page.getByRole('link', { name: 'Notifications', exact: true }).first().waitFor();
  const asked = await borrower.api.post('/crud/transactionDraws', drawBody(note, 1_000_000));
  expect(asked.status, asked.text).toBe(201);
  await page.getByRole('link', { name: 'Notifications, 1 unread', exact: true }).waitFor();
  await page
    .getByText(/Draw \d+ of Northwind Consumer Loans waits for a decision$/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Mark all as read', exact: true }).click();
  await page.getByRole('link', { name: 'Notifications', exact: true }).first().waitFor();
});

it('a report is shown page by page, listed with its investor, and read marks appear for the manager', async () => {
  const funds = (await tenant.manager.get('/crud/funds', { limit: 1 })).json as { id: string }[];
  const fund = funds[0]!.id;
  const client = await screensOf(tenant.emails.manager);
  const form = new FormData();
  const fields = { csrf: client.token, intent: 'create', cutOffDate: '2026-06-30' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([PDF], { type: 'application/pdf' }), 'Quarterly letter.pdf');
  expect((await client.send(paths.newReport({ fund }), form)).status).toBe(302);

  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.documents({ fund }));
  await page.getByRole('heading', { name: /^Documents of / }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Quarterly letter.pdf', exact: true }).click();
  await page.getByRole('heading', { name: 'Quarterly letter.pdf', exact: true }).waitFor();
  await page.getByRole('img', { name: 'Page 1', exact: true }).waitFor();
  await page.getByText('Quarterly letter', { exact: true }).first().waitFor({ state: 'attached' });
  await page.getByRole('heading', { name: /^Read by 0 of / }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowsSideways(page)).toBe(false);
  await page.goto(paths.documents({ fund }));
  expect(await overflowsSideways(page)).toBe(false);
});

it.each([true, false])('the notices of a call are together, and open (JavaScript: %s)', async (javaScript) => {
  const page = await openPage({ javaScript });
  await signIn(page, 'manager@tapeline.test');
  await page.goto(paths.documents({ kind: 'call' }));
  const call = page.getByRole('button', { name: /^Capital call \S+ .* as of / }).first();
  await call.waitFor();
  const notices = page.locator('tbody', { has: call }).locator('tr').filter({ hasText: 'Call notice' });
  expect(await notices.count()).toBeGreaterThan(3);
  if (!javaScript) {
    // Nothing could open them.
    expect(await notices.first().isVisible()).toBe(true);
    expect(await overflowsSideways(page)).toBe(false);
    return;
  }
  await scriptsReady(page);
  expect([await call.getAttribute('aria-expanded'), await notices.first().isVisible()]).toEqual(['false', false]);
  await call.press('Enter');
  expect([await call.getAttribute('aria-expanded'), await notices.first().isVisible()]).toEqual(['true', true]);
  expect((await lookProblems(page)).join('\n')).toBe('');
});

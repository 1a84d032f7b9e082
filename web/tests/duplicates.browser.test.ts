import { expect, it } from 'vitest';
import { accessibilityViolations, openPage, signIn } from './browser.ts';
import { northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

it.each([
  ['with scripts', true, '2017-05-31'],
  ['without scripts', false, '2017-06-30'],
])('the same loan twice is decided %s', { timeout: 300_000 }, async (_, javaScript, cutOffDate) => {
  const tapes = await northwindTapes(tenant.manager);
  const ids = [`${cutOffDate}-1`, `${cutOffDate}-2`];
  await tapes.publish(
    ids.map((id) => tapes.loan({ 'Loan ID': id })),
    { cutOffDate },
  );
  await tenant.manager.post('/LTP/duplicateSearch', {});
  await expect
    .poll(async () => (await tenant.manager.get('/LTP/duplicates', { filter: { status: 'Open' } })).json.length, {
      timeout: 120_000,
    })
    .toBe(1);
  const page = await openPage({ javaScript });
  await signIn(page, tenant.emails.manager);
  await page.goto('/monitoring/duplicates');
  await page.getByRole('link', { name: new RegExp(ids[0] as string) }).click();
  const evidence = page.getByRole('table', { name: /Evidence/ });
  await evidence.getByRole('row', { name: /Loan .*Different/ }).waitFor();
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  const pair = page.getByRole('region', { name: 'Pair of loans' });
  await pair
    .getByText(/^Likely, because of the same borrower id, the same original amount, the same date and/)
    .waitFor();
  await pair.getByText('1 of 1').waitFor();
  await pair.getByRole('radio', { name: /Different loans/ }).check();
  await pair.getByRole('textbox', { name: /Reason/ }).fill('Two cars');
  await pair.getByRole('button', { name: 'Record the decision' }).click();
  await page.getByText('No pairs to decide').waitFor();
  await page.getByRole('link', { name: /^Decided/ }).click();
  await page.getByRole('row', { name: new RegExp(`${ids[0]}.*Different loans.*Two cars`) }).waitFor();
  await page.getByRole('link', { name: 'Rules' }).click();
  await page.getByRole('row', { name: /Certain.*same id and original amount/ }).waitFor();
});

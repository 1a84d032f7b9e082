import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { northwindTapes, uploadTape } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let tapes: [string, string, string];

beforeAll(async () => {
  const northwind = await northwindTapes(tenant.manager);
  const loan = (id: string, balance: number, more: object = {}) =>
    northwind.loan({ 'Loan ID': id, 'Original Amount': 1000, 'Principal Balance': balance, ...more });
  const publish = (rows: ReturnType<typeof loan>[], cutOffDate: string, documents: readonly string[] = []) =>
    northwind.publish(rows, { cutOffDate, name: `roll-${cutOffDate}.xlsx`, documents });
  const bytes = Buffer.from('Loan ID,Principal,Charge off\nB-1,99.5,\nB-3,,500\n');
  const payments = await uploadTape(tenant.manager, { name: 'payments.csv', bytes, type: 'text/csv' });
  tapes = [
    await publish([loan('B-1', 900), loan('B-2', 700), loan('B-3', 500)], '2016-01-31'),
    await publish([loan('B-1', 800.5), loan('B-2', 750), loan('B-4', 300)], '2016-02-29', [payments]),
    await publish([loan('B-1', 800.5), loan('B-2', 600), loan('B-4', 300)], '2016-03-31'),
  ];
}, 300_000);

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('the roll-forward, $words', ({ javaScript }) => {
  it('adds up for the chosen pair, and leads to the assets of a line and of a change', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.tape(tapes[2]));
    if (javaScript) await scriptsReady(page);
    await page.getByRole('link', { name: 'Roll-forward' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'forward');
    const lines = page.getByRole('table', { name: 'Roll-forward, USD' });
    await lines.getByText('Principal collected').waitFor();
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Compared with').selectOption(tapes[0]);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL((url) => url.searchParams.get('against') === tapes[0]);
    await lines.getByText('Opening, 31 Jan 2016').waitFor();
    const rows = await lines
      .locator('tbody tr')
      .evaluateAll((found) => found.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
    const figures = rows.map((cells) =>
      Number((cells[2] ?? '').replaceAll(',', '').replace('−', '-').replace('–0', '0')),
    );
    expect(figures.slice(0, -1).reduce((total, one) => total + one, 0)).toBeCloseTo(figures.at(-1)!, 6);
    expect(figures.at(-1)).toBe(1700.5);

    await lines.getByRole('link', { name: 'No longer reported, unexplained' }).click();
    await page.waitForURL((url) => url.searchParams.get('line') === 'left');
    const left = page.getByRole('table', { name: 'Assets: No longer reported, unexplained' });
    await left.getByText('B-3').waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);

    await page.goto(paths.tapeForward(tapes[1], { against: tapes[0] }));
    await page.getByRole('link', { name: 'Balance grew without an advance' }).click();
    await page.waitForURL((url) => url.searchParams.get('kind') === 'grew');
    const grew = page.getByRole('table', { name: 'Assets: Balance grew without an advance' });
    await grew.getByText('700 USD').waitFor();
    await grew.getByRole('link', { name: 'B-2' }).click();
    await page.waitForURL((url) => url.searchParams.has('asset') && url.pathname === paths.tape(tapes[1]));
  });

  it('is proved with a payment file, whose columns can be chosen', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.tapeForward(tapes[1]));
    if (javaScript) await scriptsReady(page);
    await page.getByRole('button', { name: 'Read the file' }).click();
    await page.getByText(/^66\.7% of the balance proved; 1 loan/).waitFor();
    await page.getByRole('table', { name: 'Loans that are not proved' }).getByText('B-2').waitFor();
    // Without the column of what was written off, B-3 is not proved either.
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Written off').selectOption('');
    await page.getByRole('button', { name: 'Prove' }).click();
    await page.getByText(/^42\.9% of the balance proved; 2 loans/).waitFor();
    await page.getByRole('table', { name: 'Loans that are not proved' }).getByText('B-3').waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const listNamed = async (name: string) => (await tenant.manager.get('/crud/tables', { filter: { name } })).json[0];

it.each([true, false])(
  'a list is created, its values retired and offered again (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const name = `Regions ${Math.random().toString(36).slice(2, 8)}`;
    await page.goto(paths.tables());
    await page.getByRole('link', { name: 'Industries', exact: true }).waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'New list' }).click();
    await page.waitForURL((url) => url.pathname === paths.newTable());
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Name', { exact: true }).fill('industries');
    await page.getByRole('textbox', { name: 'Values' }).fill('North\nSouth');
    await page.getByRole('button', { name: 'Create list' }).click();
    await page.getByText('is the name of another list').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Values' }).inputValue()).toBe('North\nSouth');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create list' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    if (javaScript) await scriptsReady(page);

    await page.getByRole('button', { name: 'Retire North' }).click();
    await page.getByRole('button', { name: 'Offer again North' }).waitFor();
    await page.getByRole('textbox', { name: 'Values' }).fill('East\nSouth');
    await page.getByRole('button', { name: 'Add values' }).click();
    await page.getByText('Each value can be listed once').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Values' }).inputValue()).toBe('East\nSouth');
    await page.getByRole('textbox', { name: 'Values' }).fill('East');
    await page.getByRole('button', { name: 'Add values' }).click();
    await page.getByRole('button', { name: 'Retire East' }).waitFor();
    await page.getByRole('button', { name: 'Remove South' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Remove South' }).count()).toBe(0);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    expect((await listNamed(name)).values).toEqual([
      { title: 'North', isRetired: true, date: null, rate: null },
      { title: 'East', isRetired: false, date: null, rate: null },
    ]);
  },
);

it.each([true, false])(
  'fixings are entered and imported, with an error for each wrong line (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const { id } = await listNamed('Base rates');
    const year = javaScript ? 2025 : 2026;
    await page.goto(paths.table(id));
    if (javaScript) await scriptsReady(page);
    await page
      .getByLabel('Fixings as CSV')
      .fill(`SOFR,${year}-01-02,4.30\nSOFR,${year}-02-30,4.31\nEURIBOR,${year}-01-02,2`);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page
      .getByText(`Line 2 "${year}-02-30" is not a date as YYYY-MM-DD, for example 2026-10-31`)
      .first()
      .waitFor();
    await page.getByText('Line 3 "EURIBOR" is not one of SOFR, SONIA, LABOR').first().waitFor();
    const of = async () =>
      (await listNamed('Base rates')).values.filter(({ date }: { date: string }) => date.startsWith(`${year}`));
    expect(await of()).toEqual([]);

    await page.getByLabel('Or a CSV file').setInputFiles({
      name: 'rates.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Date;Base rate;Rate\n${year}-01-02;SOFR;4,30\n${year}-01-09;SOFR;4,35\n${year}-01-02;SONIA;3,95\n`,
      ),
    });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('3 fixings added, 0 corrected, 0 unchanged.').waitFor();
    // No rate is chosen beforehand: a fixing of another would change the interest of every note with it.
    expect(await page.getByRole('combobox', { name: 'Base rate', exact: true }).inputValue()).toBe('');
    await page.getByRole('combobox', { name: 'Base rate', exact: true }).selectOption('SOFR');
    await page.getByLabel('Date', { exact: true }).fill(`${year}-01-09`);
    await page.getByLabel('Rate', { exact: true }).fill('4.36');
    await page.getByRole('button', { name: 'Save fixing' }).click();
    await page.getByText('0 fixings added, 1 corrected, 0 unchanged.').waitFor();
    await page.getByRole('button', { name: `Remove SONIA of ${year}-01-02` }).click();
    await expect.poll(of).toEqual([
      { title: 'SOFR', isRetired: false, date: `${year}-01-09`, rate: 4.36 },
      { title: 'SOFR', isRetired: false, date: `${year}-01-02`, rate: 4.3 },
    ]);
    await page.getByRole('figure', { name: 'Base rates' }).waitFor();
    expect(await overflowsSideways(page)).toBe(false);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  },
);

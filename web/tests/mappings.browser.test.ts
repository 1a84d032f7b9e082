import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityFaults, openPage, overflowsSideways, signIn } from './browser.ts';

const ANALYST = 'analyst@tapeline.test';
/** Of a tenant whose tapes no other test reads: a new mapping becomes the one its uploads take. */
const OTHER_MANAGER = 'manager2@tapeline.test';
const UNPROCESSABLE = [/status of 422/];

/** A small tape of a lender nobody has mapped yet. */
const TAPE = {
  name: 'harvest-2026-10.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Loan ID,Origination Date,Original Amount,Current Balance,Interest Rate,Branch',
      ...Array.from(
        { length: 30 },
        (_, i) => `H-${1000 + i},2025-0${1 + (i % 9)}-15,${5000 + i * 10}.50,${4000 + i},0.08,East`,
      ),
      'H-2000,not a date,1000,900,0.08,West',
    ].join('\n'),
  ),
};

describe('a new mapping', () => {
  it.each([true, false])(
    'is suggested from a tape and saved only once each rule was accepted (JavaScript %s)',
    async (javaScript) => {
      const page = await openPage({ javaScript, expectedErrors: UNPROCESSABLE });
      await signIn(page, OTHER_MANAGER);
      await page.goto(paths.newMapping());
      expect(await page.getByLabel('Company').locator('option').allTextContents()).toEqual([
        'Choose a company',
        'Fernhill Equipment Finance',
      ]);
      await page.getByLabel('Tape', { exact: true }).setInputFiles(TAPE);
      if (javaScript) await page.getByText(/harvest.*uploaded$/).waitFor();
      await page.getByRole('button', { name: 'Suggest a mapping' }).click();
      await page.getByText('and not yet accepted').waitFor();
      expect(
        await page
          .getByText(/"Current Balance" (reads as current balance|was mapped so in this company's earlier mapping)/)
          .count(),
      ).toBe(1);
      expect(await page.getByText(/30 assets and 1 errored|1 errored/).count()).toBeGreaterThan(0);

      await page.getByRole('button', { name: 'Save version 1' }).click();
      await page.getByText(/suggested rules were not looked at yet/).waitFor();
      await page.getByRole('button', { name: 'Accept all' }).click();
      await page.getByText('and not yet accepted').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Save version 1' }).click();
      await page.getByText('Version 1 is saved.').waitFor();
      expect(await page.getByRole('heading', { name: 'Mapping of Fernhill Equipment Finance' }).count()).toBe(1);
    },
  );
});

/** As other people write them: a title, semicolons, the day first, decimal commas, one name twice, a total below. */
const OTHER_TAPE = {
  name: 'portfolio-31-10-2026.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Portfolio at 31/10/2026',
      '',
      'Agreement No;Drawdown Date;Outstanding;Margin;Margin;State of play',
      ...Array.from(
        { length: 30 },
        (_, i) => `A-${1000 + i};${10 + (i % 20)}/03/2025;${1 + i}.234,50;1,5;2,5;${i % 3 ? 'Open' : 'Watchlist'}`,
      ),
      'Total;;49.735,00;;;',
    ].join('\n'),
  ),
};

it('a tape of another hand is read as it is written, its total is an error, and a name that stands twice is told apart', async () => {
  const page = await openPage();
  await signIn(page, ANALYST);
  await page.goto(paths.newMapping());
  await page.getByLabel('Company').selectOption({ index: 1 });
  await page.getByLabel('Tape', { exact: true }).setInputFiles(OTHER_TAPE);
  await page.getByText(/portfolio.*uploaded$/).waitFor();
  await page.getByRole('button', { name: 'Suggest a mapping' }).click();
  await page.getByText('data from row 4 on').waitFor();
  await page.getByText('\u201cMargin\u201d stands over 2 columns. Rules read them as \u201cMargin (1)\u201d').waitFor();
  await expect
    .poll(() => page.getByLabel('Column without a rule').getByRole('option', { name: 'Margin (2)' }).count())
    .toBe(1);
  await page.getByText(/30 of 30 values are dates written day first, as 10\/03\/2025/).waitFor();
  await page.getByText(/^1 errored$/).waitFor();
  await page.getByText('"Total" contains "Total"').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowsSideways(page)).toBe(false);
});

describe('the editor', () => {
  it.each([true, false])(
    'shows a fault at its step, keeps what was entered, and tells the change of the new version (JavaScript %s)',
    async (javaScript) => {
      const page = await openPage({ javaScript, expectedErrors: UNPROCESSABLE });
      await signIn(page, ANALYST);
      await page.goto(paths.mappings());
      await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
      await page.getByRole('heading', { name: /^Mapping of/ }).waitFor();
      await page.getByRole('button', { name: /^Purpose to Sector/ }).click();
      await page.getByLabel('Step to add').selectOption('padStart');
      await page.waitForURL((url) => url.searchParams.get('rule') === '29');
      await page.getByRole('button', { name: 'Add step' }).click();
      const step = page.locator('[data-step="2"]');
      await step.getByText('length: fill this in').waitFor();
      await page.getByRole('button', { name: /^Save as version/ }).click();
      await page.getByText('Nothing was saved').waitFor();
      await step.getByRole('button', { name: /^Remove step/ }).click();
      await step.waitFor({ state: 'detached' });
      const kept = page.getByLabel('Keep the cell as read too');
      const wasKept = await kept.isChecked();
      await kept.setChecked(!wasKept);
      await page.getByRole('button', { name: /^Save as version/ }).click();
      await page.getByText(/^Version \d+ is saved/).waitFor();
      await page.locator('details summary').first().click();
      const change = wasKept ? 'Sector: no longer keeps the cell as read' : 'Sector: keeps the cell as read';
      expect(await page.locator('details').first().textContent()).toContain(change);
    },
  );

  it('opens the saved version although a look at the draft is answered while it is read', async () => {
    const page = await openPage();
    await signIn(page, ANALYST);
    await page.goto(paths.mappings());
    await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
    await page.getByRole('button', { name: /^Purpose to Sector/ }).click();
    const saidOf = (request: Request): string => new URLSearchParams(request.postData() ?? '').get('edit') ?? '';
    const isReading = Promise.withResolvers<void>();
    let isLookAnswered = Promise.resolve();
    // The look waits until the saved version is read, and that reading waits until the look was answered.
    await page.route(/\/monitoring\/mappings\/[^/]+\.data/, async (route) => {
      if (saidOf(route.request()) === 'preview') await isReading.promise;
      else if (route.request().url().includes('saved=yes')) {
        isReading.resolve();
        await isLookAnswered;
      }
      await route.continue();
    });
    const kept = page.getByLabel('Keep the cell as read too');
    const look = page.waitForRequest((request) => saidOf(request) === 'preview');
    await kept.setChecked(!(await kept.isChecked()));
    isLookAnswered = (await look).response().then(async (answer) => {
      await answer?.finished();
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 100)));
    });
    await page.getByRole('button', { name: /^Save as version/ }).click();
    await page.getByText(/^Version \d+ is saved/).waitFor();
  });

  it.each([true, false])(
    'takes the condition of an if step line by line, and says how it reads (JavaScript %s)',
    async (javaScript) => {
      const page = await openPage({ javaScript });
      await signIn(page, ANALYST);
      await page.goto(paths.mappings());
      await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
      await page.getByRole('button', { name: /^State to State/ }).click();
      await page.getByLabel('Step to add').selectOption('ifStatement');
      await page.getByRole('button', { name: 'Add step' }).click();
      const step = page.locator('[data-step]').filter({ hasText: 'one value or another by a condition' });
      const line = (at: number, what: string) => step.locator(`[name$=".filter.${at}.${what}"]`);
      await line(0, 'column').fill('State');
      await line(0, 'operator').selectOption('in');
      await line(0, 'value').fill('CA, NY');
      await step.getByLabel('Then').fill('coast');
      await step.getByRole('button', { name: 'Another condition' }).click();
      await step.getByText('Reads: State is CA or NY').waitFor();
      await line(1, 'column').fill('assetId');
      await line(1, 'operator').selectOption('exists');
      await step.getByLabel('Must hold').selectOption('or');
      await step.getByRole('button', { name: 'Another condition' }).click();
      await step.getByText(/Reads: .*State is CA or NY.* or .*known/).waitFor();
      expect(await step.getByLabel('Condition 1: value').inputValue()).toBe('CA, NY');
      await step.getByText('Write it as JSON').click();
      const json = step.getByLabel('Condition as JSON');
      expect(JSON.parse(await json.inputValue())).toEqual({
        $or: [{ State: { in: ['CA', 'NY'] } }, { assetId: { exists: true } }],
      });
      if (javaScript) {
        expect(await accessibilityFaults(page)).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await overflowsSideways(page)).toBe(false);
      }
      // What lines cannot say stays JSON, and can be said there.
      await json.fill('{"$not": {"State": "CA"}}');
      await step.getByRole('button', { name: 'Another condition' }).click();
      await step.getByLabel('Condition, as JSON').waitFor();
      await step.getByText('Reads:').waitFor();
    },
  );

  it('shows the open rule as read and as mapped while it is changed, and is clean for readers', async () => {
    const page = await openPage();
    await signIn(page, ANALYST);
    await page.goto(paths.mappings());
    await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
    await page.getByRole('button', { name: /^State to State/ }).click();
    const cells = page.getByRole('table', { name: 'State as read, and State as mapped' });
    await cells.waitFor();
    const read = await cells.locator('tbody tr').first().locator('td').nth(1).textContent();
    await page.getByLabel('Step to add').selectOption('lower');
    await page.getByRole('button', { name: 'Add step' }).click();
    await cells
      .getByRole('cell', { name: (read ?? '').toLowerCase(), exact: true })
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflowsSideways(page)).toBe(false);
  });
});

import type { Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { readDraft } from '../app/routes/monitoring/mappings/draft.ts';
import { accessibilityViolations, openPage, overflowsSideways, roundTrip, scriptsReady, signIn } from './browser.ts';
import { northwindTapes } from './northwind-tapes.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant, ownTenantWithoutMappings } from './tenant.ts';

const tenant = ownTenant();
const { analyst: ANALYST } = tenant.emails;
const { manager: OTHER_MANAGER } = ownTenantWithoutMappings().emails;
const UNPROCESSABLE = [/status of 422/];

/** A small tape of a lender that has no mapping yet. */
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
      expect(
        await page.getByRole('combobox', { name: 'Borrower', exact: true }).locator('option').allTextContents(),
      ).toEqual(['Choose a borrower', 'Fernhill Equipment Finance']);
      await page.getByLabel('Tape', { exact: true }).setInputFiles(TAPE);
      if (javaScript) await page.getByText(/harvest.*uploaded$/).waitFor();
      await page.getByRole('button', { name: 'Suggest mapping' }).click();
      await page.getByText('not yet accepted').waitFor();
      await page
        .getByText(/"Current Balance" (reads as current balance|was mapped this way in the borrower’s earlier mapping)/)
        .waitFor();
      await page
        .getByText(/1 errored/)
        .first()
        .waitFor();

      await page.getByRole('button', { name: 'Save version 1' }).click();
      await page.getByText(/suggested rules have not been reviewed/).waitFor();
      await page.getByRole('button', { name: 'Accept all' }).click();
      await page.getByText('not yet accepted').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Save version 1' }).click();
      await page.getByText('Version 1 is saved.').waitFor();
      expect(await page.getByRole('heading', { name: 'Mapping of Fernhill Equipment Finance' }).count()).toBe(1);
    },
  );
});

/**
 * A tape that can be interpreted in two ways: the balance is above the original amount, and most rates are above 100 %
 * if read as fractions.
 */
const DOUBTFUL_TAPE = {
  name: 'doubtful.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Loan ID,Original Amount,Total Current Balance,Currency',
      ...Array.from({ length: 30 }, (_, i) => `D-${100 + i},${5000 + i * 10},${90_000 + i},EUR`),
    ].join('\n'),
  ),
};

it.each([true, false])(
  'low-confidence suggestions are not included in the mapping until used (JavaScript %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript });
    await signIn(page, OTHER_MANAGER);
    await page.goto(paths.newMapping());
    await page.getByLabel('Tape', { exact: true }).setInputFiles(DOUBTFUL_TAPE);
    if (javaScript) await page.getByText(/doubtful.*uploaded$/).waitFor();
    await page.getByRole('button', { name: 'Suggest mapping' }).click();
    await page.getByText('1 low-confidence suggestion is not included in the mapping').click();
    await page.getByText(/above the original principal in 30 of 30 rows/).waitFor();
    expect(await page.getByLabel('Default currency').inputValue()).toBe('EUR');
    const rules = page.getByRole('listitem').filter({ has: page.locator('[value^="drop:"]') });
    const count = await rules.count();
    await page.getByRole('button', { name: 'Use Total Current Balance to Current balance' }).click();
    await expect.poll(() => rules.count()).toBe(count + 1);
    expect(await page.getByText('low-confidence suggestion').count()).toBe(0);
    // The accessibility check runs as a script in the page.
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  },
);

/** The page of a new mapping of a file. */
async function newMappingOf(screens: ScreenClient, company: string, csv: string): Promise<string> {
  const { api } = screens;
  const announced = await api.post('/files/signedUrls/loanTapes?operation=upload', {
    filesInfo: [{ name: 'next.csv', size: csv.length, type: 'text/csv' }],
  });
  const { key, signedUrl } = announced.json[0].fileMetadata;
  expect((await fetch(signedUrl, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: csv })).status).toBe(
    200,
  );
  await api.get(`/LTP/preview/${encodeURIComponent(key)}/CSV`);
  return (await screens.get(paths.newMapping({ company, file: key.split('/')[0] }))).text;
}

it('says what a file is that is no tape', async () => {
  const screens = await screensOf(OTHER_MANAGER);
  const [{ id: company }] = (await screens.api.get('/crud/companies', { limit: 1 })).json;
  const amounts = [-250, -100.5, 40, 3.1, 12.55, 40, 7.25];
  const lines = amounts.map((amount, row) => {
    const balance = amounts.slice(0, row + 1).reduce((sum, each) => sum + each, 1000);
    return `2026-01-0${row + 1},Booking,${amount},${balance.toFixed(2)}`;
  });
  const statement = await newMappingOf(screens, company, ['Date,Text,Amount,Saldo', ...lines].join('\n'));
  expect(unescapeHtml(statement)).toContain('This looks like an account statement, not a loan tape');
  const months = ['L1', 'L2', 'L3'].flatMap((loan) => [202601, 202602].map((month) => `${loan},${month},1000.5`));
  const perMonth = await newMappingOf(screens, company, ['Loan,Period,Balance', ...months].join('\n'));
  expect(unescapeHtml(perMonth)).toContain('keep only the rows of one month, such as 202602');
});

it('a mapping for a company that has one keeps its rules, as far as they read the new file, in the company’s currency', async () => {
  const screens = await screensOf(OTHER_MANAGER);
  const { api } = screens;
  const [{ id: company }] = (await api.get('/crud/companies', { limit: 1 })).json;
  const text = [{ type: 'text' }];
  const made = await api.post('/crud/assetsETLs', {
    company,
    loanTapeSheetName: 'Loans',
    primaryCurrency: 'GBP',
    rules: [
      { originCol: 'Ref', targetCol: 'assetId', checks: ['Mandatory'], serializations: text },
      { originCol: 'Ref', targetCol: 'customFields.reference', serializations: text },
      {
        originCol: 'Branch',
        targetCol: 'customFields.branchNumber',
        serializations: [{ type: 'trim' }, { type: 'number' }],
      },
    ],
  });
  expect(made.status, made.text).toBe(201);
  const csv = ['Ref,Branch', ...Array.from({ length: 30 }, (_, i) => `K-${i},East`)].join('\n');
  const page = await newMappingOf(screens, company, csv);
  const [{ entity }] = (await api.get('/crud/companies', { filter: { id: company } })).json;
  expect(page).toContain(`<option value="${entity.business.currency}" selected`);
  const draft = readDraft(unescapeHtml(/name="draft" value="([^"]*)"/.exec(page)?.[1] ?? ''));
  const ofRef = draft?.rules.filter(({ rule }) => rule.originCol === 'Ref').map(({ rule }) => rule.targetCol);
  expect(ofRef).toEqual(['assetId', 'customFields.reference']);
  expect(draft?.doubtful).toMatchObject([
    {
      rules: [{ targetCol: 'customFields.branchNumber' }],
      suggestion: { confidence: 0, reason: expect.stringContaining('fails on 30 of the first 30 rows') },
    },
  ]);
});

const unescapeHtml = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/**
 * A tape in a different style: a title, semicolons, day-first dates, decimal commas, a duplicate column name, and a
 * total row.
 */
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
  await page.getByRole('combobox', { name: 'Borrower', exact: true }).selectOption({ index: 1 });
  await page.getByLabel('Tape', { exact: true }).setInputFiles(OTHER_TAPE);
  await page.getByText(/portfolio.*uploaded$/).waitFor();
  await page.getByRole('button', { name: 'Suggest mapping' }).click();
  await page.getByText('data from row 4').waitFor();
  await page
    .getByText('\u201cMargin\u201d is the header of 2 columns. In rules they are \u201cMargin (1)\u201d')
    .waitFor();
  await expect
    .poll(() => page.getByLabel('Unmapped column').getByRole('option', { name: 'Margin (2)' }).count())
    .toBe(1);
  await page.getByText(/30 of 30 values are dates written day first, such as 10\/03\/2025/).waitFor();
  await page.getByText(/^1 errored$/).waitFor();
  await page.getByText('"Total" contains "Total"').first().waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowsSideways(page)).toBe(false);
});

describe('the editor', () => {
  beforeAll(async () => {
    const tapes = await northwindTapes(tenant.manager);
    const loans = ['CA', 'NY', 'TX'].map((State, at) => tapes.loan({ 'Loan ID': `E-${at}`, State, Purpose: 'Debt' }));
    await tapes.publish(loans, { cutOffDate: '2016-01-31' });
  });

  it.each([true, false])(
    'shows a problem at its step, keeps what was entered, and tells the change of the new version (JavaScript %s)',
    async (javaScript) => {
      const page = await openPage({ javaScript, expectedErrors: UNPROCESSABLE });
      await signIn(page, ANALYST);
      await page.goto(paths.mappings());
      await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
      await page.getByRole('heading', { name: /^Mapping of/ }).waitFor();
      // Otherwise the scripts of a loaded machine take over between two of the steps below.
      if (javaScript) await scriptsReady(page);
      await page.getByText('Export', { exact: true }).click();
      const [dictionary] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Data dictionary (Excel)' }).click(),
      ]);
      expect(dictionary.suggestedFilename()).toBe('Northwind Consumer Loans-data-dictionary.xlsx');
      await page.getByRole('button', { name: /^Purpose to Sector/ }).click();
      await page.getByLabel('Step to add').selectOption('padStart');
      await page.waitForURL((url) => url.searchParams.get('rule') === '29');
      await page.getByRole('button', { name: 'Add step' }).click();
      const step = page.locator('[data-step="2"]');
      await step.getByText('length: enter a value').waitFor();
      await page.getByRole('button', { name: /^Save as version/ }).click();
      await page.getByText('Nothing was saved').waitFor();
      await step.getByRole('button', { name: /^Remove step/ }).click();
      await step.waitFor({ state: 'detached' });
      const kept = page.getByLabel('Keep the source cell');
      const wasKept = await kept.isChecked();
      await kept.setChecked(!wasKept);
      await page.getByRole('button', { name: /^Save as version/ }).click();
      await page.getByText(/^Version \d+ is saved/).waitFor();
      await page.locator('li > details summary').first().click();
      const change = wasKept ? 'Sector: no longer keeps the source cell' : 'Sector: keeps the source cell';
      expect(await page.locator('li > details').first().textContent()).toContain(change);
    },
  );

  it('opens the saved version although a look at the draft is answered while it is read', async () => {
    const page = await openPage();
    await signIn(page, ANALYST);
    await page.goto(paths.mappings());
    await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
    await page.getByRole('button', { name: /^Purpose to Sector/ }).click();
    const descriptionOf = (request: Request): string => new URLSearchParams(request.postData() ?? '').get('edit') ?? '';
    const isReading = Promise.withResolvers<void>();
    let isLookAnswered = Promise.resolve();
    // The preview response waits until the saved version is being read, and that read waits until the preview is
    // answered.
    await page.route(/\/monitoring\/mappings\/[^/]+\.data/, async (route) => {
      if (descriptionOf(route.request()) === 'preview') await isReading.promise;
      else if (route.request().url().includes('saved=yes')) {
        isReading.resolve();
        await isLookAnswered;
      }
      await route.continue();
    });
    const kept = page.getByLabel('Keep the source cell');
    const look = page.waitForRequest((request) => descriptionOf(request) === 'preview');
    await kept.setChecked(!(await kept.isChecked()));
    isLookAnswered = (await look).response().then(async (answer) => {
      await answer?.finished();
      await roundTrip(page);
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
      const step = page.locator('[data-step]').filter({ hasText: 'returns one of two values based on a condition' });
      const line = (at: number, what: string) => step.locator(`[name$=".filter.${at}.${what}"]`);
      await line(0, 'column').fill('State');
      await line(0, 'operator').selectOption('in');
      await line(0, 'value').fill('CA, NY');
      await step.getByLabel('Then').fill('coast');
      await step.getByRole('button', { name: 'Add condition' }).click();
      await step.getByText('Reads: State is CA or NY').waitFor();
      await line(1, 'column').fill('assetId');
      await line(1, 'operator').selectOption('exists');
      await line(1, 'join').selectOption('or');
      await step.getByRole('button', { name: 'Add condition' }).click();
      await step.getByText(/Reads: .*State is CA or NY.* or .*known/).waitFor();
      expect(await step.getByLabel('Condition 1: value').inputValue()).toBe('CA, NY');
      await step.getByText('Edit as JSON').click();
      const json = step.getByLabel('Condition as JSON');
      expect(JSON.parse(await json.inputValue())).toEqual({
        $or: [{ State: { in: ['CA', 'NY'] } }, { assetId: { exists: true } }],
      });
      if (javaScript) {
        expect(await accessibilityViolations(page)).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await overflowsSideways(page)).toBe(false);
      }
      // Groups are lines with brackets, and brackets that do not match are kept with what is wrong.
      await json.fill('{"assetId": {"exists": true}, "$or": [{"State": "CA"}, {"State": {"$field": "Zip"}}]}');
      await step.getByRole('button', { name: 'Add condition' }).click();
      await step.getByText('Reads: assetId is known and (State is CA or State is Zip)').waitFor();
      expect(await line(2, 'value').inputValue()).toBe('{Zip}');
      await line(2, 'close').selectOption('');
      await step.getByRole('button', { name: 'Add condition' }).click();
      await step.getByText('The bracket that opens here is not closed').first().waitFor();
      expect(await line(1, 'open').inputValue()).toBe('(');
      // A condition that the form cannot express stays JSON and can be edited as JSON.
      if (!(await json.isVisible())) await step.getByText('Edit as JSON').click();
      await json.fill('{"State": {"regex": "^c", "options": "i"}}');
      await step.getByRole('button', { name: 'Add condition' }).click();
      await step.getByLabel('Condition, as JSON').waitFor();
      await step.getByText('Reads:').waitFor();
    },
  );

  it.each([true, false])(
    'calculates by a formula, and says what is wrong with one (JavaScript %s)',
    async (javaScript) => {
      const page = await openPage({ javaScript });
      await signIn(page, ANALYST);
      await page.goto(paths.mappings());
      await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
      await page.getByRole('button', { name: /^Months on Book to Months on book/ }).click();
      await page.getByLabel('Step to add').selectOption('calculate');
      await page.getByRole('button', { name: 'Add step' }).click();
      const step = page.locator('[data-step]').filter({ hasText: 'calculates from several columns' });
      const formula = step.getByLabel('Formula');
      // With JavaScript the message follows the typing; without, any button sends the form.
      const send = async () => {
        if (!javaScript) await page.getByRole('button', { name: 'Add validation' }).click();
      };
      await formula.fill('value / [Term (months)] *');
      await send();
      await step.getByText('The formula needs a number or a column at its end').first().waitFor();
      expect(await formula.inputValue()).toBe('value / [Term (months)] *');
      await formula.fill('value / [Term (months)] * 100');
      await send();
      await step.getByText('Calculates: The value divided by Term (months), times 100').waitFor();
      if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
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
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflowsSideways(page)).toBe(false);
  });
});

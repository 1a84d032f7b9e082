import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';

const MANAGER = 'manager@tapeline.test';

/** Northwind's latest demonstration tape, and Alder's only one. */
async function demonstrationTapes(): Promise<{ latest: string; first: string }> {
  const client = await signedIn(MANAGER);
  const companies = (await client.get('/crud/companies')).json;
  const tapesOf = async (name: string) => {
    const company = companies.find(({ entity }: { entity: { name: string } }) => entity.name === name).id;
    const tapes = (await client.get('/crud/loanTape', { filter: { company }, sort: { cutOffDate: 1 } })).json;
    return tapes.filter(({ cutOffDate }: { cutOffDate: string }) => cutOffDate <= '2026-10-31');
  };
  return { latest: (await tapesOf('Northwind Consumer Loans')).at(-1).id, first: (await tapesOf('Alder Auto'))[0].id };
}

/** The rows of the table with the given caption, as cell texts. */
const rowsOf = (page: Page, caption: string) =>
  page
    .getByRole('table', { name: caption })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th,td')].map((cell) => cell.textContent?.trim() ?? '')),
    );

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('between two tapes, $words', ({ javaScript }) => {
  it('the roll rates of a row add up to 100, a cell leads to its assets, and those to the grid', async () => {
    const { latest } = await demonstrationTapes();
    const page = await openPage({ javaScript });
    await signIn(page, MANAGER);
    await page.goto(paths.tape(latest));
    if (javaScript) await scriptsReady(page);
    await page.getByRole('link', { name: 'Roll rates' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'rolls');
    await page.getByRole('table', { name: 'Roll rates' }).waitFor();
    const rows = await rowsOf(page, 'Roll rates');
    expect(rows.map(([label]) => label)).toEqual(
      expect.arrayContaining(['Current', '1–29 days', '30–59 days', '60–89 days', '90–119 days', 'Charged off']),
    );
    for (const row of rows) {
      const tenths = row.slice(1, -2).map((text) => (text === '–' ? 0 : Math.round(Number(text) * 10)));
      expect(tenths.reduce((total, one) => total + one, 0)).toBe(1000);
    }

    const late = page.getByRole('table', { name: 'Roll rates' }).getByRole('row', { name: /^60–89 days/ });
    await late.getByRole('link').nth(1).click();
    await page.waitForURL((url) => url.searchParams.get('from') === '60-89');
    await page.getByRole('heading', { name: /^60–89 days to/ }).waitFor();
    await page.getByRole('link', { name: 'Show in grid' }).click();
    await page.waitForURL((url) => url.searchParams.has('filter'));
    await page.getByRole('list', { name: 'Filters' }).getByText('Asset id').waitFor();

    await page.goto(paths.tapeRolls(latest, { measure: 'count' }));
    await page
      .getByText(/% of assets/)
      .first()
      .waitFor();
    // Choose a different earlier tape with the form.
    const against = page.getByLabel('Compared with');
    await against.selectOption({ index: 1 });
    if (javaScript) await scriptsReady(page);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL((url) => url.searchParams.has('against') && url.searchParams.get('measure') === 'count');
    await page
      .getByText(/31 Aug 2026 to 31 Oct 2026/)
      .first()
      .waitFor();
  });

  it('vintages show a line and a row each, and the table of the lines', async () => {
    const { latest } = await demonstrationTapes();
    const page = await openPage({ javaScript });
    await signIn(page, MANAGER);
    await page.goto(paths.tapeVintages(latest));
    // If reading the tapes takes longer than the response can wait, the page polls for the result.
    await page.getByRole('table', { name: 'Vintages' }).waitFor();
    expect((await rowsOf(page, 'Vintages')).map(([name]) => name)).toEqual(['2026', '2025', '2024', '2023', '2022']);
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Cumulative default as a table').check({ force: true });
    await page.getByRole('table', { name: 'Cumulative default' }).getByRole('columnheader', { name: 'All' }).waitFor();
    await page.getByRole('navigation', { name: 'Vintages by' }).getByRole('link', { name: 'Quarter' }).click();
    await page.waitForURL((url) => url.searchParams.get('period') === 'quarter');
    await expect.poll(async () => (await rowsOf(page, 'Vintages'))[0]?.[0]).toBe('Q4 2026');
  });

  it('a tape is stratified by a chosen field and bands, which lead to their assets; wrong ones are told', async () => {
    const { latest } = await demonstrationTapes();
    const page = await openPage({ javaScript });
    await signIn(page, MANAGER);
    await page.goto(`${paths.tape(latest)}?view=strata&column=creditScores.origination`);
    await page.getByLabel('Band edges').fill('700, 650');
    if (javaScript) await scriptsReady(page);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('It must be in ascending order').waitFor();
    expect(await page.getByLabel('Band edges').inputValue()).toBe('700, 650');
    await page.getByLabel('Band edges').fill('650, 700');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL((url) => url.searchParams.get('bands') === '650, 700');
    const table = 'Assets by Origination credit score';
    await page.getByRole('table', { name: table }).getByText('650 to under 700').waitFor();
    const rows = await rowsOf(page, table);
    expect(rows.map(([name]) => name)).toEqual(['Under 650', '650 to under 700', '700 and over', 'Missing']);
    const assets = rows[1]![1]!;
    await page.getByRole('link', { name: '650 to under 700' }).click();
    await page.waitForURL((url) => url.searchParams.has('filter'));
    await page
      .getByText(new RegExp(`${assets} of [\\d,]+ assets`))
      .first()
      .waitFor();

    // The filter is kept in the link to the strata.
    await page.getByRole('link', { name: 'Stratification' }).click();
    await page.getByText(/^Only assets where/).waitFor();
    await page.getByRole('row', { name: new RegExp(`^All ${assets}`) }).waitFor();
    await page.getByRole('link', { name: 'Show all assets' }).click();
    await page.waitForURL((url) => !url.searchParams.has('filter'));
  });
});

describe('the screens of pool analyses', () => {
  it('say what is needed where there is no earlier tape', async () => {
    const { first } = await demonstrationTapes();
    const page = await openPage();
    await signIn(page, MANAGER);
    await page.goto(paths.tapeRolls(first));
    await page.getByText('No earlier tape to compare with').waitFor();
    await page.goto(paths.tapeVintages(first));
    await page.getByText(/lists all loans/).waitFor();
  });

  it.each([
    { widthPx: 1440, colorScheme: 'light' },
    { widthPx: 390, colorScheme: 'dark' },
  ] as const)('have no accessibility problem and no sideways scroll at $widthPx px, $colorScheme', async (look) => {
    const { latest } = await demonstrationTapes();
    const page = await openPage(look);
    await signIn(page, MANAGER);
    for (const address of [
      paths.tapeRolls(latest, { from: '30-59', to: '60-89' }),
      paths.tapeVintages(latest),
      `${paths.tape(latest)}?view=strata`,
    ]) {
      await page.goto(address);
      expect(await overflowsSideways(page), address).toBe(false);
      expect(await accessibilityViolations(page), address).toEqual([]);
    }
  });
});

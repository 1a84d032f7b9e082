import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';

const MANAGER = 'manager@tapeline.test';

/** The demonstration's borrowing bases, latest last. */
async function demonstrationBases(): Promise<{ id: string; cutOffDate: string; netBB: { sum: number } }[]> {
  const client = await signedIn(MANAGER);
  return (await client.get('/crud/borrowingBase', { sort: { cutOffDate: 1 } })).json;
}

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('a borrowing base, $words', ({ javaScript }) => {
  it('holds every limit against the pool, shows the groups of the one chosen, and stands beside the month before', async () => {
    const bases = await demonstrationBases();
    const page = await openPage({ javaScript });
    await signIn(page, MANAGER);
    await page.goto(paths.borrowingBase(bases.at(-1)?.id ?? ''));
    const limits = page.getByRole('table', { name: 'Concentration limits' });
    await limits.getByRole('row', { name: /Any one state at most 12%.*In breach/ }).waitFor();
    await limits.getByRole('row', { name: /Average FICO is at least 690.*Within/ }).waitFor();
    // The first limit in breach is expanded. Opening another one replaces it.
    await page.getByRole('table', { name: 'Groups of Any one state at most 12%' }).waitFor();
    await limits.getByRole('link', { name: 'Average FICO is at least 690' }).click();
    await page.getByRole('table', { name: 'Groups of Average FICO is at least 690' }).waitFor();
    expect(await limits.locator('[aria-current="true"]').allTextContents()).toEqual([
      expect.stringMatching(/^Average FICO is at least 690/),
    ]);

    await page.getByRole('link', { name: 'Trend', exact: true }).click();
    const since = page.getByRole('table', { name: 'Changes from 30 Sep 2026' });
    await since.getByRole('row', { name: /^Net borrowing base/ }).waitFor();
    await page.getByRole('link', { name: 'Open prior certificate' }).click();
    await page.getByRole('heading', { name: 'Borrowing base, 30 Sep 2026', level: 1 }).waitFor();
  });
});

describe('a borrowing base', () => {
  it('is a file of every figure, whose net borrowing base is the page’s', async () => {
    const latest = (await demonstrationBases()).at(-1);
    const page = await openPage();
    await signIn(page, MANAGER);
    const csv = await page.request.get(paths.borrowingBaseFile(latest?.id ?? '', 'csv'));
    const lines = (await csv.text()).split(/\r?\n/);
    const net = lines.find((line) => line.includes(',Net borrowing base,'))?.split(',') ?? [];
    expect(Number(net[3])).toBe(latest?.netBB.sum);
    expect(lines.some((line) => line.startsWith('Concentration limits,Any one state at most 12%,'))).toBe(true);
    const workbook = await page.request.get(paths.borrowingBaseFile(latest?.id ?? '', 'xlsx'));
    expect((await workbook.body()).subarray(0, 2).toString()).toBe('PK');
    expect((await page.request.get(`${paths.borrowingBaseFile(latest?.id ?? '', 'csv')}x`)).status()).toBe(400);
  });

  it.each([
    { widthPx: 1440, colorScheme: 'dark' },
    { widthPx: 390, colorScheme: 'light' },
  ] as const)('is without accessibility problem or sideways scroll at $widthPx px in $colorScheme', async (look) => {
    const latest = (await demonstrationBases()).at(-1);
    const page = await openPage(look);
    await signIn(page, MANAGER);
    await page.goto(paths.borrowingBase(latest?.id ?? ''));
    await page.getByRole('table', { name: 'Concentration limits' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
    // On a phone, a table of items keeps every figure visible, each with its own label.
    await page.goto(paths.borrowingBases());
    const latestRow = page.getByRole('table', { name: 'Latest borrowing base per note' }).getByRole('row').last();
    const net = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(latest?.netBB.sum ?? 0);
    expect(await latestRow.getByText(net).isVisible()).toBe(true);
    expect(await latestRow.evaluate((row) => row.scrollWidth <= row.clientWidth)).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});

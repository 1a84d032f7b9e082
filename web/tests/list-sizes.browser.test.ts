import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openPage, scriptsReady, signIn } from './browser.ts';
import { fitProblems } from './look-problems.ts';
import { LISTED, tenantWithRows } from './many-rows.ts';

/** A plain table has so many rows at most, and a longer list has the grid or pages. */
const MAX_PLAIN_ROWS = 200;
/**
 * Lists with rows are opened by `npm run every-screen` only: an administrator sees the rows as well, which are copies that
 * other tests do not expect, and the database takes minutes to write 10,000 of each with their history and their words
 * for the search.
 */
const SIZES = process.env.EVERY_SCREEN ? [0, 1, 6, MAX_PLAIN_ROWS + 1, 10_000] : [0];

const tenants = new Map<number, ReturnType<typeof tenantWithRows>>();

beforeAll(() => {
  // The database writes the many rows while the browser opens the short lists.
  for (const size of SIZES) {
    const tenant = tenantWithRows(size);
    tenants.set(size, tenant);
    // Its test fails, which waits for it.
    tenant.catch(() => undefined);
  }
});

it.each(SIZES)('every list with %i rows fits each width in both themes', async (size) => {
  const tenant = await tenants.get(size);
  if (!tenant) throw new Error('the tenant is created before the tests');
  onTestFinished(tenant.end);
  const page = await openPage();
  await signIn(page, tenant.email);
  const problems: string[] = [];
  for (const { list, hasGrid } of LISTED) {
    const answer = await page.goto(list);
    expect([list, answer?.status()]).toEqual([list, 200]);
    await scriptsReady(page);
    const needsGrid = hasGrid && size > MAX_PLAIN_ROWS;
    if (needsGrid) await page.locator('.data-grid .ag-row').first().waitFor();
    const rows = await page.locator('main tbody tr').count();
    const isAsDecided = needsGrid || (rows >= Math.min(size, 10) && rows <= MAX_PLAIN_ROWS);
    if (!isAsDecided) problems.push(`${list}: a plain table of ${rows} rows`);
    if (!needsGrid && (await page.locator('.data-grid').count()) > 0) problems.push(`${list}: has the grid`);
    for (const problem of await fitProblems(page)) problems.push(`${list}: ${problem}`);
  }
  // As a text, because a message of a failed test shortens an array.
  expect(problems.join('\n')).toBe('');
});

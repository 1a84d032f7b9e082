import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

const tenant = ownTenant();
const { manager: MANAGER } = tenant.emails;
let tape = '';
let bases: Record<string, string> = {};
beforeAll(async () => {
  ({ tape, bases } = await createTwoNotes(tenant.manager));
});

const asset = async (row: number) =>
  (await tenant.manager.get('/crud/assets', { filter: { loanTape: tape } })).json.find(
    (one: { rowNumber: number }) => one.rowNumber === row,
  ).id;

it('a limit on another field shows its excess beside the amount removed, in the file and on the page', async () => {
  const page = await openPage();
  await signIn(page, MANAGER);
  const csv = await (await page.request.get(paths.borrowingBaseFile(bases.Senior ?? '', 'csv'))).text();
  const lines = csv.split(/\r?\n/);
  expect(lines[0]).toContain('measured,limit,overLimit,measuredOf');
  const group = lines.find((line) => line.startsWith('"Excess by group: Financed in any one state'));
  expect(group).toMatch(
    /,CA,2,600(\.0+)?,USD,2000(\.0+)?,1000(\.0+)?,1000(\.0+)?,Original principal \(USD\),"State, amount removed"$/,
  );
  await page.goto(paths.borrowingBase(bases.Senior ?? ''));
  const groups = page.getByRole('table', { name: 'Groups of Financed in any one state at most 1,000' });
  await groups.getByRole('columnheader', { name: 'Original principal (USD)' }).waitFor();
  await groups.getByRole('row', { name: /^CA 2,000\.00 ?1,000\.00 over the limit 1,000\.00 600\.00$/ }).waitFor();
  expect(await groups.getByRole('columnheader').allTextContents()).toContain('Removed (USD)');
});

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('a certificate, $words', ({ javaScript }) => {
  it('leads to the assets of its own note, where another may be chosen, and an asset says why it does not count', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, MANAGER);
    await page.goto(paths.borrowingBase(bases.Senior ?? ''));
    await page
      .getByRole('table', { name: 'Rules and their exclusions' })
      .getByRole('link', { name: 'FICO is at least 640' })
      .click();
    await page.waitForURL((url) => url.searchParams.get('borrowingBase') === bases.Senior);
    await page.getByText('Borrowing-base columns: Two notes, Senior, contract v1 from 1 Jan 2017').waitFor();
    await page.goto(paths.tape(tape, { borrowingBase: bases.Senior, asset: await asset(4) }));
    const why = page.getByRole('region', { name: 'Borrowing base' });
    await why.getByText('Origination credit score is at least 640: is 612').waitFor();
    await page.goto(paths.tape(tape, { borrowingBase: bases.Senior }));
    await page.locator('select[name=borrowingBase]').selectOption({ label: 'Two notes, Mezzanine, contract v1' });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('borrowingBase') === bases.Mezzanine);
    await page.getByText('Borrowing-base columns: Two notes, Mezzanine').waitFor();
  });
});

it.each([
  { widthPx: 1440, colorScheme: 'dark' },
  { widthPx: 390, colorScheme: 'light' },
] as const)('an explained asset is without accessibility problem at $widthPx px in $colorScheme', async (look) => {
  const page = await openPage(look);
  await signIn(page, MANAGER);
  await page.goto(paths.tape(tape, { borrowingBase: bases.Senior, asset: await asset(3) }));
  await page.getByRole('region', { name: 'Borrowing base' }).getByText('Concentration cuts').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
});

it('a note that is not calculated is Failed on the page', async () => {
  const page = await openPage();
  await signIn(page, MANAGER);
  await page.goto(paths.tape(tape));
  await page.getByText('Failed Borrowing base of Senior: No Active contract applies at this cut-off date').waitFor();
});

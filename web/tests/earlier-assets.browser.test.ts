import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

const tenant = ownTenant();
const { manager: MANAGER } = tenant.emails;
let tape = '';
let senior = '';
beforeAll(async () => {
  const notes = await createTwoNotes(tenant.manager, [{ 'Principal Balance': 'see note' }]);
  tape = notes.tape;
  senior = notes.bases.Senior ?? '';
  const assets = [{ rowNumber: 6, originData: { 'Principal Balance': 400.25 } }];
  expect((await tenant.manager.post('/LTP/assets/errored', { loanTapeId: tape, assets })).status).toBe(201);
  await notes.tapes.finished(tape);
});

const REPUBLISHED = 'The tape was republished after this calculation';

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('the certificate of a tape that was republished, $words', ({ javaScript }) => {
  it('says so, and leads to the assets of then, from which the current ones can be opened', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, MANAGER);
    await page.goto(paths.borrowingBase(senior));
    await page.getByRole('status').getByText(REPUBLISHED).waitFor();
    await page
      .getByRole('table', { name: 'Rules and their exclusions' })
      .getByRole('link', { name: 'FICO is at least 640' })
      .click();
    await page.waitForURL((url) => url.searchParams.get('borrowingBase') === senior);
    const notice = page.getByRole('status').filter({ hasText: 'These are the earlier assets' });
    await notice
      .getByText(/borrowing base of Two notes, Senior.*with mapping v\d+\. The tape was republished/)
      .waitFor();
    // Only the one that fails the rule, of the four of then.
    await page.getByText('1 of 4').first().waitFor();

    await page.getByRole('link', { name: 'Stratification' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'strata');
    await notice.waitFor();
    await page.goto(paths.tape(tape, { borrowingBase: senior }));
    const assets = page.getByRole('navigation', { name: 'Parts of the tape' }).getByRole('link', { name: /^Assets/ });
    await expect.poll(() => assets.textContent()).toMatch(/4$/);
    const total = page.locator('dl[aria-label="Totals of all assets found"]');
    await total.getByText('2,200.00').waitFor();
    await notice.getByRole('link', { name: 'Current assets' }).click();
    await expect.poll(() => assets.textContent()).toMatch(/5$/);
    await total.getByText('2,600.25').waitFor();
    expect(await notice.count()).toBe(0);
  });
});

it('the files of the certificate and of its assets are those of then', async () => {
  const page = await openPage();
  await signIn(page, MANAGER);
  const text = async (path: string) => (await page.request.get(path)).text();
  expect(await text(paths.borrowingBaseFile(senior, 'csv'))).toMatch(/^Certificate,Not the latest.*republished/m);
  const lines = async (borrowingBase?: string) =>
    (await text(paths.tapeExport(tape, { format: 'csv', borrowingBase }))).trimEnd().split(/\r?\n/);
  expect([(await lines(senior)).length, (await lines()).length]).toEqual([5, 6]);
  const pdf = await page.request.get(paths.borrowingBaseFile(senior, 'pdf'));
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
});

it.each([
  { widthPx: 1440, colorScheme: 'dark' },
  { widthPx: 390, colorScheme: 'light' },
] as const)('it is without accessibility problem or sideways scroll at $widthPx px in $colorScheme', async (look) => {
  const page = await openPage(look);
  await signIn(page, MANAGER);
  for (const path of [paths.borrowingBase(senior), paths.tape(tape, { borrowingBase: senior })]) {
    await page.goto(path);
    await page.getByRole('status').getByText('republished').first().waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
  }
});

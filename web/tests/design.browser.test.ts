import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';

const ANALYST = 'analyst@tapeline.test';

describe('every part of the screens', () => {
  it.each([
    { widthPx: 1440, colorScheme: 'light' },
    { widthPx: 1440, colorScheme: 'dark' },
    { widthPx: 390, colorScheme: 'light' },
  ] as const)('is without accessibility problem or sideways scroll at $widthPx px in $colorScheme', async (look) => {
    const page = await openPage(look);
    await signIn(page, ANALYST);
    await page.goto(paths.design());
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
  });

  it.each([true, false])('turns a chart into its table and back (JavaScript %s)', async (javaScript) => {
    const page = await openPage({ javaScript });
    await signIn(page, ANALYST);
    await page.goto(paths.design());
    const chart = page.getByRole('figure', { name: 'From pool to availability' });
    const table = chart.getByRole('table');
    await table.waitFor({ state: 'hidden' });
    await chart.getByText('View as table').click();
    await table.waitFor();
    expect(await table.getByRole('row').last().textContent()).toBe('Availability24,856,227.73');
    await chart.getByText('View as chart').click();
    await table.waitFor({ state: 'hidden' });
  });

  it('sums the problems of a form up, keeps what was written, and leads to the first one', async () => {
    const page = await openPage({ javaScript: false, expectedErrors: [/422/] });
    await signIn(page, ANALYST);
    await page.goto(paths.design());
    await page.getByLabel('Advance rate').last().fill('120');
    await page.getByRole('button', { name: 'Save' }).click();
    const summary = page.getByRole('alert').filter({ hasText: 'fields need correction' });
    await summary.waitFor();
    expect(await summary.getByRole('listitem').allTextContents()).toEqual([
      'Enter a title',
      'Choose a borrower',
      'Advance rate: At most 100%',
    ]);
    expect(await page.getByLabel('Advance rate').last().inputValue()).toBe('120');
    const title = page.getByLabel('Title');
    // The browser sets the focus after it has rendered the page.
    await expect.poll(() => title.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  });

  it('asks before it does what cannot be undone, and returns the focus to the button', async () => {
    const page = await openPage();
    await signIn(page, ANALYST);
    await page.goto(paths.design());
    // Until scripts run, the button is a plain submit button.
    const remove = page.locator('button[aria-haspopup="dialog"]', { hasText: 'Remove' });
    await remove.click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove tape?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});

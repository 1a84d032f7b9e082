import { expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';

test('the payments to match are chosen by keys, and fit a phone', async () => {
  const page = await openPage({ widthPx: 390 });
  await signIn(page, 'manager@tapeline.test');
  await page.goto(paths.toMatch());
  const boxes = page.locator('input[name="payments"]');
  await expect.poll(() => boxes.count()).toBeGreaterThan(1);
  const isFocused = (index: number) => boxes.nth(index).evaluate((box) => box === document.activeElement);
  await expect
    .poll(async () => {
      await page.keyboard.press('k');
      return isFocused(0);
    })
    .toBe(true);
  await page.keyboard.press('j');
  expect(await isFocused(1)).toBe(true);
  await page.keyboard.press('Space');
  await page.keyboard.press('k');
  expect([await boxes.nth(1).isChecked(), await isFocused(0)]).toEqual([true, true]);
  expect(await accessibilityViolations(page)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
});

import type { Page } from 'playwright-core';
import { accessibilityViolations, COLOR_RULES } from './browser.ts';
import { misfits } from './misfits.ts';
import { overlappingTexts } from './overlaps.ts';

/** A page opens in the first one. The last one is a phone. */
const WIDE = { width: 1440, height: 900 };
const PHONE_PX = 390;
const WIDTHS = [1280, 1024, PHONE_PX] as const;

const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** Everything wrong with the look of the page in its current state, one line each. The page is loaded once for all. */
export async function lookProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Only colors differ between the themes, and no color between the widths.
    const violations = await accessibilityViolations(page, { only: colorScheme === 'dark' ? COLOR_RULES : undefined });
    for (const violation of violations) problems.push(`${colorScheme}: ${violation}`);
  }
  // From wide to narrow and back, so that the next page starts wide.
  for (const width of [...WIDTHS, WIDE.width]) {
    await page.setViewportSize({ width, height: width === PHONE_PX ? 844 : WIDE.height });
    await nextFrame(page);
    const measured = await misfits(page);
    // Charts measure their width after the first frame.
    if (measured.length > 0) await nextFrame(page);
    for (const misfit of measured.length > 0 ? await misfits(page) : []) problems.push(`${misfit} at ${width} px`);
    if (width === PHONE_PX) {
      for (const violation of await accessibilityViolations(page, { only: ['target-size'] })) {
        problems.push(`${violation} at ${width} px`);
      }
    }
    for (const overlap of await overlappingTexts(page)) problems.push(`${overlap} at ${width} px`);
  }
  return [...new Set(problems)];
}

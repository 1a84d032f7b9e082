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

const THEMES = ['dark', 'light'] as const;

/** What does not fit at one of the widths, one line each. @param check runs at each width */
async function fitAtWidths(page: Page, check: (width: number) => Promise<string[]>): Promise<string[]> {
  const problems: string[] = [];
  // From wide to narrow and back, so that the next page starts wide.
  for (const width of [...WIDTHS, WIDE.width]) {
    await page.setViewportSize({ width, height: width === PHONE_PX ? 844 : WIDE.height });
    await nextFrame(page);
    for (const problem of await check(width)) problems.push(`${problem} at ${width} px`);
  }
  return problems;
}

/** @param themes in which figures and actions are measured; texts are where they are in each theme */
async function fitting(page: Page, themes: readonly (typeof THEMES)[number][]): Promise<string[]> {
  const problems = await overlappingTexts(page);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const measured = await misfits(page);
    // Charts measure their width after the first frame.
    if (measured.length > 0) await nextFrame(page);
    problems.push(...(measured.length > 0 ? await misfits(page) : []));
  }
  return [...new Set(problems)];
}

/** What does not fit at each width in both themes, one line each: figures, actions and texts. */
export const fitProblems = (page: Page): Promise<string[]> => fitAtWidths(page, () => fitting(page, THEMES));

/** Everything wrong with the look of the page in its current state, one line each. The page is loaded once for all. */
export async function lookProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    // Only colors differ between the themes, and no color between the widths.
    const violations = await accessibilityViolations(page, { only: colorScheme === 'dark' ? COLOR_RULES : undefined });
    for (const violation of violations) problems.push(`${colorScheme}: ${violation}`);
  }
  const fits = await fitAtWidths(page, async (width) => [
    ...(await fitting(page, ['light'])),
    ...(width === PHONE_PX ? await accessibilityViolations(page, { only: ['target-size'] }) : []),
  ]);
  return [...problems, ...fits];
}

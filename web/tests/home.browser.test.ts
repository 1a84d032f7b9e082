import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';

const MAX_HEIGHT_PX = 1_000;
const MAX_ROWS = 6;

const HEADINGS = {
  'manager@tapeline.test': {
    [paths.home()]: ['Today', 'Called, distributed and NAV', 'Facilities', 'Funds'],
    [paths.monitoring()]: ['Draws waiting', 'Next tapes', 'Concentration headroom', 'Delinquency'],
  },
  'analyst@tapeline.test': {
    [paths.home()]: ['Today', 'Facilities', 'Funds'],
    [paths.monitoring()]: ['Draws waiting', 'Next tapes', 'Concentration headroom', 'Delinquency'],
  },
  'borrower@tapeline.test': {
    [paths.home()]: ['Today', 'Facilities', 'Draws'],
    [paths.monitoring()]: ['Draws waiting', 'Next tapes', 'Concentration headroom'],
  },
  'admin@tapeline.test': {
    [paths.home()]: ['Today', 'Managers'],
    [paths.monitoring()]: ['Draws waiting', 'Next tapes', 'Concentration headroom'],
  },
  'investor@tapeline.test': { [paths.home()]: ['Today', 'Commitments', 'Documents'] },
  'victor.lambert@endowments.test': { [paths.home()]: ['Today', 'Commitments', 'Documents'] },
} as const;

describe.each(Object.entries(HEADINGS))('%s', (email, screens) => {
  it('sees Home without JavaScript, and each link of Today leads to a page', async () => {
    const page = await openPage({ javaScript: false });
    await signIn(page, email);
    for (const [path, headings] of Object.entries(screens)) {
      await page.goto(path);
      for (const name of headings) await page.getByRole('heading', { name, exact: true }).waitFor();
    }
    await page.goto(paths.home());
    const actions = page.getByRole('region', { name: 'Today' }).getByRole('link');
    for (const link of await actions.all()) {
      const address = await link.getAttribute('href');
      expect([address, (await page.request.get(address!)).status()]).toEqual([address, 200]);
    }
  });

  it('sees at most a thousand pixels, six rows of a table, and no document twice', async () => {
    const page = await openPage({ widthPx: 1440 });
    await page.setViewportSize({ width: 1440, height: 700 });
    await signIn(page, email);
    await page.goto(paths.home());
    await page.getByRole('heading', { level: 1 }).waitFor();
    const found = await page.evaluate(() => ({
      height: document.documentElement.scrollHeight,
      rows: [...document.querySelectorAll('main tbody:not(.chart-table tbody), main ul')].map(
        ({ children }) => children.length,
      ),
      links: [...document.querySelectorAll('main a[href]')].map((link) => link.getAttribute('href')),
    }));
    expect(found.height).toBeLessThanOrEqual(MAX_HEIGHT_PX);
    expect(Math.max(0, ...found.rows)).toBeLessThanOrEqual(MAX_ROWS);
    const documents = found.links.filter(
      (href) => /\/[0-9a-f]{24}/.test(href ?? '') && !/\/transactions\//.test(href ?? ''),
    );
    expect(documents.filter((href, index) => documents.indexOf(href) !== index)).toEqual([]);
  });

  it.each([
    { widthPx: 1440, colorScheme: 'light' },
    { widthPx: 390, colorScheme: 'dark' },
  ] as const)('sees everything at $widthPx px, $colorScheme', async ({ widthPx, colorScheme }) => {
    const page = await openPage({ widthPx, colorScheme });
    await signIn(page, email);
    for (const path of Object.keys(screens)) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await overflowsSideways(page)).toBe(false);
      expect(await accessibilityViolations(page)).toEqual([]);
    }
  });
});

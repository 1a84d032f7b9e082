import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';

const HEADINGS = {
  'manager@tapeline.test': {
    [paths.home()]: ['Waiting for you', 'Availability today'],
    [paths.monitoring()]: ['Draws waiting', 'Next tapes', 'Concentration headroom', 'Delinquency'],
  },
  'analyst@tapeline.test': {
    [paths.home()]: ['Waiting for you', 'Availability today'],
    [paths.monitoring()]: ['Draws waiting', 'Next tapes', 'Concentration headroom', 'Delinquency'],
  },
  'borrower@tapeline.test': {
    [paths.home()]: ['To do', 'My draws', 'Availability today'],
    [paths.monitoring()]: ['Draws waiting', 'Next tapes', 'Concentration headroom'],
  },
  'admin@tapeline.test': {
    [paths.home()]: ['Tenants', 'Waiting for you'],
    [paths.monitoring()]: ['Draws waiting', 'Next tapes', 'Concentration headroom'],
  },
  'investor@tapeline.test': { [paths.home()]: ['My commitments'] },
} as const;

describe.each(Object.entries(HEADINGS))('%s', (email, screens) => {
  it('sees the dashboards without JavaScript, and each link of a task leads to a page', async () => {
    const page = await openPage({ javaScript: false });
    await signIn(page, email);
    for (const [path, headings] of Object.entries(screens)) {
      await page.goto(path);
      for (const name of headings) await page.getByRole('heading', { name, exact: true }).waitFor();
    }
    await page.goto(paths.home());
    const tasks = page.getByRole('region', { name: /^(To do|Waiting for you)$/ }).getByRole('link');
    for (const link of await tasks.all()) {
      const address = await link.getAttribute('href');
      expect([address, (await page.request.get(address!)).status()]).toEqual([address, 200]);
    }
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

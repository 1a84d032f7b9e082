import type { RouteConfigEntry } from '@remix-run/route-config';
import { beforeAll, describe, expect, it } from 'vitest';
import routes, { SIGNED_IN_SCREENS } from '../app/routes.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { screensOf } from './screen-client.ts';

/** Accounts of the demonstration that only read. The first one that finds a screen shows it. */
const READERS = ['manager@tapeline.test', 'admin@tapeline.test', 'borrower@tapeline.test', 'investor@tapeline.test'];
/** Screens of signed-in people to which no page of the demonstration leads. */
const UNLINKED: readonly string[] = ['/*'];
/** Modules of the screens' kind that only take forms. */
const FORMS_ONLY = ['/preferences', '/sign-out'];

/** The addresses of routes, with parameters as `:id`. */
const patternsOf = (entries: readonly RouteConfigEntry[], parent = ''): string[] =>
  entries.flatMap(({ path, children }) => {
    const own = path ? `${parent}/${path}` : parent;
    return [own || '/', ...patternsOf(children ?? [], own)];
  });

const SCREENS = [...new Set(patternsOf(SIGNED_IN_SCREENS))];
const PUBLIC = (routes as RouteConfigEntry[])
  .filter(({ path, file }) => path !== undefined && file.endsWith('.tsx'))
  .map(({ path }) => `/${path}`);

const isFixed = (pattern: string): boolean => !/[:*]/.test(pattern);
const expressionOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/:[A-Za-z]+/g, '[^/?]+').replaceAll('*', '.+')}$`);

/** The screen that an address belongs to; a fixed address before one with parameters. */
function patternOf(path: string): string | undefined {
  if (SCREENS.includes(path)) return path;
  return SCREENS.find(
    (pattern) => !isFixed(pattern) && !UNLINKED.includes(pattern) && expressionOf(pattern).test(path),
  );
}

/** An address of every screen that a reader finds by following links, one page of each screen. */
async function findScreens(email: string): Promise<Map<string, string>> {
  const client = await screensOf(email);
  const found = new Map(SCREENS.filter(isFixed).map((pattern) => [pattern, pattern]));
  const open = [...found.values()];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const answer = await client.get(path);
    const pattern = patternOf(new URL(path, 'http://x').pathname)!;
    if (answer.status !== 200) {
      found.delete(pattern);
      continue;
    }
    for (const [, href = ''] of answer.text.matchAll(/href="(\/[^"#]*)"/g)) {
      const link = href.replaceAll('&amp;', '&');
      const linked = patternOf(new URL(link, 'http://x').pathname);
      if (linked === undefined || found.has(linked)) continue;
      found.set(linked, link);
      open.push(link);
    }
  }
  return found;
}

const found = new Map<string, { email: string; path: string }>();
beforeAll(async () => {
  for (const email of READERS) {
    for (const [pattern, path] of await findScreens(email)) {
      if (!found.has(pattern)) found.set(pattern, { email, path });
    }
  }
});

describe('every screen', () => {
  it('is found by following links', () => {
    expect(SCREENS.length).toBeGreaterThan(40);
    expect(SCREENS.filter((pattern) => !found.has(pattern))).toEqual(UNLINKED);
  });

  it.each(READERS)('has no accessibility problem in either theme, as %s sees it', async (email) => {
    const page = await openPage();
    await signIn(page, email);
    const problems: string[] = [];
    for (const [pattern, screen] of found) {
      if (screen.email !== email) continue;
      await page.goto(screen.path);
      await scriptsReady(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        problems.push(...(await accessibilityViolations(page)).map((one) => `${pattern} ${colorScheme}: ${one}`));
      }
      if (await overflowsSideways(page)) problems.push(`${pattern}: scrolls sideways`);
    }
    expect(problems).toEqual([]);
  });

  it('has no accessibility problem in either theme for people who are not signed in', async () => {
    const page = await openPage({ expectedErrors: [/40\d/] });
    const problems: string[] = [];
    for (const path of PUBLIC.filter((one) => !FORMS_ONLY.includes(one))) {
      await page.goto(path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        problems.push(...(await accessibilityViolations(page)).map((one) => `${path} ${colorScheme}: ${one}`));
      }
    }
    expect(problems).toEqual([]);
  });
});

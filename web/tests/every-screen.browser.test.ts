import type { RouteConfigEntry } from '@remix-run/route-config';
import type { Page } from 'playwright-core';
import { expect, inject, it } from 'vitest';
import { type Account, itemsOfAccount, NAVIGATION } from '../app/components/shell/navigation.ts';
import { SIGNED_IN_SCREENS } from '../app/routes.ts';
import { openPage, scriptsReady, signIn } from './browser.ts';
import { lookProblems } from './look-problems.ts';
import { matchedRoute } from './matched-route.ts';

interface CheckedAccount {
  email: string;
  /**
   * Which of its screens are checked: all of them; those with an address of their own, which need no document; or those
   * that no earlier account has opened. What an analyst sees is part of what a manager sees.
   */
  checks: 'all' | 'plain' | 'new';
}

/** One demonstration account of each kind, in the order in which they are checked. */
const ACCOUNTS = {
  LP: { email: 'investor@tapeline.test', checks: 'all' },
  LPGroup: { email: 'victor.lambert@endowments.test', checks: 'all' },
  company: { email: 'borrower@tapeline.test', checks: 'all' },
  manager: { email: 'manager@tapeline.test', checks: 'all' },
  admin: { email: 'admin@tapeline.test', checks: 'plain' },
  analyst: { email: 'analyst@tapeline.test', checks: 'new' },
} as const satisfies Record<string, CheckedAccount>;
type Kind = keyof typeof ACCOUNTS;
const KINDS = Object.keys(ACCOUNTS) as Kind[];

/**
 * `npm run every-screen` checks every screen of every account. Otherwise each account checks a share of the screens, so
 * that the test stays short.
 */
const isComplete = Boolean(process.env.EVERY_SCREEN);

/** Screens that no link of the demonstration may lead to, by their file, and why. */
const NOT_REACHED: Readonly<Record<string, string>> = {
  'routes/importer/check/checking.tsx': 'It is shown only while a worker checks a file of more than 200 rows.',
  'routes/importer/values.tsx': 'It is shown only for an import whose values depend on a column of its file.',
  'routes/monitoring/transactions/notes/remove.tsx':
    'Only a note without draws, repayments and active contracts links to it, of a facility with several notes.',
};

/** Parts of a screen that have an address of their own in its search part. */
const PARTS = ['view', 'tab'];

const filesOf = (routes: readonly RouteConfigEntry[]): string[] =>
  routes.flatMap(({ file, children }) => [file, ...filesOf(children ?? [])]);
const SCREENS = new Set(filesOf(SIGNED_IN_SCREENS));

/** Addresses of screens without parameters, which do not need a link. */
function plainAddresses(routes: readonly RouteConfigEntry[]): string[] {
  return routes.flatMap(({ path = '' }) => (/[:*]/.test(path) ? [] : [`/${path}`]));
}

interface Screen {
  file: string;
  part: string;
  hasParameter: boolean;
}

/** Addresses of REST calls, which screens link to for files. */
const OF_CALLS = /^\/(?:crud|LTP|files|auth)\//;

/** The screen at an address, and the part of it. Null for what is not a screen of signed-in users. */
function screenAt({ pathname, searchParams }: URL): Screen | null {
  if (OF_CALLS.test(pathname)) return null;
  const route = matchedRoute(pathname);
  if (!route || !SCREENS.has(route.file)) return null;
  return { ...route, part: PARTS.map((name) => searchParams.get(name) ?? '').join(' ') };
}

/** Waits until a grid shows its own rows. */
async function gridReady(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (document.querySelector('.scripted-window')) return false;
    const grid = document.querySelector('.data-grid');
    return !grid || (grid.querySelector('.ag-row') !== null && !grid.querySelector('.row-awaited'));
  });
}

/** The screens of the navigation, whose breadcrumb is their item. */
const NAVIGATED = new Set(
  (Object.keys(NAVIGATION) as Account[]).flatMap((account) =>
    itemsOfAccount(account).flatMap(({ screens }) => screens.map(({ to }) => to)),
  ),
);

/** Whether the breadcrumb leads from a page below another one to that one. */
async function hasParent(page: Page): Promise<boolean> {
  const { pathname } = new URL(page.url());
  return (
    NAVIGATED.has(pathname) ||
    pathname.split('/').length <= 2 ||
    (await page.locator('nav[aria-label="Breadcrumb"] li:not([aria-hidden])').count()) > 1
  );
}

/** Files of the screens that were checked so far. */
const opened = new Set<string>();

/** Documents of a screen whose links are followed, besides the one that is checked. */
const MAX_GLANCES = 8;
/** As many requests at once as keep the server busy. */
const GLANCES_AT_ONCE = 2;

/**
 * Checks the screens that the account can reach: those without parameters, and everything that they link to, each
 * screen once per part. Documents of one kind differ in what can be done with them, so the links of some more are
 * followed too.
 */
async function problemsOfAccount(kind: Kind): Promise<string[]> {
  const { email, checks }: CheckedAccount = ACCOUNTS[kind];
  const page = await openPage({ expectedErrors: [/404/, /No page exists/] });
  await signIn(page, email);
  const origin = new URL(inject('productUrl')).origin;
  const problems: string[] = [];
  /** Screens that are opened in the browser, and those of which only the links are read. */
  const toOpen: string[] = [];
  const toGlance: string[] = [];
  const glances = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const isShare = ({ file }: Screen) => [...SCREENS].indexOf(file) % KINDS.length === KINDS.indexOf(kind);
  const isChecked = (screen: Screen) =>
    (isComplete || isShare(screen)) &&
    (checks === 'all' || !opened.has(screen.file) || (checks === 'plain' && !screen.hasParameter));
  const found = (address: string): void => {
    const url = new URL(address, origin);
    const screen = url.origin === origin ? screenAt(url) : null;
    if (!screen) return;
    const others = glances.get(screen.file) ?? new Set();
    glances.set(screen.file, others);
    const key = `${screen.file} ${screen.part}`;
    if (!seen.has(key)) (isChecked(screen) ? toOpen : toGlance).push(url.pathname + url.search);
    else if (screen.hasParameter && others.size < MAX_GLANCES) others.add(url.pathname);
    seen.add(key);
  };
  const readLinks = (html: string, from: string) => {
    for (const [, link] of html.matchAll(/<a [^>]*href="([^"#]+)/g)) {
      found(new URL(String(link).replaceAll('&amp;', '&'), from).href);
    }
  };
  const glance = async (address: string) => {
    const answer = await page.request.get(address);
    readLinks(await answer.text(), answer.url());
  };
  const glanceAll = async (addresses: readonly string[]) => {
    for (let at = 0; at < addresses.length; at += GLANCES_AT_ONCE) {
      await Promise.all(addresses.slice(at, at + GLANCES_AT_ONCE).map(glance));
    }
  };
  const open = async (address: string) => {
    const answer = await page.goto(address);
    const screen = screenAt(new URL(page.url()));
    if (!screen) return;
    // An administrator sees what other tests remove at the same time.
    if (answer?.status() === 404 && screen.hasParameter && checks === 'plain') {
      seen.delete(`${screen.file} ${screen.part}`);
      return;
    }
    const exists = !screen.file.endsWith('not-found.tsx');
    if (answer?.status() !== 200 && exists) {
      problems.push(`${address}: answers ${answer?.status()}`);
      return;
    }
    opened.add(screen.file);
    await scriptsReady(page);
    await gridReady(page);
    const links = await page
      .locator('a[href]')
      .evaluateAll((anchors) => anchors.map((anchor) => (anchor as HTMLAnchorElement).href));
    for (const link of links) found(link);
    if (exists && !(await hasParent(page))) problems.push(`${address}: its breadcrumb has no parent`);
    for (const problem of await lookProblems(page)) problems.push(`${address}: ${problem}`);
  };

  found('/no/such/page');
  for (const address of plainAddresses(SIGNED_IN_SCREENS)) {
    const answer = await page.request.get(address, { maxRedirects: 0 });
    // An account without the permission of a screen does not have the screen.
    if (answer.status() !== 200) {
      expect([302, 403, 404], address).toContain(answer.status());
      continue;
    }
    const screen = screenAt(new URL(address, origin));
    const key = `${screen?.file} ${screen?.part}`;
    if (!screen || seen.has(key)) continue;
    if (isChecked(screen)) found(address);
    else {
      // Its links are in the answer.
      seen.add(key);
      readLinks(await answer.text(), answer.url());
    }
  }
  const glanced = new Set<string>();
  for (;;) {
    const next = toOpen.shift();
    // The links of others are read while the browser checks a screen.
    const others = toGlance.splice(0, next === undefined ? GLANCES_AT_ONCE : MAX_GLANCES);
    await Promise.all([next === undefined ? null : open(next), glanceAll(others)]);
    if (toOpen.length + toGlance.length > 0) continue;
    if (!isComplete) return problems;
    const other = [...glances.values()].flatMap((some) => [...some]).find((one) => !glanced.has(one));
    if (other === undefined) return problems;
    glanced.add(other);
    await glance(other);
  }
}

/** The problems of the accounts that were checked so far. */
const checked = new Map<Kind, string[]>();

it.each(KINDS)('screens of the %s are accessible and fit four widths in both themes', async (kind) => {
  checked.set(kind, await problemsOfAccount(kind));
  // As a text, because a message of a failed test shortens an array.
  expect(checked.get(kind)?.join('\n')).toBe('');
});

it.runIf(isComplete)('every screen was opened by one of the accounts', async () => {
  // Each of the tests before can be left out.
  for (const kind of KINDS) if (!checked.has(kind)) checked.set(kind, await problemsOfAccount(kind));
  expect([...SCREENS].filter((file) => !opened.has(file) && !(file in NOT_REACHED))).toEqual([]);
});

import { setTimeout as sleep } from 'node:timers/promises';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { codeOfNewMail, mailsTo } from './mailbox.ts';

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Longer than any condition that a test waits for, even on a loaded machine. */
const WAITED_MS = 60_000;

let browser: Promise<Browser> | null = null;

/** One Chromium per test file, started when it first opens a page. */
function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: inject('chromiumPath'), args: CHROMIUM_FLAGS });
  return browser;
}

/** A browser profile, which one test uses at a time. */
interface Profile {
  readonly context: BrowserContext;
  /** Keeps the window open between tests. */
  readonly blank: Page;
}

/**
 * Profiles that no test uses, by whether they run scripts. A new profile costs Chromium more than most tests do, and a
 * used one still has the product's scripts in its cache.
 */
const idleProfiles = new Map<boolean, Profile[]>();

async function takeProfile(javaScriptEnabled: boolean): Promise<Profile> {
  const idle = idleProfiles.get(javaScriptEnabled)?.pop();
  if (idle) return idle;
  const context = await (await openBrowser()).newContext({ baseURL: inject('productUrl'), javaScriptEnabled });
  context.setDefaultTimeout(WAITED_MS);
  return { context, blank: await context.newPage() };
}

/** Chromium rarely stops answering. Its other profiles go on. */
const EMPTIED_MS = 30_000;

/** Closes the test's pages and clears what they have stored, so that the next test finds an empty profile. */
async function emptyProfile({ context, blank }: Profile): Promise<void> {
  await Promise.all(context.pages().map((page) => (page === blank ? undefined : page.close())));
  await context.clearCookies();
  const devTools = await context.newCDPSession(blank);
  const origin = new URL(inject('productUrl')).origin;
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await devTools.detach();
}

/** Keeps the profile for the next test, unless it cannot be emptied. */
async function returnProfile(javaScriptEnabled: boolean, profile: Profile): Promise<void> {
  const discard = () => void profile.context.close().catch(() => undefined);
  const emptied = emptyProfile(profile).catch((error) => {
    discard();
    throw error;
  });
  const isEmpty = await Promise.race([emptied.then(() => true), sleep(EMPTIED_MS, false, { ref: false })]);
  if (!isEmpty) return discard();
  idleProfiles.set(javaScriptEnabled, [...(idleProfiles.get(javaScriptEnabled) ?? []), profile]);
}

/** Closes the Chromium of the test file, if it opened one. */
export async function closeBrowser(): Promise<void> {
  const open = browser;
  browser = null;
  idleProfiles.clear();
  await (await open)?.close();
}

export interface PageOptions {
  /** False disables JavaScript. */
  javaScript?: boolean;
  widthPx?: number;
  heightPx?: number;
  colorScheme?: 'light' | 'dark';
  /** Patterns of console errors that the test causes on purpose. */
  expectedErrors?: readonly RegExp[];
}

/** Remix logs this if a navigation is replaced by another one while its answer is arriving. */
const REPLACED_NAVIGATION = /^AbortError: signal is aborted without reason/;

/**
 * Opens a page in a browser profile that no other page uses, and that is emptied when the test ends. The test fails if
 * the page logs an error, throws, or violates the content security policy and the test does not expect it.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const javaScript = options.javaScript ?? true;
  const profile = await takeProfile(javaScript);
  const page = await profile.context.newPage();
  const errors: { text: string; url?: string }[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || REPLACED_NAVIGATION.test(message.text())) return;
    errors.push({ text: message.text(), url: message.location().url });
  });
  page.on('pageerror', (error) => errors.push({ text: error.stack ?? error.message }));
  onTestFinished(async () => {
    await returnProfile(javaScript, profile);
    const unexpected = errors.filter(({ text }) => !options.expectedErrors?.some((pattern) => pattern.test(text)));
    // In the message, because what is expected and received is shortened.
    const shown = unexpected.map(({ text, url }) => `${text} ${url ?? ''}`).join('\n');
    expect(unexpected, `errors in the console of the page:\n${shown}`).toEqual([]);
  });
  await page.setViewportSize({ width: options.widthPx ?? 1440, height: options.heightPx ?? 900 });
  await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light', reducedMotion: 'reduce' });
  return page;
}

/**
 * Waits until the page's scripts have loaded and hydrated it. Before that, the browser itself handles clicks, as
 * without JavaScript.
 */
export async function scriptsReady(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // React's internal state of the document: it is dehydrated (rendered by the server) until the first commit.
    const root = Object.entries(document).find(([key]) => key.startsWith('__reactContainer$'))?.[1];
    return root?.stateNode.current.memoizedState.isDehydrated === false;
  });
  // The next frame shows the content that only scripts can render.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Waits until a page no longer reloads itself, which without JavaScript closes its menus. */
export const reloadsNoMore = (page: Page): Promise<void> =>
  expect.poll(() => page.locator('meta[http-equiv="refresh"]').count()).toBe(0);

/**
 * Waits until the page has handled everything so far, for tests that check that no further request is sent. A request
 * from the page makes a round trip after all earlier requests, and then a frame is drawn.
 */
export async function roundTrip(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await fetch('/healthz');
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

/**
 * Signs in through the UI as a user does, reading the code from the mail folder. Works with and without JavaScript.
 * Only tests of the sign-in itself need it. `signIn` is faster.
 * @param leadsTo the page after the code, if it is one of signing in
 */
export async function signInByScreens(
  page: Page,
  email: string,
  search: { next?: string } = {},
  leadsTo = '',
): Promise<void> {
  const before = await mailsTo(email);
  await page.goto(paths.login(search));
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Code').fill(await codeOfNewMail(email, before));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(({ pathname }) => (leadsTo ? pathname === leadsTo : !pathname.startsWith('/login')));
}

/** Signs in the page's browser with a new session. Does not navigate the page. */
export async function signIn(page: Page, email: string): Promise<void> {
  const { cookies } = await signedIn(email);
  const { origin } = new URL(inject('productUrl'));
  await page
    .context()
    .addCookies(
      [...cookies]
        .filter(([name]) => /_(access|refresh)$/.test(name))
        .map(([name, value]) => ({ name, value, url: origin, httpOnly: true, sameSite: 'Lax' as const })),
    );
}

const ACCESSIBILITY_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const;

/** Rules whose result depends on the theme. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/**
 * WCAG 2.2 A and AA violations of the page in its current state, one line each. Empty if there are none.
 * @param options.only the rules that are checked, for a page that was checked in another theme or width
 */
export async function accessibilityViolations(
  page: Page,
  { only }: { only?: readonly string[] | undefined } = {},
): Promise<string[]> {
  // Evaluated by the debugger, which the content security policy does not apply to. A page keeps it until it is left.
  // The HTML of an element is not part of a line, and writing it for each takes a tenth of the time.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; axe.configure({ noHtml: true });`);
  return page.evaluate(async (rules) => {
    const violationsOf = async (part: Element | Document, runOnly: string[]) =>
      (
        await (window as unknown as { axe: typeof axe }).axe.run(part, {
          runOnly,
          resultTypes: ['violations'],
          // No rule in use reads style sheets.
          preload: false,
        })
      ).violations;
    /** A bar that stays in view makes a target smaller only until somebody scrolls. */
    const isTooSmall = async ([target]: readonly unknown[]): Promise<boolean> => {
      const element = typeof target === 'string' ? document.querySelector(target) : null;
      if (!element) return true;
      const { scrollX, scrollY } = window;
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const again = await violationsOf(element, ['target-size']);
      window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
      return again.length > 0;
    };
    const found: string[] = [];
    for (const { id, nodes } of await violationsOf(document, [...rules])) {
      for (const { target, failureSummary } of nodes) {
        if (id === 'target-size' && !(await isTooSmall(target))) continue;
        found.push(`${id}: ${target.join(' ')}: ${failureSummary ?? ''}`);
      }
    }
    return found;
  }, only ?? ACCESSIBILITY_TAGS);
}

/** Whether the page scrolls horizontally, which no page should. */
export function overflowsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

/** Opens the parts of a form that few people need. */
export async function openDetails(page: Page): Promise<void> {
  const closed = page.locator('main form details:not([open]) > summary');
  while ((await closed.count()) > 0) await closed.first().click();
}

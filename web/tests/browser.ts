import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, inject, onTestFinished } from 'vitest';
import { paths } from '../app/routes/paths.ts';
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

afterAll(async () => {
  const open = browser;
  browser = null;
  await (await open)?.close();
});

export interface PageOptions {
  /** False disables JavaScript. */
  javaScript?: boolean;
  widthPx?: number;
  heightPx?: number;
  colorScheme?: 'light' | 'dark';
  /** Patterns of console errors that the test causes on purpose. */
  expectedErrors?: readonly RegExp[];
}

/**
 * Opens a page in its own browser profile, which is closed when the test ends. The test fails if the page logs an
 * error, throws, or violates the content security policy and the test does not expect it.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const context: BrowserContext = await (await openBrowser()).newContext({
    baseURL: inject('productUrl'),
    javaScriptEnabled: options.javaScript ?? true,
    viewport: { width: options.widthPx ?? 1440, height: options.heightPx ?? 900 },
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(WAITED_MS);
  const errors: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  onTestFinished(async () => {
    await context.close();
    const unexpected = errors.filter((error) => !options.expectedErrors?.some((pattern) => pattern.test(error)));
    expect(unexpected, 'errors in the console of the page').toEqual([]);
  });
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
const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/**
 * WCAG 2.2 A and AA violations of the page in its current state, one line each. Empty if there are none.
 * @param options.onlyColors checks only what depends on the theme, for a page that was checked in the other theme
 */
export async function accessibilityViolations(
  page: Page,
  { onlyColors = false }: { onlyColors?: boolean } = {},
): Promise<string[]> {
  // Evaluated by the debugger, which the content security policy does not apply to. A page keeps it until it is left.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate(
    async (rules) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
        runOnly: [...rules],
        resultTypes: ['violations'],
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
      );
    },
    onlyColors ? COLOR_RULES : ACCESSIBILITY_TAGS,
  );
}

/** Whether the page scrolls horizontally, which no page should. */
export function overflowsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

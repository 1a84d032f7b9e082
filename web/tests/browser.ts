import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, inject, onTestFinished } from 'vitest';
import { paths } from '../app/paths.ts';
import { codeOfNewMail, keepSignIn, keptSignIn, mailsTo } from './kept-sign-in.ts';

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Longer than anything a test waits for takes where others hold the processor. */
const WAITED_MS = 60_000;

let browser: Promise<Browser> | null = null;

/** One Chromium a test file, started by its first page. */
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
  /** False: as for a person who has switched script off. */
  javaScript?: boolean;
  widthPx?: number;
  heightPx?: number;
  colorScheme?: 'light' | 'dark';
  /** Texts of console errors that this test provokes on purpose. */
  expectedErrors?: readonly RegExp[];
}

/**
 * A page in a browser profile of its own, closed when the test ends. The test fails if the page logs an error, throws, or breaks the
 * content security policy without the test having said so.
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

/** Waits until the page's scripts have loaded and taken over: a click before that is the browser's own, as without JavaScript. */
export async function scriptsReady(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  // React marks what it has taken over; the frame after that shows what only script can do.
  await page.waitForFunction(() => {
    const taken = document.querySelector('main') ?? document.body;
    return Object.keys(taken).some((key) => key.startsWith('__reactProps$'));
  });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/**
 * Signs in by the screens as a person does, reading the code from the mail folder. Works with and without JavaScript. An account may ask
 * for five codes in 15 minutes: only tests of signing in itself use this.
 */
export async function signInByScreens(page: Page, email: string, search: { next?: string } = {}): Promise<void> {
  const before = await mailsTo(email);
  await page.goto(paths.login(search));
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').fill(await codeOfNewMail(email, before));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

/**
 * Signs the page's browser in. The first time by the screens, after that by the cookies kept of it; no test may sign this sign-in out.
 * Leaves the page where it was, or at the dashboard.
 */
export async function signIn(page: Page, email: string): Promise<void> {
  const kept = await keptSignIn(email);
  if (kept) {
    await page.context().addCookies(kept);
    return;
  }
  await signInByScreens(page, email);
  const cookies = (await page.context().cookies()).filter((cookie) => /_(access|refresh)$/.test(cookie.name));
  await keepSignIn(email, cookies);
}

/** WCAG 2.2 A and AA faults of the page as it stands, as short lines; an empty list is what is wanted. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  );
}

/** Whether the page can be scrolled sideways, which no page may. */
export function overflowsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

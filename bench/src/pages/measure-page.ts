import type { Browser } from 'playwright-core';
import { type DemonstratedProduct, freshContext } from './pages.ts';

/** One visit to a page with nothing in the browser's cache. */
export interface Visit {
  /** Compressed JavaScript in bytes, without the grid. */
  readonly scriptBytes: number;
  /** The grid's own file; 0 on a page without one. */
  readonly gridBytes: number;
  /** All requests, that of the page included, without those of the grid. */
  readonly requests: number;
  /** The sum of all layout shifts that do not follow from input, as browsers report it. */
  readonly layoutShift: number;
  /** From the start of the navigation until the scripts handle what a person does. */
  readonly interactiveMs: number;
  /** Whether the grid's file was requested before that. */
  readonly isGridEarly: boolean;
}

const GRID_FILE = /\/assets\/data-grid\.client-/;
/** The page has come to rest after so long without a request. */
const QUIET_MS = 500;

interface Loaded {
  readonly url: string;
  readonly isScript: boolean;
  readonly askedAt: number;
  bytes: number;
}

/** Runs in the page before its own scripts. */
function watchPage(): void {
  const watched = { layoutShift: 0, interactiveAt: 0 };
  Object.assign(window, { watched });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) watched.layoutShift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const look = (): void => {
    // React's state of the document: it is dehydrated until its first commit.
    const root = Object.entries(document).find(([key]) => key.startsWith('__reactContainer$'))?.[1];
    if (root?.stateNode.current.memoizedState.isDehydrated === false) watched.interactiveAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Opens a page in a new browser profile. */
export async function measurePage(browser: Browser, product: DemonstratedProduct, path: string): Promise<Visit> {
  const context = await freshContext(browser, product);
  try {
    const page = await context.newPage();
    await page.addInitScript(watchPage);
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.enable');
    const loaded = new Map<string, Loaded>();
    let lastAt = Date.now();
    devTools.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
      lastAt = Date.now();
      if (request.url.startsWith('data:')) return;
      loaded.set(requestId, { url: request.url, isScript: type === 'Script', askedAt: timestamp * 1000, bytes: 0 });
    });
    const headers = new Map<string, number>();
    devTools.on('Network.responseReceived', ({ requestId, response }) => {
      headers.set(requestId, response.encodedDataLength);
    });
    devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      lastAt = Date.now();
      const request = loaded.get(requestId);
      // What is compressed is the body: the headers of an answer come first.
      if (request) request.bytes = Math.max(0, encodedDataLength - (headers.get(requestId) ?? 0));
    });
    const answer = await page.goto(path);
    if (!answer?.ok()) throw new Error(`${path} was answered with ${answer?.status()}`);
    await page.waitForFunction(
      () => (window as unknown as { watched: { interactiveAt: number } }).watched.interactiveAt > 0,
    );
    while (Date.now() - lastAt < QUIET_MS) await page.waitForTimeout(QUIET_MS / 5);
    const { layoutShift, interactiveAt } = await page.evaluate(
      () => (window as unknown as { watched: { layoutShift: number; interactiveAt: number } }).watched,
    );
    const all = [...loaded.values()];
    const startedAt = all[0]?.askedAt ?? 0;
    const grid = all.find(({ url }) => GRID_FILE.test(url));
    const scripts = all.filter(({ url, isScript }) => (isScript || url.endsWith('.js')) && url !== grid?.url);
    return {
      scriptBytes: scripts.reduce((sum, { bytes }) => sum + bytes, 0),
      gridBytes: grid?.bytes ?? 0,
      requests: all.length - (grid ? 1 : 0),
      layoutShift,
      interactiveMs: interactiveAt,
      isGridEarly: grid !== undefined && grid.askedAt - startedAt < interactiveAt - GRACE_MS,
    };
  } finally {
    await context.close();
  }
}

/** React is ready a frame or two before the page sees it. */
const GRACE_MS = 200;

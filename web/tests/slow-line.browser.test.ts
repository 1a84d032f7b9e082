import { ALDER_COMPANY } from '@tapeline/demonstration/names.ts';
import { tapesOf } from '@tapeline/demonstration/tapes.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { openPage, roundTrip, scriptsReady, signIn } from './browser.ts';
import { finishedTape, northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const { manager: MANAGER, analyst: ANALYST } = tenant.emails;
const SCRIPTS = /\/assets\/[^?]*\.js(\?|$)/;
const TAPE_PATH = /\/monitoring\/tapes\/[0-9a-f]{24}$/;

/** Holds back and counts all matching requests until `release` is called. */
async function holdBack(page: Page, matches: (url: string, method: string, body: string) => boolean) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  await page.route('**/*', async (route) => {
    const request = route.request();
    if (!matches(request.url(), request.method(), request.postData() ?? '')) return route.fallback();
    seen.push(request.url());
    await promise;
    // The page may have cancelled the request in the meantime.
    await route.continue().catch(() => undefined);
  });
  return { seen, release: resolve };
}

const smallTape = (name: string) => {
  const { columns, rows } = tapesOf('alder')[0]!;
  const cell = (value: string | number | null) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = [columns.map(({ header }) => header), ...rows.slice(0, 5)].map((row) => row.map(cell).join(','));
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) };
};

async function writeFacility(page: Page, title: string): Promise<void> {
  await page.goto(paths.newTransaction(), { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page.getByRole('combobox', { name: 'Borrower', exact: true }).selectOption({ index: 1 });
  await page.getByLabel('Industry 1', { exact: true }).fill('Consumer Lending');
  const next = page.getByRole('button', { name: 'Continue' });
  await next.click();
  await page.getByLabel('Note title').waitFor();
  await next.click();
  await page.getByLabel('Commitment').fill('1000000');
  await page.getByRole('combobox', { name: 'Kind of interest' }).selectOption('');
  await next.click();
  await page.getByLabel('Contract signing').fill('2026-01-01');
  await page.getByLabel('Maturity').fill('2029-01-01');
  await next.click();
  await page.getByRole('button', { name: 'Create facility' }).waitFor();
}

describe('a button that is clicked twice', () => {
  it('sends its form once', async () => {
    const page = await openPage();
    await signIn(page, MANAGER);
    const title = `Once ${Date.now()}`;
    await writeFacility(page, title);
    await scriptsReady(page);
    const posts = await holdBack(page, (_, method) => method === 'POST');
    await page.getByRole('button', { name: 'Create facility' }).dblclick();
    await expect.poll(() => posts.seen.length).toBeGreaterThan(0);
    await roundTrip(page);
    expect(posts.seen).toHaveLength(1);
    posts.release();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect((await tenant.manager.get('/crud/transactions', { filter: { title } })).json).toHaveLength(1);
  });

  it('sends its form once before the scripts have come too', async () => {
    const page = await openPage();
    await signIn(page, MANAGER);
    const scripts = await holdBack(page, (url) => SCRIPTS.test(url));
    const title = `Early ${Date.now()}`;
    await writeFacility(page, title);
    const posts = await holdBack(page, (_, method) => method === 'POST');
    // Playwright cannot interact with a page that is navigating, so the page itself clicks again after the first form
    // was sent.
    const sent = Promise.withResolvers<void>();
    await page.route('**/first-is-sent', (route) => sent.promise.then(() => route.fulfill({ status: 204 })));
    await page.route('**/clicked-again', (route) => route.fulfill({ status: 204 }));
    const clickedAgain = page.waitForRequest('**/clicked-again');
    await page.getByRole('button', { name: 'Create facility' }).evaluate((button: HTMLButtonElement) => {
      button.click();
      fetch('/first-is-sent').then(async () => {
        button.click();
        // A round trip that would complete after a second form had been sent.
        await fetch('/healthz');
        await fetch('/clicked-again');
      });
    });
    await expect.poll(() => posts.seen.length).toBe(1);
    sent.resolve();
    await clickedAgain;
    expect(posts.seen).toHaveLength(1);
    posts.release();
    scripts.release();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  });
});

describe('before the scripts have come', () => {
  it('a page still responds if someone types before its data is decoded', async () => {
    const page = await openPage();
    await signIn(page, MANAGER);
    // React schedules its first render with a message. Hold it back, so that the typing comes first.
    await page.addInitScript(() => {
      const render = Promise.withResolvers<void>();
      const postMessage = MessagePort.prototype.postMessage;
      const isScheduled = new Promise<void>((resolve) => {
        MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
          resolve();
          render.promise.then(() => postMessage.call(this, message));
        };
      });
      Object.assign(window, { isScheduled, startRender: render.resolve });
    });
    await page.goto(paths.newTransaction(), { waitUntil: 'domcontentloaded' });
    await page.evaluate('isScheduled');
    const title = page.getByLabel('Title', { exact: true });
    await title.click();
    await page.keyboard.type('Early');
    await page.evaluate('startRender()');
    await scriptsReady(page);
    expect(await title.inputValue()).toBe('Early');
    await page.keyboard.type(' bird');
    expect(await title.inputValue()).toBe('Early bird');
  });

  it('the files of an upload are kept, and lead to what was found in them', async () => {
    const page = await openPage({ expectedErrors: [/422/] });
    await signIn(page, MANAGER);
    const scripts = await holdBack(page, (url) => SCRIPTS.test(url));
    await page.goto(paths.newTape(), { waitUntil: 'domcontentloaded' });
    await page.getByLabel('Files').setInputFiles([smallTape('alder early 2027-07.csv')]);
    scripts.release();
    const company = page.getByRole('combobox', { name: 'Borrower', exact: true });
    await company.waitFor();
    expect(await company.locator('option:checked').textContent()).toBe(ALDER_COMPANY);
    // Only the company's own mappings are offered.
    const offered = await page.getByLabel('Mapping').locator('option').allTextContents();
    expect([...new Set(offered.map((text) => /^Version \d+(: the file has all| of )/.test(text)))]).toEqual([true]);
    await page.getByRole('button', { name: 'Process', exact: true }).click();
    // The day is in the future, which is asked about.
    await page.getByRole('button', { name: 'Process anyway' }).click();
    await page.waitForURL(TAPE_PATH);
    await finishedTape(tenant.manager, page.url().split('/').at(-1) ?? '');
  });

  it('the tape of a new mapping is kept', async () => {
    const page = await openPage();
    await signIn(page, MANAGER);
    const scripts = await holdBack(page, (url) => SCRIPTS.test(url));
    await page.goto(paths.newMapping(), { waitUntil: 'domcontentloaded' });
    await page.getByLabel('Tape', { exact: true }).setInputFiles(smallTape('early.csv'));
    scripts.release();
    await page.getByText(/early.*uploaded$/).waitFor();
  });
});

describe('an upload with a file that did not arrive', () => {
  it('is not sent without it, though it was asked for before', async () => {
    const page = await openPage({ expectedErrors: [/Failed to load resource/] });
    await signIn(page, MANAGER);
    await page.goto(paths.newTape());
    await scriptsReady(page);
    let sent = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/files/objects/**', async (route) => {
      sent += 1;
      if (sent === 1) return route.continue();
      await promise;
      await route.abort();
    });
    await page.getByLabel('Files').setInputFiles([smallTape('first.csv'), smallTape('second.csv')]);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('button', { name: 'Waiting for files' }).waitFor();
    resolve();
    await page.getByText('second.csv was not uploaded').waitFor();
    const posts = await holdBack(page, (url, method) => method === 'POST' && url.includes(paths.newTape()));
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await roundTrip(page);
    expect(posts.seen).toEqual([]);
    expect(new URL(page.url()).pathname).toBe(paths.newTape());
    posts.release();
    await page.unroute('**/files/objects/**');
    await page.getByRole('button', { name: 'Try second.csv again' }).click();
    // Once both are uploaded, the page goes on.
    await page.getByRole('heading', { name: 'first.csv' }).waitFor();
    await page.getByRole('heading', { name: 'second.csv' }).waitFor();
  });
});

/** The data response of a tape's page, changed as if the tape were still being processed. */
function asInProgress(answer: string): string {
  const [line = '[]', ...rest] = answer.split('\n');
  // Remix serializes a response as one flat list: each key and value appears once, and objects refer to them by index.
  const flat: unknown[] = JSON.parse(line);
  const key = `_${flat.indexOf('isInProgress')}`;
  const isTrue = flat.includes(true) ? flat.indexOf(true) : flat.push(true) - 1;
  for (const entry of flat) {
    if (typeof entry === 'object' && entry !== null && key in entry) (entry as Record<string, unknown>)[key] = isTrue;
  }
  return [JSON.stringify(flat), ...rest].join('\n');
}

describe('the page of a tape in progress', () => {
  it('says why something was refused until something else is done, and stands though a reading of it fails', async () => {
    const tapes = await northwindTapes(tenant.manager);
    const wrong = tapes.loan({ 'Loan ID': 'L-2', 'Principal Balance': 'see note' });
    await tapes.publish([tapes.loan({ 'Loan ID': 'L-1' }), wrong], { cutOffDate: '2016-05-31' });
    const page = await openPage({ expectedErrors: [/422/, /Failed to load resource/] });
    await signIn(page, MANAGER);
    let readings = 0;
    let isCut = false;
    await page.route(/\/monitoring\/tapes\/[0-9a-f]{24}\.data/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      if (isCut) {
        isCut = false;
        return route.abort('connectionfailed');
      }
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: asInProgress(await answer.text()) });
      readings += 1;
    });
    const readAgain = async (): Promise<void> => {
      const before = readings;
      await expect.poll(() => readings).toBeGreaterThan(before + 1);
    };
    await page.goto(paths.tapes());
    await page.getByRole('link', { name: 'corrections.xlsx' }).first().click();
    await page.getByRole('link', { name: /^Errors/ }).click();
    await page.getByRole('checkbox', { name: 'Select row 3' }).waitFor();
    await readAgain();
    await page.getByRole('button', { name: 'Discard selected' }).click();
    const refusal = page.getByRole('alert').getByText('Choose at least one row');
    await refusal.waitFor();
    await readAgain();
    expect(await refusal.count()).toBe(1);
    isCut = true;
    await expect.poll(() => isCut).toBe(false);
    await readAgain();
    await page.getByRole('checkbox', { name: 'Select row 3' }).waitFor();
    await page.getByLabel('Parts of the tape').getByRole('link', { name: 'History' }).click();
    await refusal.waitFor({ state: 'detached' });
    // Wait until no request of the page is pending when it closes.
    await page.unrouteAll({ behavior: 'wait' });
  });
});

it('an order that is clicked while a filter is on its way keeps the filter', async () => {
  const tapes = await northwindTapes(tenant.manager);
  const loans = [1, 2, 3].map((at) => tapes.loan({ 'Loan ID': `S-${at}`, 'Principal Balance': at * 100 }));
  const id = await tapes.publish(loans, { cutOffDate: '2016-06-30' });
  const page = await openPage();
  await signIn(page, MANAGER);
  await page.goto(paths.tape(id));
  await page.locator('.ag-row[row-index="0"] .ag-cell').first().filter({ hasText: /S-/ }).waitFor();
  await page.locator('summary', { hasText: 'Filter' }).click();
  await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Current balance' });
  await page.getByRole('combobox', { name: 'Operator' }).selectOption('gt');
  await page.getByRole('textbox', { name: 'Value' }).fill('150');
  const reading = await holdBack(page, (url) => /\/monitoring\/tapes\/[0-9a-f]{24}\.data/.test(url));
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect.poll(() => reading.seen.length).toBe(1);
  // The page has rendered its pending state.
  await roundTrip(page);
  // The filter's fields still cover the header of the grid.
  await page.locator('.ag-header-cell[col-id="assetId"] .ag-header-cell-label').dispatchEvent('click');
  await expect.poll(() => reading.seen.length).toBe(2);
  reading.release();
  await page.waitForURL((url) => url.searchParams.get('sort') === '{"assetId":1}');
  await page.getByRole('list', { name: 'Filters' }).getByText('Current balance').waitFor();
});

describe('the editor of a mapping', () => {
  it('takes no more changes while the draft is saved, and all of them once it was refused', async () => {
    const page = await openPage({ expectedErrors: [/422/] });
    await signIn(page, ANALYST);
    await page.goto(paths.mappings());
    await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
    await page.getByRole('button', { name: /^Purpose to Sector/ }).click();
    await page.getByLabel('Step to add').selectOption('padStart');
    await page.getByRole('button', { name: 'Add step' }).click();
    const step = page.locator('[data-step="2"]');
    await step.getByText('length: enter a value').waitFor();
    await scriptsReady(page);
    const posts = await holdBack(
      page,
      // The preview after the added step is posted to the same URL, either before or after the click.
      (url, method, body) =>
        method === 'POST' && /\/monitoring\/mappings\/[^/]+\.data/.test(url) && !/(^|&)edit=preview(&|$)/.test(body),
    );
    await page.getByRole('button', { name: /^Save as version/ }).click();
    // A preview whose body the browser does not hand out is held as well.
    await expect.poll(() => posts.seen.length).toBeGreaterThan(0);
    const length = step.getByLabel('Length');
    await length.evaluate((field) => field.focus());
    await page.keyboard.type('7');
    expect(await length.inputValue()).toBe('');
    posts.release();
    await page.getByText('Nothing was saved').waitFor();
    await length.fill('9');
    await page.getByText('length: enter a value').waitFor({ state: 'detached' });
  });
});

it('a navigation that is replaced when its data is there, but not the end of its answer, leaves no error', async () => {
  const page = await openPage();
  await signIn(page, MANAGER);
  await page.addInitScript(() => {
    const kept = window as unknown as { rejected: string[] };
    kept.rejected = [];
    window.addEventListener('unhandledrejection', ({ reason }) => kept.rejected.push(reason.name));
    const send = window.fetch;
    window.fetch = async (input, init) => {
      const answer = await send(input, init);
      if (!answer.body || !String(input).includes('.data')) return answer;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const isSent = answer.body.pipeTo(writable, { preventClose: true });
      init?.signal?.addEventListener('abort', () => isSent.then(() => writable.abort(init.signal?.reason)));
      return new Response(readable, answer);
    };
  });
  await page.goto(paths.home());
  await scriptsReady(page);
  const { release } = await holdBack(page, (url) => SCRIPTS.test(url));
  const answered = page.waitForResponse((answer) => answer.url().includes('/calendar.data'));
  await page.getByRole('link', { name: 'Calendar', exact: true }).first().click();
  await (await answered).finished();
  await roundTrip(page);
  await page.getByRole('link', { name: 'Funds', exact: true }).first().click();
  await expect.poll(() => page.evaluate('window.rejected')).toContain('AbortError');
  release();
  await page.getByRole('heading', { level: 1, name: 'Funds', exact: true }).waitFor();
});

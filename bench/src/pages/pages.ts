import { User } from '@tapeline/db/entities/people.ts';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { openSession } from '@tapeline/db/operations/identity/sessions.ts';
import { openStore, SYSTEM } from '@tapeline/db/store.ts';
import { UPLOADER_EMAIL } from '@tapeline/demonstration/names.ts';
import { Caller } from '@tapeline/launch/client/caller.ts';
import { openHome } from '@tapeline/launch/home/home.ts';
import { freshVariables } from '@tapeline/launch/product/fresh-variables.ts';
import { readRunning } from '@tapeline/launch/product/running.ts';
import { throwawayProduct } from '@tapeline/launch/testing/throwaway-product.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { say } from '../measuring/rounds.ts';

/** A product with the demonstration, and its manager's sign-in. */
export interface DemonstratedProduct {
  readonly url: string;
  /** The cookies of a new sign-in, by name. */
  readonly cookies: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** The product that the tests have started, or one that is thrown away. */
export async function openDemonstration(): Promise<DemonstratedProduct> {
  const { PRODUCT_URL, PRODUCT_HOME } = process.env;
  if (PRODUCT_URL && PRODUCT_HOME) {
    const home = openHome(PRODUCT_HOME);
    return signedInProduct(PRODUCT_URL, { ...freshVariables(home.folder), ...readRunning(home) }, async () => {});
  }
  const product = throwawayProduct({ name: 'pages', say, variables: { LOG_LEVEL: 'warn' } });
  try {
    const { url, environment } = await product.start();
    await product.loadDemonstration();
    return await signedInProduct(url, environment, () => product.stop());
  } catch (error) {
    await product.stop();
    throw error;
  }
}

async function signedInProduct(
  url: string,
  variables: NodeJS.ProcessEnv,
  close: () => Promise<void>,
): Promise<DemonstratedProduct> {
  const environment = readEnvironment(variables);
  const store = await openStore(environment);
  const token = await store.as(SYSTEM, async (session) => {
    const { id } = await session.em.findOneOrFail(User, { email: UPLOADER_EMAIL });
    return (await openSession(session, id, {})).refreshToken;
  });
  await store.close();
  const address = url.replace('localhost', '127.0.0.1');
  const caller = await Caller.resumed(address, environment.instanceName, token);
  const cookies = new Map(
    ['refresh', 'access'].flatMap((name) => {
      const cookie = `${environment.instanceName}_${name}`;
      const value = caller.jar.get(cookie);
      return value ? [[cookie, value] as const] : [];
    }),
  );
  return { url: address, cookies, close };
}

/** A browser that has stored nothing but the sign-in. */
export async function freshContext(browser: Browser, product: DemonstratedProduct): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: product.url, viewport: { width: 1440, height: 900 } });
  await context.addCookies(
    [...product.cookies].map(([name, value]) => ({
      name,
      value,
      url: product.url,
      httpOnly: true,
      sameSite: 'Lax' as const,
    })),
  );
  return context;
}

/** Documents of the demonstration, each by the list that leads to it. */
const DOCUMENTS = [
  ['facility', '/monitoring/transactions'],
  ['draw', '/monitoring/draws'],
  ['tape', '/monitoring/tapes'],
  ['fund', '/funds'],
  ['investor', '/investors'],
  ['call', '/capital/calls'],
] as const;

/** A draw whose page asks for the reason of skipping an exception. */
async function drawWithException(page: Page): Promise<string> {
  await page.goto('/monitoring/draws');
  const links = page.locator('main a[href*="/monitoring/draws/"]');
  await links.first().waitFor();
  const addresses = await links.evaluateAll((all) =>
    all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
  for (const address of new Set(addresses.filter((each) => /\/[0-9a-f]{24}$/.test(each)))) {
    await page.goto(address);
    if ((await page.getByRole('button', { name: 'Skip with this reason' }).count()) > 0) return address;
  }
  throw new Error('no draw of the demonstration has an exception that can be skipped');
}

/** The pages that are measured. */
export async function demonstratedPages(
  browser: Browser,
  product: DemonstratedProduct,
): Promise<{ name: string; path: string }[]> {
  const context = await freshContext(browser, product);
  const page = await context.newPage();
  const found = new Map<string, string>();
  for (const [name, list] of DOCUMENTS) {
    await page.goto(list);
    const links = page.locator(`main a[href*="${list}/"]`);
    await links.first().waitFor();
    const addresses = await links.evaluateAll((all) =>
      all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
    );
    const address = addresses.find((each) => /\/[0-9a-f]{24}$/.test(each));
    if (!address) throw new Error(`${list} leads to no ${name}`);
    found.set(name, address);
  }
  found.set('exception', await drawWithException(page));
  await context.close();
  const of = (name: string): { name: string; path: string } => ({ name, path: found.get(name) ?? '' });
  const list = (name: string, path: string) => ({ name, path });
  return [
    list('home', '/'),
    list('approvals', '/approvals'),
    list('monitoring', '/monitoring'),
    of('facility'),
    list('draws', '/monitoring/draws'),
    of('draw'),
    of('exception'),
    list('tapes', '/monitoring/tapes'),
    of('tape'),
    list('assets', `${found.get('tape')}?view=assets`),
    list('funds', '/funds'),
    of('fund'),
    list('investors', '/investors'),
    of('investor'),
    of('call'),
    list('documents', `/documents?fund=${found.get('fund')?.split('/').at(-1)}`),
    list('users', '/admin/users'),
    list('currencies', '/admin/currencies'),
    list('chats', '/chats'),
    list('account', '/account'),
  ];
}

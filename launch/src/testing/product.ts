import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepare } from '../../bootstrap.mjs';
import { claimAnyPort } from '../ports/ports.ts';
import { findChromium } from './find-chromium.ts';
import type { Provided } from './provided.ts';
import { throwawayProduct } from './throwaway-product.ts';

const say = (line: string) => process.stderr.write(`product under test: ${line}\n`);

/** A product under test and the values provided to its tests. */
interface ProductUnderTest {
  readonly provided: Pick<
    Provided,
    'productUrl' | 'productHome' | 'mailFolder' | 'oidcClient' | 'ratesUrl' | 'metricsUrls'
  >;
  readonly stop: () => Promise<void>;
}

/**
 * The product of this run and the number of projects that use it. Stored on `globalThis`, because each project loads
 * this file again in the same process.
 */
interface SharedProduct {
  users: number;
  product: Promise<ProductUnderTest>;
}
const SHARED = Symbol.for('tapeline.product-under-test');
const holder = globalThis as { [SHARED]?: SharedProduct | undefined };

/**
 * Runs before the projects that test the whole product (http, browser, alone) and starts it once for all of them. The
 * product is built from the current sources and runs as with `npm start`, in a temporary home, on free ports, with the
 * demonstration portfolio loaded. If PRODUCT_URL and PRODUCT_HOME are set, a product that is already running is used
 * instead and left unchanged.
 */
export default async function shareProductUnderTest(project: TestProject): Promise<() => Promise<void>> {
  // The http tests do not need Chromium and also run on machines without it.
  if (project.name !== 'http') project.provide('chromiumPath', await findChromium(process.env, say));
  const shared = holder[SHARED] ?? { users: 0, product: startProductUnderTest() };
  holder[SHARED] = shared;
  shared.users += 1;
  const { provided, stop } = await shared.product;
  for (const [name, value] of Object.entries(provided)) project.provide(name as keyof typeof provided, value);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    holder[SHARED] = undefined;
    await stop();
  };
}

async function startProductUnderTest(): Promise<ProductUnderTest> {
  const { PRODUCT_URL, PRODUCT_HOME } = process.env;
  if (PRODUCT_URL && PRODUCT_HOME) {
    const productUrl = PRODUCT_URL.replace(/\/$/, '');
    const mailFolder = join(PRODUCT_HOME, 'mail');
    const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: id = '', OIDC_CLIENT_SECRET: secret = '' } = process.env;
    const oidcClient = { issuer, id, secret };
    const ratesUrl = process.env.RATES_URL ?? '';
    const first = Number(process.env.METRICS_PORT ?? 9464);
    const processes = 1 + Number(process.env.WORKER_PROCESSES ?? 1);
    const metricsUrls = Array.from({ length: processes }, (_, index) => `http://127.0.0.1:${first + index}`);
    const provided = { productUrl, productHome: PRODUCT_HOME, mailFolder, oidcClient, ratesUrl, metricsUrls };
    return { provided, stop: async () => {} };
  }

  const [issuerPort, ratesPort] = [await claimAnyPort(), await claimAnyPort()];
  // A test starts an identity provider at this address. The product asks it only when someone signs in with it.
  const oidcClient = {
    issuer: `http://127.0.0.1:${issuerPort.port}`,
    id: 'tapeline',
    secret: 'a secret of the tests',
  };
  const ratesUrl = `http://127.0.0.1:${ratesPort.port}/daily`;
  const variables = {
    METRICS_PORT: '0',
    RATES_URL: ratesUrl,
    OIDC_ISSUER: oidcClient.issuer,
    OIDC_CLIENT_ID: oidcClient.id,
    OIDC_CLIENT_SECRET: oidcClient.secret,
    OIDC_NAME: 'Example ID',
    CORS_ORIGINS: 'https://tools.example.com',
  };
  const product = throwawayProduct({ name: 'product', say, variables });
  const stop = async () => {
    await product.stop();
    for (const { release } of [issuerPort, ratesPort]) release();
  };
  try {
    await prepare({ web: true });
    const { url, home, metricsPorts } = await product.start();
    await product.loadDemonstration();
    const metricsUrls = metricsPorts.map((port) => `http://127.0.0.1:${port}`);
    const provided = {
      productUrl: url,
      productHome: home.folder,
      mailFolder: home.mail,
      oidcClient,
      ratesUrl,
      metricsUrls,
    };
    return { provided, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { prepare } from '../../bootstrap.mjs';
import { findChromium } from '../chromium/find-chromium.ts';
import { createLaunch } from '../product/start-product.ts';
import { guardRun } from './guard-run.ts';
import './provided.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const say = (line: string) => process.stderr.write(`product under test: ${line}\n`);

/**
 * Runs once before the browser tests: the whole product, built from the sources as they are and run as `npm start` runs it, in a home that
 * is thrown away after, on free ports, with the demonstration portfolio loaded. With PRODUCT_URL and PRODUCT_HOME set, a product that
 * already runs is used instead and left as it is.
 */
export default async function startProductUnderTest(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromiumPath', await findChromium(process.env, say));
  const { PRODUCT_URL, PRODUCT_HOME } = process.env;
  if (PRODUCT_URL && PRODUCT_HOME) {
    project.provide('productUrl', PRODUCT_URL.replace(/\/$/, ''));
    project.provide('productHome', PRODUCT_HOME);
    project.provide('mailFolder', join(PRODUCT_HOME, 'mail'));
    return async () => {};
  }

  const folder = mkdtempSync(join(tmpdir(), 'tapeline-product-'));
  chmodSync(folder, 0o711);
  const guard = guardRun({ folder, runFolder: join(folder, 'run') });
  const launch = createLaunch({ root, variables: freshVariables(folder), say });
  const tearDown = async () => {
    await launch.stop();
    rmSync(folder, { recursive: true, force: true });
    guard.release();
  };
  try {
    await prepare({ web: true });
    const product = await launch.start();
    await launch.loadDemonstration();
    project.provide('productUrl', product.url);
    project.provide('productHome', product.home.folder);
    project.provide('mailFolder', product.home.mail);
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}

/** The product runs as a reader would start it: none of the test runner's variables, and no real service of theirs. */
function freshVariables(home: string): NodeJS.ProcessEnv {
  const theirs =
    /^(VITEST|NODE_ENV$|NODE_OPTIONS$|DATABASE_|TEMPORAL_ADDRESS$|S3_|SMTP_|PUBLIC_URL$|APP_SECRET$|INSTANCE_NAME$)/;
  const variables = { ...process.env };
  for (const name of Object.keys(variables)) if (theirs.test(name)) delete variables[name];
  variables.TAPELINE_HOME = home;
  variables.DEMONSTRATION = 'on';
  for (const port of ['PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']) variables[port] = '0';
  return variables;
}

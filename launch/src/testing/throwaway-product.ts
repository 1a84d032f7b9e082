import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshVariables } from '../product/fresh-variables.ts';
import { createLaunch, type Extent, type Launch, type RunningProduct } from '../product/start-product.ts';
import { guardRun } from './guard-run.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');

interface ThrowawayOptions {
  /** Part of the name of its folder. */
  readonly name: string;
  readonly say: (line: string) => void;
  readonly extent?: Extent;
  /** Settings besides those of a fresh copy on free ports. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A product in a home of its own, which is removed when the product stops, or when this process is killed. */
export interface ThrowawayProduct extends Launch {
  readonly folder: string;
}

/** Prepares a product as a user would start it. Nothing runs until `start` is called. */
export function throwawayProduct({ name, say, extent = 'all', variables = {} }: ThrowawayOptions): ThrowawayProduct {
  const folder = mkdtempSync(join(tmpdir(), `tapeline-${name}-`));
  // The embedded PostgreSQL runs as a separate user.
  chmodSync(folder, 0o711);
  const guard = guardRun({ folder, runFolder: join(folder, 'run') });
  const launch = createLaunch({ root: ROOT, variables: { ...freshVariables(folder), ...variables }, say, extent });
  return {
    ...launch,
    folder,
    async stop() {
      await launch.stop();
      rmSync(folder, { recursive: true, force: true });
      guard.release();
    },
  };
}

/**
 * Starts a product with the demonstration, does the work with it, stops it, and ends this process.
 * @param work its result is the exit code
 */
export async function runWithProduct(
  options: Omit<ThrowawayOptions, 'extent'>,
  work: (product: RunningProduct & { folder: string }) => Promise<number>,
): Promise<never> {
  const product = throwawayProduct(options);
  const end = async (code: number): Promise<never> => {
    await product.stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(1));
  try {
    const running = await product.start();
    await product.loadDemonstration();
    return await end(
      await work({ ...running, url: running.url.replace('localhost', '127.0.0.1'), folder: product.folder }),
    );
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return end(1);
  }
}

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { openStore, SYSTEM } from '@tapeline/db/store.ts';
import { type Home, openHome, openSecrets } from '@tapeline/launch/home/home.ts';
import { claimAnyPort } from '@tapeline/launch/ports/ports.ts';
import { superuserUrl } from '@tapeline/launch/postgres/cluster.ts';
import { livingProcesses } from '@tapeline/launch/processes/pid-files.ts';
import { clusterOf } from '@tapeline/launch/product/database.ts';
import { freshVariables } from '@tapeline/launch/product/fresh-variables.ts';
import { nodeCommand, programsOf, webService } from '@tapeline/launch/product/programs.ts';
import { readRunning } from '@tapeline/launch/product/running.ts';
import { ROOT, throwawayProduct } from '@tapeline/launch/testing/throwaway-product.ts';
import { say } from './rounds.ts';

/** What a bench measures: PostgreSQL with the tables, and what else it asked for. */
export interface BenchProduct {
  /** The variables of its programs. */
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** Connects as the superuser, whom row-level security does not bind. */
  readonly superuserUrl: string;
  readonly postgresPid: number;
  /** Its web servers: address and process. */
  readonly webs: readonly { readonly url: string; readonly pid: number }[];
  close(): Promise<void>;
}

interface ProductOptions {
  /** What runs besides PostgreSQL; `all` is the web app, workers and Temporal. */
  readonly extent: 'database' | 'services' | 'all';
  /** Web servers that are started over the database alone. */
  readonly webs?: number;
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Starts a product without the demonstration, in a home that is thrown away. The short forms of `npm test` use what the
 * tests have started: a product, to which a bench adds a tenant that it ends, or a database and Temporal.
 */
export async function openProduct(options: ProductOptions): Promise<BenchProduct> {
  const { PRODUCT_URL, PRODUCT_HOME, BENCH_SERVICES } = process.env;
  if (PRODUCT_URL && PRODUCT_HOME) return runningProduct(PRODUCT_URL, PRODUCT_HOME);
  if (BENCH_SERVICES) return productOfServices(JSON.parse(BENCH_SERVICES) as TestServices);
  return startProduct(options);
}

/** A migrated database of its own for one bench, and Temporal. */
export interface TestServices {
  readonly databaseUrl: string;
  /** Connects as the superuser. */
  readonly databaseAdminUrl: string;
  readonly temporalAddress: string;
}

async function productOfServices(services: TestServices): Promise<BenchProduct> {
  const home = await mkdtemp(join(tmpdir(), 'tapeline-bench-'));
  const environment = {
    ...freshVariables(home),
    // Programs do not understand any free port, which the launcher chooses.
    PORT: undefined,
    LOG_LEVEL: 'warn',
    DATABASE_URL: services.databaseUrl,
    DATABASE_ADMIN_URL: services.databaseAdminUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    INSTANCE_NAME: basename(home).toLowerCase(),
    APP_SECRET: randomBytes(32).toString('hex'),
  };
  const store = await openStore(readEnvironment(environment));
  await store.as(SYSTEM, seedFoundations);
  await store.close();
  return {
    environment,
    home,
    superuserUrl: services.databaseAdminUrl,
    postgresPid: 0,
    webs: [],
    close: () => rm(home, { recursive: true, force: true }),
  };
}

function runningProduct(url: string, folder: string): BenchProduct {
  const home = openHome(folder);
  const environment = { ...freshVariables(home.folder), ...readRunning(home) };
  return productIn(home, environment, [{ name: 'web', url }], async () => {});
}

async function startProduct({ extent, webs = 0, variables = {} }: ProductOptions): Promise<BenchProduct> {
  const product = throwawayProduct({
    name: 'bench',
    extent,
    say,
    variables: { DEMONSTRATION: 'off', LOG_LEVEL: 'warn', ...variables },
  });
  const ports = await Promise.all(Array.from({ length: webs }, () => claimAnyPort()));
  const close = async (): Promise<void> => {
    await product.stop();
    for (const port of ports) port.release();
  };
  try {
    const { environment, supervisor, home, url } = await product.start();
    if (extent === 'all') return productIn(home, environment, [{ name: 'web', url }], close);
    const programs = programsOf(ROOT);
    if (extent === 'services') await supervisor.run('migrate', nodeCommand(ROOT, programs.migrate, environment));
    await supervisor.run('seed', nodeCommand(ROOT, programs.seed, environment));
    const services = ports.map(({ port }, at) => {
      const address = `http://127.0.0.1:${port}`;
      const command = nodeCommand(ROOT, programs.web, { ...environment, PORT: String(port) });
      return { ...webService(address, command), name: at === 0 ? 'web' : `web-${at + 1}`, url: address };
    });
    await supervisor.start(services);
    return productIn(home, environment, services, close);
  } catch (error) {
    await close();
    throw error;
  }
}

function productIn(
  home: Home,
  environment: NodeJS.ProcessEnv,
  webs: readonly { name: string; url: string }[],
  close: () => Promise<void>,
): BenchProduct {
  const processes = livingProcesses(home.run);
  const pidOf = (name: string): number => {
    const found = processes.find((each) => each.name === name);
    if (!found) throw new Error(`${name} does not run`);
    return found.pid;
  };
  const cluster = clusterOf(home, openSecrets(home), Number(new URL(environment.DATABASE_URL ?? '').port));
  return {
    environment,
    home: home.folder,
    superuserUrl: superuserUrl(cluster, 'tapeline'),
    postgresPid: pidOf('postgres'),
    webs: webs.map(({ name, url }) => ({ url: url.replace('localhost', '127.0.0.1'), pid: pidOf(name) })),
    close,
  };
}

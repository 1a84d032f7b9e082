import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { startObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { openSecrets } from '@tapeline/launch/home/home.ts';
import { claimAnyPort } from '@tapeline/launch/ports/ports.ts';
import { superuserUrl } from '@tapeline/launch/postgres/cluster.ts';
import { clusterOf } from '@tapeline/launch/product/database.ts';
import { ask, nodeCommand, programsOf } from '@tapeline/launch/product/programs.ts';
import { createLaunch } from '@tapeline/launch/product/start-product.ts';
import { say } from '../measuring/rounds.ts';
import { type SignIn, signInBy } from '../measuring/sign-in.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import type { Target } from './load.ts';
import { createPortfolio, type Portfolio } from './portfolio.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const STARTED_WITHIN_MS = 60_000;

/** PostgreSQL with two tenants, over which web servers are started. */
export interface Database {
  readonly portfolio: Portfolio;
  /** Connects as the superuser, whom row-level security does not bind. */
  readonly superuserUrl: string;
  readonly poolSize: number;
  readonly postgresPid: number;
  /** Starts the built web server in production mode, called as a signed-in manager. @param flags of its Node.js */
  startWeb(flags?: readonly string[]): Promise<Product>;
  close(): Promise<void>;
}

export interface Product {
  target(path: string): Target;
  /** Where its inspector listens, if it was started with --inspect. */
  readonly inspectorUrl: string | null;
  stop(): Promise<void>;
}

export async function openDatabase(): Promise<Database> {
  await mkdir(DATA_FOLDER, { recursive: true });
  const folder = await mkdtemp(join(DATA_FOLDER, 'rest-'));
  const postgresPort = await claimAnyPort();
  postgresPort.release();
  const storage = await startObjectStorage();
  const { endpoint, region, bucket, keys } = storage.settings;
  const variables = {
    ...process.env,
    NODE_ENV: 'production' as const,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    // Nothing is sent.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Benchmark <bench@tapeline.test>',
    TAPELINE_HOME: folder,
    POSTGRES_PORT: String(postgresPort.port),
    DEV_SERVICE_PORTS: 'off',
  };
  const launch = createLaunch({ root: ROOT, variables, say, extent: 'database' });
  const close = async (): Promise<void> => {
    await launch.stop();
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { environment, supervisor, home } = await launch.start();
    const programs = programsOf(ROOT);
    await supervisor.run('seed', nodeCommand(ROOT, programs.seed, environment, ['--foundations']));
    const read = readEnvironment(environment);
    const portfolio = await createPortfolio(read);
    const signIn = signInBy(read.instanceName, portfolio.refreshToken);
    const cluster = clusterOf(home, openSecrets(home), postgresPort.port);
    return {
      portfolio,
      superuserUrl: superuserUrl(cluster, 'tapeline'),
      poolSize: read.databasePoolSize,
      postgresPid: supervisor.pidOf('postgres') ?? 0,
      startWeb: (flags = []) => startWeb({ environment, flags, logFile: join(home.logs, 'web.log'), signIn }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The web server by itself, as a service manager runs it: its log goes to a file. */
async function startWeb({
  environment,
  flags,
  logFile,
  signIn,
}: {
  environment: NodeJS.ProcessEnv;
  flags: readonly string[];
  logFile: string;
  signIn: SignIn;
}): Promise<Product> {
  const port = await claimAnyPort();
  const log = await open(logFile, 'a');
  const child = spawn(process.execPath, [...flags, programsOf(ROOT).web], {
    cwd: ROOT,
    env: { ...environment, PORT: String(port.port) },
    stdio: ['ignore', log.fd, log.fd],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await log.close();
    port.release();
  };
  const url = `http://127.0.0.1:${port.port}`;
  try {
    for (const startedAt = Date.now(); !(await ask(`${url}/healthz`)).ok; await sleep(100)) {
      if (child.exitCode !== null || Date.now() - startedAt > STARTED_WITHIN_MS) {
        throw new Error(`the web server did not start:\n${await readFile(logFile, 'utf8')}`);
      }
    }
    const headers = await signIn(url);
    const inspectorUrl = /listening on (ws:\S+)/.exec(await readFile(logFile, 'utf8'))?.[1] ?? null;
    return { target: (path) => ({ url: `${url}${path}`, headers, pid: child.pid! }), inspectorUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { startObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { Caller } from '@tapeline/launch/client/caller.ts';
import { claimAnyPort } from '@tapeline/launch/ports/ports.ts';
import { ask, programsOf } from '@tapeline/launch/product/programs.ts';
import { ROOT } from '@tapeline/launch/testing/throwaway-product.ts';
import { openProduct } from '../measuring/product.ts';
import type { Target } from './load.ts';
import { createPortfolio, type Portfolio } from './portfolio.ts';

const STARTED_WITHIN_MS = 60_000;

/** PostgreSQL with two tenants, over which web servers are started. */
export interface Database {
  readonly portfolio: Portfolio;
  /** Connects as the superuser, whom row-level security does not bind. */
  readonly superuserUrl: string;
  readonly poolSize: number;
  readonly postgresPid: number;
  /** Starts the built web server as in production, called as a signed-in manager. @param flags of its Node.js */
  startWeb(flags?: readonly string[]): Promise<WebServer>;
  close(): Promise<void>;
}

export interface WebServer {
  target(path: string): Target;
  /** Where its inspector listens, if it was started with --inspect. */
  readonly inspectorUrl: string | null;
  stop(): Promise<void>;
}

/** @param documents of each collection that a tenant has */
export async function openDatabase(documents: number): Promise<Database> {
  const storage = await startObjectStorage();
  const { endpoint, region, bucket, keys } = storage.settings;
  const product = await openProduct({
    extent: 'database',
    variables: {
      NODE_ENV: 'production',
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      // Nothing is sent.
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Benchmark <bench@tapeline.test>',
    },
  });
  const close = async (): Promise<void> => {
    await product.close();
    await storage.close();
  };
  try {
    const environment = readEnvironment(product.environment);
    const portfolio = await createPortfolio(environment, documents);
    return {
      portfolio,
      superuserUrl: product.superuserUrl,
      poolSize: environment.databasePoolSize,
      postgresPid: product.postgresPid,
      startWeb: (flags = []) =>
        startWeb({
          environment: product.environment,
          flags,
          logFile: join(product.home, 'logs', 'bench-web.log'),
          signIn: async (url) =>
            (await Caller.resumed(url, environment.instanceName, await portfolio.openSignIn())).headers(),
        }),
      async close() {
        await portfolio.end();
        await close();
      },
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
  signIn: (url: string) => Promise<Record<string, string>>;
}): Promise<WebServer> {
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

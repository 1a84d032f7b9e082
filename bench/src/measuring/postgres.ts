import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { claimAnyPort } from '@tapeline/launch/ports/ports.ts';
import { type Cluster, prepareCluster, superuserUrl } from '@tapeline/launch/postgres/cluster.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';
import { say } from './rounds.ts';

export interface BenchPostgres {
  /** Connects as the superuser. */
  readonly url: string;
  /** A folder that PostgreSQL can read; removed at the end. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts a separate PostgreSQL with default settings and an empty database. */
export async function startPostgres(): Promise<BenchPostgres> {
  await mkdir(DATA_FOLDER, { recursive: true });
  const folder = await mkdtemp(join(DATA_FOLDER, 'postgres-'));
  await chmod(folder, 0o755);
  const claimed = await claimAnyPort();
  const cluster: Cluster = {
    dataFolder: join(folder, 'data'),
    port: claimed.port,
    superuserPassword: 'bench',
    throwAway: true,
  };
  const service = await prepareCluster(cluster, say);
  await claimed.release();
  const { executable, args, environment, account } = service.command;
  const server = spawn(executable, [...args], {
    stdio: 'ignore',
    cwd: '/',
    ...(environment && { env: environment }),
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const ended = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill(service.stopSignal);
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const startedAt = Date.now();
    while (!(await service.isReady({ startedAt }))) {
      if (Date.now() - startedAt > service.readyTimeoutMs) throw new Error('PostgreSQL did not start');
      await setTimeout(50);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: superuserUrl(cluster), folder, stop };
}

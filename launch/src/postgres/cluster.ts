import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { lives, processCommand, processIdentity } from '../processes/identity.ts';
import { endProcess } from '../processes/pid-files.ts';
import type { Service } from '../supervisor/service.ts';
import { findPostgresBinaries, type PostgresBinaries } from './binaries.ts';
import { handOver, makeReachable, postgresAccount, type SystemAccount } from './system-account.ts';

export const SUPERUSER = 'postgres';

/** An embedded PostgreSQL: its data folder, its port on the loopback address, and the superuser's password. */
export interface Cluster {
  dataFolder: string;
  port: number;
  superuserPassword: string;
  /** For disposable data (tests): does not wait for writes to reach the disk. */
  throwAway?: boolean;
  /** Other programs than those of the dependencies, whose cluster then has the defaults of a distribution. */
  programs?: PostgresBinaries;
}

/** The superuser's connection string for a database of the cluster. */
export function superuserUrl(cluster: Cluster, database = 'postgres'): string {
  return connectionUrl({ user: SUPERUSER, password: cluster.superuserPassword, port: cluster.port, database });
}

export function connectionUrl(to: { user: string; password: string; port: number; database: string }): string {
  return `postgresql://${to.user}:${encodeURIComponent(to.password)}@127.0.0.1:${to.port}/${to.database}`;
}

/**
 * Creates the data folder if it is missing, stops a server that a killed parent left running on it, and returns the
 * service for the supervisor. The caller must hold the home's lock, so that no other process touches the folder.
 */
export async function prepareCluster(cluster: Cluster, say: (line: string) => void): Promise<Service> {
  const binaries = cluster.programs ?? findPostgresBinaries();
  const account = postgresAccount();
  makeReachable(binaries.postgres, account, say);
  mkdirSync(dirname(cluster.dataFolder), { recursive: true });
  makeReachable(cluster.dataFolder, account, say);
  if (existsSync(join(cluster.dataFolder, 'PG_VERSION'))) await endServerOn(cluster.dataFolder, say);
  else await initialise(cluster, binaries.initdb, account);

  const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
  if (!cluster.programs) flags.push('max_connections=120', 'shared_buffers=128MB');
  if (cluster.throwAway) flags.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  return {
    name: 'postgres',
    command: {
      executable: binaries.postgres,
      args: ['-D', cluster.dataFolder, '-p', String(cluster.port), ...flags.flatMap((flag) => ['-c', flag])],
      environment: { ...process.env, LC_ALL: 'C' },
      account,
    },
    isReady: () => answers(superuserUrl(cluster)),
    readyTimeoutMs: 60_000,
    // Fast shutdown: closes connections and keeps everything that was committed.
    stopSignal: 'SIGINT',
    killSignal: 'SIGQUIT',
    stopTimeoutMs: 10_000,
  };
}

/** Runs work as the superuser on a connection that is closed afterwards. */
export async function asSuperuser<T>(
  cluster: Cluster,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: superuserUrl(cluster, database) });
  // A server that stops between two queries is also reported here. The next query throws.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function initialise(cluster: Cluster, initdb: string, account: SystemAccount | null): Promise<void> {
  // Create it in a temporary folder and move it into place when complete, so that an interrupted start leaves no
  // partial cluster behind.
  const making = `${cluster.dataFolder}.new`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { mode: 0o700 });
  handOver(making, account);
  const passwordFile = `${making}.password`;
  writeFileSync(passwordFile, `${cluster.superuserPassword}\n`, { mode: 0o600 });
  handOver(passwordFile, account);
  try {
    await promisify(execFile)(
      initdb,
      [
        `--pgdata=${making}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Before version 17, only the locales of the system exist, and packages use them for every version.
        ...(cluster.programs
          ? ['--locale=C.UTF-8']
          : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']),
        ...(cluster.throwAway ? ['--no-sync'] : []),
      ],
      { env: { ...process.env, LC_ALL: 'C' }, cwd: '/', ...(account && { uid: account.uid, gid: account.gid }) },
    );
  } catch (error) {
    throw new Error(
      `PostgreSQL could not create its data folder ${cluster.dataFolder}: ${(error as { stderr?: string }).stderr ?? error}`,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(making, cluster.dataFolder);
}

/**
 * PostgreSQL records its process in the data folder itself, so it can be found even if our own pid file was never
 * written.
 */
async function endServerOn(dataFolder: string, say: (line: string) => void): Promise<void> {
  const noteFile = join(dataFolder, 'postmaster.pid');
  const pid = readPostmasterPid(noteFile);
  if (pid === null) return;
  const identity = processIdentity(pid);
  if (identity === null) return;
  if (processCommand(pid)?.includes(dataFolder)) {
    say(`a PostgreSQL server from an earlier start is still running (process ${pid}); stopping it`);
    await endProcess({ pid, identity, stopSignal: 'SIGINT', killSignal: 'SIGQUIT' }, 8000);
  } else if (lives(pid, identity)) {
    // The process ID now belongs to another program. PostgreSQL would mistake it for itself and refuse to start.
    rmSync(noteFile, { force: true });
  }
}

function readPostmasterPid(noteFile: string): number | null {
  try {
    const pid = Number(readFileSync(noteFile, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shareOfWork } from '@tapeline/db/worker-queues.ts';
import { type Home, instanceNameOf, openHome, openSecrets, type Secrets } from '../home/home.ts';
import { type HomeLock, lockHome } from '../home/lock.ts';
import { type ClaimedPort, claimPort } from '../ports/ports.ts';
import { prepareCluster } from '../postgres/cluster.ts';
import { endOrphans } from '../processes/pid-files.ts';
import type { Command } from '../supervisor/service.ts';
import { createSupervisor, type Supervisor } from '../supervisor/supervisor.ts';
import { NAMESPACE, temporalService } from '../temporal/dev-server.ts';
import { findTemporalCli } from '../temporal/find-cli.ts';
import { clusterOf, type DatabaseAddresses, databaseAddresses, prepareDatabase } from './database.ts';
import { ask, nodeCommand, type Programs, programsOf, webService, workerService } from './programs.ts';
import { forgetRunning, noteRunning } from './running.ts';
import { type LaunchSettings, reachedAt, readLaunchSettings } from './settings.ts';

/**
 * How much of the product to start: 'server' stops after PostgreSQL is ready and 'database' after the migrations (both
 * for commands). 'services' stops after the two embedded servers, and 'examined' also migrates.
 */
export type Extent = 'all' | 'server' | 'database' | 'services' | 'examined';

export interface ProductOptions {
  /** The project's root folder. */
  root: string;
  variables: NodeJS.ProcessEnv;
  say: (line: string) => void;
  extent?: Extent;
}

export interface RunningProduct {
  url: string;
  home: Home;
  /** URL of Temporal's own UI, if the embedded server is running. */
  temporalUiUrl: string | null;
  /** Where the web app and then each worker process serves its metrics; empty if METRICS_PORT is not set. */
  metricsPorts: string[];
  /** The environment of the product's programs, including secrets. */
  environment: NodeJS.ProcessEnv;
  demonstration: boolean;
  supervisor: Supervisor;
}

export interface Launch {
  /** Resolves when /readyz returns 200. On failure, stops what was started and then rejects. */
  start: () => Promise<RunningProduct>;
  /** Loads the demonstration portfolio's tapes over HTTP, unless an earlier start has already done so. */
  loadDemonstration: () => Promise<void>;
  stop: () => Promise<void>;
  kill: () => void;
}

/** A home that contains this file was restored from a backup, so no data is added to what the backup contained. */
export const RESTORED = 'restored.json';
const READY_TIMEOUT_MS = 120_000;

/** Everything that a start needs, collected once the home is locked. */
interface Site {
  settings: LaunchSettings;
  home: Home;
  secrets: Secrets;
  lock: HomeLock;
  supervisor: Supervisor;
  programs: Programs;
}

type ProgramCommand = (file: string) => Command;

/** Prepares a start. Nothing runs until `start` is called. */
export function createLaunch({ root, variables, say, extent = 'all' }: ProductOptions): Launch {
  const claims: ClaimedPort[] = [];
  let site: Site | null = null;
  let running: RunningProduct | null = null;
  let stopped = false;

  const claim = async (purpose: string, setting: string, wanted: string | undefined, standard: number) => {
    const claimed = await claimPort({ purpose, setting, wanted, standard }, say);
    claims.push(claimed);
    return claimed.port;
  };

  async function open(): Promise<Site> {
    const settings = readLaunchSettings(variables, root);
    const home = openHome(settings.homeFolder);
    const lock = await lockHome(home.folder);
    const supervisor = createSupervisor({ runFolder: home.run, logFolder: home.logs, say });
    site = { settings, home, secrets: openSecrets(home), lock, supervisor, programs: programsOf(root) };
    if (stopped) throw new Error('stopped while starting');
    for (const orphan of await endOrphans(home.run)) {
      say(`stopped ${orphan.name} (process ${orphan.pid}), left over from an earlier start`);
    }
    return site;
  }

  async function startPostgres({ settings, home, secrets, supervisor }: Site): Promise<DatabaseAddresses> {
    if (settings.database !== null) return settings.database;
    const port = await claim('PostgreSQL', 'POSTGRES_PORT', settings.ports.postgres, 54_320);
    const cluster = clusterOf(home, secrets, port);
    await supervisor.start([await prepareCluster(cluster, say)]);
    await prepareDatabase(cluster, secrets);
    say(`PostgreSQL is ready on port ${port}`);
    return databaseAddresses(secrets, port);
  }

  async function startTemporal({ settings, home, supervisor }: Site) {
    if (settings.temporal !== null) return { ...settings.temporal, uiUrl: null };
    const cli = await findTemporalCli(variables, say);
    const port = await claim('Temporal', 'TEMPORAL_PORT', settings.ports.temporal, 7233);
    const uiPort = await claim(`the Temporal UI`, 'TEMPORAL_UI_PORT', settings.ports.temporalUi, 8233);
    await supervisor.start([temporalService({ cli, port, uiPort, file: join(home.temporal, 'temporal.sqlite') })]);
    say(`Temporal is ready on port ${port}`);
    return { address: `127.0.0.1:${port}`, namespace: NAMESPACE, uiUrl: `http://localhost:${uiPort}` };
  }

  async function prepareTables(
    { programs, supervisor }: Site,
    program: ProgramCommand,
    demonstration: boolean,
  ): Promise<void> {
    await supervisor.run('migrate', program(programs.migrate));
    await supervisor.run('seed', program(demonstration ? programs.seedDemonstration : programs.seed));
  }

  async function startAll(): Promise<RunningProduct> {
    const opened = await open();
    const { settings, home, secrets, lock, supervisor, programs } = opened;
    const database = await startPostgres(opened);
    const demonstration = settings.demonstration && !existsSync(join(home.folder, RESTORED));
    const environment: NodeJS.ProcessEnv = {
      ...variables,
      TAPELINE_HOME: home.folder,
      INSTANCE_NAME: settings.instanceName ?? instanceNameOf(home),
      APP_SECRET: settings.appSecret ?? secrets.appSecret,
      DATABASE_URL: database.url,
      DATABASE_ADMIN_URL: database.adminUrl,
      WORKER_PROCESSES: String(settings.workerProcesses),
    };
    // Programs that do not use PORT still validate it, and only the launcher understands 0 (any free port).
    delete environment.PORT;
    // The commands that run before the web app serve no metrics.
    delete environment.METRICS_PORT;
    // The launcher has read these files.
    for (const name of ['APP_SECRET_FILE', 'DATABASE_URL_FILE', 'DATABASE_ADMIN_URL_FILE']) delete environment[name];
    running = { url: '', home, temporalUiUrl: null, metricsPorts: [], environment, demonstration, supervisor };
    const program: ProgramCommand = (file) => nodeCommand(root, file, environment);
    if (extent === 'server') return running;
    if (extent === 'database') {
      await supervisor.run('migrate', program(programs.migrate));
      return running;
    }

    const port = await claim('the web app', 'PORT', settings.ports.web, 3000);
    environment.PORT = String(port);
    const host = reachedAt(settings.host);
    running.url = `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`;
    const prepare = () =>
      extent === 'examined'
        ? // The doctor says itself what is wrong with the tables.
          supervisor.run('migrate', program(programs.migrate)).catch(() => undefined)
        : prepareTables(opened, program, demonstration);
    const prepared = extent === 'services' ? undefined : prepare();
    const [temporal] = await Promise.all([startTemporal(opened), prepared]);
    environment.TEMPORAL_ADDRESS = temporal.address;
    environment.TEMPORAL_NAMESPACE = temporal.namespace;
    running.temporalUiUrl = temporal.uiUrl;
    if (temporal.uiUrl !== null) environment.TEMPORAL_UI_URL = temporal.uiUrl;
    if (extent === 'services' || extent === 'examined') return running;

    const withMetrics = async (index: number): Promise<NodeJS.ProcessEnv> => {
      const first = settings.ports.metrics;
      if (first === undefined) return environment;
      const wanted = first === '0' ? first : String(Number(first) + index);
      return { ...environment, METRICS_PORT: String(await claim('metrics', 'METRICS_PORT', wanted, 9464)) };
    };
    const webEnvironment = await withMetrics(0);
    const workerEnvironments = await Promise.all(
      Array.from({ length: settings.workerProcesses }, (_, index) => withMetrics(index + 1)),
    );
    running.metricsPorts = [webEnvironment, ...workerEnvironments].flatMap(({ METRICS_PORT: port }) => port ?? []);
    const workers = workerEnvironments.map((own, index) =>
      workerService(
        index + 1,
        nodeCommand(root, programs.worker, { ...own, ...shareOfWork(index + 1, workerEnvironments.length, own) }),
      ),
    );
    say(`starting ${workers.length} worker processes and the web app`);
    const web = webService(`http://${host}:${port}`, nodeCommand(root, programs.web, webEnvironment));
    // Start both in parallel, but as two stages, so that the web app stops before the workers.
    await Promise.all([supervisor.start(workers), supervisor.start([web])]);
    await untilReady(`http://${host}:${port}/readyz`, () => stopped);
    noteRunning(home, environment);
    lock.note({ state: 'running', url: running.url });
    return running;
  }

  async function stop(): Promise<void> {
    stopped = true;
    site?.lock.note({ state: 'stopping' });
    await site?.supervisor.stop();
    if (site !== null) forgetRunning(site.home);
    for (const claimed of claims.splice(0)) claimed.release();
    site?.lock.release();
    site = null;
  }

  return {
    async start() {
      try {
        return await startAll();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    async loadDemonstration() {
      if (running === null || site === null || !running.demonstration) return;
      const mark = join(site.home.folder, 'demonstration.json');
      if (existsSync(mark)) return;
      const command = nodeCommand(root, site.programs.loadDemonstration, {
        ...running.environment,
        PUBLIC_URL: running.url,
        DEMONSTRATION: site.settings.isShortDemonstration ? 'short' : 'on',
      });
      await site.supervisor.run('demonstration', command, (line, stream) => stream === 'out' && say(line));
      writeFileSync(mark, `${JSON.stringify({ loadedAt: new Date().toISOString() })}\n`);
    },
    stop,
    kill: () => site?.supervisor.kill(),
  };
}

async function untilReady(url: string, isStopped: () => boolean): Promise<void> {
  let missing = '';
  for (const end = Date.now() + READY_TIMEOUT_MS; Date.now() < end; await sleep(200)) {
    if (isStopped()) throw new Error('stopped while starting');
    const answer = await ask(url);
    if (answer.ok) return;
    missing = answer.text;
  }
  throw new Error(`the product was not ready within ${READY_TIMEOUT_MS / 1000} s: ${missing}`);
}

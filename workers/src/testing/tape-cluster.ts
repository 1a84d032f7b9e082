import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { listCompanies } from '@tapeline/db/operations/companies/companies.ts';
import { createMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { createTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { WORKER_QUEUES } from '@tapeline/db/worker-queues.ts';
import { type MappingInput, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import type { TapeProgress } from '@tapeline/domain/tapes/progress.ts';
import { WORKFLOW_IDS } from '@tapeline/domain/tapes/workflow-ids.ts';
import { openFileStore } from '@tapeline/lake/storage/file-store.ts';
import { type ObjectStore, objectKey } from '@tapeline/lake/storage/object-store.ts';
import { openS3Store } from '@tapeline/lake/storage/s3-store.ts';
import type { TestObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import type { loanTape } from '@tapeline/workflows/all-workflows.ts';
import { taskQueuesOf, workflowIdOf } from '@tapeline/workflows/queues.ts';
import { Client, Connection, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { inject } from 'vitest';
import { scheduleEndOfStranded } from '../sweep/schedule.ts';

/** The instance of the workers in tests, unless a test specifies another. */
export const TEST_INSTANCE = 'tests';
export const TEST_QUEUES = taskQueuesOf(TEST_INSTANCE);
export const loanTapeWorkflowId = (tapeId: string): string => workflowIdOf(TEST_INSTANCE, WORKFLOW_IDS.tape(tapeId));

const WORKER = fileURLToPath(new URL('../main.ts', import.meta.url));
const NAMESPACE_READY_MS = 60_000;

type Variables = Readonly<Record<string, string>>;

/** A worker as the product runs it: a separate process, which a test may kill or stop. */
export interface WorkerProcess {
  readonly pid: number;
  /** Its log, one line for each entry. */
  readonly lines: string[];
  signal(signal: NodeJS.Signals): void;
  isRunning(): boolean;
  /** Sends the signal and waits until the process is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface NewTape {
  companyId: string;
  cutOffDate: string;
  /** A workbook on disk. */
  path: string;
  mappingId?: string;
  calculateBB?: boolean;
}

/** For tests of previews. Other workers have no queue for them, because they would calculate an invented tape first. */
export const ALL_QUEUES = { WORKER_QUEUES: WORKER_QUEUES.join() } as const;

/** Real services for tests of tapes: a database, a Temporal namespace and a home folder for one test file. */
export interface TapeCluster {
  readonly database: TestDatabase;
  readonly objects: ObjectStore;
  readonly client: Client;
  readonly namespace: string;
  readonly home: string;
  readonly folder: string;
  asSystem<T>(work: (session: Session) => Promise<T>): Promise<T>;
  companyId(name: string): Promise<string>;
  createMapping(companyId: string, mapping: MappingInput): Promise<string>;
  /** Starts workers, with additional variables if given, and waits until they poll. */
  startWorkers(count: number, variables?: Variables): Promise<WorkerProcess[]>;
  /** Starts a worker as if on another machine: its home folder is separate. */
  startMachine(name: string): Promise<WorkerProcess>;
  homeOf(machine: string): string;
  /** Stores the file and registers the tape, without starting its workflow. */
  createTape(tape: NewTape): Promise<LoanTape>;
  startTape(tapeId: string): Promise<void>;
  /** Tapes that were started, each once. */
  readonly startedTapes: ReadonlySet<string>;
  /** The tape's progress at the end of its workflow. */
  finish(tapeId: string): Promise<TapeProgress>;
  tape(tapeId: string): Promise<LoanTape>;
  /** Keys of all objects under the prefix. */
  keys(prefix: string): Promise<string[]>;
  /** Moves the recorded dates of dropped objects into the past by this many days. */
  passDays(days: number): Promise<void>;
  /** Names of all files in the workers' scratch folders. */
  scratch(): Promise<string[]>;
  close(): Promise<void>;
}

/** @param options.storage S3-compatible storage instead of files in the home folder */
export async function openTapeCluster(options: {
  batchRows: number;
  storage?: TestObjectStorage;
}): Promise<TapeCluster> {
  const address = inject('temporalAddress');
  const folder = await mkdtemp(join(tmpdir(), 'tape-cluster-'));
  const home = join(folder, 'home');
  const namespace = basename(folder).toLowerCase();
  const [database, connection, objects] = await Promise.all([
    createTestDatabase({ demonstration: true }),
    Connection.connect({ address }),
    options.storage
      ? openS3Store(options.storage.settings, home)
      : openFileStore({ home, appSecret: 'only for tests', publicUrl: 'http://localhost' }),
  ]);
  await shareWorkflowBundles(home);
  await makeNamespace(connection, namespace);
  const client = new Client({ connection, namespace });
  // Tests process tapes step by step, without a workflow.
  await scheduleEndOfStranded(client, TEST_INSTANCE, { paused: true });
  const asSystem: TapeCluster['asSystem'] = (work) => database.store.as(SYSTEM, work);
  const running = new Set<WorkerProcess>();
  const startedTapes = new Set<string>();
  let files = 0;

  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'test',
    INSTANCE_NAME: TEST_INSTANCE,
    DATABASE_URL: database.databaseUrl,
    DATABASE_POOL_SIZE: '6',
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TAPELINE_HOME: home,
    TAPE_BATCH_ROWS: String(options.batchRows),
    WORKER_PROCESSES: '2',
    WORKER_QUEUES: 'workflows,io,compute',
    ...storageVariables(options.storage),
  };
  const homeOf = (machine: string) => join(folder, `machine-${machine}`);

  async function startWorker(variables: Variables = {}): Promise<WorkerProcess> {
    const env = { ...environment, ...variables };
    const child = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const worker = follow(child);
    running.add(worker);
    child.once('exit', () => running.delete(worker));
    await worker.polls;
    return worker;
  }

  return {
    database,
    objects,
    client,
    namespace,
    home,
    folder,
    asSystem,
    async companyId(name) {
      const { documents } = await asSystem((session) => listCompanies(session, { filter: { 'entity.name': name } }));
      if (!documents[0]) throw new Error(`there is no company called ${name}`);
      return documents[0].id;
    },
    createMapping: (companyId, mapping) =>
      asSystem(async (session) => (await createMapping(session, { companyId, body: parseMapping(mapping) })).id),
    startWorkers: (count, variables) => Promise.all(Array.from({ length: count }, () => startWorker(variables))),
    async startMachine(name) {
      await shareWorkflowBundles(homeOf(name));
      return startWorker({ TAPELINE_HOME: homeOf(name) });
    },
    homeOf,
    async createTape({ path, calculateBB = false, companyId, cutOffDate, mappingId }) {
      files += 1;
      const attachment = { bucket: 'loanTapes', key: `tests/${files}/${basename(path)}`, name: basename(path) };
      const { size, checksum } = await objects.putFile(objectKey(attachment.bucket, attachment.key), path);
      return asSystem((session) =>
        createTape(session, {
          companyId,
          cutOffDate,
          mainCurrency: 'USD',
          exchangeRates: { USD: '1', EUR: '0.86' },
          calculateBB,
          attachment: { ...attachment, size, checksum, type: 'application/octet-stream' },
          mappingId: mappingId ?? null,
        }),
      );
    },
    startedTapes,
    async startTape(tapeId) {
      startedTapes.add(tapeId);
      await client.workflow.start<typeof loanTape>('loanTape', {
        taskQueue: TEST_QUEUES.workflows,
        workflowId: loanTapeWorkflowId(tapeId),
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
        args: [{ tapeId }],
      });
    },
    finish: (tapeId) => client.workflow.getHandle<typeof loanTape>(loanTapeWorkflowId(tapeId)).result(),
    tape: (tapeId) => asSystem((session) => session.em.findOneOrFail(LoanTape, { id: tapeId })),
    async keys(prefix) {
      const found: string[] = [];
      for await (const { key } of objects.list(prefix)) found.push(key);
      return found;
    },
    async passDays(days) {
      await asSystem(({ query }) =>
        query(
          `update dropped_objects set dropped_at = dropped_at - make_interval(days => $1),
             trashed_at = trashed_at - make_interval(days => $1)`,
          [days],
        ),
      );
    },
    scratch: () => readdir(join(home, 'scratch'), { recursive: true }).catch(() => []),
    async close() {
      await Promise.all([...running].map((worker) => worker.end('SIGKILL')));
      await Promise.all([objects.close(), connection.close()]);
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The workflows are bundled once for all tests of a run. */
async function shareWorkflowBundles(home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await symlink(inject('workflowBundles'), join(home, 'workflow-bundles'));
}

function storageVariables(storage: TestObjectStorage | undefined): Variables {
  if (!storage) return { S3_ENDPOINT: '' };
  const { endpoint, region, bucket, keys } = storage.settings;
  return {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
  };
}

function follow(child: ChildProcess): WorkerProcess & { polls: Promise<void> } {
  const lines: string[] = [];
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const polls = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (line.includes('"msg":"worker polls"')) resolve();
      });
    }
    void gone.then(() => reject(new Error(`the worker ended before it polled:\n${lines.join('\n')}`)));
  });
  return {
    pid: child.pid as number,
    lines,
    polls,
    signal: (signal) => void child.kill(signal),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await gone;
    },
  };
}

async function makeNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  // The server needs some moments until all its parts know a new namespace.
  const client = new Client({ connection, namespace });
  await until(
    async () => {
      try {
        for await (const _ of client.workflow.list({ pageSize: 1 })) break;
        await client.workflow.getHandle('nobody').describe();
        return true;
      } catch (error) {
        return (error as { name?: string }).name === 'WorkflowNotFoundError';
      }
    },
    { withinMs: NAMESPACE_READY_MS, everyMs: 200 },
  );
}

/** Waits until the result is truthy, and returns it. Throws if it takes too long. */
export async function until<T>(
  ask: () => Promise<T>,
  { withinMs = 120_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + withinMs; ; ) {
    const answer = await ask();
    if (answer) return answer as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`did not happen within ${withinMs} ms: ${ask}`);
    await sleep(everyMs);
  }
}

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@tapeline/db/environment.ts';
import { connectionProblem } from '@tapeline/db/service-problems.ts';
import { waitFor } from '@tapeline/db/wait-for.ts';
import { arrivingFor, BEGUN_FIRST } from '@tapeline/workflows/priorities.ts';
import { Client, Connection } from '@temporalio/client';

type Settings = Pick<Environment, 'temporalConnection' | 'temporalNamespace'>;

const CONNECT_MS = 5_000;
/** gRPC's numbers of what a server answers. */
const NOT_FOUND = 5;
const REFUSED = [7, 16];

const addressOf = ({ temporalConnection: { address } }: Settings) => {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, at).replace(/^\[|\]$/g, '');
  return { service: 'Temporal', host, port: address.slice(at + 1), setting: 'TEMPORAL_ADDRESS' };
};

/** Whether anything listens: gRPC clients report all failures in the same words. */
function reach(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.once('connect', () => end());
    socket.once('error', end);
    socket.once('timeout', () => end(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
  });
}

/** What is wrong with Temporal and how to correct it, in one sentence. */
export function temporalProblem(error: unknown, settings: Settings): string {
  const { temporalConnection, temporalNamespace } = settings;
  const code = (error as { code?: unknown }).code;
  const cause = error instanceof Error ? error.cause : undefined;
  const answered = typeof code === 'number' ? code : (cause as { code?: unknown } | undefined)?.code;
  if (answered === NOT_FOUND) {
    return `Temporal has no namespace ${temporalNamespace}. Create it (temporal operator namespace create --namespace ${temporalNamespace}), or correct TEMPORAL_NAMESPACE.`;
  }
  if (typeof answered === 'number' && REFUSED.includes(answered)) {
    return 'Temporal refused access. Correct TEMPORAL_API_KEY or the certificate of TEMPORAL_TLS_CLIENT_CERT_PATH, and check that they may use the namespace.';
  }
  const network = typeof code === 'string' ? connectionProblem(error, addressOf(settings)) : null;
  if (network) return network;
  return temporalConnection.tls
    ? `Temporal at ${temporalConnection.address} does not answer with TLS. Check TEMPORAL_TLS_SERVER_CA_CERT_PATH and TEMPORAL_TLS_SERVER_NAME, and the client’s certificate if it asks for one.`
    : `What answers at ${temporalConnection.address} is not Temporal, or is starting, or expects TLS. Correct TEMPORAL_ADDRESS, or set TEMPORAL_TLS=on.`;
}

/**
 * Throws what is wrong with Temporal: the network, the access or the namespace.
 * @returns how many days the namespace keeps workflows that have ended; null if it does not tell
 */
export async function reachTemporal(settings: Settings): Promise<{ retentionDays: number | null }> {
  const { host, port } = addressOf(settings);
  await reach(host, Number(port));
  const connection = await Connection.connect({ ...settings.temporalConnection, connectTimeout: CONNECT_MS });
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace: settings.temporalNamespace });
    const seconds = config?.workflowExecutionRetentionTtl?.seconds;
    return { retentionDays: seconds ? Number(seconds) / 86_400 : null };
  } finally {
    await connection.close();
  }
}

/** Workflows that have ended are only read to find out what happened. Their inputs name users and documents. */
const MAX_RETENTION_DAYS = 90;

/** What is wrong with how long the namespace keeps workflows that have ended; null if nothing is. */
export function retentionProblem(
  retentionDays: number | null,
  { temporalNamespace }: Pick<Settings, 'temporalNamespace'>,
): string | null {
  if (retentionDays === null || retentionDays <= MAX_RETENTION_DAYS) return null;
  return `The namespace ${temporalNamespace} keeps workflows for ${Math.round(retentionDays)} days after they end. Keep them for at most ${MAX_RETENTION_DAYS} (temporal operator namespace update --namespace ${temporalNamespace} --retention 30d).`;
}

/** What is given out in a queue of the doctor's own, in the order in which it was put there. */
const PUT: readonly Task[] = [...Array<Task>(12).fill('one'), ...Array<Task>(4).fill('another'), 'urgent'];
type Task = 'one' | 'another' | 'urgent';
const GIVEN_WITHIN_MS = 20_000;
const PUT_WITHIN_MS = 300;
/** Temporal's TaskQueueType. */
const WORKFLOW_TASKS = 1;

/**
 * Puts tasks of one tenant, then of another, then an urgent one, into a queue of the doctor's own, and takes them. No
 * server tells its settings, but the order of the tasks shows them.
 * @returns the tasks in the order in which the server gave them out
 */
export async function tasksInOrder(settings: Settings, instance: string): Promise<Task[]> {
  const connection = await Connection.connect({ ...settings.temporalConnection, connectTimeout: CONNECT_MS });
  const { temporalNamespace: namespace } = settings;
  const client = new Client({ connection, namespace });
  const queue = `${instance}-doctor-${randomBytes(6).toString('hex')}`;
  const ids: string[] = [];
  try {
    for (const [at, task] of PUT.entries()) {
      const workflowId = `${queue}/${at}/${task}`;
      await client.workflow.start('doctor', {
        taskQueue: queue,
        workflowId,
        workflowExecutionTimeout: '1 minute',
        priority: task === 'urgent' ? BEGUN_FIRST : arrivingFor(task),
      });
      ids.push(workflowId);
    }
    const deadline = Date.now() + GIVEN_WITHIN_MS;
    // The server puts tasks into their queue after it has answered. Whoever takes the first before the last is there
    // sees the order in which they came. What the server says of a queue it repeats for five seconds.
    await sleep(PUT_WITHIN_MS);
    for (let waiting = 0; waiting < PUT.length && Date.now() < deadline - GIVEN_WITHIN_MS / 2; ) {
      const { stats } = await connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: queue },
        taskQueueType: WORKFLOW_TASKS,
        reportStats: true,
      });
      waiting = Number(stats?.approximateBacklogCount ?? PUT.length);
      if (waiting < PUT.length) await sleep(PUT_WITHIN_MS);
    }
    // A task that nobody completes is given out again after ten seconds.
    const given = new Map<string, Task>();
    while (given.size < PUT.length && Date.now() < deadline) {
      const polled = await connection
        .withDeadline(deadline, () =>
          connection.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: queue }, identity: queue }),
        )
        .catch((error: unknown) => {
          if (Date.now() < deadline) throw error;
        });
      const workflowId = polled?.workflowExecution?.workflowId;
      if (workflowId && !given.has(workflowId)) given.set(workflowId, workflowId.split('/').at(-1) as Task);
    }
    return [...given.values()];
  } finally {
    // Those that cannot be ended end by themselves after a minute.
    await Promise.allSettled(ids.map((id) => client.workflow.getHandle(id).terminate('examined')));
    await connection.close();
  }
}

/** Whether these came, on average, before the middle of all. */
function cameEarly(given: readonly Task[], which: Task): boolean {
  const indexes = given.flatMap((task, index) => (task === which ? [index] : []));
  const sum = indexes.reduce((total, index) => total + index, 0);
  return indexes.length > 0 && sum / indexes.length < (PUT.length - 1) / 2;
}

/** What is wrong with the order in which the server gives out tasks; null if nothing is. */
export function orderProblem(given: readonly Task[]): string | null {
  if (given.length < PUT.length) {
    return `Temporal gave out ${given.length} of ${PUT.length} tasks within ${GIVEN_WITHIN_MS / 1000} seconds. Look at its load and its log, and run the doctor again.`;
  }
  const missing = [
    ...(cameEarly(given, 'urgent') ? [] : ['priorities (matching.useNewMatcher: true)']),
    ...(cameEarly(given, 'another') ? [] : ['fairness (matching.enableFairness: true)']),
  ];
  if (missing.length === 0) return null;
  return `Temporal works without ${missing.join(' and ')}, so that tapes and corrections wait behind all tapes that others have sent. Turn it on in the server’s dynamic configuration, with matching.numTaskqueueReadPartitions and matching.numTaskqueueWritePartitions at 1 (launch/compose/temporal.yaml has all four), or in the settings of a Temporal Cloud namespace.`;
}

/** Waits until Temporal answers and has the namespace. @throws ServiceUnavailable */
export async function waitForTemporal(
  settings: Settings & Pick<Environment, 'startupWaitSeconds'>,
  log: Parameters<typeof waitFor>[0]['log'] & { warn(message: string): void },
): Promise<void> {
  let retentionDays: number | null = null;
  const explain = (error: unknown) => temporalProblem(error, settings);
  const seconds = settings.startupWaitSeconds;
  await waitFor({ service: 'Temporal', seconds, explain, log }, async () => {
    ({ retentionDays } = await reachTemporal(settings));
  });
  const problem = retentionProblem(retentionDays, settings);
  if (problem) log.warn(problem);
}

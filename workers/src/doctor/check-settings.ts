import type { ServerFacts } from '@tapeline/db/check-database.ts';
import type { Environment } from '@tapeline/db/environment.ts';
import { computeSlots, machineMemory } from '../job-limits.ts';

/** Versions of PostgreSQL that the product is tested with. */
const SUPPORTED_VERSIONS = { from: 15, to: 18 } as const;
/** Each web process holds one connection more, to listen for changes. */
const LISTENING = 1;

type Settings = Pick<
  Environment,
  'nodeEnv' | 'publicUrl' | 'trustedProxies' | 'monitoring' | 'databasePoolSize' | 'workerProcesses' | 'budgets'
>;

const isLocal = (publicUrl: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname);
const inMegabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/**
 * What is wrong with settings that are valid but do not fit production, this machine or its PostgreSQL.
 * @param server null if PostgreSQL cannot be reached
 * @param memory of this machine, in bytes
 */
export function settingFindings(
  settings: Settings,
  server: ServerFacts | null,
  memory = machineMemory(),
): { problems: string[]; notes: string[] } {
  const { nodeEnv, publicUrl, trustedProxies, monitoring } = settings;
  const problems = server ? serverProblems(settings, server) : [];
  const notes: string[] = [];
  if (nodeEnv === 'development' && !isLocal(publicUrl)) {
    problems.push("NODE_ENV is not set, so defaults of a developer's machine hold. Set NODE_ENV=production.");
  }
  if (nodeEnv === 'production' && publicUrl.startsWith('https:') && trustedProxies.length === 0) {
    problems.push(
      'TRUSTED_PROXIES is empty, although a proxy serves PUBLIC_URL with TLS: all users seem to come from its address and share its limits. Set the address of the proxy.',
    );
  }
  if (monitoring && ['0.0.0.0', '::', '[::]'].includes(monitoring.host)) {
    notes.push(
      `METRICS_HOST is ${monitoring.host}: whoever reaches port ${monitoring.port} of this machine can read its metrics. Set a private address, or close the port in the firewall.`,
    );
  }
  const { web, workers } = memoryOf(settings);
  for (const [what, granted, names] of [
    ['the web app', web, 'QUERY_MEMORY_MB, QUERY_CACHE_MB or EXPORT_MEMORY_MB'],
    ['jobs', workers, 'WORKER_PROCESSES or JOB_MEMORY_MB'],
  ] as const) {
    if (granted <= memory) continue;
    problems.push(
      `The memory that the settings grant to ${what}, ${inMegabytes(granted)}, is more than this machine has, ${inMegabytes(memory)}. Lower ${names}.`,
    );
  }
  return { problems, notes };
}

/**
 * Memory that one web process and all jobs of a machine may use, in bytes. The usual memory of a job is a share of the
 * machine, so only one that is set can be too large.
 */
function memoryOf({ workerProcesses, budgets }: Settings): { web: number; workers: number } {
  const { queryMemory, exportMemory, queryCache, jobMemory } = budgets;
  const jobs = workerProcesses * (computeSlots(workerProcesses) + 1);
  return { web: queryMemory + exportMemory + queryCache, workers: jobs * (jobMemory ?? 0) };
}

function serverProblems({ databasePoolSize, workerProcesses }: Settings, server: ServerFacts): string[] {
  const { version, connections, role } = server;
  const problems: string[] = [];
  if (version < SUPPORTED_VERSIONS.from || version > SUPPORTED_VERSIONS.to) {
    problems.push(
      `PostgreSQL ${version} is not supported. Use version ${SUPPORTED_VERSIONS.from} to ${SUPPORTED_VERSIONS.to}.`,
    );
  }
  if (role.isSuperuser || role.isOwner) {
    const who = role.isSuperuser ? 'a superuser' : 'the owner of the tables';
    problems.push(
      `DATABASE_URL connects as ${role.name}, ${who}. Connect as an ordinary role that has been granted tapeline_app, so that a fault of the program cannot change the tables.`,
    );
  }
  const wanted = (workerProcesses + 1) * databasePoolSize + LISTENING;
  if (wanted > connections) {
    problems.push(
      `The processes of this machine can open ${wanted} connections (DATABASE_POOL_SIZE for each of WORKER_PROCESSES and one web process), but PostgreSQL lets ordinary roles open ${connections}. Lower DATABASE_POOL_SIZE, or raise max_connections.`,
    );
  }
  return problems;
}

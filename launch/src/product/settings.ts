import { availableParallelism } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';

const text = z
  .string()
  .optional()
  .transform((value) => (value === '' ? undefined : value));

const schema = z.object({
  NODE_ENV: text,
  TAPELINE_HOME: text,
  INSTANCE_NAME: text,
  APP_SECRET: text,
  DATABASE_URL: text,
  DATABASE_ADMIN_URL: text,
  TEMPORAL_ADDRESS: text,
  TEMPORAL_NAMESPACE: text,
  HOST: text,
  PORT: text,
  POSTGRES_PORT: text,
  TEMPORAL_PORT: text,
  TEMPORAL_UI_PORT: text,
  WORKER_PROCESSES: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().int().min(1).max(64).optional(),
  ),
  DEMONSTRATION: z.enum(['', 'on', 'off', 'short']).optional(),
});

/** The settings that the launcher reads. All other variables are passed to the programs unchanged. */
export interface LaunchSettings {
  production: boolean;
  homeFolder: string;
  instanceName: string | null;
  appSecret: string | null;
  /** The operator's own PostgreSQL, or null to start the embedded one. */
  database: { url: string; adminUrl: string } | null;
  /** The operator's own Temporal, or null to start the dev server. */
  temporal: { address: string; namespace: string } | null;
  /** The network interface that the web app listens on. */
  host: string;
  ports: Record<'web' | 'postgres' | 'temporal' | 'temporalUi', string | undefined>;
  workerProcesses: number;
  /** Whether the first start fills an empty home with the demonstration portfolio. Never in production. */
  demonstration: boolean;
  /** Whether it omits the year of monthly tapes, as the tests do. */
  isShortDemonstration: boolean;
}

/** Reads and validates the variables. Throws one error that lists every problem by variable name. */
export function readLaunchSettings(variables: NodeJS.ProcessEnv, root: string): LaunchSettings {
  const parsed = schema.safeParse(variables);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`invalid settings:\n${problems.join('\n')}`);
  }
  const value = parsed.data;
  const home = value.TAPELINE_HOME ?? '.tapeline';
  const production = value.NODE_ENV === 'production';
  return {
    production,
    homeFolder: isAbsolute(home) ? home : join(root, home),
    instanceName: value.INSTANCE_NAME ?? null,
    appSecret: value.APP_SECRET ?? null,
    database: value.DATABASE_URL
      ? { url: value.DATABASE_URL, adminUrl: value.DATABASE_ADMIN_URL ?? value.DATABASE_URL }
      : null,
    temporal: value.TEMPORAL_ADDRESS
      ? { address: value.TEMPORAL_ADDRESS, namespace: value.TEMPORAL_NAMESPACE ?? 'default' }
      : null,
    host: value.HOST ?? '127.0.0.1',
    ports: {
      web: value.PORT,
      postgres: value.POSTGRES_PORT,
      temporal: value.TEMPORAL_PORT,
      temporalUi: value.TEMPORAL_UI_PORT,
    },
    workerProcesses: value.WORKER_PROCESSES ?? usualWorkerProcesses(availableParallelism()),
    demonstration: !production && value.DEMONSTRATION !== 'off',
    isShortDemonstration: value.DEMONSTRATION === 'short',
  };
}

/** The address at which this machine can reach a program that listens on the interface. */
export function reachedAt(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** One per two cores, but at least two and at most four, because DuckDB uses several cores in each process. */
export function usualWorkerProcesses(cores: number): number {
  return Math.min(Math.max(2, Math.floor(cores / 2)), 4);
}

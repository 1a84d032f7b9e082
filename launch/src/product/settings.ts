import { isAbsolute, join } from 'node:path';
import { withFileValues } from '@tapeline/db/check-settings.ts';
import { meantSetting } from '@tapeline/db/settings/misspelled.ts';
import { usualWorkerProcesses } from '@tapeline/db/settings/program.ts';
import { SETTINGS, type SettingName } from '@tapeline/db/settings.ts';
import { z } from 'zod';

/** 0 is any free port, for the launcher only. */
const port = z.string().refine((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, {
  message: 'must be a whole number from 0 to 65535',
});

const READ = [
  'NODE_ENV',
  'INSTANCE_NAME',
  'APP_SECRET',
  'TAPELINE_HOME',
  'DATABASE_URL',
  'DATABASE_ADMIN_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'HOST',
  'WORKER_PROCESSES',
  'DEMONSTRATION',
] as const satisfies readonly SettingName[];

type Shape = { [Name in (typeof READ)[number]]: z.ZodOptional<(typeof SETTINGS)[Name]['schema']> };

const schema = z.object({
  ...(Object.fromEntries(READ.map((name) => [name, SETTINGS[name].schema.optional()])) as Shape),
  PORT: port.optional(),
  POSTGRES_PORT: port.optional(),
  TEMPORAL_PORT: port.optional(),
  TEMPORAL_UI_PORT: port.optional(),
  METRICS_PORT: port.optional(),
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
  /** `metrics` is the port of the web app; each worker process takes the next one. */
  ports: Record<'web' | 'postgres' | 'temporal' | 'temporalUi' | 'metrics', string | undefined>;
  workerProcesses: number;
  /** Whether the first start fills an empty home with the demonstration portfolio. Never in production. */
  demonstration: boolean;
  /** Whether it omits the year of monthly tapes, as the tests do. */
  isShortDemonstration: boolean;
}

/** Reads and validates the variables. Throws one error that lists every problem by variable name. */
export function readLaunchSettings(variables: NodeJS.ProcessEnv, root: string): LaunchSettings {
  const { filled: given, problems: unreadable } = withFileValues(variables);
  const parsed = schema.safeParse(given);
  const problems = [
    ...unreadable.map(([name, message]) => `  ${name}: ${message}`),
    ...(parsed.error?.issues ?? []).map((issue) => `  ${String(issue.path[0])}: ${issue.message}`),
    ...Object.keys(given).flatMap((name) => {
      const meant = meantSetting(name);
      return meant ? [`  ${name}: is not a setting of Tapeline; set ${meant} instead`] : [];
    }),
  ];
  if (!parsed.success || problems.length > 0) throw new Error(`invalid settings:\n${problems.join('\n')}`);
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
      metrics: value.METRICS_PORT,
    },
    workerProcesses: value.WORKER_PROCESSES ?? usualWorkerProcesses(),
    demonstration: !production && value.DEMONSTRATION !== 'off',
    isShortDemonstration: value.DEMONSTRATION === 'short',
  };
}

/** The address at which this machine can reach a program that listens on the interface. */
export function reachedAt(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

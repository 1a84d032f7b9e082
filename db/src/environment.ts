import { BATCH_ROWS } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';

const DEVELOPMENT_SECRET = 'a development secret that is never used in production';

const USUAL_CACHE_GB = 20;
/** Kinds of work that a worker process takes: orchestration, reading and writing, computing. */
const WORKER_QUEUES = ['workflows', 'io', 'compute'] as const;
export type WorkerQueue = (typeof WORKER_QUEUES)[number];

const port = z.coerce.number().int().min(1).max(65_535);
const onOff = z
  .enum(['on', 'off', 'true', 'false', '1', '0'])
  .transform((value) => value === 'on' || value === 'true' || value === '1');
// An empty variable (as compose files leave behind) means "not set".
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const schema = z
  .object({
    NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
    INSTANCE_NAME: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,40}$/)
      .default('tapeline'),
    DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address'),
    DATABASE_ADMIN_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')),
    DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
    TEMPORAL_ADDRESS: z.string().default('127.0.0.1:7233'),
    TEMPORAL_NAMESPACE: z.string().default('default'),
    TEMPORAL_UI_URL: optional(z.url()),
    TAPELINE_HOME: z.string().default('.tapeline'),
    PORT: port.default(3000),
    DEV_SERVICE_PORTS: optional(onOff),
    PUBLIC_URL: optional(z.url()),
    APP_SECRET: optional(z.string().min(16)),
    S3_ENDPOINT: optional(z.url()),
    S3_PUBLIC_ENDPOINT: optional(z.url()),
    S3_REGION: z.string().default('us-east-1'),
    S3_BUCKET: z.string().default('tapeline'),
    S3_ACCESS_KEY_ID: optional(z.string()),
    S3_SECRET_ACCESS_KEY: optional(z.string()),
    OBJECT_CACHE_GB: optional(z.coerce.number().min(0.1).max(100_000)),
    SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, 'must be a smtp:// address')),
    TAPE_BATCH_ROWS: optional(z.coerce.number().int().min(1000).max(1_000_000)),
    WORKER_QUEUES: optional(
      z
        .string()
        .transform((value) => value.split(',').map((queue) => queue.trim()))
        .pipe(z.array(z.enum(WORKER_QUEUES))),
    ),
    WORKER_PROCESSES: optional(z.coerce.number().int().min(1).max(64)),
  })
  .superRefine((value, context) => {
    if (value.NODE_ENV === 'production' && !value.APP_SECRET) {
      context.addIssue({ code: 'custom', path: ['APP_SECRET'], message: 'is required in production' });
    }
    if (value.S3_ENDPOINT && !(value.S3_ACCESS_KEY_ID && value.S3_SECRET_ACCESS_KEY)) {
      const message = 'is required with S3_ENDPOINT, and S3_SECRET_ACCESS_KEY too';
      context.addIssue({ code: 'custom', path: ['S3_ACCESS_KEY_ID'], message });
    }
  });

/** S3-compatible storage; `publicEndpoint` is the address browsers reach it at (signed addresses name it). */
export interface S3Settings {
  readonly endpoint: string;
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** What the local copies of its objects may take, in bytes. */
  readonly cacheBytes: number;
}

/** Everything a process takes from outside, read once and handed on. */
export interface Environment {
  readonly nodeEnv: 'development' | 'production' | 'test';
  readonly instanceName: string;
  /** How the program itself connects. */
  readonly databaseUrl: string;
  /** How migrations connect (the owner of the tables); the same as databaseUrl where none is given. */
  readonly databaseAdminUrl: string;
  readonly databasePoolSize: number;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** Where people reach Temporal's own screens, without a slash at its end; null: nowhere. */
  readonly temporalUiUrl: string | null;
  /** The folder of everything the embedded services store. */
  readonly home: string;
  readonly port: number;
  readonly devServicePorts: boolean;
  /** The address people reach the product at, without a slash at its end. */
  readonly publicUrl: string;
  readonly appSecret: string;
  readonly s3: S3Settings | null;
  readonly smtpUrl: string | null;
  /** Rows of a tape that are staged and transformed at once. */
  readonly tapeBatchRows: number;
  readonly workerProcesses: number | null;
  /** The work that this worker process takes; all of it where nothing is said. */
  readonly workerQueues: readonly WorkerQueue[];
}

/** Reads and checks the process's variables. Throws one error that lists every fault by name. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const parsed = schema.safeParse(variables);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment is incomplete or wrong:\n  ${faults.join('\n  ')}`);
  }
  const value = parsed.data;
  return {
    nodeEnv: value.NODE_ENV,
    instanceName: value.INSTANCE_NAME,
    databaseUrl: value.DATABASE_URL,
    databaseAdminUrl: value.DATABASE_ADMIN_URL ?? value.DATABASE_URL,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    temporalAddress: value.TEMPORAL_ADDRESS,
    temporalNamespace: value.TEMPORAL_NAMESPACE,
    temporalUiUrl: value.TEMPORAL_UI_URL?.replace(/\/+$/, '') ?? null,
    home: value.TAPELINE_HOME,
    port: value.PORT,
    devServicePorts: value.DEV_SERVICE_PORTS ?? value.NODE_ENV === 'development',
    publicUrl: (value.PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, ''),
    appSecret: value.APP_SECRET ?? DEVELOPMENT_SECRET,
    s3: value.S3_ENDPOINT
      ? {
          endpoint: value.S3_ENDPOINT,
          publicEndpoint: value.S3_PUBLIC_ENDPOINT ?? value.S3_ENDPOINT,
          region: value.S3_REGION,
          bucket: value.S3_BUCKET,
          accessKeyId: value.S3_ACCESS_KEY_ID ?? '',
          secretAccessKey: value.S3_SECRET_ACCESS_KEY ?? '',
          cacheBytes: (value.OBJECT_CACHE_GB ?? USUAL_CACHE_GB) * 1e9,
        }
      : null,
    smtpUrl: value.SMTP_URL ?? null,
    tapeBatchRows: value.TAPE_BATCH_ROWS ?? BATCH_ROWS,
    workerProcesses: value.WORKER_PROCESSES ?? null,
    workerQueues: value.WORKER_QUEUES ?? WORKER_QUEUES,
  };
}

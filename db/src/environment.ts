import { readFileSync } from 'node:fs';
import { BATCH_ROWS } from '@tapeline/domain/tapes/tape.schema.ts';
import { isExported } from '@tapeline/telemetry/otlp-settings.ts';
import { z } from 'zod';
import {
  combinationProblems,
  type Need,
  productionProblems,
  type SettingProblem,
  type SettingTexts,
  unknownProblems,
  unreadableFile,
  whyUnreadable,
  withFileValues,
} from './check-settings.ts';
import { printWarnings } from './library-warnings.ts';
import { USUAL } from './settings/limits.ts';
import { DEVELOPMENT_SECRET, usualWorkerProcesses } from './settings/program.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings.ts';
import { WORKER_QUEUES } from './worker-queues.ts';

type Shape = { [Name in SettingName]: z.ZodOptional<(typeof SETTINGS)[Name]['schema']> };

const shape = Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].schema.optional()])) as Shape;
const schema = z.object(shape);
const SERVING: readonly Need[] = ['storage', 'mail'];

/** S3-compatible storage. `publicEndpoint` is the address that browsers use; signed addresses contain it. */
export interface S3Settings {
  readonly endpoint: string;
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** The prefix of all our object keys; empty if we use the whole bucket. */
  readonly prefix: string;
  /** Null to take credentials from the machine, such as the role of an instance. */
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** Maximum size of the local copies of its objects, in bytes. */
  readonly cacheBytes: number;
}

/** How many backups are kept: the latest of each of so many days, weeks and months. */
export interface BackupsKept {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

export interface BackupSettings {
  /** 32 bytes; null if backups are not encrypted. */
  readonly key: Buffer | null;
  /** Where they are stored; null for a folder. */
  readonly s3: S3Settings | null;
  readonly kept: BackupsKept;
}

/** The OpenID Connect provider that people can sign in with. */
export interface OidcSettings {
  /** Exactly as the provider's id tokens name it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which is protected by PKCE only. */
  readonly clientSecret: string | null;
  /** For the button "Continue with ...". */
  readonly name: string;
}

/** Options of Temporal's SDK for a connection. */
export interface TemporalConnection {
  readonly address: string;
  readonly tls?:
    | true
    | {
        readonly serverRootCACertificate?: Buffer;
        readonly serverNameOverride?: string;
        readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
      };
  readonly apiKey?: string;
}

/** How long data is kept. */
export interface RetentionLimits {
  /** Uploads, prepared imports and failed rows that nothing uses. */
  readonly unusedDays: number;
  /** Files of removed tapes and documents. */
  readonly removedDays: number;
  readonly mailDays: number;
  /** Notifications that were read. Unread ones are kept twice as long. */
  readonly notificationDays: number;
  /** Null to keep all history. */
  readonly historyYears: number | null;
}

function temporalConnection(value: z.output<typeof schema>, problems: SettingProblem[]): TemporalConnection {
  const address = value.TEMPORAL_ADDRESS ?? '127.0.0.1:7233';
  const read = (
    name: 'TEMPORAL_TLS_SERVER_CA_CERT_PATH' | 'TEMPORAL_TLS_CLIENT_CERT_PATH' | 'TEMPORAL_TLS_CLIENT_KEY_PATH',
  ) => {
    const path = value[name];
    if (!path) return undefined;
    try {
      return readFileSync(path);
    } catch (error) {
      problems.push([name, `names ${path}, which cannot be read: ${whyUnreadable(error)}`]);
      return undefined;
    }
  };
  const authority = read('TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const [crt, key] = [read('TEMPORAL_TLS_CLIENT_CERT_PATH'), read('TEMPORAL_TLS_CLIENT_KEY_PATH')];
  const tls = {
    ...(authority ? { serverRootCACertificate: authority } : {}),
    ...(value.TEMPORAL_TLS_SERVER_NAME ? { serverNameOverride: value.TEMPORAL_TLS_SERVER_NAME } : {}),
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
  };
  const isPlain = Object.keys(tls).length === 0;
  if (isPlain && !value.TEMPORAL_TLS && !value.TEMPORAL_API_KEY) return { address };
  return {
    address,
    tls: isPlain ? true : tls,
    ...(value.TEMPORAL_API_KEY ? { apiKey: value.TEMPORAL_API_KEY } : {}),
  };
}

const keysOf = (accessKeyId: string | undefined, secretAccessKey: string | undefined): S3Settings['keys'] =>
  accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null;

function storageOf(value: z.output<typeof schema>): S3Settings | null {
  const { S3_ENDPOINT: endpoint } = value;
  if (!endpoint) return null;
  return {
    endpoint,
    publicEndpoint: value.S3_PUBLIC_ENDPOINT ?? endpoint,
    region: value.S3_REGION ?? 'us-east-1',
    bucket: value.S3_BUCKET ?? 'tapeline',
    prefix: value.S3_PREFIX ?? '',
    keys: keysOf(value.S3_ACCESS_KEY_ID, value.S3_SECRET_ACCESS_KEY),
    cacheBytes: (value.OBJECT_CACHE_GB ?? USUAL.objectCacheGb) * 1e9,
  };
}

function backupStorageOf(value: z.output<typeof schema>): S3Settings | null {
  const { BACKUP_S3_ENDPOINT: endpoint } = value;
  if (!endpoint) return null;
  return {
    endpoint,
    publicEndpoint: endpoint,
    region: value.BACKUP_S3_REGION ?? 'us-east-1',
    bucket: value.BACKUP_S3_BUCKET ?? 'tapeline-backups',
    prefix: '',
    keys: keysOf(value.BACKUP_S3_ACCESS_KEY_ID, value.BACKUP_S3_SECRET_ACCESS_KEY),
    cacheBytes: 0,
  };
}

/** The settings are incomplete or invalid. The message lists every problem by variable name. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    // One problem for each variable: the next one may be gone with it.
    const first = problems.filter(([name], index) => problems.findIndex(([other]) => other === name) === index);
    super(
      `The settings are incomplete or invalid:\n  ${first.map(([name, message]) => `${name}: ${message}`).join('\n  ')}`,
    );
    this.problems = first;
  }
}

/**
 * Reads and validates the process's variables.
 * @param needs the services without which this program does not work in production
 * @throws SettingsError
 */
export function readEnvironment(variables: SettingTexts, needs: readonly Need[] = SERVING) {
  const { filled, problems } = withFileValues(variables);
  problems.push(...unknownProblems(filled), ...combinationProblems(filled));
  if (filled.NODE_ENV === 'production') problems.push(...productionProblems(filled, needs));
  const parsed = schema.safeParse(filled);
  if (!parsed.success) {
    problems.push(...parsed.error.issues.map(({ path, message }): SettingProblem => [String(path[0]), message]));
    throw new SettingsError(problems);
  }
  const value = parsed.data;
  const connection = temporalConnection(value, problems);
  problems.push(...unreadableFile('NODE_EXTRA_CA_CERTS', value.NODE_EXTRA_CA_CERTS));
  if (problems.length > 0) throw new SettingsError(problems);
  const databaseUrl = value.DATABASE_URL ?? '';
  const nodeEnv = value.NODE_ENV ?? 'development';
  const port = value.PORT ?? 3000;
  return {
    nodeEnv,
    logLevel: value.LOG_LEVEL ?? 'info',
    startupWaitSeconds: value.STARTUP_WAIT_SECONDS ?? 120,
    instanceName: value.INSTANCE_NAME ?? 'tapeline',
    databaseUrl,
    databaseAdminUrl: value.DATABASE_ADMIN_URL ?? databaseUrl,
    databasePoolSize: value.DATABASE_POOL_SIZE ?? 10,
    monitoring: value.METRICS_PORT ? { port: value.METRICS_PORT, host: value.METRICS_HOST ?? '127.0.0.1' } : null,
    tracesUrl: isExported(filled)
      ? (filled.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? value.OTEL_EXPORTER_OTLP_ENDPOINT ?? null)
      : null,
    temporalConnection: connection,
    temporalNamespace: value.TEMPORAL_NAMESPACE ?? 'default',
    temporalUiUrl: value.TEMPORAL_UI_URL?.replace(/\/+$/, '') ?? null,
    home: value.TAPELINE_HOME ?? '.tapeline',
    diskReserveBytes: (value.DISK_RESERVE_MB ?? USUAL.diskReserveMb) * 1e6,
    host: value.HOST ?? '127.0.0.1',
    port,
    trustedProxies: value.TRUSTED_PROXIES ?? [],
    devServicePorts: value.DEV_SERVICE_PORTS ?? nodeEnv === 'development',
    publicUrl: (value.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    appSecret: value.APP_SECRET ?? DEVELOPMENT_SECRET,
    s3: storageOf(value),
    backups: {
      key: value.BACKUP_KEY ? Buffer.from(value.BACKUP_KEY, 'hex') : null,
      s3: backupStorageOf(value),
      kept: {
        daily: value.BACKUP_KEEP_DAILY ?? 7,
        weekly: value.BACKUP_KEEP_WEEKLY ?? 4,
        monthly: value.BACKUP_KEEP_MONTHLY ?? 12,
      },
    },
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom: value.MAIL_FROM ?? 'Tapeline <no-reply@tapeline.test>',
    chatModel:
      value.CHAT_MODEL_URL && value.CHAT_MODEL
        ? { url: value.CHAT_MODEL_URL, key: value.CHAT_MODEL_KEY ?? null, model: value.CHAT_MODEL }
        : null,
    weather:
      value.WEATHER_URL && value.WEATHER_PLACES_URL
        ? { url: value.WEATHER_URL, placesUrl: value.WEATHER_PLACES_URL }
        : null,
    ratesUrl: value.RATES_URL ?? null,
    oidc: value.OIDC_ISSUER
      ? {
          issuer: value.OIDC_ISSUER,
          clientId: value.OIDC_CLIENT_ID ?? '',
          clientSecret: value.OIDC_CLIENT_SECRET ?? null,
          name: value.OIDC_NAME ?? new URL(value.OIDC_ISSUER).hostname,
        }
      : null,
    corsOrigins: value.CORS_ORIGINS ?? [],
    tapeBatchRows: value.TAPE_BATCH_ROWS ?? BATCH_ROWS,
    workerProcesses: value.WORKER_PROCESSES ?? usualWorkerProcesses(),
    budgets: {
      queryMemory: (value.QUERY_MEMORY_MB ?? USUAL.queryMemoryMb) * 1e6,
      queryCache: (value.QUERY_CACHE_MB ?? USUAL.queryCacheMb) * 1e6,
      exportMemory: (value.EXPORT_MEMORY_MB ?? USUAL.exportMemoryMb) * 1e6,
      jobMemory: value.JOB_MEMORY_MB === undefined ? null : value.JOB_MEMORY_MB * 1e6,
      spill: (value.SPILL_GB ?? USUAL.spillGb) * 1e9,
      rowFiles: (value.ROW_FILES_GB ?? USUAL.rowFilesGb) * 1e9,
    },
    retention: {
      unusedDays: value.RETENTION_UNUSED_DAYS ?? USUAL.retentionUnusedDays,
      removedDays: value.RETENTION_REMOVED_DAYS ?? USUAL.retentionRemovedDays,
      mailDays: value.RETENTION_MAIL_DAYS ?? USUAL.retentionMailDays,
      notificationDays: value.RETENTION_NOTIFICATION_DAYS ?? USUAL.retentionNotificationDays,
      historyYears: value.RETENTION_HISTORY_YEARS ?? null,
    },
    workerQueues: value.WORKER_QUEUES ?? WORKER_QUEUES,
    workerNiceness: value.WORKER_NICENESS ?? 0,
  };
}

/**
 * All configuration that a process reads from its environment, read once and passed on. `SETTINGS` says what each setting
 * means; a service that is not set is null.
 */
export type Environment = Readonly<ReturnType<typeof readEnvironment>>;

/**
 * The environment of this process. If it is incomplete or invalid, says what to set and ends the process. From now on,
 * warnings of Node and libraries are printed as one line each.
 */
export function ownEnvironment(needs?: readonly Need[]): Environment {
  printWarnings();
  try {
    return readEnvironment(process.env, needs);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

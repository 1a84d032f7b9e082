import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { BATCH_ROWS } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import { isPublishedSecret, secretProblem } from './secret-strength.ts';
import { WORKER_QUEUES, type WorkerQueue } from './worker-queues.ts';

const DEVELOPMENT_SECRET = 'a development secret that is never used in production';

const USUAL_CACHE_GB = 20;

const PROXY = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;

/** An IP address or a CIDR range (10.0.0.0/8). */
function isAddressRange(text: string): boolean {
  const [, address = '', bits = '0'] = PROXY.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

/** A scheme, a host and an optional port, as browsers send it in the Origin header. */
const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.parse(text)?.origin === text;

/** Rates decide amounts, so nobody on the network may change them on the way. */
function isSafeService(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

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
    HOST: optional(z.string().max(253)),
    PORT: port.default(3000),
    TRUSTED_PROXIES: optional(
      z
        .string()
        .transform((value) => value.split(',').map((range) => range.trim()))
        .pipe(
          z.array(
            z.string().refine(isAddressRange, 'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas'),
          ),
        ),
    ),
    DEV_SERVICE_PORTS: optional(onOff),
    PUBLIC_URL: optional(z.url()),
    APP_SECRET: optional(z.string().min(16)),
    S3_ENDPOINT: optional(z.url()),
    S3_PUBLIC_ENDPOINT: optional(z.url()),
    S3_REGION: z.string().default('us-east-1'),
    S3_BUCKET: z.string().default('tapeline'),
    S3_PREFIX: z
      .string()
      .regex(
        /^([A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\/)*$/,
        'must be empty or a path such as "production/": words, each followed by a slash',
      )
      .max(200)
      .default(''),
    S3_ACCESS_KEY_ID: optional(z.string()),
    S3_SECRET_ACCESS_KEY: optional(z.string()),
    OBJECT_CACHE_GB: optional(z.coerce.number().min(0.1).max(100_000)),
    SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, 'must be a smtp:// address')),
    MAIL_FROM: optional(
      z
        .string()
        .regex(
          /^(?:[^<>\r\n]{1,100} )?<?[^\s<>@]+@[^\s<>@]+>?$/,
          'must be an address such as Tapeline <no-reply@example.com>',
        ),
    ),
    CHAT_MODEL_URL: optional(
      z.string().refine(isSafeService, 'must be an https address, or one of this machine, without a password'),
    ),
    CHAT_MODEL_KEY: optional(z.string().max(1_000)),
    CHAT_MODEL: optional(z.string().max(200)),
    RATES_URL: optional(
      z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .refine(isSafeService, 'must be an https:// address without a user name (http:// only on this machine)'),
    ),
    OIDC_ISSUER: optional(z.url({ protocol: /^https?$/ })),
    OIDC_CLIENT_ID: optional(z.string().max(200)),
    OIDC_CLIENT_SECRET: optional(z.string().max(1000)),
    OIDC_NAME: optional(z.string().max(30)),
    CORS_ORIGINS: optional(
      z
        .string()
        .transform((value) => value.split(',').map((origin) => origin.trim()))
        .pipe(
          z.array(z.string().refine(isOrigin, 'must be origins such as https://app.example.com, separated by commas')),
        ),
    ),
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
    if (value.NODE_ENV === 'production') {
      for (const [name, message] of secretIssues(value)) context.addIssue({ code: 'custom', path: [name], message });
    }
    if (value.OIDC_ISSUER && !value.OIDC_CLIENT_ID) {
      context.addIssue({ code: 'custom', path: ['OIDC_CLIENT_ID'], message: 'is required with OIDC_ISSUER' });
    }
    if (value.NODE_ENV === 'production' && value.OIDC_ISSUER?.startsWith('http:')) {
      context.addIssue({ code: 'custom', path: ['OIDC_ISSUER'], message: 'must be an https:// address in production' });
    }
    if (value.S3_ENDPOINT && !(value.S3_ACCESS_KEY_ID && value.S3_SECRET_ACCESS_KEY)) {
      const message = 'is required with S3_ENDPOINT, together with S3_SECRET_ACCESS_KEY';
      context.addIssue({ code: 'custom', path: ['S3_ACCESS_KEY_ID'], message });
    }
  });

const LEAST_APP_SECRET = 32;
// The minimum length that S3 providers require.
const LEAST_S3_SECRET = 8;

/** Problems with secrets that production must not use: missing, published, short or guessable. */
function secretIssues(value: {
  APP_SECRET?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  DATABASE_URL: string;
  DATABASE_ADMIN_URL?: string | undefined;
}): (readonly [name: string, message: string])[] {
  const { APP_SECRET, S3_SECRET_ACCESS_KEY } = value;
  const issues: [string, string | null][] = [
    ['APP_SECRET', APP_SECRET ? secretProblem(APP_SECRET, LEAST_APP_SECRET) : 'is required in production'],
    ['S3_SECRET_ACCESS_KEY', S3_SECRET_ACCESS_KEY ? secretProblem(S3_SECRET_ACCESS_KEY, LEAST_S3_SECRET) : null],
  ];
  for (const name of ['DATABASE_URL', 'DATABASE_ADMIN_URL'] as const) {
    const password = passwordOf(value[name]);
    if (password && isPublishedSecret(password))
      issues.push([name, 'has a password that is published with the source code']);
  }
  return issues.flatMap(([name, message]) => (message === null ? [] : [[name, message] as const]));
}

function passwordOf(address: string | undefined): string | null {
  try {
    return address ? decodeURIComponent(new URL(address).password) : null;
  } catch {
    return null;
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that can also be set with NAME_FILE: the path of a file with the value, as containers mount secrets. */
const FROM_FILE = [
  'DATABASE_URL',
  'DATABASE_ADMIN_URL',
  'APP_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'CHAT_MODEL_KEY',
  'RATES_URL',
] as const;

/**
 * The variables, including those that are read from files.
 * @throws if a file cannot be read, or a variable is set twice
 */
function withFiles(variables: Variables): Variables {
  const filled: Record<string, string | undefined> = { ...variables };
  for (const name of FROM_FILE) {
    const file = variables[`${name}_FILE`];
    if (!file) continue;
    if (variables[name]) throw new Error(`Set ${name} or ${name}_FILE, not both`);
    try {
      filled[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new Error(`${name}_FILE: ${(error as Error).message}`, { cause: error });
    }
  }
  return filled;
}

/** S3-compatible storage. `publicEndpoint` is the address that browsers use; signed addresses contain it. */
export interface S3Settings {
  readonly endpoint: string;
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** The prefix of all our object keys; empty if we use the whole bucket. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Maximum size of the local copies of its objects, in bytes. */
  readonly cacheBytes: number;
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

/** All configuration that a process reads from its environment, read once and passed on. */
export interface Environment {
  readonly nodeEnv: 'development' | 'production' | 'test';
  readonly instanceName: string;
  /** The connection of the program itself. */
  readonly databaseUrl: string;
  /** The connection of migrations (the owner of the tables); defaults to `databaseUrl`. */
  readonly databaseAdminUrl: string;
  readonly databasePoolSize: number;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** The address of Temporal's own UI, without a trailing slash; null if there is none. */
  readonly temporalUiUrl: string | null;
  /** The data folder of the embedded services. */
  readonly home: string;
  /** The interface to listen on. */
  readonly host: string;
  readonly port: number;
  /** Addresses and ranges of proxies whose forwarded client address is trusted. Other senders are ignored. */
  readonly trustedProxies: readonly string[];
  readonly devServicePorts: boolean;
  /** The address of the product for its users, without a trailing slash. */
  readonly publicUrl: string;
  readonly appSecret: string;
  readonly s3: S3Settings | null;
  readonly smtpUrl: string | null;
  /** The sender of every email. */
  readonly mailFrom: string;
  /** An OpenAI-compatible endpoint that is asked what the built-in grammar cannot read; null if there is none. */
  readonly chatModel: { readonly url: string; readonly key: string | null; readonly model: string } | null;
  /** Where currency rates are refreshed from; null if they are not refreshed. */
  readonly ratesUrl: string | null;
  /** Null if nobody signs in with an identity provider. */
  readonly oidc: OidcSettings | null;
  /** Origins of other sites whose scripts can call the API. */
  readonly corsOrigins: readonly string[];
  /** Rows of a tape that are staged and transformed at once. */
  readonly tapeBatchRows: number;
  readonly workerProcesses: number | null;
  /** The queues that this worker process serves; all of them if not set. */
  readonly workerQueues: readonly WorkerQueue[];
}

/** Reads and validates the process's variables. @throws one error that lists every problem by variable name */
export function readEnvironment(variables: Variables): Environment {
  const parsed = schema.safeParse(withFiles(variables));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment is incomplete or invalid:\n  ${problems.join('\n  ')}`);
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
    host: value.HOST ?? '127.0.0.1',
    port: value.PORT,
    trustedProxies: value.TRUSTED_PROXIES ?? [],
    devServicePorts: value.DEV_SERVICE_PORTS ?? value.NODE_ENV === 'development',
    publicUrl: (value.PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/+$/, ''),
    appSecret: value.APP_SECRET ?? DEVELOPMENT_SECRET,
    s3: value.S3_ENDPOINT
      ? {
          endpoint: value.S3_ENDPOINT,
          publicEndpoint: value.S3_PUBLIC_ENDPOINT ?? value.S3_ENDPOINT,
          region: value.S3_REGION,
          bucket: value.S3_BUCKET,
          prefix: value.S3_PREFIX,
          accessKeyId: value.S3_ACCESS_KEY_ID ?? '',
          secretAccessKey: value.S3_SECRET_ACCESS_KEY ?? '',
          cacheBytes: (value.OBJECT_CACHE_GB ?? USUAL_CACHE_GB) * 1e9,
        }
      : null,
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom: value.MAIL_FROM ?? 'Tapeline <no-reply@tapeline.test>',
    chatModel:
      value.CHAT_MODEL_URL && value.CHAT_MODEL
        ? { url: value.CHAT_MODEL_URL, key: value.CHAT_MODEL_KEY ?? null, model: value.CHAT_MODEL }
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
    workerProcesses: value.WORKER_PROCESSES ?? null,
    workerQueues: value.WORKER_QUEUES ?? WORKER_QUEUES,
  };
}

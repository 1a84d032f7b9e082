import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { BATCH_ROWS } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import { WORKER_QUEUES } from './worker-queues.ts';

/** What reads a setting. "launcher" is `npm start` and the other npm commands that start embedded services. */
export type SettingReader = 'web' | 'worker' | 'commands' | 'launcher';

export const SETTING_GROUPS = [
  'General',
  'Web app',
  'PostgreSQL',
  'Temporal',
  'Object storage',
  'Email',
  'Workers',
  'Memory and disk',
  'Retention',
  'Identity provider',
  'Metrics and traces',
  'Connections to other services',
  'Embedded services',
] as const;

interface Kind<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** For the documentation: "1 to 65535". */
  readonly values: string;
}

interface Described {
  readonly group: (typeof SETTING_GROUPS)[number];
  readonly meaning: string;
  /** The default, for the documentation. */
  readonly usual: string;
  readonly usedBy: readonly SettingReader[];
  readonly isSecret?: boolean;
  /** Whether NAME_FILE can hold the path of a file with the value, as containers and systemd mount secrets. */
  readonly hasFile?: boolean;
}

const setting = <Schema extends z.ZodType, Description extends Described>(
  kind: Kind<Schema>,
  description: Description,
): Kind<Schema> & Described => ({ ...kind, ...description });

const ADDRESS_RANGE = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;

/** An IP address or a CIDR range (10.0.0.0/8). */
function isAddressRange(text: string): boolean {
  const [, address = '', bits = '0'] = ADDRESS_RANGE.exec(text) ?? [];
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

const matching = (
  values: string,
  isValid: (text: string) => boolean,
  must: string,
): Kind<z.ZodType<string, string>> => ({ schema: z.string().refine(isValid, `must be ${must}`), values });

const text = (most: number, values = 'text') =>
  matching(values, (value) => value.length <= most, `at most ${most} characters long`);

const words = (values: string, pattern: RegExp, must: string) =>
  matching(values, (value) => value.length <= 500 && pattern.test(value), must);

const webAddress = (values = 'http:// or https:// address') =>
  matching(
    values,
    (value) => /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value) && value.length <= 2000,
    'an address such as https://tapeline.example.com',
  );

const safeAddress = matching(
  'https:// address',
  (value) => value.length <= 2000 && isSafeService(value),
  'an https:// address without a user name or password (http:// only on this machine)',
);

const filePath = text(1000, 'path of a file');

const choice = <const Options extends readonly [string, ...string[]]>(options: Options) => ({
  schema: z.enum(options, { error: () => `must be ${options.slice(0, -1).join(', ')} or ${options.at(-1)}` }),
  values: options.join(', '),
});

const number = (least: number, most: number, { isWhole = true } = {}) => ({
  schema: z
    .string()
    .refine(
      (value) => (isWhole ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,6})?$/).test(value) && +value >= least && +value <= most,
      `must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`,
    )
    .transform(Number),
  values: `${least} to ${most}`,
});

const onOff = {
  schema: z
    .enum(['on', 'off', 'true', 'false', '1', '0'], { error: () => 'must be on or off' })
    .transform((value) => value === 'on' || value === 'true' || value === '1'),
  values: 'on, off',
};

const list = <Item>(item: z.ZodType<Item, string>, values: string) => ({
  schema: z
    .string()
    .transform((value) => value.split(',').map((each) => each.trim()))
    .pipe(z.array(item)),
  values,
});

const postgresAddress = matching(
  'postgres:// address',
  (value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
  'a postgres:// address, such as postgres://tapeline_app:PASSWORD@db.example.com:5432/tapeline',
);

const ALL: readonly SettingReader[] = ['web', 'worker', 'commands', 'launcher'];
const PROGRAMS: readonly SettingReader[] = ['web', 'worker', 'commands'];
const SERVING: readonly SettingReader[] = ['web', 'worker'];

export const DEVELOPMENT_SECRET = 'a development secret that is never used in production';
/** Megabytes and gigabytes are powers of ten. */
export const USUAL = {
  objectCacheGb: 20,
  diskReserveMb: 500,
  queryMemoryMb: 1000,
  queryCacheMb: 256,
  exportMemoryMb: 768,
  spillGb: 20,
  rowFilesGb: 2,
  retentionUnusedDays: 90,
  retentionRemovedDays: 365,
  retentionMailDays: 365,
  retentionNotificationDays: 365,
} as const;
/** History younger than this is never removed: amounts and who decided them are kept at least as long as accounts. */
export const LEAST_HISTORY_YEARS = 7;

/** One per two cores, but at least two and at most four, because DuckDB uses several cores in each process. */
export const usualWorkerProcesses = (cores: number = availableParallelism()): number =>
  Math.min(Math.max(2, Math.floor(cores / 2)), 4);

/**
 * Every setting of Tapeline, as an environment variable. All programs read their settings through this table, and the
 * tables of the production guide are made from it.
 */
export const SETTINGS = {
  NODE_ENV: setting(choice(['development', 'production', 'test']), {
    group: 'General',
    meaning: '`production` on every machine that others use. It refuses weak secrets and missing services.',
    usual: '`development`',
    usedBy: ALL,
  }),
  INSTANCE_NAME: setting(
    words('letters, digits, `_`, `-`', /^[A-Za-z0-9_-]{1,40}$/, '1 to 40 letters, digits, _ or -'),
    {
      group: 'General',
      meaning:
        'Names the Temporal task queues and workflows and the cookies. Instances that share a Temporal namespace or a host need different names.',
      usual: '`tapeline`',
      usedBy: ALL,
    },
  ),
  APP_SECRET: setting(
    matching(
      'text',
      (value) => value.length >= 16 && value.length <= 1000,
      'at least 16 characters long (32 in production)',
    ),
    {
      group: 'General',
      meaning:
        'Signs access tokens and encrypts queued sign-in codes. `openssl rand -hex 32` creates one. Required in production, the same for all processes.',
      usual: 'none',
      usedBy: ALL,
      isSecret: true,
      hasFile: true,
    },
  ),
  TAPELINE_HOME: setting(text(1000, 'path of a folder'), {
    group: 'General',
    meaning: 'Working files: caches, spilled data, scratch files; without S3 also the objects.',
    usual: '`.tapeline`',
    usedBy: ALL,
  }),
  LOG_LEVEL: setting(choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), {
    group: 'General',
    meaning: 'The least important lines that are logged.',
    usual: '`info`',
    usedBy: SERVING,
  }),
  METRICS_PORT: setting(number(1, 65_535), {
    group: 'Metrics and traces',
    meaning:
      'The port for `/metrics`, `/healthz` and `/readyz`, which must not be `PORT`. Worker processes that are started together take the ports from it on, and those of `npm start` the ports after it. See [observability](observability.md).',
    usual: 'none',
    usedBy: ['web', 'worker', 'launcher'],
  }),
  METRICS_HOST: setting(text(253, 'interface'), {
    group: 'Metrics and traces',
    meaning: 'The interface that this port listens on. It asks for no sign-in: keep it within your network.',
    usual: '`127.0.0.1`',
    usedBy: SERVING,
  }),
  // The exporter of traces reads it, and the other OTEL_* variables, by itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(webAddress(), {
    group: 'Metrics and traces',
    meaning: 'The OTLP receiver for traces. The other standard `OTEL_*` variables apply as well.',
    usual: 'none',
    usedBy: SERVING,
  }),
  STARTUP_WAIT_SECONDS: setting(number(0, 3600), {
    group: 'General',
    meaning:
      'How long a starting process waits for PostgreSQL, its tables, Temporal and the object storage before it ends with the reason.',
    usual: '`120`',
    usedBy: SERVING,
  }),

  PUBLIC_URL: setting(webAddress(), {
    group: 'Web app',
    meaning: 'The address of Tapeline for its users: for links in emails, cookies and security headers.',
    usual: '`http://localhost:PORT`',
    usedBy: SERVING,
  }),
  HOST: setting(text(253, 'interface'), {
    group: 'Web app',
    meaning: 'The interface to listen on; `0.0.0.0` is all of them.',
    usual: '`127.0.0.1`',
    usedBy: ['web', 'launcher'],
  }),
  PORT: setting(number(1, 65_535), {
    group: 'Web app',
    meaning: 'The port to listen on. `npm start` also takes 0, for any free port.',
    usual: '`3000`',
    usedBy: ['web', 'launcher'],
  }),
  TRUSTED_PROXIES: setting(
    list(
      z.string().refine(isAddressRange, 'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas'),
      'addresses or ranges',
    ),
    {
      group: 'Web app',
      meaning:
        'Proxies whose `X-Forwarded-For`, `-Host` and `-Proto` are believed. Those of other senders are ignored.',
      usual: 'none',
      usedBy: ['web'],
    },
  ),
  CORS_ORIGINS: setting(
    list(
      z.string().refine(isOrigin, 'must be origins such as https://app.example.com, separated by commas'),
      'origins',
    ),
    {
      group: 'Web app',
      meaning: 'Origins of other sites whose scripts can call the API.',
      usual: 'none',
      usedBy: ['web'],
    },
  ),
  DEV_SERVICE_PORTS: setting(onOff, {
    group: 'Web app',
    meaning: 'Whether the API also listens on the ports 5992, 5996, 5998 and 5999.',
    usual: '`on` in development, else `off`',
    usedBy: ['web'],
  }),

  DATABASE_URL: setting(postgresAddress, {
    group: 'PostgreSQL',
    meaning:
      'The connection of the program: a role that is neither owner nor superuser. Required; `npm start` has its own.',
    usual: 'none',
    usedBy: ALL,
    isSecret: true,
    hasFile: true,
  }),
  DATABASE_ADMIN_URL: setting(postgresAddress, {
    group: 'PostgreSQL',
    meaning: 'The connection of the owner of the tables, for migrations, backups and restores.',
    usual: '`DATABASE_URL`',
    usedBy: ['commands', 'launcher'],
    isSecret: true,
    hasFile: true,
  }),
  DATABASE_POOL_SIZE: setting(number(1, 200), {
    group: 'PostgreSQL',
    meaning: 'Connections of one process. Each web process holds one more to listen for changes.',
    usual: '`10`',
    usedBy: PROGRAMS,
  }),

  TEMPORAL_ADDRESS: setting(
    words(
      'host:port',
      /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/,
      'a host and a port, such as temporal.example.com:7233',
    ),
    { group: 'Temporal', meaning: 'The Temporal server.', usual: '`127.0.0.1:7233`', usedBy: ALL },
  ),
  TEMPORAL_NAMESPACE: setting(words('name', /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, 'the name of a Temporal namespace'), {
    group: 'Temporal',
    meaning: 'The namespace. It must exist.',
    usual: '`default`',
    usedBy: ALL,
  }),
  TEMPORAL_TLS: setting(onOff, {
    group: 'Temporal',
    meaning: 'Whether to connect with TLS.',
    usual: '`on` with a certificate or an API key, else `off`',
    usedBy: SERVING,
  }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: setting(filePath, {
    group: 'Temporal',
    meaning: 'Certificates (PEM) of the authority that signed the server’s certificate.',
    usual: 'those of the system',
    usedBy: SERVING,
  }),
  TEMPORAL_TLS_SERVER_NAME: setting(text(253, 'host name'), {
    group: 'Temporal',
    meaning: 'The name in the server’s certificate, if it is not the host of `TEMPORAL_ADDRESS`.',
    usual: 'the host of `TEMPORAL_ADDRESS`',
    usedBy: SERVING,
  }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: setting(filePath, {
    group: 'Temporal',
    meaning: 'The client’s certificate (PEM), for mutual TLS. Set it with `TEMPORAL_TLS_CLIENT_KEY_PATH`.',
    usual: 'none',
    usedBy: SERVING,
  }),
  TEMPORAL_TLS_CLIENT_KEY_PATH: setting(filePath, {
    group: 'Temporal',
    meaning: 'The private key (PEM) of the client’s certificate.',
    usual: 'none',
    usedBy: SERVING,
  }),
  TEMPORAL_API_KEY: setting(text(5000), {
    group: 'Temporal',
    meaning: 'The API key, for example of Temporal Cloud. It is sent with TLS only.',
    usual: 'none',
    usedBy: SERVING,
    isSecret: true,
    hasFile: true,
  }),
  TEMPORAL_UI_URL: setting(webAddress(), {
    group: 'Temporal',
    meaning: 'The address of Temporal’s own UI, to which the page of a tape links.',
    usual: 'none',
    usedBy: ['web'],
  }),

  S3_ENDPOINT: setting(webAddress(), {
    group: 'Object storage',
    meaning:
      'The S3-compatible storage, such as `https://s3.eu-central-1.amazonaws.com`. Required in production; elsewhere objects are files in `TAPELINE_HOME` without it.',
    usual: 'none',
    usedBy: PROGRAMS,
  }),
  S3_PUBLIC_ENDPOINT: setting(webAddress(), {
    group: 'Object storage',
    meaning: 'The address at which browsers reach the storage, if it is another one.',
    usual: '`S3_ENDPOINT`',
    usedBy: PROGRAMS,
  }),
  S3_REGION: setting(words('name', /^[a-z0-9-]{1,50}$/, 'the name of a region, such as eu-central-1'), {
    group: 'Object storage',
    meaning: 'The region of the bucket.',
    usual: '`us-east-1`',
    usedBy: PROGRAMS,
  }),
  S3_BUCKET: setting(
    words(
      'name',
      /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/,
      'the name of a bucket: 3 to 63 lower-case letters, digits, dots and dashes',
    ),
    { group: 'Object storage', meaning: 'The bucket. It must exist.', usual: '`tapeline`', usedBy: PROGRAMS },
  ),
  S3_PREFIX: setting(
    matching(
      'path such as `production/`',
      (value) => value.length <= 200 && /^([A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\/)*$/.test(value),
      'empty or a path such as "production/": words, each followed by a slash',
    ),
    {
      group: 'Object storage',
      meaning: 'Prefix of all object keys. Instances that share a bucket need different prefixes.',
      usual: 'none',
      usedBy: PROGRAMS,
    },
  ),
  S3_ACCESS_KEY_ID: setting(text(200), {
    group: 'Object storage',
    meaning:
      'The access key. Without it and `S3_SECRET_ACCESS_KEY`, credentials come from the machine: the role of the instance, container or pod, or the `AWS_` variables.',
    usual: 'those of the machine',
    usedBy: PROGRAMS,
  }),
  S3_SECRET_ACCESS_KEY: setting(text(1000), {
    group: 'Object storage',
    meaning: 'The secret of the access key.',
    usual: 'those of the machine',
    usedBy: PROGRAMS,
    isSecret: true,
    hasFile: true,
  }),

  SMTP_URL: setting(
    words(
      'smtp:// or smtps:// address',
      /^smtps?:\/\/\S+$/,
      'a mail server such as smtps://user:PASSWORD@mail.example.com',
    ),
    {
      group: 'Email',
      meaning: 'The mail server. Required in production; elsewhere emails are also kept in `TAPELINE_HOME/mail`.',
      usual: 'none',
      usedBy: SERVING,
      isSecret: true,
      hasFile: true,
    },
  ),
  MAIL_FROM: setting(
    words(
      'email address',
      /^(?:[^<>\r\n]{1,100} )?<?[^\s<>@]+@[^\s<>@]+>?$/,
      'an address such as Tapeline <no-reply@example.com>',
    ),
    {
      group: 'Email',
      meaning: 'The sender of every email, such as `Tapeline <no-reply@example.com>`.',
      usual: '`Tapeline <no-reply@tapeline.test>`',
      usedBy: SERVING,
    },
  ),

  WORKER_PROCESSES: setting(number(1, 64), {
    group: 'Workers',
    meaning: 'Worker processes on this machine. Each uses its share of the cores and the memory.',
    usual: 'half the cores, 2 to 4',
    usedBy: ['worker', 'launcher'],
  }),
  WORKER_QUEUES: setting(
    list(z.enum(WORKER_QUEUES, { error: () => `must be of ${WORKER_QUEUES.join(', ')}` }), WORKER_QUEUES.join(', ')),
    {
      group: 'Workers',
      meaning:
        'Kinds of work that a process takes. Each kind needs a process somewhere, otherwise `/readyz` reports it.',
      usual: 'all',
      usedBy: ['worker'],
    },
  ),
  TAPE_BATCH_ROWS: setting(number(1000, 1_000_000), {
    group: 'Workers',
    meaning:
      'Rows staged and transformed at once. Lower values spread a small tape over more workers and need less memory.',
    usual: `\`${BATCH_ROWS}\``,
    usedBy: ['worker'],
  }),
  PUBLIC_ZLIB: setting(choice(['on', 'off']), {
    group: 'Workers',
    meaning:
      'Whether readers of files use only the public functions of `node:zlib`. They do so by themselves if Node’s faster internal ones fail a trial.',
    usual: '`off`',
    usedBy: SERVING,
  }),

  QUERY_MEMORY_MB: setting(number(200, 1_000_000), {
    group: 'Memory and disk',
    meaning: 'Memory of a web process for queries over assets. Beyond it they use the disk.',
    usual: `\`${USUAL.queryMemoryMb}\``,
    usedBy: ['web'],
  }),
  QUERY_CACHE_MB: setting(number(1, 100_000), {
    group: 'Memory and disk',
    meaning: 'Memory of a web process for orders and pages of lists that it keeps.',
    usual: `\`${USUAL.queryCacheMb}\``,
    usedBy: ['web'],
  }),
  EXPORT_MEMORY_MB: setting(number(200, 1_000_000), {
    group: 'Memory and disk',
    meaning: 'Memory of a web process for exports.',
    usual: `\`${USUAL.exportMemoryMb}\``,
    usedBy: ['web'],
  }),
  JOB_MEMORY_MB: setting(number(200, 1_000_000), {
    group: 'Memory and disk',
    meaning:
      'Memory of one computing job of a worker. A process runs as many jobs as its share of the cores, and a preview.',
    usual: 'half the memory of the machine, shared by all jobs; 537 to 8590 each',
    usedBy: ['worker'],
  }),
  SPILL_GB: setting(number(0.1, 100_000, { isWhole: false }), {
    group: 'Memory and disk',
    meaning:
      'Disk under `TAPELINE_HOME` for data beyond memory: of one job, of the queries and of the exports of a web process.',
    usual: `\`${USUAL.spillGb}\``,
    usedBy: SERVING,
  }),
  ROW_FILES_GB: setting(number(0.1, 100_000, { isWhole: false }), {
    group: 'Memory and disk',
    meaning: 'Disk of a web process for rows that are kept to be read one by one.',
    usual: `\`${USUAL.rowFilesGb}\``,
    usedBy: ['web'],
  }),
  DISK_RESERVE_MB: setting(number(1, 1_000_000), {
    group: 'Memory and disk',
    meaning: 'With less free space at `TAPELINE_HOME`, `/readyz` returns 503 and workers take no work.',
    usual: `\`${USUAL.diskReserveMb}\``,
    usedBy: SERVING,
  }),
  OBJECT_CACHE_GB: setting(number(0.1, 100_000, { isWhole: false }), {
    group: 'Memory and disk',
    meaning:
      'Local copies of S3 objects under `TAPELINE_HOME`. The least recently used are evicted first, but none used within the last hour.',
    usual: `\`${USUAL.objectCacheGb}\``,
    usedBy: PROGRAMS,
  }),

  RETENTION_UNUSED_DAYS: setting(number(7, 36_500), {
    group: 'Retention',
    meaning:
      'Days until uploads that no document uses, imports that were prepared and not started, and the rows of failed imports are removed. See [retention](retention.md).',
    usual: `\`${USUAL.retentionUnusedDays}\``,
    usedBy: ['worker'],
  }),
  RETENTION_REMOVED_DAYS: setting(number(7, 36_500), {
    group: 'Retention',
    meaning: 'Days until the files of removed tapes and documents are removed. Their records and history stay.',
    usual: `\`${USUAL.retentionRemovedDays}\``,
    usedBy: ['worker'],
  }),
  RETENTION_MAIL_DAYS: setting(number(30, 36_500), {
    group: 'Retention',
    meaning: 'Days until emails that were sent, skipped or given up are removed from the outbox.',
    usual: `\`${USUAL.retentionMailDays}\``,
    usedBy: ['worker'],
  }),
  RETENTION_NOTIFICATION_DAYS: setting(number(30, 36_500), {
    group: 'Retention',
    meaning: 'Days until notifications that were read are removed; unread ones after twice as many.',
    usual: `\`${USUAL.retentionNotificationDays}\``,
    usedBy: ['worker'],
  }),
  RETENTION_HISTORY_YEARS: setting(number(LEAST_HISTORY_YEARS, 100), {
    group: 'Retention',
    meaning: 'Years until history is removed.',
    usual: 'kept without limit',
    usedBy: ['worker'],
  }),

  OIDC_ISSUER: setting(webAddress('https:// address'), {
    group: 'Identity provider',
    meaning: 'The issuer, exactly as its `/.well-known/openid-configuration` names it. `https` in production.',
    usual: 'none',
    usedBy: ['web'],
  }),
  OIDC_CLIENT_ID: setting(text(200), {
    group: 'Identity provider',
    meaning: 'The client id. Id tokens must be addressed to it. Required with `OIDC_ISSUER`.',
    usual: 'none',
    usedBy: ['web'],
  }),
  OIDC_CLIENT_SECRET: setting(text(1000), {
    group: 'Identity provider',
    meaning: 'The client secret. Leave it out for a public client.',
    usual: 'none',
    usedBy: ['web'],
    isSecret: true,
    hasFile: true,
  }),
  OIDC_NAME: setting(text(30), {
    group: 'Identity provider',
    meaning: 'For the button "Continue with …".',
    usual: 'the host of `OIDC_ISSUER`',
    usedBy: ['web'],
  }),

  RATES_URL: setting(safeAddress, {
    group: 'Connections to other services',
    meaning: 'Where currency rates are refreshed from.',
    usual: 'none',
    usedBy: SERVING,
    hasFile: true,
  }),
  CHAT_MODEL_URL: setting(safeAddress, {
    group: 'Connections to other services',
    meaning: 'An OpenAI-compatible endpoint that chats ask what the built-in grammar cannot read.',
    usual: 'none',
    usedBy: ['web'],
  }),
  CHAT_MODEL: setting(text(200), {
    group: 'Connections to other services',
    meaning: 'The model that chats ask for. Required with `CHAT_MODEL_URL`.',
    usual: 'none',
    usedBy: ['web'],
  }),
  CHAT_MODEL_KEY: setting(text(1000), {
    group: 'Connections to other services',
    meaning: 'The key of the endpoint.',
    usual: 'none',
    usedBy: ['web'],
    isSecret: true,
    hasFile: true,
  }),

  POSTGRES_PORT: setting(number(0, 65_535), {
    group: 'Embedded services',
    meaning: 'Port of the embedded PostgreSQL; 0 is any free one.',
    usual: '`54320`, or the next free one',
    usedBy: ['launcher'],
  }),
  TEMPORAL_PORT: setting(number(0, 65_535), {
    group: 'Embedded services',
    meaning: 'Port of the embedded Temporal server.',
    usual: '`7233`, or the next free one',
    usedBy: ['launcher'],
  }),
  TEMPORAL_UI_PORT: setting(number(0, 65_535), {
    group: 'Embedded services',
    meaning: 'Port of its UI.',
    usual: '`8233`, or the next free one',
    usedBy: ['launcher'],
  }),
  TEMPORAL_CLI: setting(filePath, {
    group: 'Embedded services',
    meaning: 'Temporal’s CLI, which contains the embedded server.',
    usual: 'found or fetched',
    usedBy: ['launcher'],
  }),
  DEMONSTRATION: setting(choice(['on', 'off', 'short']), {
    group: 'Embedded services',
    meaning:
      'Whether the first start loads the demonstration portfolio; `short` leaves out a year of tapes. Never in production.',
    usual: '`on`',
    usedBy: ['launcher'],
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Settings that can also be given as NAME_FILE. */
export const FROM_FILE: readonly SettingName[] = SETTING_NAMES.filter((name) => SETTINGS[name].hasFile);

/** Table rows of the production guide. */
export function settingsTables(): string {
  const readers = (usedBy: readonly SettingReader[]) => (usedBy.length === ALL.length ? 'all' : usedBy.join(', '));
  return SETTING_GROUPS.map((group) => {
    const rows = SETTING_NAMES.filter((name) => SETTINGS[name].group === group).map((name) => {
      const { values, usual, meaning, usedBy, isSecret, hasFile } = SETTINGS[name];
      const notes = [isSecret ? 'Secret.' : '', hasFile ? `Or \`${name}_FILE\`.` : ''].filter(Boolean).join(' ');
      return `| \`${name}\` | ${values} | ${usual} | ${meaning}${notes ? ` ${notes}` : ''} | ${readers(usedBy)} |`;
    });
    return `## ${group}\n\n| Variable | Values | Default | Meaning | Used by |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  }).join('\n');
}

/** Names that are close to no setting of ours are somebody else's. */
const MOST_DIFFERENT_LETTERS = 2;
const LEAST_LENGTH = 7;

/** How many letters must be added, removed, replaced or swapped to turn one name into the other. */
function lettersBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (above[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}

/** The setting that an unknown variable was probably meant to be: S3_BUKET is S3_BUCKET. */
export function meantSetting(name: string): SettingName | null {
  if (name.length < LEAST_LENGTH || Object.hasOwn(SETTINGS, name.replace(/_FILE$/, ''))) return null;
  return (
    SETTING_NAMES.find(
      (known) =>
        Math.abs(known.length - name.length) <= MOST_DIFFERENT_LETTERS &&
        lettersBetween(name, known) <= MOST_DIFFERENT_LETTERS,
    ) ?? null
  );
}

import { availableParallelism } from 'node:os';
import { BATCH_ROWS } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import { WORKER_QUEUES } from '../worker-queues.ts';
import {
  ALL,
  choice,
  filePath,
  isAddressRange,
  isOrigin,
  list,
  matching,
  number,
  onOff,
  PROGRAMS,
  SERVING,
  setting,
  text,
  webAddress,
  words,
} from './kinds.ts';

export const DEVELOPMENT_SECRET = 'a development secret that is never used in production';

/**
 * One per two cores, but at least two and at most four, because DuckDB uses several cores in each process; and one for
 * what people wait for.
 */
export const usualWorkerProcesses = (cores: number = availableParallelism()): number =>
  Math.min(Math.max(2, Math.floor(cores / 2)), 4) + 1;

/** How the programs themselves run. */
export const PROGRAM_SETTINGS = {
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
  // Node reads it by itself.
  NODE_EXTRA_CA_CERTS: setting(filePath, {
    group: 'General',
    meaning:
      'Certificates (PEM) of a private authority that is trusted too: for PostgreSQL, the object storage, the mail server and web services. Node does not use those of the system.',
    usual: 'none',
    usedBy: PROGRAMS,
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
  // The exporter of traces reads these, and the other OTEL_* variables, by itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(webAddress(), {
    group: 'Metrics and traces',
    meaning: 'The OTLP receiver for traces, such as `http://collector:4318`.',
    usual: 'none',
    usedBy: SERVING,
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(choice(['http/protobuf', 'http/json']), {
    group: 'Metrics and traces',
    meaning: 'How traces are sent. gRPC is not supported.',
    usual: '`http/protobuf`',
    usedBy: SERVING,
  }),
  OTEL_TRACES_SAMPLER: setting(text(100, 'name'), {
    group: 'Metrics and traces',
    meaning: 'Which traces are exported, such as `parentbased_traceidratio`.',
    usual: '`parentbased_always_on`',
    usedBy: SERVING,
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(text(100), {
    group: 'Metrics and traces',
    meaning: 'The argument of the sampler, such as `0.1` for a tenth of all traces.',
    usual: 'none',
    usedBy: SERVING,
  }),
  OTEL_RESOURCE_ATTRIBUTES: setting(text(2000, 'name=value, …'), {
    group: 'Metrics and traces',
    meaning:
      'Marks traces and metrics, for example `deployment.environment=production`. The other standard `OTEL_*` variables apply as well.',
    usual: 'none',
    usedBy: SERVING,
  }),

  WORKER_PROCESSES: setting(number(1, 64), {
    group: 'Workers',
    meaning: 'Worker processes on this machine. Each uses its share of the cores and the memory.',
    usual: 'half the cores + 1, 3 to 5',
    usedBy: ['worker', 'launcher'],
  }),
  WORKER_QUEUES: setting(
    list(z.enum(WORKER_QUEUES, { error: () => `must be of ${WORKER_QUEUES.join(', ')}` }), WORKER_QUEUES.join(', ')),
    {
      group: 'Workers',
      meaning:
        'Kinds of work that a process takes. Each kind needs a process somewhere, otherwise `/readyz` reports it.',
      usual: 'all; shared among 3 or more',
      usedBy: ['worker', 'launcher'],
    },
  ),
  WORKER_NICENESS: setting(number(0, 19), {
    group: 'Workers',
    meaning: 'How far a process gives way to the others of its machine, as `nice` does.',
    usual: '0; 19 for those that share',
    usedBy: ['worker', 'launcher'],
  }),
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
} as const;

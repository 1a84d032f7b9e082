import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { parse } from 'yaml';
import { RULES_FILE } from '../alerts/alert-files.ts';
import { shortenRules } from '../alerts/shorten-rules.ts';
import { findDebianProgram, PROMETHEUS } from '../finding/debian-programs.ts';
import { asSuperuser } from '../postgres/cluster.ts';
import { untilReady } from './install.ts';
import type { Machine } from './machine.ts';
import { openPrometheus, type Prometheus } from './prometheus.ts';
import { ensure, type Steps } from './steps.ts';
import { until } from './until.ts';
import type { Used } from './use.ts';

/** An hour of the rules takes a minute here. */
const FACTOR = 60;
/** What an alert waits for, and two scrapes, on a busy machine. */
const FIRES_WITHIN_MS = 240_000;
/** More than the tasks and emails at which an alert fires. */
const MANY = 1001;
/** More callers than a pool has connections. */
const CALLERS = 30;
const NAMESPACE = 'tapeline';
const SMALL_DISK = { sizeMb: 200, reserveMb: 20, filledMb: 190 };

/** Something that raises alerts, and how it ends. */
interface Condition {
  readonly alerts: readonly string[];
  /** What is done, or what stands for it where it cannot be. */
  readonly how: string;
  readonly cause: () => Promise<void>;
  readonly end: () => Promise<void>;
  /** Why it cannot be caused here; null if it can. */
  readonly skipped?: string | null;
}

/**
 * Causes the condition of every alert and sees it fire and clear, in a Prometheus with the rules of the product. Every time
 * that must pass is shorter by one factor.
 */
export async function causeAlerts(
  machine: Machine,
  steps: Steps,
  used: Used,
  say: (line: string) => void,
): Promise<void> {
  const rules = shortenRules(readFileSync(RULES_FILE, 'utf8'), FACTOR);
  const program = await findDebianProgram(PROMETHEUS, process.env, say).catch((error: Error) => {
    say(`skipped: the alerts, because Prometheus is not here. ${error.message}`);
    return null;
  });
  if (program === null) return;
  const prometheus = await openPrometheus({ program, folder: machine.folder, targets: machine.scraped, rules });
  const seen = new Set<string>();
  try {
    await steps.step('Prometheus scrapes every process, and no alert fires', async () => {
      await untilClear(prometheus);
    });
    for (const condition of conditions(machine, used)) {
      const { alerts, how, skipped } = condition;
      for (const alert of alerts) seen.add(alert);
      if (skipped) {
        say(`skipped: ${alerts.join(', ')}: ${skipped}`);
        continue;
      }
      await steps.attempt(`${alerts.join(', ')}: ${how}`, () => fireAndClear(prometheus, steps, condition));
    }
    await steps.attempt('every alert of the rules was seen, or skipped with a reason', async () => {
      const { groups } = parse(rules) as { groups: { rules: { alert: string }[] }[] };
      const left = groups.flatMap((group) => group.rules).filter(({ alert }) => !seen.has(alert));
      ensure(left.length === 0, `these were not: ${left.map(({ alert }) => alert).join(', ')}`);
    });
  } finally {
    await prometheus.close();
  }
}

const untilClear = (prometheus: Prometheus) =>
  until(
    'no alert fires',
    async () => {
      const names = await prometheus.firing();
      if (names.size > 0) throw new Error(`${[...names].join(', ')} fire`);
      return true;
    },
    FIRES_WITHIN_MS,
  );

async function fireAndClear(prometheus: Prometheus, steps: Steps, { alerts, cause, end }: Condition): Promise<void> {
  const fired = performance.now();
  let others = new Set<string>();
  try {
    await cause();
    await until(
      `${alerts.join(' and ')} fire`,
      async () => {
        const names = await prometheus.firing();
        others = new Set([...others, ...names]);
        const missing = alerts.filter((alert) => !names.has(alert));
        if (missing.length > 0) throw new Error(`${missing.join(', ')} did not; firing: ${[...names].join(', ')}`);
        return true;
      },
      FIRES_WITHIN_MS,
    );
  } finally {
    await end();
  }
  const cleared = performance.now();
  await untilClear(prometheus);
  const secondsOf = (from: number, to: number) => `${Math.round((to - from) / 1000)} s`;
  const besides = [...others].filter((name) => !alerts.includes(name));
  steps.note(
    `fired after ${secondsOf(fired, cleared)}, cleared ${secondsOf(cleared, performance.now())} after its end${besides.length > 0 ? `; so did ${besides.join(', ')}` : ''}`,
  );
}

function conditions(machine: Machine, used: Used): Condition[] {
  const { servers, systemd } = machine;
  const [stop, start] = [systemd.stopOne, systemd.startOne];
  const sql = (text: string, values: readonly unknown[] = []) =>
    asSuperuser(machine.cluster, 'tapeline', async (client) => void (await client.query(text, [...values])));
  const asOperator = async (commands: string) => {
    const { code, output } = await machine.asOperator(commands);
    ensure(code === 0, `${commands}: ${output}`);
    return output;
  };
  const inShell = async (commands: string, code = 0) => {
    const ran = await machine.inShell(commands);
    ensure(ran.code === code, `${commands}: ${ran.output}`);
  };
  const restartWeb = async () => {
    for (const name of ['web-1', 'web-2']) {
      await stop(name);
      await start(name);
    }
  };
  const webReady = () => untilReady(machine);
  const first = readFileSync(machine.certificate);
  /** Creates it as its operator does. @returns its settings, and a key, for a shell */
  const secondBucket = async () => {
    const bucket = 'tapeline-backups';
    await asOperator(
      `aws s3api create-bucket --bucket ${bucket} --create-bucket-configuration LocationConstraint=eu-central-1`,
    );
    const variables = {
      BACKUP_KEY: randomBytes(32).toString('hex'),
      BACKUP_S3_ENDPOINT: machine.storageUrl,
      BACKUP_S3_REGION: 'eu-central-1',
      BACKUP_S3_BUCKET: bucket,
      BACKUP_S3_ACCESS_KEY_ID: 'admin',
      BACKUP_S3_SECRET_ACCESS_KEY: machine.addresses.password,
    };
    return Object.entries(variables)
      .map(([name, value]) => `export ${name}=${value}`)
      .join('\n');
  };

  return [
    {
      alerts: ['TapelineGone'],
      how: 'both web processes are stopped',
      cause: async () => void (await Promise.all([stop('web-1'), stop('web-2')])),
      async end() {
        await Promise.all([start('web-1'), start('web-2')]);
        await webReady();
      },
    },
    {
      alerts: ['TapelineNotReady'],
      how: 'the object storage is stopped',
      cause: () => servers.storage.crash(),
      async end() {
        await servers.storage.up();
        await webReady();
      },
    },
    connectionsWaited(machine, used),
    {
      alerts: ['TapelineNoWorker', 'TapelineQueueLong', 'TapelineQueueOld'],
      how: `the worker is stopped and ${MANY} workflows are started, which are ended afterwards`,
      async cause() {
        await stop('worker');
        await withTemporal(machine, (client) => startMany(client));
      },
      async end() {
        await withTemporal(machine, (client) => endMany(client));
        await start('worker');
        await webReady();
      },
    },
    {
      alerts: ['TapelineWorkerPaused', 'TapelineDiskFills'],
      how: `the worker works on a disk of ${SMALL_DISK.sizeMb} MB, which is filled`,
      skipped: systemd.onMachineOf ? null : 'only root, with systemd, can give the worker a small disk of its own',
      async cause() {
        const { home } = machine;
        await stop('worker');
        machine.setForUnit('tapeline-worker', `DISK_RESERVE_MB=${SMALL_DISK.reserveMb}\n`);
        const owned = `"uid=$(stat -c %u ${home}),gid=$(stat -c %g ${home})"`;
        await systemd.onMachineOf?.(
          'worker',
          `mount -t tmpfs -o size=${SMALL_DISK.sizeMb}m,mode=700 -o ${owned} tmpfs ${home}`,
        );
        await start('worker');
        await untilWorks(machine);
        await systemd.onMachineOf?.('worker', `head -c ${SMALL_DISK.filledMb}M /dev/zero > ${home}/filled`);
      },
      async end() {
        // It resumes by itself.
        await systemd.onMachineOf?.('worker', `rm -f ${machine.home}/filled`);
        await untilWorks(machine);
        await stop('worker');
        await systemd.onMachineOf?.('worker', `umount ${machine.home}`);
        machine.setForUnit('tapeline-worker', '');
        await start('worker');
        await untilWorks(machine);
      },
    },
    {
      alerts: ['TapelineOutboxLong'],
      how: `${MANY} emails that are due in an hour are put into the outbox, and removed`,
      cause: () =>
        sql(
          `insert into outbox (id, key, user_id, kind, resource, document_id, subject, text, page, page_title, created_at, not_before, next_attempt_at)
           select lpad(to_hex(n), 24, '0'), 'rehearsal/' || n, (select min(id) from users), 'announcement', 'announcements', lpad(to_hex(n), 24, '0'),
             'Rehearsal', 'Rehearsal', '/rehearsal', 'Rehearsal', now(), now() + interval '1 hour', now() + interval '1 hour'
           from generate_series(1, $1) n`,
          [MANY],
        ),
      end: () => sql(`delete from outbox where key like 'rehearsal/%'`),
    },
    {
      alerts: ['TapelineOutboxOld'],
      how: 'the mail server is stopped, and an announcement is published',
      async cause() {
        await addReader(used, 'reader@example.com');
        await servers.mail.crash();
        await announce(used, 'The mail server is down');
      },
      end: () => servers.mail.up(),
    },
    {
      alerts: ['TapelineEmailsGivenUp'],
      how: 'an announcement goes to an address that the mail server refuses',
      async cause() {
        await addReader(used, 'refused@example.com');
        await announce(used, 'An address is wrong');
      },
      end: async () => {},
    },
    {
      alerts: ['TapelineJobsFailed'],
      how: 'rates are fetched although no service is set; the hour until it clears is taken from its record',
      cause: () =>
        withTemporal(machine, async (client) => {
          const run = { taskQueue: 'tapeline', workflowId: 'tapeline/rehearsed-rates', args: [] };
          await client.workflow.execute('refreshRates', run).catch(() => {});
        }),
      end: () => sql(`update job_failures set last_at = last_at - interval '1 hour'`),
    },
    {
      alerts: ['TapelineObjectsDiffer'],
      how: 'the file of a tape is removed from the bucket, and put back',
      async cause() {
        await asOperator(`${KEY_OF_A_TAPE}
aws s3 cp --quiet "s3://tapeline-example/$key" kept-object && aws s3 rm --quiet "s3://tapeline-example/$key"`);
        await inShell('npm run doctor -- --deep', 1);
      },
      async end() {
        await asOperator(`${KEY_OF_A_TAPE}
aws s3 cp --quiet kept-object "s3://tapeline-example/$key"`);
        await inShell('npm run doctor -- --deep');
      },
    },
    {
      alerts: ['TapelineBackupOld', 'TapelineRestoreTestOld'],
      how: 'the records of the last runs are made older, and both run again, encrypted and in a second bucket',
      cause: () =>
        sql(`insert into backup_runs (kind, succeeded_at) values ('backup', now() - interval '37 hours'), ('restoreTest', now() - interval '10 days')
             on conflict (kind) do update set succeeded_at = excluded.succeeded_at, failed_at = null, failure = null`),
      async end() {
        await inShell(`${await secondBucket()}
npm run backup -- --prune && npm run restore -- --rehearse --latest`);
      },
    },
    {
      alerts: ['TapelineCertificateUnknown'],
      how: 'the proxy is stopped, and the web processes start without having seen its certificate',
      async cause() {
        await servers.proxy.down();
        await restartWeb();
      },
      async end() {
        await servers.proxy.up();
        await restartWeb();
        await webReady();
      },
    },
    {
      alerts: ['TapelineCertificateEnds'],
      how: 'the proxy gets a certificate for 2 days, and then a longer one; web processes are restarted to see each at once',
      async cause() {
        machine.renewCertificate(2);
        await servers.proxy.down();
        await servers.proxy.up();
        await restartWeb();
      },
      async end() {
        // The other servers still show the first one.
        writeFileSync(machine.certificate, first);
        await servers.proxy.down();
        await servers.proxy.up();
        await restartWeb();
      },
    },
  ];
}

/** For a shell: the key of the file of a published tape, which was uploaded. */
const KEY_OF_A_TAPE = `key=$(psql -d tapeline -Atc "select bucket || '/' || key from files where status = 'Active' order by size::bigint desc limit 1")
test -n "$key"`;

/** While the users' table is locked, callers take all connections of a web process, and more wait. */
function connectionsWaited({ cluster, webUrls: [web] }: Machine, { admin }: Used): Condition {
  let isOver = false;
  let ended: Promise<unknown> = Promise.resolve();
  return {
    alerts: ['TapelineDatabaseConnectionsWaited'],
    how: 'a table is locked while many call',
    async cause() {
      await admin.renew();
      const headers = { authorization: `Bearer ${admin.accessToken}` };
      let isLocked: () => void = () => {};
      const locked = new Promise<void>((resolve) => {
        isLocked = resolve;
      });
      const locking = asSuperuser(cluster, 'tapeline', async (client) => {
        await client.query('begin');
        await client.query('lock table users in access exclusive mode');
        isLocked();
        await until('the end of the lock', async () => isOver || null, 2 * FIRES_WITHIN_MS);
        await client.query('rollback');
      });
      await Promise.race([locked, locking]);
      const call = async () => {
        while (!isOver) await fetch(`${web}/auth/me`, { headers }).catch(() => {});
      };
      ended = Promise.all([locking, ...Array.from({ length: CALLERS }, call)]);
    },
    async end() {
      isOver = true;
      await ended;
    },
  };
}

async function withTemporal<Result>(
  { temporalAddress }: Machine,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    return await work(new Client({ connection, namespace: NAMESPACE }));
  } finally {
    await connection.close();
  }
}

const idOf = (index: number) => `rehearsed-${index}`;
const AT_ONCE = 20;

async function forMany(work: (index: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < MANY; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, MANY - first);
    await Promise.all(Array.from({ length: count }, (_, index) => work(first + index)));
  }
}

/** Workflows of a type that no worker has: they only wait. */
const startMany = (client: Client) =>
  forMany((index) => client.workflow.start('rehearsed', { taskQueue: 'tapeline', workflowId: idOf(index) }));

const endMany = (client: Client) =>
  forMany((index) =>
    client.workflow
      .getHandle(idOf(index))
      .terminate()
      .catch(() => {}),
  );

const untilWorks = ({ metricsUrls }: Machine) =>
  until('the worker is ready', async () => (await fetch(`${metricsUrls.worker}/readyz`)).ok || null);

/** A user of the manager who is told of announcements. */
async function addReader({ admin, headers }: Used, email: string): Promise<void> {
  await admin.renew();
  const created = async (path: string, body: unknown): Promise<{ id: string; version: number }> => {
    const { status, text } = await admin.json('POST', path, body, { headers });
    ensure(status < 300, `POST ${path}: ${status} ${text}`);
    return JSON.parse(text) as { id: string; version: number };
  };
  const role = await created('/crud/roles', {
    title: `Reader ${email}`,
    level: 30,
    permissions: ['announcements/read'],
  });
  const user = await created('/crud/users', {
    email,
    firstName: 'Clara',
    lastName: 'Reader',
    type: 'manager',
    assoc: { manager: { id: headers['x-manager-id'] } },
    role: role.id,
  });
  const { status, text } = await admin.json(
    'PUT',
    `/crud/users/${user.id}`,
    { version: user.version, status: 'Active' },
    { headers },
  );
  ensure(status === 200, `${email} is not active: ${status} ${text}`);
}

async function announce({ admin, headers }: Used, title: string): Promise<void> {
  const body = [{ resource: { kind: 'all' }, title, description: title }];
  const { status, text } = await admin.json('POST', '/crud/announcements', body, { headers });
  ensure(status < 300, `an announcement: ${status} ${text}`);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRows, describeSchema, expectSameLines } from './database.ts';
import { prepareServers, untilReady } from './install.ts';
import type { Machine } from './machine.ts';
import { ensure, type Steps } from './steps.ts';
import { checkTape, createPortfolio, uploadTape } from './tapes.ts';
import { until } from './until.ts';
import { signIn } from './use.ts';

/** Of a tape that is processed by two versions. */
const ROWS = 20_000;

/** The user who uploads the tapes of the demonstration. */
const MANAGER = 'manager@tapeline.test';

/** Tables whose rows come and go while the services run. */
const VOLATILE = new Set([
  'backup_runs',
  'holds',
  'job_failures',
  'limited_calls',
  'mikro_orm_migrations',
  'object_comparison',
  'object_findings',
  'outbox',
  'ownership_tokens',
  'refresh_tokens',
  'secret_mails',
  'sent_requests',
  'worker_heartbeats',
]);

/** Tables that jobs add to as soon as the services run: what has become late or due. */
const GROWING = new Set(['notifications']);

/** What a user sees, which must be the same before and after. */
async function figuresOf(machine: Machine): Promise<string> {
  const manager = await signIn(machine, MANAGER);
  const parts: string[] = [];
  const tapes = await manager.list<{ id: string; cutOffDate: string; counts: unknown }>(
    '/crud/loanTape?limit=1000&sort={"cutOffDate":1}',
  );
  parts.push(...tapes.map(({ id, cutOffDate, counts }) => `${id} ${cutOffDate} ${JSON.stringify(counts)}`).sort());
  const statistics = await manager.call('GET', '/crud/assets/statistics');
  ensure(statistics.status === 200, `the statistics of all assets: ${statistics.status}`);
  parts.push(statistics.text);
  for (const path of [
    'companies',
    'transactions',
    'funds',
    'LPs',
    'LPCommitments',
    'borrowingBase',
    'contributions',
    'distributions',
    'users',
  ]) {
    const answer = await manager.call('GET', `/crud/${path}?limit=1`);
    ensure(answer.status === 200, `/crud/${path}: ${answer.status}`);
    parts.push(`${path} ${answer.headers.get('x-docs-count')}`);
  }
  return parts.join('\n');
}

function rowsInBackup(machine: Machine): Map<string, number> {
  const manifest = join(machine.folder, 'backups/before-upgrade/manifest.json');
  const { tables } = JSON.parse(readFileSync(manifest, 'utf8')) as { tables: { name: string; rows: number }[] };
  return new Map(tables.map(({ name, rows }) => [name, rows]));
}

async function expectRows(machine: Machine): Promise<number> {
  const now = await countRows(machine.cluster);
  const before = rowsInBackup(machine);
  const isKept = (name: string, rows: number): boolean => {
    const found = now.get(name) ?? 0;
    return GROWING.has(name) ? found >= rows : found === rows;
  };
  const changed = [...before].filter(([name, rows]) => !VOLATILE.has(name) && !isKept(name, rows));
  ensure(
    changed.length === 0,
    changed.map(([name, rows]) => `${name} had ${rows} rows and has ${now.get(name)}`).join('; '),
  );
  return [...before.values()].reduce((sum, rows) => sum + rows, 0);
}

/** Installs an earlier version with data on empty servers, upgrades it as the guide says, and goes back. */
export async function upgradeAndBack(
  machine: Machine,
  steps: Steps,
  { previous, current, schema }: { previous: string; current: string; schema: readonly string[] },
): Promise<void> {
  const { servers, systemd } = machine;
  const { step } = steps;
  await step(`install the earlier version ${previous.slice(0, 7)} on empty servers`, async () => {
    await systemd.call(['stop', 'tapeline-web', 'tapeline-worker']);
    const { postgres, temporal, storage } = servers;
    await Promise.all([postgres, temporal, storage].map((server) => server.lose()));
    await Promise.all([postgres, temporal, storage].map((server) => server.up()));
    await machine.follow(previous, 'install');
    machine.fillInFiles(previous);
    await prepareServers(machine, previous);
    await machine.follow(previous, 'shell', 'prepare');
  });
  const [before, earlierSchema] = await step('load the demonstration portfolio with it', async () => {
    // Production refuses to seed it.
    await run(machine, 'NODE_ENV=development node_modules/.bin/node demonstration/src/seed.ts');
    await machine.follow(previous, 'start');
    await untilReady(machine);
    const variables = `TAPELINE_HOME=${machine.folder} DEMONSTRATION=short NODE_ENV=development`;
    await run(machine, `${variables} node_modules/.bin/node demonstration/src/load.ts`);
    return [await figuresOf(machine), await describeSchema(machine.cluster)];
  });
  await step('guide: upgrade; the doctor finds nothing', async () => {
    const output = await machine.follow(current, 'shell', 'upgrade');
    ensure(output.includes('Everything is well.'), output);
    steps.note(/Migrated: .*/.exec(output)?.[0] ?? 'no migration was needed');
    steps.note(`${await expectRows(machine)} rows are unchanged`);
    await untilReady(machine);
  });
  await step('the upgraded schema is that of a new installation, and the figures are the same', async () => {
    expectSameLines(schema, await describeSchema(machine.cluster), 'the upgraded schema differs from a new one');
    expectSameLines(before.split('\n'), (await figuresOf(machine)).split('\n'), 'the figures differ');
  });
  await step('the earlier version does not start on the tables of the later one', async () => {
    const { code, output } = await machine.inShell(`cd ../tapeline-${previous} && npm run doctor`);
    ensure(code === 1 && /later version of Tapeline/.test(output), output);
  });
  await step('guide: roll back; the doctor finds nothing', async () => {
    const output = await machine.follow(previous, 'shell', 'rollback');
    ensure(output.includes('Everything is well.'), output);
    steps.note(`${await expectRows(machine)} rows are as before`);
    await untilReady(machine);
  });
  await step('the schema and the figures are those before the upgrade', async () => {
    expectSameLines(earlierSchema, await describeSchema(machine.cluster), 'the schema differs');
    expectSameLines(before.split('\n'), (await figuresOf(machine)).split('\n'), 'the figures differ');
  });
  await replaceOneByOne(machine, steps, { previous, current });
}

/**
 * Replaces an earlier version, whose processes are running, one after the other: the tables are migrated while they run,
 * and for a while a web process and a worker of each version use one database.
 */
async function replaceOneByOne(
  machine: Machine,
  { step, note }: Steps,
  { previous, current }: { previous: string; current: string },
): Promise<void> {
  const { systemd, metricsUrls } = machine;
  const [old, recent] = machine.webUrls;
  const sides = await step('web and worker of both versions run side by side on the migrated database', async () => {
    await run(machine, `cd ../tapeline-${current} && npm run migrate`);
    await systemd.stopOne('web-2');
    await run(machine, `ln -sfn $(realpath ../tapeline-${current}) ../tapeline`);
    await Promise.all(['web-2', 'worker-2'].map((name) => systemd.startOne(name)));
    await untilReady(machine);
    await until('the new worker is ready', async () => (await fetch(`${metricsUrls.secondWorker}/readyz`)).ok || null);
    const admin = await signIn(machine);
    for (const path of ['/auth/privacyAndTerms', '/auth/confirmUserDetails']) await admin.json('PUT', path, {});
    return { old: admin.at(old), new: admin.at(recent) };
  });
  await step('a document that either version writes is read by the other', async () => {
    for (const [writer, reader] of [
      [sides.old, sides.new],
      [sides.new, sides.old],
    ] as const) {
      const { companyId, headers } = await createPortfolio(writer);
      const read = await reader.call('GET', `/crud/companies/${companyId}`, { headers });
      ensure(read.status === 200 && read.text.includes('Northwind'), `the other answers ${read.status} ${read.text}`);
      const changed = await reader.json('PUT', `/crud/companies/${companyId}`, read.text, { headers });
      ensure(changed.status === 200, `the other cannot change it: ${changed.status} ${changed.text}`);
    }
  });
  await step('tapes that are uploaded to either version are processed by both workers, and exact', async () => {
    for (const side of [sides.old, sides.new]) {
      const portfolio = await createPortfolio(side);
      for (const cutOffDate of ['2026-01-31', '2026-02-28']) {
        for (const each of [sides.old, sides.new]) await each.renew();
        const tape = await uploadTape(portfolio, cutOffDate, ROWS);
        for (const admin of [sides.old, sides.new]) await checkTape({ ...portfolio, admin }, tape);
      }
    }
    const done = await Promise.all([metricsUrls.worker, metricsUrls.secondWorker].map(activitiesOf));
    note(`the worker of ${previous.slice(0, 7)} did ${done[0]} steps, the other ${done[1]}`);
    ensure(
      done.every((count) => count > 0),
      'one of the workers did nothing',
    );
  });
  await step('the last processes of the earlier version are replaced; the doctor finds nothing', async () => {
    for (const name of ['web-1', 'worker']) {
      await systemd.stopOne(name);
      await systemd.startOne(name);
    }
    await untilReady(machine);
    const { code, output } = await machine.inShell(`cd ../tapeline-${current} && npm run doctor`);
    ensure(code === 0, output);
    await systemd.stopOne('worker-2');
  });
}

/** How many attempts of activities a worker process has ended. */
async function activitiesOf(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = metrics.matchAll(/^tapeline_activity_duration_seconds_count\{[^}]*\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function run(machine: Machine, command: string): Promise<void> {
  const { code, output } = await machine.inShell(command);
  ensure(code === 0, `${command}: ${output.split('\n').slice(-30).join('\n')}`);
}

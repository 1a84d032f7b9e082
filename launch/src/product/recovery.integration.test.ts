import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { processIdentity } from '../processes/identity.ts';
import { livingProcesses } from '../processes/pid-files.ts';
import { temporalAnswers } from '../temporal/health.ts';

const PROGRAM = fileURLToPath(new URL('../testing/services-only.ts', import.meta.url));

/** A copy of the embedded servers, supervised by another process. */
interface Copy {
  supervisor: ChildProcess;
  said: string[];
  DATABASE_URL: string;
  DATABASE_ADMIN_URL: string;
  TEMPORAL_ADDRESS: string;
  INSTANCE_NAME: string;
  temporalUiUrl: string;
  pids: { postgres: number; temporal: number };
}

let home: string;
const folders: string[] = [];
const supervisors: ChildProcess[] = [];

function newHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-recovery-'));
  folders.push(folder);
  return folder;
}

beforeEach(() => {
  home = newHome();
});

afterEach(async () => {
  await Promise.all(supervisors.splice(0).map((supervisor) => end(supervisor, 'SIGTERM')));
  for (const folder of folders.splice(0)) {
    expect(livingProcesses(join(folder, 'run'))).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  }
});

async function startIn(folder: string): Promise<Copy> {
  const variables = { ...process.env, TAPELINE_HOME: folder, TEMPORAL_CLI: inject('temporalCli') };
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']) {
    delete variables[name as keyof typeof variables];
  }
  const supervisor = spawn(process.execPath, [PROGRAM], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  supervisors.push(supervisor);
  const said: string[] = [];
  createInterface({ input: supervisor.stderr }).on('line', (line) => said.push(line));
  const [line] = await Promise.race([
    new Promise<string[]>((resolve) =>
      createInterface({ input: supervisor.stdout }).once('line', (text) => resolve([text])),
    ),
    new Promise<never>((_, reject) =>
      supervisor.once('exit', () => setImmediate(() => reject(new Error(said.join('\n'))))),
    ),
  ]);
  return { supervisor, said, ...JSON.parse(line!) };
}

async function end(supervisor: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  const ended = new Promise((resolve) => supervisor.once('exit', resolve));
  supervisor.kill(signal);
  await ended;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function withTemporal<T>(copy: Copy, work: (client: TemporalClient) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: copy.TEMPORAL_ADDRESS });
  try {
    return await work(new TemporalClient({ connection }));
  } finally {
    await connection.close();
  }
}

/** Creates a table with a row and starts a workflow that no worker picks up. */
async function leaveTraces(copy: Copy): Promise<void> {
  await query(copy.DATABASE_ADMIN_URL, 'create table traces as select 42 as answer');
  await withTemporal(copy, (client) =>
    client.workflow.start('waiting', { taskQueue: 'nobody-polls', workflowId: 'trace/1', args: [] }),
  );
}

async function expectTraces(copy: Copy): Promise<void> {
  expect(await query(copy.DATABASE_ADMIN_URL, 'select answer from traces')).toEqual([{ answer: 42 }]);
  const status = await withTemporal(
    copy,
    async (client) => (await client.workflow.getHandle('trace/1').describe()).status.name,
  );
  expect(status).toBe('RUNNING');
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + 240_000; Date.now() < limit; await sleep(100)) {
    if (await holds().catch(() => false)) return;
  }
  throw new Error(`${what}: not within four minutes`);
}

test('after the supervisor is killed the next start ends what it left running, and nothing is lost', async () => {
  const first = await startIn(home);
  await leaveTraces(first);
  await end(first.supervisor, 'SIGKILL');
  expect(livingProcesses(join(home, 'run')).map(({ name }) => name)).toContain('postgres');

  const second = await startIn(home);
  expect(second.said.join('\n')).toContain(
    `stopped postgres (process ${first.pids.postgres}), left over from an earlier start`,
  );
  expect(processIdentity(first.pids.postgres)).toBeNull();
  expect(processIdentity(first.pids.temporal)).toBeNull();
  await expectTraces(second);
});

test('a PostgreSQL that no pid file names is found by its own note in the data folder', async () => {
  const first = await startIn(home);
  await leaveTraces(first);
  await end(first.supervisor, 'SIGKILL');
  rmSync(join(home, 'run', 'postgres.pid'));

  const second = await startIn(home);
  expect(second.said.join('\n')).toContain(
    `a PostgreSQL server from an earlier start is still running (process ${first.pids.postgres})`,
  );
  await expectTraces(second);
});

test('a killed child is started again on its port, and nothing is lost', async () => {
  const copy = await startIn(home);
  await leaveTraces(copy);
  process.kill(copy.pids.postgres, 'SIGKILL');
  process.kill(copy.pids.temporal, 'SIGKILL');
  await until('PostgreSQL is back', async () => (await query(copy.DATABASE_URL, 'select 1')).length === 1);
  await until('Temporal is back', () => temporalAnswers(copy.TEMPORAL_ADDRESS, 'default'));
  await expectTraces(copy);
  expect(copy.said.join('\n')).toMatch(/postgres ended \(signal SIGKILL\); restarting/);
});

test('two copies run side by side, each with its own ports, data and cookie name', async () => {
  const [one, other] = await Promise.all([startIn(home), startIn(newHome())]);
  expect(one.DATABASE_URL).not.toBe(other.DATABASE_URL);
  expect(one.TEMPORAL_ADDRESS).not.toBe(other.TEMPORAL_ADDRESS);
  expect(one.temporalUiUrl).not.toBe(other.temporalUiUrl);
  expect(one.INSTANCE_NAME).not.toBe(other.INSTANCE_NAME);
  await leaveTraces(one);
  await expect(query(other.DATABASE_ADMIN_URL, 'select answer from traces')).rejects.toThrow('does not exist');
});

test('a second start on a home in use is refused and leaves the first alone', async () => {
  const copy = await startIn(home);
  await expect(startIn(home)).rejects.toThrow(`Tapeline already runs from ${home} (process ${copy.supervisor.pid}`);
  expect(await query(copy.DATABASE_URL, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the program connects as a role that is neither superuser nor owner', async () => {
  const copy = await startIn(home);
  const sql = `select rolsuper or rolbypassrls or rolcreaterole as strong, pg_has_role(datdba, 'USAGE') as owns
    from pg_roles, pg_database where rolname = current_user and datname = current_database()`;
  expect(await query(copy.DATABASE_URL, sql)).toEqual([{ strong: false, owns: false }]);
});

test('told to stop, everything ends and the home is free again', async () => {
  const copy = await startIn(home);
  await end(copy.supervisor, 'SIGTERM');
  expect(copy.supervisor.exitCode).toBe(0);
  expect(processIdentity(copy.pids.postgres)).toBeNull();
  expect(processIdentity(copy.pids.temporal)).toBeNull();
  await end((await startIn(home)).supervisor, 'SIGTERM');
});

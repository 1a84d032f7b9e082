import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { expect, inject, onTestFinished, test } from 'vitest';
import { claimAnyPort } from '../ports/ports.ts';
import { asSuperuser, connectionUrl, prepareCluster } from '../postgres/cluster.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import '../testing/provided.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const GUIDE = readdirSync(join(root, 'docs/operating'))
  .map((name) => read(`docs/operating/${name}`))
  .join('\n');
const COMMANDS = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

/** The program that `npm run NAME` starts. */
const programOf = (name: string): string[] => (COMMANDS[name] ?? '').split(' ').slice(2);

test('every command, file and unit that the guide names exists, and its settings are accepted', () => {
  const commands = [...GUIDE.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name);
  expect(commands.length).toBeGreaterThan(8);
  for (const name of commands) expect(COMMANDS, name).toHaveProperty([name ?? '']);
  const files = [...GUIDE.matchAll(/\bdeploy\/[\w./-]+\w/g)].map(([name]) => name);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  for (const unit of ['tapeline-web', 'tapeline-worker']) {
    const [, program = ''] = /^ExecStart=\S+ (\S+)$/m.exec(read(`deploy/systemd/${unit}.service`)) ?? [];
    expect(existsSync(join(root, program)), unit).toBe(true);
  }
  const lines = read('deploy/systemd/tapeline.env.example').matchAll(/^([A-Z_0-9]+)='?([^'\n]*)'?$/gm);
  const variables = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
  for (const [unit, command] of [
    ['tapeline-backup', 'backup'],
    ['tapeline-restore-test', 'restore'],
  ] as const) {
    const [, program = ''] = /^ExecStart=\S+ (\S+) /m.exec(read(`deploy/systemd/${unit}.service`)) ?? [];
    expect(programOf(command)).toEqual([program]);
    expect(existsSync(join(root, `deploy/systemd/${unit}.timer`)), unit).toBe(true);
  }
  // What is protected is the same for each unit.
  const protectionOf = (unit: string) =>
    /^NoNewPrivileges=[\s\S]*?^UMask=.*$/m.exec(read(`deploy/systemd/${unit}.service`))?.[0];
  const protection = protectionOf('tapeline-web');
  expect(protection?.split('\n').length).toBeGreaterThan(20);
  for (const unit of ['tapeline-worker', 'tapeline-backup', 'tapeline-restore-test']) {
    expect(protectionOf(unit), unit).toBe(protection);
  }
  expect(() => readEnvironment(variables)).toThrow('APP_SECRET: is required in production');
  expect(readEnvironment({ ...variables, APP_SECRET: '9f2c61d07be84a35b1d6e0c7a4f8932d' })).toMatchObject({
    mailFrom: 'Tapeline <no-reply@example.com>',
    s3: { keys: null, bucket: 'tapeline-example' },
  });
});

test('the commands of the guide make an empty PostgreSQL ready, and the doctor names each step that is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-guide-'));
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'postgres'));
  const supervisor = createSupervisor({
    runFolder: join(folder, 'run'),
    logFolder: join(folder, 'logs'),
    say: () => {},
  });
  const claimed = await claimAnyPort();
  onTestFinished(async () => {
    await supervisor.stop();
    claimed.release();
    rmSync(folder, { recursive: true, force: true });
  });
  const { port } = claimed;
  const cluster = {
    dataFolder: join(folder, 'postgres', 'data'),
    port,
    superuserPassword: 'only for tests',
    throwAway: true,
  };
  await supervisor.start([await prepareCluster(cluster, () => {})]);

  const [owner, app] = ['7c1d9be2f0a64835', '2e8a40c7d95b6f13'];
  const address = (user: string, password: string) => connectionUrl({ user, password, port, database: 'tapeline' });
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'test',
    TAPELINE_HOME: join(folder, 'home'),
    DATABASE_URL: address('tapeline_app', app),
    DATABASE_ADMIN_URL: address('tapeline_owner', owner),
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    S3_ENDPOINT: '',
    SMTP_URL: '',
  };
  const run = async (name: string, ...words: string[]) => {
    const child = spawn(process.execPath, [...programOf(name), ...words], { cwd: root, env, stdio: 'pipe' });
    child.stdin.end();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { output: output + errors, code };
  };
  const asOperator = (sql: string) =>
    asSuperuser(cluster, 'postgres', async (client) => {
      // Databases are not created in a transaction, so each statement is sent on its own.
      for (const statement of sql.split(/;\n/)) if (statement.trim()) await client.query(statement);
    });

  expect(await run('doctor')).toMatchObject({ code: 1, output: expect.stringContaining('or has no such role') });
  const roles = read('deploy/roles.sql').replaceAll(":'owner_password'", `'${owner}'`);
  await asOperator(roles.replaceAll(":'app_password'", `'${app}'`));
  await asOperator('drop owned by tapeline_app;\ndrop role tapeline_app');
  expect((await run('doctor')).output).toContain(
    'The role tapeline_app does not exist, and tapeline_owner cannot create it. As a superuser: CREATE ROLE tapeline_app',
  );
  await asOperator(
    `create role tapeline_app login password '${app}';\ngrant connect on database tapeline to tapeline_app`,
  );
  expect((await run('doctor')).output).toContain('The database has no tables yet. Run `npm run migrate`.');
  expect(await run('migrate')).toMatchObject({ code: 0, output: expect.stringContaining('Migrated: ') });
  expect(await run('seed')).toMatchObject({ code: 0, output: expect.stringContaining('Roles and permissions') });
  expect(await run('admin:create', 'ann@example.com')).toMatchObject({
    code: 0,
    output: expect.stringContaining('ann@example.com is now an admin'),
  });
  expect(await run('doctor')).toMatchObject({ code: 0, output: expect.stringContaining('Everything is well.') });
});

import type { ServerFacts } from '@tapeline/db/check-database.ts';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { describe, expect, test } from 'vitest';
import { settingFindings } from './check-settings.ts';

const GB = 2 ** 30;
const SERVER: ServerFacts = {
  version: 15,
  connections: 97,
  role: { name: 'tapeline_app', isSuperuser: false, isOwner: false },
};
const environment = readEnvironment({
  NODE_ENV: 'test',
  APP_SECRET: '9f2c61d07be84a35b1d6e0c7a4f8932d',
  DATABASE_URL: 'postgres://tapeline_app:of-the-tests@127.0.0.1/tapeline',
  DATABASE_POOL_SIZE: '10',
  WORKER_PROCESSES: '2',
  JOB_MEMORY_MB: '512',
  QUERY_MEMORY_MB: '512',
});
const production = {
  ...environment,
  nodeEnv: 'production' as const,
  publicUrl: 'https://funds.example.com',
  trustedProxies: ['10.0.0.1'],
};
const found = (change: Partial<typeof environment> = {}, server: ServerFacts | null = SERVER, memory = 64 * GB) =>
  settingFindings({ ...production, ...change }, server, memory);
const WELL = { problems: [], notes: [] };
const oneProblem = (text: string) => ({ problems: [expect.stringContaining(text)], notes: [] });

test('settings that fit are well, also while PostgreSQL cannot be reached', () => {
  expect(found()).toEqual(WELL);
  expect(found({}, null)).toEqual(WELL);
});

test('an address of users needs NODE_ENV=production, and the address of this machine does not', () => {
  expect(found({ nodeEnv: 'development' })).toEqual(oneProblem('NODE_ENV is not set'));
  expect(found({ nodeEnv: 'development', publicUrl: 'http://localhost:3000' })).toEqual(WELL);
});

test('TLS at the public address means a proxy, which must be trusted', () => {
  expect(found({ trustedProxies: [] })).toEqual(oneProblem('TRUSTED_PROXIES is empty'));
  expect(found({ trustedProxies: [], publicUrl: 'http://localhost:3000' })).toEqual(WELL);
});

test('metrics on every interface are noted', () => {
  expect(found({ monitoring: { host: '0.0.0.0', port: 9464 } }).notes).toEqual([expect.stringContaining('port 9464')]);
  expect(found({ monitoring: { host: '127.0.0.1', port: 9464 } })).toEqual(WELL);
});

describe('PostgreSQL', () => {
  test('of versions 15 to 18 is supported', () => {
    for (const version of [15, 18]) expect(found({}, { ...SERVER, version }), String(version)).toEqual(WELL);
    for (const version of [14, 19]) {
      expect(found({}, { ...SERVER, version }), String(version)).toEqual(oneProblem(`PostgreSQL ${version} is not`));
    }
  });

  test('must have connections for every pool of the machine and one listener', () => {
    expect(found({}, { ...SERVER, connections: 31 })).toEqual(WELL);
    expect(found({}, { ...SERVER, connections: 30 })).toEqual(oneProblem('can open 31 connections'));
  });

  test('must not be used as its superuser or as the owner of the tables', () => {
    const as = (change: Partial<ServerFacts['role']>) => found({}, { ...SERVER, role: { ...SERVER.role, ...change } });
    expect(as({ name: 'postgres', isSuperuser: true })).toEqual(oneProblem('as postgres, a superuser'));
    expect(as({ name: 'tapeline_owner', isOwner: true })).toEqual(oneProblem('the owner of the tables'));
  });
});

test('the memory that is granted to the web app, and to the jobs, must fit the machine', () => {
  const { problems } = found({}, SERVER, GB);
  expect(problems).toEqual([expect.stringContaining('to the web app'), expect.stringContaining('to jobs')]);
  const [web, jobs] = problems.map((problem) => Number(/, (\d+) MiB, is more/.exec(problem)?.[1]) * 2 ** 20);
  const least = Math.max(web!, jobs!);
  expect(found({}, SERVER, least + 2 ** 20)).toEqual(WELL);
  expect(found({}, SERVER, least - 2 ** 20)).toEqual(oneProblem('is more than this machine has'));
  // The usual memory of a job is a share of the machine.
  expect(found({ budgets: { ...environment.budgets, jobMemory: null } }, SERVER, web! + 2 ** 20)).toEqual(WELL);
});

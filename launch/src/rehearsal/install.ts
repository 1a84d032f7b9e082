import { describeSchema } from './database.ts';
import { doctorCases } from './doctor-cases.ts';
import type { Machine, Ran } from './machine.ts';
import { ensure, type Steps } from './steps.ts';
import { until } from './until.ts';

/** Everything that the doctor found. */
const problemsIn = ({ output }: Ran): string[] => output.split('\n').filter((line) => line.startsWith('WRONG'));

/** Waits until both web processes answer that everything is there. */
export async function untilReady({ webUrls, url }: Machine): Promise<void> {
  for (const address of [...webUrls, url]) {
    await until(`${address} is ready`, async () => {
      const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(10_000) });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
      return true;
    });
  }
}

/**
 * Follows the guide from an empty machine to services that are ready.
 * @param options.examines whether to make each setting wrong, for the doctor
 * @returns the schema of a new installation
 */
export async function installAndExamine(
  machine: Machine,
  steps: Steps,
  { version, examines }: { version: string; examines: boolean },
): Promise<string[]> {
  const { servers } = machine;
  const { step } = steps;
  await step('start PostgreSQL, Temporal, object storage, IAM and mail server, all empty', async () => {
    const { postgres, temporal, storage, rights, mail } = servers;
    await Promise.all([postgres, temporal, storage, rights, mail].map((server) => server.up()));
  });
  await step('guide 1: clone, install and build', async () => {
    await machine.follow(version, 'install');
    machine.fillInFiles(version);
  });
  await step('guide 2, 3 and 4: roles, namespace, bucket and rights', () => prepareServers(machine, version));
  await step('guide 5: settings', async () => {
    await machine.follow(version, 'settings-file');
    machine.fillInSettings();
    const ran = await machine.inShell('npm run doctor');
    const [problem = '', ...others] = problemsIn(ran);
    const isExpected = /The database has no tables yet\. Run `npm run migrate`\.$/.test(problem);
    ensure(ran.code === 1 && isExpected && others.length === 0, `the doctor before the migration: ${ran.output}`);
    ensure(!/installing dependencies/.test(ran.output), `a command installs again: ${ran.output}`);
  });
  await step('guide 5: migrate, roles of users, first account; the doctor finds nothing', async () => {
    const output = await machine.follow(version, 'shell', 'prepare');
    ensure(output.includes('Everything is well.'), output);
  });
  if (examines) await breakSettings(machine, steps);
  const schema = await describeSchema(machine.cluster);
  await step('guide 6: web processes, workers and proxy', async () => {
    await machine.follow(version, 'start');
    await servers.proxy.up();
    await untilReady(machine);
    await expectMetrics(machine);
    const ran = await machine.inShell('npm run doctor');
    ensure(ran.code === 0 && !/^(WRONG|note)/m.test(ran.output), ran.output);
  });
  return schema;
}

/** Web and workers of one machine serve their metrics and their health on ports of their own. */
async function expectMetrics({ metricsUrls }: Machine): Promise<void> {
  const own = { web: 'http_server_request_duration_seconds', worker: 'tapeline_worker_paused' } as const;
  for (const program of ['web', 'worker'] as const) {
    const url = metricsUrls[program];
    await until(`${program} is ready on its port for machines`, async () => (await fetch(`${url}/readyz`)).ok || null);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const name = own[program];
    ensure(metrics.includes(`# TYPE ${name} `), `the metrics of ${program} lack ${name}`);
  }
}

/** Makes each setting wrong, one at a time. */
async function breakSettings(machine: Machine, steps: Steps): Promise<void> {
  const { mail } = machine.servers;
  for (const { name, settings, answer } of doctorCases(machine.addresses)) {
    await steps.attempt(`doctor: ${name}`, () => expectProblem(machine, settings, answer));
  }
  await steps.attempt('doctor: the mail server is down', async () => {
    await mail.down();
    try {
      await expectProblem(machine, {}, /Email: The mail server does not answer at .*: nothing listens there/);
    } finally {
      await mail.up();
    }
  });
}

/** Steps 2 to 4 of the guide, also after a loss. */
export async function prepareServers(machine: Machine, version: string): Promise<void> {
  await machine.follow(version, 'roles');
  await machine.follow(version, 'namespace');
  await prepareBucket(machine, version);
}

export async function prepareBucket(machine: Machine, version: string): Promise<void> {
  await machine.follow(version, 'bucket');
  await machine.grantRights();
  await machine.follow(version, 'rights');
}

async function expectProblem(machine: Machine, settings: Record<string, string>, answer: RegExp): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'\n`);
  const ran = await machine.inShell(`${lines.join('')}npm run doctor`);
  const problems = problemsIn(ran);
  ensure(
    ran.code === 1 && problems.length === 1 && answer.test(problems[0] ?? ''),
    `the doctor did not say ${answer} alone (exit code ${ran.code}): ${ran.output}`,
  );
  ensure(!/\n\s+at /.test(ran.output), `the doctor prints a stack trace: ${ran.output}`);
}

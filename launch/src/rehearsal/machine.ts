import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { claimAnyPort, claimPort } from '../ports/ports.ts';
import { postgresAccount } from '../postgres/system-account.ts';
import type { Variables } from '../processes/variables.ts';
import { freshVariables } from '../product/fresh-variables.ts';
import type { Addresses } from './doctor-cases.ts';
import { fillIn, type Replacement, readGuide } from './guide.ts';
import { findPrograms, type ServerPrograms } from './programs.ts';
import type { Block } from './rehearsed.ts';
import { clusterIn, createServers, type Server, type ServerName, type ServersOptions } from './servers.ts';
import { openSystemd } from './systemd/open.ts';
import type { Systemd } from './systemd/systemd.ts';

export const ADMIN = 'ann@example.com';
/** The access key of the user with the rights of deploy/s3/policy.json. */
const STORAGE_USER = 'tapeline';
/** Longer than the time before the end of a certificate at which its alert fires. */
const CERTIFICATE_DAYS = 30;
const COMMAND_TIMEOUT_MS = 15 * 60_000;

export interface Ran {
  code: number | null;
  output: string;
}

/** A fresh machine as the guide assumes it, in a folder, with all servers. */
export interface Machine {
  readonly folder: string;
  readonly programs: ServerPrograms;
  readonly servers: Record<ServerName, Server>;
  readonly systemd: Systemd;
  readonly cluster: ReturnType<typeof clusterIn>;
  /** The address of the proxy. */
  readonly url: string;
  /** The addresses of the web processes behind it. */
  readonly webUrls: readonly [string, string];
  /** Where a web process and a worker process serve metrics and health. */
  readonly metricsUrls: Record<'web' | 'worker' | 'secondWorker', string>;
  /** Host and port of every process for Prometheus. */
  readonly scraped: readonly string[];
  readonly mailFolder: string;
  readonly certificate: string;
  /** Makes the proxy's certificate again, with the same key, and for another number of days. */
  renewCertificate(days: number): void;
  /** The folder of an installation's processes: its TAPELINE_HOME. */
  readonly home: string;
  readonly temporalAddress: string;
  readonly storageUrl: string;
  readonly addresses: Addresses;
  /** All examples of the guide, and what replaces them. */
  readonly rehearsed: ReadonlySet<string>;
  /** Runs blocks of the guide in one shell. @throws if a command fails */
  follow(version: string, ...blocks: Block[]): Promise<string>;
  /** Runs commands in the shell of the guide's operator, after its block `shell`. Does not throw. */
  inShell(commands: string): Promise<Ran>;
  /** Runs commands in a shell of the operator of the servers: `aws` reaches the object storage as its administrator. */
  asOperator(commands: string): Promise<Ran>;
  /** Sets what differs for one unit, as text of an environment file. It takes effect when the unit starts. */
  setForUnit(unit: 'tapeline-web' | 'tapeline-worker', settings: string): void;
  /** Fills in the examples in the files of deploy/, as the guide says. */
  fillInFiles(version: string): void;
  /** Fills in the file of settings, as the guide says. */
  fillInSettings(): void;
  /** Creates what the operator of the object storage does beyond the guide: a user with the rights of the policy. */
  grantRights(): Promise<void>;
  close(): Promise<void>;
}

/** Variables of this process without those of npm and of the product. */
function ownVariables(): NodeJS.ProcessEnv {
  const variables = freshVariables('');
  for (const name of Object.keys(variables)) {
    const isOfNpm = /^npm_|^INIT_CWD$/.test(name) && !/registry|cafile|proxy|cache/i.test(name);
    if (isOfNpm || /^(TAPELINE_HOME|DEMONSTRATION|PORT|POSTGRES_PORT|TEMPORAL_\w+|AWS_\w+|PG\w+)$/.test(name)) {
      delete variables[name];
    }
  }
  // `npm run` puts the programs of this project first.
  const folders = (variables.PATH ?? '').split(':').filter((each) => !each.includes('node_modules'));
  return { ...variables, PATH: folders.join(':') };
}

export async function openMachine(root: string, folder: string, say: (line: string) => void): Promise<Machine> {
  const variables = ownVariables();
  const programs = await findPrograms(variables, say);
  const place = (...names: string[]) => join(folder, ...names);
  for (const name of ['opt', 'etc/systemd/system', 'var/lib', 'backups', 'stand-ins', 'run', 'logs', 'ssl', 'rights']) {
    mkdirSync(place(name), { recursive: true });
  }
  const names = ['postgres', 'temporal', 'storage', 'mail', 'proxy', 'rights'] as const;
  const more = ['webPort', 'secondWebPort', 'plainPort', 'webMetrics', 'secondWebMetrics'] as const;
  const claims = await Promise.all([...names, ...more].map(async (name) => [name, await claimAnyPort()] as const));
  // Worker processes take the ports from this one on, so it is outside those that the system offers.
  const workerMetrics = await claimPort(
    { purpose: 'the metrics of workers', setting: 'METRICS_PORT', wanted: undefined, standard: 19_464 },
    () => {},
  );
  const secondWorkerMetrics = await claimPort(
    { purpose: 'the metrics of more workers', setting: 'METRICS_PORT', wanted: undefined, standard: 19_564 },
    () => {},
  );
  const ports = Object.fromEntries(claims.map(([name, { port }]) => [name, port])) as ServersOptions['ports'];
  const password = randomBytes(20).toString('hex');

  const [certificate, key] = [place('ssl/fullchain.pem'), place('ssl/privkey.pem')];
  execFileSync('openssl', ['genrsa', '-out', key, '2048'], { stdio: 'ignore' });
  const renewCertificate = (days: number): void => {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const output = ['-key', key, '-days', String(days), '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-new', ...subject, ...output], { stdio: 'ignore' });
  };
  renewCertificate(CERTIFICATE_DAYS);
  chmodSync(certificate, 0o644);

  const url = `https://localhost:${ports.proxy}`;
  const examples = (version: string): Replacement[] => [
    ['/opt/', `${place('opt')}/`],
    ['/etc/ssl/tapeline', place('ssl')],
    ['/etc/', `${place('etc')}/`],
    ['/var/lib/', `${place('var/lib')}/`],
    ['/backups/', `${place('backups')}/`],
    ['REPOSITORY', root],
    ['VERSION', version],
    ['PASSWORD', password],
    ['db.example.com:5432', `127.0.0.1:${ports.postgres}`],
    ['temporal.example.com:7233', `127.0.0.1:${ports.temporal}`],
    ['https://s3.eu-central-1.amazonaws.com', `http://127.0.0.1:${ports.storage}`],
    ['@mail.example.com', `@127.0.0.1:${ports.mail}`],
    ['https://tapeline.example.com', url],
    ['server_name tapeline.example.com', 'server_name localhost'],
    ['server 127.0.0.1:3000;', `server 127.0.0.1:${ports.webPort};\n  server 127.0.0.1:${ports.secondWebPort};`],
    ['listen 443', `listen 127.0.0.1:${ports.proxy}`],
    ['listen 80', `listen 127.0.0.1:${ports.plainPort}`],
  ];
  const blocks = readGuide(readFileSync(join(root, 'docs/operating/production.md'), 'utf8'));
  const current = place('opt/tapeline');
  const options: ServersOptions = {
    folder,
    programs,
    ports,
    password,
    certificate,
    key,
    proxyConfiguration: () => readFileSync(join(current, 'deploy/nginx/tapeline.conf'), 'utf8'),
    say,
  };
  const servers = createServers(options);
  const [home, secondHome] = [place('var/lib/tapeline'), place('var/lib/tapeline-second')];
  const systemd = await openSystemd({
    folder,
    unitFolder: place('etc/systemd/system'),
    instances: [
      { unit: 'tapeline-web', name: 'web-1', machine: 'first', home, changes: {} },
      { unit: 'tapeline-worker', name: 'worker', machine: 'first', home, changes: {} },
      {
        unit: 'tapeline-web',
        name: 'web-2',
        machine: 'second',
        home: secondHome,
        changes: {
          PORT: String(ports.secondWebPort),
          METRICS_PORT: String(ports.secondWebMetrics),
          TAPELINE_HOME: secondHome,
        },
      },
      {
        unit: 'tapeline-worker',
        name: 'worker-2',
        machine: 'second',
        home: secondHome,
        changes: { METRICS_PORT: String(secondWorkerMetrics.port), TAPELINE_HOME: secondHome },
        isExtra: true,
      },
    ],
    account: postgresAccount(),
    say: () => {},
  });
  say(`the units are run by ${systemd.name}`);

  const listener = createServer(async (call, answer) => {
    try {
      await systemd.call((await json(call)) as string[]);
      answer.end();
    } catch (error) {
      answer.writeHead(400).end(`${error instanceof Error ? error.message : error}\n`);
    }
  });
  await new Promise<void>((resolve) => listener.listen(place('run/systemd.sock'), resolve));
  writeStandIns(place('stand-ins'), place('run/systemd.sock'));

  const environment: NodeJS.ProcessEnv = {
    ...variables,
    PATH: [place('stand-ins'), programs.python, join(programs.temporal, '..'), variables.PATH].join(':'),
    NODE_EXTRA_CA_CERTS: certificate,
  };
  /** For the operators of the servers, whose commands the guide names too. */
  const asOperators: Variables = {
    PGHOST: '127.0.0.1',
    PGPORT: String(ports.postgres),
    PGUSER: 'postgres',
    PGPASSWORD: password,
    AWS_ACCESS_KEY_ID: 'admin',
    AWS_SECRET_ACCESS_KEY: password,
    AWS_REGION: 'eu-central-1',
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${ports.storage}`,
    AWS_ENDPOINT_URL_IAM: `http://127.0.0.1:${ports.rights}`,
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
  };

  async function bash(script: string, extra: Variables = {}): Promise<Ran> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: { ...environment, ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_TIMEOUT_MS,
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, output: output + errors };
  }

  // On a machine that runs both, web and workers have different ports.
  const portsOfUnits = { 'tapeline-web': ports.webMetrics, 'tapeline-worker': workerMetrics.port } as const;
  const setForUnit = (unit: keyof typeof portsOfUnits, settings: string): void =>
    writeFileSync(place(`etc/tapeline/${unit}.env`), `METRICS_PORT=${portsOfUnits[unit]}\n${settings}`, {
      mode: 0o600,
    });

  const rehearsed = new Set<string>();
  const commandsOf = (version: string, names: readonly Block[]) =>
    names
      .map((name) => {
        const commands = blocks.get(name);
        if (commands === undefined) throw new Error(`the guide has no block ${name}`);
        rehearsed.add(name);
        return fillIn(commands, examples(version));
      })
      .join('');

  return {
    folder,
    programs,
    servers,
    systemd,
    cluster: clusterIn(options),
    url,
    webUrls: [`http://127.0.0.1:${ports.webPort}`, `http://127.0.0.1:${ports.secondWebPort}`],
    metricsUrls: {
      web: `http://127.0.0.1:${ports.webMetrics}`,
      worker: `http://127.0.0.1:${workerMetrics.port}`,
      secondWorker: `http://127.0.0.1:${secondWorkerMetrics.port}`,
    },
    scraped: [ports.webMetrics, ports.secondWebMetrics, workerMetrics.port].map((port) => `127.0.0.1:${port}`),
    mailFolder: place('mail'),
    certificate,
    renewCertificate,
    home,
    temporalAddress: `127.0.0.1:${ports.temporal}`,
    storageUrl: `http://127.0.0.1:${ports.storage}`,
    addresses: { database: `127.0.0.1:${ports.postgres}`, mail: `127.0.0.1:${ports.mail}`, password },
    rehearsed,
    async follow(version, ...names) {
      const script = commandsOf(version, names);
      const operators = names.some((name) => ['roles', 'namespace', 'bucket', 'rights', 'rollback'].includes(name));
      const { code, output } = await bash(script, operators ? asOperators : {});
      if (code !== 0) throw new Error(`exit code ${code}:\n${script}\n${output.split('\n').slice(-40).join('\n')}`);
      return output;
    },
    asOperator: (commands) => bash(commands, asOperators),
    inShell: (commands) => bash(`${commandsOf('', ['shell'])}\n${commands}`),
    fillInFiles(version) {
      for (const name of [
        'systemd/tapeline-web.service',
        'systemd/tapeline-worker.service',
        'systemd/tapeline.env.example',
        'nginx/tapeline.conf',
        's3/cors.json',
      ]) {
        const file = place(`opt/tapeline-${version}/deploy`, name);
        if (!existsSync(file))
          throw new Error(`this guide cannot be followed with ${version}: it has no deploy/${name}`);
        writeFileSync(file, fillIn(readFileSync(file, 'utf8'), examples(version)));
      }
    },
    fillInSettings() {
      const file = place('etc/tapeline/tapeline.env');
      const settings = {
        APP_SECRET: randomBytes(32).toString('hex'),
        PORT: ports.webPort,
        S3_ACCESS_KEY_ID: STORAGE_USER,
        S3_SECRET_ACCESS_KEY: password,
        NODE_EXTRA_CA_CERTS: certificate,
        // A small tape has several batches, so that an outage can happen between two.
        TAPE_BATCH_ROWS: 5000,
      };
      const given = readFileSync(file, 'utf8').replace(/^APP_SECRET=.*\n/m, '');
      const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
      writeFileSync(file, given + lines.join(''), { mode: 0o600 });
      setForUnit('tapeline-web', '');
      setForUnit('tapeline-worker', '');
    },
    setForUnit,
    async grantRights() {
      const policy = JSON.parse(readFileSync(join(current, 'deploy/s3/policy.json'), 'utf8')) as {
        Statement: Record<string, unknown>[];
      };
      for (const statement of policy.Statement) statement.Principal = STORAGE_USER;
      writeFileSync(place('rights/policy.json'), JSON.stringify(policy));
      const endpoint = `http://127.0.0.1:${ports.storage}`;
      const script = `${programs.versitygw} admin --access admin --secret ${password} --region eu-central-1 --endpoint-url ${endpoint} create-user --access ${STORAGE_USER} --secret ${password} --role user
aws s3api put-bucket-policy --bucket tapeline-example --policy file://${place('rights/policy.json')}
aws iam create-role --role-name tapeline --assume-role-policy-document '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}' || aws iam get-role --role-name tapeline`;
      const { code, output } = await bash(script, asOperators);
      if (code !== 0) throw new Error(output);
    },
    async close() {
      await systemd.close();
      await Promise.all(Object.values(servers).map((server) => server.down()));
      await new Promise((resolve) => listener.close(resolve));
      for (const claim of [...claims.map(([, each]) => each), workerMetrics, secondWorkerMetrics]) claim.release();
    },
  };
}

/** Programs that run instead of those that would change the machine itself. */
function writeStandIns(folder: string, socket: string): void {
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content, { mode: 0o755 });
  write('useradd', '#!/bin/sh\necho "useradd $*: left out in a rehearsal"\n');
  write(
    'systemctl',
    `#!/usr/bin/env node
const { request } = require('node:http');
const call = request({ socketPath: ${JSON.stringify(socket)}, method: 'POST' }, (answer) => {
  answer.pipe(process.stderr);
  answer.on('end', () => { process.exitCode = answer.statusCode === 200 ? 0 : 1; });
});
call.end(JSON.stringify(process.argv.slice(2)));
`,
  );
}

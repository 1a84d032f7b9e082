import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXPORTED = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
/** What Remix reads from each route. */
const OF_ROUTES = new Set(['loader', 'action', 'meta', 'handle', 'headers', 'shouldRevalidate', 'ErrorBoundary']);

/** The files that export a name, by package and name, of those that several files of a package export. */
function exportedTwice(sources: Iterable<readonly [path: string, source: string]>): string[] {
  const files = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    for (const [, name = ''] of source.matchAll(EXPORTED)) {
      if (OF_ROUTES.has(name)) continue;
      const key = `${path.split('/')[0]} ${name}`;
      files.set(key, (files.get(key) ?? new Set()).add(path));
    }
  }
  return [...files].flatMap(([key, paths]) => (paths.size > 1 ? [`${key}: ${[...paths].join(', ')}`] : []));
}

test('a search for an exported name of a package finds one thing', () => {
  // Migrations are never edited, and have what they need beside them.
  const paths = globSync('*/src/**/*.ts', { cwd: ROOT })
    .concat(globSync('web/{app,server}/**/*.{ts,tsx}', { cwd: ROOT }))
    .filter((path) => !/\.test\.tsx?$|\/(tests|testing|migrations|node_modules|build)\//.test(path));
  expect(paths.length).toBeGreaterThan(1500);
  expect(exportedTwice(paths.map((path) => [path, readFileSync(`${ROOT}/${path}`, 'utf8')]))).toEqual([]);
});

test('a name that two files of a package export is found', () => {
  const sources = [
    ['web/app/a.ts', 'export const shareOf = 1;\nexport type shareOf = 1;\nexport const loader = 1;'],
    ['web/app/b.ts', 'export async function shareOf() {}\nexport const loader = 1;'],
    ['db/src/c.ts', 'export interface shareOf {}'],
  ] as const;
  expect(exportedTwice(sources)).toEqual(['web shareOf: web/app/a.ts, web/app/b.ts']);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILER_FLAG } from '@tapeline/db/compilers.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCollection, copySources } from './add-collection.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'tapeline-collection-'));
let added: { created: string[]; touched: string[] };

beforeAll(() => {
  copySources(ROOT, copy);
  added = addCollection(copy);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Tests that go over every collection, and need no services. */
const TESTS = [
  'db/src/collections/collections.test.ts',
  'db/src/migrations/landed.test.ts',
  'domain/src/collections/collections.test.ts',
  'web/app/api/calls.test.ts',
  'web/app/api/openapi.test.ts',
  'web/app/api/unknown-fields.test.ts',
  'web/app/components/shell/navigation.test.ts',
];

interface Results {
  readonly numFailedTests: number;
  readonly success: boolean;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs tests of the copy. */
function runTests(files: readonly string[]): Results {
  const output = join(copy, 'results.json');
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const reported = ['--reporter=json', `--outputFile=${output}`];
  const run = spawnSync(
    process.execPath,
    [COMPILER_FLAG, vitest, 'run', '--project=unit', '--maxWorkers=1', ...reported, ...files],
    {
      cwd: copy,
      encoding: 'utf8',
      // The settings of the run that this test belongs to are not those of the one that it starts.
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(VITEST|VITE_|NODE_ENV|TEST$)/.test(name)),
      ) as NodeJS.ProcessEnv,
    },
  );
  try {
    return JSON.parse(readFileSync(output, 'utf8')) as Results;
  } catch {
    throw new Error(`The tests of the copy did not end: ${run.stdout}${run.stderr}`);
  }
}

it('a collection that is added as CONTRIBUTING says is served, shown and checked like the others', () => {
  expect(added.touched.length).toBeGreaterThan(0);
  expect(added.touched.length).toBeLessThanOrEqual(6);
  expect(added.created.length).toBeGreaterThan(10);
  const own = added.created.filter((path) => path.endsWith('.test.ts'));
  const { success, testResults } = runTests([...own, ...TESTS]);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests
    .filter(({ status }) => status === 'failed')
    .map((test) => [test.fullName, ...test.failureMessages]);
  expect([...failed, ...testResults.flatMap(({ message }) => message || [])]).toEqual([]);
  expect(success).toBe(true);
  const about = tests.map(({ fullName }) => fullName).filter((name) => /valuation ?agent/i.test(name));
  expect(about).toEqual(
    expect.arrayContaining([
      'a valuation agent enforces its limits: title',
      'the example of POST /crud/valuationAgents is a call that the API accepts, and a response of it',
      'the collection valuationAgents has a list and pages with screens',
    ]),
  );
});

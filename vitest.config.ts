import { defineConfig } from 'vitest/config';
import { COMPILER_FLAG } from './db/src/compilers.ts';

const packages = [
  'domain',
  'sheets',
  'parquet',
  'db',
  'lake',
  'mail',
  'telemetry',
  'workflows',
  'workers',
  'web',
  'launch',
  'bench',
  'demonstration',
];
const tests = (ending: string) => packages.map((name) => `${name}/**/*${ending}`);
const serviceEndings = ['integration', 'http', 'browser', 'alone'].map((kind) => `.${kind}.test.ts`);

// Polled conditions can take long on a loaded machine, where the default timeout of one second is too short.
// Asking every 50 ms, the default, takes the processors from the jobs that are waited for.
const POLLED = { timeout: 60_000, interval: 200 };

// Tests run with the same compilers as the product (decision 020).
const execArgv = [COMPILER_FLAG];

/** A test that takes two seconds alone can exceed the default timeout of five on a loaded machine. */
const patient = (timeoutMs: number) => ({ testTimeout: timeoutMs, hookTimeout: timeoutMs });

/** Loading the modules again for each file takes more processor time than most files of tests. */
const sharingModules = { isolate: false };

/** Settings of the projects that share one product. It is started once if any of them runs. */
const ofTheProduct = {
  execArgv,
  ...sharingModules,
  setupFiles: ['web/tests/close-after-file.ts'],
  globalSetup: ['launch/src/testing/product.ts'],
  expect: { poll: POLLED },
  ...patient(900_000),
};

/**
 * Unit tests need no services. Integration tests need real services. The others need the whole product: http uses its
 * HTTP interface, browser also uses Chromium, and alone needs a product that no other test uses at the same time.
 * Projects of one group run in parallel. Tests with services wait for them more than they compute, so three files at a
 * time keep two processors busy.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          execArgv,
          ...sharingModules,
          setupFiles: ['sheets/src/testing/remove-after-file.ts'],
          include: [...tests('.test.ts'), ...tests('.test.tsx')],
          exclude: ['**/node_modules/**', '**/build/**', ...serviceEndings.map((ending) => `**/*${ending}`)],
          ...patient(180_000),
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'integration',
          execArgv,
          ...sharingModules,
          include: tests('.integration.test.ts'),
          globalSetup: ['launch/src/testing/integration-services.ts'],
          expect: { poll: POLLED },
          ...patient(900_000),
          // They run beside those of the product and take longer. Then four of them keep the processors busy.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...ofTheProduct,
          name: 'http',
          include: tests('.http.test.ts'),
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...ofTheProduct,
          name: 'browser',
          include: tests('.browser.test.ts'),
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...ofTheProduct,
          name: 'alone',
          include: tests('.alone.test.ts'),
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';
import { COMPILER_FLAG } from './db/src/compilers.ts';

const everywhere = ['domain', 'db', 'workflows', 'workers', 'web', 'launch', 'bench'];
const tests = (ending: string) => everywhere.map((room) => `${room}/**/*${ending}`);
const serviceEndings = ['.integration.test.ts', '.browser.test.ts'];

// What a test waits for comes when it comes: the customary second is short where others hold the processor.
const POLLED = { timeout: 60_000 };

// Tests run on the compilers that the product runs on (decision 020).
const execArgv = [COMPILER_FLAG];

/** Three suites, fastest first: unit needs nothing, integration real services, browser the whole product in Chromium. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          execArgv,
          include: [...tests('.test.ts'), ...tests('.test.tsx')],
          exclude: ['**/node_modules/**', '**/build/**', ...serviceEndings.map((ending) => `**/*${ending}`)],
          // A test that takes two seconds alone takes more than the customary five where others hold the processor.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'integration',
          execArgv,
          include: tests('.integration.test.ts'),
          globalSetup: ['launch/src/testing/integration-services.ts'],
          expect: { poll: POLLED },
          testTimeout: 900_000,
          hookTimeout: 900_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'browser',
          execArgv,
          include: tests('.browser.test.ts'),
          globalSetup: ['launch/src/testing/product.ts'],
          expect: { poll: POLLED },
          testTimeout: 900_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});

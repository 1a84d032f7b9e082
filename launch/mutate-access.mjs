import { launch } from './bootstrap.mjs';

process.env.EVERY_POLICY = '1';
await launch('node_modules/vitest/vitest.mjs', {
  web: false,
  words: ['run', '--project', 'integration', 'db/src/policies.integration.test.ts'],
});

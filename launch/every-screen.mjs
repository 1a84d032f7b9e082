import { launch } from './bootstrap.mjs';

process.env.EVERY_SCREEN = '1';
await launch('node_modules/vitest/vitest.mjs', {
  web: false,
  words: [
    'run',
    '--project',
    'browser',
    'web/tests/every-screen.browser.test.ts',
    'web/tests/list-sizes.browser.test.ts',
  ],
});

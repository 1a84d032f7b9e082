import { launch } from './bootstrap.mjs';

// The setup of the tests that use the product builds the web app, while other tests run.
await launch('launch/src/test.ts', { web: false });

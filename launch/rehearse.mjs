import { launch } from './bootstrap.mjs';

await launch('launch/src/rehearsal/main.ts', { web: false });

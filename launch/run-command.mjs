import { launch } from './bootstrap.mjs';

await launch('launch/src/run-command.ts', { web: false });

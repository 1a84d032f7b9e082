import { launch } from './bootstrap.mjs';

await launch('bench/src/main.ts', { web: false });

import { launch } from './bootstrap.mjs';

await launch('sheets/src/fuzz/main.ts', { web: false });

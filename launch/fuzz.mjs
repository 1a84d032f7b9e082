import { launch } from './bootstrap.mjs';

await launch('workers/src/sheets/fuzz/main.ts', { web: false });

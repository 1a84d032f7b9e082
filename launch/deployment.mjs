import { launch } from './bootstrap.mjs';

await launch('launch/src/deployment/main.ts', { web: false });

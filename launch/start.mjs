import { launch } from './bootstrap.mjs';

await launch('launch/src/start.ts');

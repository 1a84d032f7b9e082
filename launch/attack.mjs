import { launch } from './bootstrap.mjs';

await launch('launch/src/attack/main.ts');

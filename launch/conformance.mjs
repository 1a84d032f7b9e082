import { launch } from './bootstrap.mjs';

await launch('launch/src/conformance/main.ts');

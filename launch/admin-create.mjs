import { launch } from './bootstrap.mjs';

await launch('launch/src/admin-create.ts', { web: false });

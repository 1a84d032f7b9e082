import { launch } from './bootstrap.mjs';

// The grid is measured through the web server, which serves its built screens.
await launch('bench/src/main.ts', { web: process.argv[2] === 'grid' });

import { launch } from './bootstrap.mjs';

// These benchmarks run against the web server, which needs its build.
await launch('bench/src/main.ts', {
  web: ['export', 'first-rows', 'grid', 'rest', 'trial', 'users'].includes(process.argv[2]),
});

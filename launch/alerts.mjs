import { launch } from './bootstrap.mjs';

await launch('launch/src/alerts/check-alerts.ts', { web: false });

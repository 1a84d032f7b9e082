import { launch } from './bootstrap.mjs';

await launch('launch/src/chart/render-chart.ts', { web: false });

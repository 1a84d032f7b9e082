import type { readMonitoring } from './monitoring.server.ts';

/** The data that the monitoring page's loader passes to its sections. */
export type MonitoringView = Awaited<ReturnType<typeof readMonitoring>>;

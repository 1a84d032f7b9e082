import type { readMonitoring } from './monitoring.server.ts';

/** What the loader of the monitoring page hands to its sections. */
export type MonitoringView = Awaited<ReturnType<typeof readMonitoring>>;

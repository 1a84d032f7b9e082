import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ready } from './metrics.ts';
import { listenForMonitoring, type Monitoring, type MonitoringSettings } from './monitoring-server.ts';
import { isExported } from './otlp-settings.ts';

export interface Telemetry {
  /** Sends what was not sent yet, and stops listening. */
  close(): Promise<void>;
}

/**
 * Carries the trace id of a request through everything that it does. Exports traces if the standard OTEL_* variables
 * name a receiver, and serves metrics and health if a port for them is set; otherwise the code for them is not loaded.
 */
export async function startTelemetry(options: {
  service: 'web' | 'worker';
  variables: Readonly<Record<string, string | undefined>>;
  monitoring: MonitoringSettings | null;
  health: Monitoring;
}): Promise<Telemetry> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const { service, variables, monitoring, health } = options;
  const traces = isExported(variables) ? await import('./otlp.ts') : null;
  const stopTraces = traces?.exportTraces(service, variables);
  const metrics = monitoring ? (await import('./prometheus.ts')).collect(service) : null;
  ready.observe(async () => {
    const { missing, degraded } = await health.readiness().catch(() => ({ missing: ['checks'], degraded: [] }));
    return [[missing.length + degraded.length === 0 ? 1 : 0, {}]];
  });
  const server = monitoring && metrics ? await listenForMonitoring(monitoring, { ...health, metrics }) : null;
  return {
    async close() {
      await server?.close();
      await stopTraces?.();
    },
  };
}

import { performance } from 'node:perf_hooks';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { collectMetrics, eventLoopBusy, processMemory } from './metrics.ts';
import type { ServeMetrics } from './monitoring-server.ts';
import { resourceOf } from './resource.ts';

/** Collects the metrics of this process. @returns answers a request with all of them, in the format of Prometheus */
export function collect(service: string): ServeMetrics {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const provider = new MeterProvider({ resource: resourceOf(service), readers: [exporter] });
  collectMetrics(provider.getMeter('tapeline'));
  processMemory.observe(() => [[process.memoryUsage.rss(), {}]]);
  let last = performance.eventLoopUtilization();
  eventLoopBusy.observe(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return [[utilization, {}]];
  });
  return (request, response) => exporter.getMetricsRequestHandler(request, response);
}

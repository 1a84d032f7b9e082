import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { protocolOf } from './otlp-settings.ts';
import { resourceOf } from './resource.ts';

/** How long the process waits at its end until the last spans are sent. */
const LAST_EXPORT_MS = 3_000;

/**
 * Exports traces in the background. The exporter and the sampler read their own variables: OTEL_EXPORTER_OTLP_*,
 * OTEL_TRACES_SAMPLER and OTEL_BSP_*. If the receiver does not respond, spans are dropped.
 * @returns sends the last spans
 */
export function exportTraces(
  service: string,
  variables: Readonly<Record<string, string | undefined>>,
): () => Promise<void> {
  const exporter = protocolOf(variables) === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const provider = new TracerProvider({
    resource: resourceOf(service),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  return () =>
    Promise.race([
      provider.shutdown().catch(() => undefined),
      new Promise<void>((resolve) => setTimeout(resolve, LAST_EXPORT_MS).unref()),
    ]);
}

import { hostname } from 'node:os';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';

/** What the traces and metrics of this process are marked with. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win. */
export const resourceOf = (service: string): Resource =>
  resourceFromAttributes({
    'service.name': `tapeline-${service}`,
    'host.name': hostname(),
    'process.pid': process.pid,
  }).merge(detectResources({ detectors: [envDetector] }));

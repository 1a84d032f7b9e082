type Variables = Readonly<Record<string, string | undefined>>;

/** Whether traces are exported: if the standard variables of OpenTelemetry name a receiver and do not switch it off. */
export function isExported(variables: Variables): boolean {
  if (/^true$/i.test(variables.OTEL_SDK_DISABLED ?? '')) return false;
  if ((variables.OTEL_TRACES_EXPORTER || 'otlp') !== 'otlp') return false;
  return Boolean(variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || variables.OTEL_EXPORTER_OTLP_ENDPOINT);
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/** @throws if the protocol is not supported */
export function protocolOf(variables: Variables): (typeof PROTOCOLS)[number] {
  const name = variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || variables.OTEL_EXPORTER_OTLP_PROTOCOL || PROTOCOLS[0];
  const protocol = PROTOCOLS.find((known) => known === name);
  if (!protocol) throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL is ${name}, and must be ${PROTOCOLS.join(' or ')}`);
  return protocol;
}

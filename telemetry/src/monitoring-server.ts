import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { livenessAnswer, type Readiness, readinessAnswer } from './readiness.ts';

export interface MonitoringSettings {
  readonly port: number;
  /** The interface to listen on. */
  readonly host: string;
}

export type ServeMetrics = (request: IncomingMessage, response: ServerResponse) => void;

export interface Monitoring {
  /** Whether this process can go on; if not, only a restart helps. */
  alive(): boolean;
  /** Whether this process can take work. */
  readiness(): Promise<Readiness>;
}

const HEADERS_MS = 5_000;

/**
 * Serves /metrics, /healthz and /readyz on a port of their own, which is never the one that users reach.
 * @throws the system's error if the port is taken
 */
export async function listenForMonitoring(
  { port, host }: MonitoringSettings,
  { alive, readiness, metrics }: Monitoring & { metrics: ServeMetrics },
): Promise<{ close(): Promise<void> }> {
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: HEADERS_MS }, (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const respond = (status: number, type: string, text: string) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') respond(405, 'text/plain', 'Only GET\n');
    else if (path === '/metrics') metrics(request, response);
    else if (path === '/healthz') {
      const { status, text } = livenessAnswer(alive());
      respond(status, 'text/plain', text);
    } else if (path === '/readyz') {
      void readiness()
        .catch(() => ({ missing: ['checks'], degraded: [] }))
        .then((found) => {
          const { status, body } = readinessAnswer(found, new URLSearchParams(query));
          respond(status, 'application/json', JSON.stringify(body));
        });
    } else respond(404, 'text/plain', 'There are /metrics, /healthz and /readyz here\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

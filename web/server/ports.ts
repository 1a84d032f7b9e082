import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';

/** The four service groups answer on their own ports in development; it is the same app on each. */
export const DEV_SERVICE_PORTS = [
  { name: 'loan tape', port: 5992 },
  { name: 'auth', port: 5999 },
  { name: 'crud', port: 5998 },
  { name: 'files', port: 5996 },
] as const;

/**
 * Node closes a connection after five idle seconds, and where it does so just as a client takes it up again, that call
 * fails. Clients and proxies give up idle connections within a minute, so that they are the first.
 */
const IDLE_CONNECTION_MS = 65_000;

/** Listens on every interface. Rejects with the port's name in the message where it is taken. */
export async function listenOn(app: RequestListener, port: number): Promise<Server> {
  const server = createServer(app);
  // Uploads of whole tapes take longer than Node's five minutes on slow lines.
  server.requestTimeout = 0;
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  server.listen(port);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken`, { cause: error }) : error;
  });
  return server;
}

/** Opens the service ports; one that is taken is stepped over with a line that says so. */
export async function listenOnServicePorts(app: RequestListener, log: Logger): Promise<Server[]> {
  const servers: Server[] = [];
  for (const { name, port } of DEV_SERVICE_PORTS) {
    try {
      servers.push(await listenOn(app, port));
    } catch (error) {
      log.warn(`${(error as Error).message}: the ${name} service answers on the main port only`);
    }
  }
  return servers;
}

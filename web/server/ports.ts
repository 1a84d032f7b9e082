import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** In development, the four service groups answer on their own ports. Each port serves the same app. */
export const DEV_SERVICE_PORTS = [
  { name: 'loan tape', port: 5992 },
  { name: 'auth', port: 5999 },
  { name: 'crud', port: 5998 },
  { name: 'files', port: 5996 },
] as const;

/**
 * Node closes a connection after five idle seconds. If a client reuses the connection at that moment, its call fails.
 * Clients and proxies close idle connections within a minute, so this timeout lets them close first.
 */
const IDLE_CONNECTION_MS = 65_000;

/**
 * How much longer an idle connection stays open than the `Keep-Alive` header says. A busy client can send its next
 * request this late. On a closed connection, the request would be lost.
 */
const LATE_REQUEST_MS = 20_000;

/** How long a client can take to send complete headers. */
const HEADERS_MS = 20_000;
const CHECKED_EVERY_MS = 5_000;

export interface ListenOptions {
  /** The interface to listen on: a name or an address. */
  readonly host: string;
  readonly headersMs?: number;
}

/**
 * Listens on one interface. Rejects with the system's error if the port is taken. Requests with incomplete headers
 * are ended here. Bodies have their own pace limit (`request-body.ts`).
 */
export async function listenOn(app: RequestListener, port: number, options: ListenOptions): Promise<Server> {
  const headersTimeout = options.headersMs ?? HEADERS_MS;
  const connectionsCheckingInterval = Math.min(CHECKED_EVERY_MS, headersTimeout);
  // Uploading a whole tape on a slow line takes longer than Node's five minutes, so there is no limit on a whole
  // request.
  const server = createServer({ headersTimeout, connectionsCheckingInterval, requestTimeout: 0 }, app);
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  server.keepAliveTimeoutBuffer = LATE_REQUEST_MS;
  server.on('clientError', answerBrokenRequest);
  server.listen(port, options.host);
  await once(server, 'listening');
  return server;
}

const BROKEN_REQUESTS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request timed out'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large'],
};

/**
 * Answers requests that are not valid HTTP and therefore never reach a handler. Uses the error catalogue's format if
 * the connection is still writable.
 */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  const answered = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent;
  if (!socket.writable || answered || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = BROKEN_REQUESTS[error.code ?? ''] ?? ['400 Bad Request', 'This is not an HTTP request'];
  const traceId = randomBytes(16).toString('hex');
  const body = JSON.stringify({ name: 'BadRequest', message, code: Number(status.slice(0, 3)), traceId });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Trace-Id: ${traceId}`,
      '',
      body,
    ].join('\r\n'),
  );
}

/** Opens the service ports. Skips a port that is taken and logs a warning. */
export async function listenOnServicePorts(app: RequestListener, host: string, log: Logger): Promise<Server[]> {
  const servers: Server[] = [];
  for (const { name, port } of DEV_SERVICE_PORTS) {
    try {
      servers.push(await listenOn(app, port, { host }));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      log.warn(`Port ${port} cannot be used (${code}): the ${name} service answers on the main port only`);
    }
  }
  return servers;
}

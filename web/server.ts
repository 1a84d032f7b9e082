import '@tapeline/db/compilers.ts';

import type { Server } from 'node:http';
import { readEnvironment } from '@tapeline/db/environment.ts';
import compression from 'compression';
import express, { type NextFunction, type Request, type Response } from 'express';
import pino from 'pino';
import { refuseForeignSites, securityHeaders } from './server/headers.ts';
import { listenOn, listenOnServicePorts } from './server/ports.ts';
import { findMissing, readinessChecks } from './server/readiness.ts';
import { mountBuiltScreens } from './server/screens.ts';
import { openServices } from './server/services.ts';
import { traceRequests } from './server/tracing.ts';

const STOP_WITHIN_MS = 8_000;

const log = pino({ name: 'web', level: process.env.LOG_LEVEL ?? 'info' });
const environment = readEnvironment(process.env);
const { services, close } = await openServices(environment, log);

const app = express();
app.disable('x-powered-by');
// A proxy on this machine or in this network says whom the call came from, and which host was asked for.
app.set('trust proxy', ['loopback', 'linklocal', 'uniquelocal']);
app.use(traceRequests(log));
app.use(securityHeaders(environment.s3 ? [new URL(environment.s3.publicEndpoint).origin] : []));
app.get('/healthz', (_request, response) => void response.type('text/plain').send('ok\n'));

const checks = readinessChecks(services);
app.get('/readyz', async (_request, response) => {
  const missing = await findMissing(checks);
  response.status(missing.length === 0 ? 200 : 503).json({ ready: missing.length === 0, missing });
});

app.use(refuseForeignSites);
app.use(compression());
await mountBuiltScreens(app, services);

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  const traceId = response.locals.traceId;
  // A static file that is not there, an address that cannot be decoded: the caller's fault, said by its own status.
  const status = (error as { status?: number }).status ?? 502;
  if (status >= 500) log.error({ traceId, err: error }, 'fault');
  if (response.headersSent) return next(error);
  const [name, message, code] =
    status === 404
      ? ['NotFound', 'Not found', 404]
      : status < 500
        ? ['BadRequest', 'Something went wrong', status]
        : ['ServerError', 'Try again later or contact the support', 502];
  response.status(code as number).json({ name, message, code, traceId });
});

const servers: Server[] = [await listenOn(app, environment.port)];
log.info({ port: environment.port }, `Tapeline answers at ${environment.publicUrl}`);
if (environment.devServicePorts) servers.push(...(await listenOnServicePorts(app, log)));

let isStopping = false;
async function stop(signal: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  // Calls in hand are finished; connections that only wait are closed.
  await Promise.all(
    servers.map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeIdleConnections();
        }),
    ),
  );
  await close();
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

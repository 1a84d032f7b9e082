import '@tapeline/db/compilers.ts';
import '@tapeline/db/private-files.ts';

import type { Server } from 'node:http';
import { ownEnvironment } from '@tapeline/db/environment.ts';
import { endWhenLost } from '@tapeline/db/pool-guard.ts';
import { findReadiness } from '@tapeline/db/readiness.ts';
import { endWithReason } from '@tapeline/db/start-up.ts';
import { livenessAnswer, type Readiness, readinessAnswer } from '@tapeline/telemetry/readiness.ts';
import { startTelemetry } from '@tapeline/telemetry/start.ts';
import compression from 'compression';
import express from 'express';
import pino from 'pino';
import { answerErrors } from './server/answers.ts';
import { allowOrigins } from './server/cors.ts';
import { refuseForeignSites, securityHeaders } from './server/headers.ts';
import { refuseForeignHosts, reportIgnoredProxy } from './server/hosts.ts';
import { observeSystem } from './server/observe-system.ts';
import { listenOn, listenOnServicePorts } from './server/ports.ts';
import { readinessChecks } from './server/readiness.ts';
import { endUnreadBody } from './server/request-body.ts';
import { limitSignInCalls, refuseOtherMethods, refuseUnstorableAddresses, SIGN_IN_PATHS } from './server/requests.ts';
import { routePatterns } from './server/route-patterns.ts';
import { loadBuild, mountBuild, REST_PATTERNS } from './server/screens.ts';
import { openServices } from './server/services.ts';
import { stopServing, stopSettings } from './server/stopping.ts';
import { traceRequests } from './server/tracing.ts';

const environment = ownEnvironment();
const log = pino({ name: 'web', level: environment.logLevel });
endWithReason(environment, log);
const { services, close } = await openServices(environment, log);
let isStopping = false;
const alive = () => !services.store.isStuck();
endWhenLost(services.store);
const checks = readinessChecks(services);
const readiness = async (): Promise<Readiness> =>
  isStopping ? { missing: ['stopping'], degraded: [] } : findReadiness(checks);
const telemetry = await startTelemetry({
  service: 'web',
  variables: process.env,
  monitoring: environment.monitoring,
  health: { alive, readiness },
});
observeSystem(services);

const app = express();
app.disable('x-powered-by');
// Only these proxies are trusted to report the caller's address and the requested host.
app.set('trust proxy', [...environment.trustedProxies]);
const build = await loadBuild();
const patternsOf = routePatterns(build.routes, [...REST_PATTERNS, '/healthz', '/readyz', '/assets/*']);
app.use(traceRequests(log, (path) => patternsOf(path)[0]));
app.use((request, response, next) => {
  endUnreadBody(request, response);
  next();
});
app.use(reportIgnoredProxy(log));
app.use(refuseForeignHosts(environment));
app.use(
  securityHeaders({
    publicUrl: environment.publicUrl,
    connect: environment.s3 ? [new URL(environment.s3.publicEndpoint).origin] : [],
  }),
);
app.get('/healthz', (_request, response) => {
  const { status, text } = livenessAnswer(alive());
  response.status(status).type('text/plain').send(text);
});

// An unhandled rejection, such as one from an aborted request, must not end the process for everyone.
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));

app.get('/readyz', async (request, response) => {
  const query = new URLSearchParams(request.originalUrl.split('?', 2)[1]);
  const { status, body } = readinessAnswer(await readiness(), query);
  response.status(status).json(body);
});

app.use(allowOrigins(environment.corsOrigins));
app.use(refuseForeignSites(environment.corsOrigins));
app.use(refuseOtherMethods);
app.use(refuseUnstorableAddresses);
app.use(SIGN_IN_PATHS, limitSignInCalls(environment));
app.use(compression());
await mountBuild(app, services, build);

app.use(answerErrors(log));

const servers: Server[] = [await listenOn(app, environment.port, environment)];
log.info({ port: environment.port }, `Tapeline is ready at ${environment.publicUrl}`);
if (environment.devServicePorts) servers.push(...(await listenOnServicePorts(app, environment.host, log)));

async function stop(signal: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  log.info({ signal }, 'stopping');
  await stopServing(servers, stopSettings(environment.nodeEnv === 'production'), {
    streams: () => services.notificationStreams.close(),
    async close() {
      await close();
      await telemetry.close();
    },
  });
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

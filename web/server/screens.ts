import { join } from 'node:path';
import { createRequestHandler } from '@remix-run/express';
import type { AppLoadContext, ServerBuild } from '@remix-run/node';
import express, { type Express, type Request, type Response } from 'express';
import type {} from '../app/context.ts';
import type { Services } from './services.ts';

const HERE = import.meta.dirname;
const WEB_FOLDER = join(HERE, '..');

/** Addresses of all screens ("/monitoring/tapes"), splats and parameters left out: the rail shows only what exists. */
export function screenPaths(routes: ServerBuild['routes']): string[] {
  const full = (id: string): string => {
    const route = routes[id];
    if (!route) return '';
    const parent = route.parentId ? full(route.parentId) : '';
    return route.path ? `${parent}/${route.path}` : parent;
  };
  const paths = Object.keys(routes).map((id) => full(id) || '/');
  return [...new Set(paths)].filter((path) => !/[:*]/.test(path));
}

function contextOf(services: Services, build: ServerBuild, request: Request, response: Response): AppLoadContext {
  return {
    ...services,
    log: response.locals.log,
    traceId: response.locals.traceId,
    nonce: response.locals.nonce,
    clientAddress: request.ip ?? '',
    isSecure: request.secure,
    screenPaths: screenPaths(build.routes),
    readyToSend: () => readyToSend(response),
    setCookie: (cookie) => response.append('Set-Cookie', cookie),
  };
}

/** Remix writes a stream's bytes on however slowly they are taken: who makes the stream has to wait. */
function readyToSend(response: Response): Promise<boolean> {
  if (response.destroyed || response.closed) return Promise.resolve(false);
  if (!response.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isReady: boolean) => (): void => {
      response.off('drain', drained).off('close', gone);
      resolve(isReady);
    };
    const [drained, gone] = [settle(true), settle(false)];
    response.on('drain', drained).on('close', gone);
  });
}

async function loadBuild(): Promise<ServerBuild> {
  return import(join(WEB_FOLDER, 'build/server/index.js'));
}

/** The built screens and their files: what has a hash in its name may be kept for ever. */
export async function mountBuiltScreens(app: Express, services: Services): Promise<void> {
  const build = await loadBuild();
  const client = join(WEB_FOLDER, 'build/client');
  app.use(
    '/assets',
    express.static(join(client, 'assets'), { immutable: true, maxAge: '1y', index: false, fallthrough: false }),
  );
  app.use(express.static(client, { maxAge: '1h', index: false }));
  app.all(
    '*',
    createRequestHandler({
      build,
      mode: 'production',
      getLoadContext: (request, response) => contextOf(services, build, request, response),
    }),
  );
}

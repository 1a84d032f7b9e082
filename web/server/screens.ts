import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/node';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type {} from '../app/http/context.ts';
import { type Answer, answerBy, texts } from './answer-by.ts';
import type { RequestBody } from './request-body.ts';
import { routePatterns, routesOf } from './route-patterns.ts';
import type { Services } from './services.ts';

const HERE = import.meta.dirname;
const WEB_FOLDER = join(HERE, '..');

/** Screens that do not exist in production. */
const OF_DEVELOPMENT: readonly string[] = ['/mailbox', '/design'];

/** Addresses of all screens ("/monitoring/tapes"), without splats and parameters. The rail shows only what exists. */
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

function contextOf(
  services: Services,
  screens: readonly string[],
  request: Request,
  response: Response,
  body: RequestBody,
): AppLoadContext {
  return {
    ...services,
    log: response.locals.log,
    traceId: response.locals.traceId,
    facts: response.locals.facts,
    nonce: response.locals.nonce,
    clientAddress: request.ip ?? '',
    // If the public address is https, a proxy terminates TLS, even if it does not send the header.
    isSecure: request.secure || services.environment.publicUrl.startsWith('https://'),
    screenPaths: screens,
    texts,
    allowBody: (bytes) => body.allow(bytes),
    readyToSend: () => readyToSend(response),
    setCookie(cookie) {
      // A request that was aborted while it was served has already been answered.
      if (!response.headersSent) response.append('Set-Cookie', cookie);
    },
  };
}

/**
 * Resolves when the response can take more. Remix writes a stream's bytes without backpressure, so the producer of the
 * stream has to wait.
 */
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

/**
 * The screens and the REST API as they were built. When React is loaded with another NODE_ENV, it checks every element
 * that it renders, which is slow and helps only while a screen is written.
 */
export async function loadBuild(): Promise<ServerBuild & { entry: { module: { serveApi: Answer } } }> {
  const variables: Record<string, string | undefined> = process.env;
  const { NODE_ENV: ours } = variables;
  variables.NODE_ENV = 'production';
  try {
    return await import(join(WEB_FOLDER, 'build/server/index.js'));
  } finally {
    if (ours === undefined) delete variables.NODE_ENV;
    else variables.NODE_ENV = ours;
  }
}

const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/**
 * Answers with the compressed file that the build made beside a file, in the way that the browser accepts.
 * @param names of all files
 */
function serveCompressed(names: ReadonlySet<string>): RequestHandler {
  return (request, response, next) => {
    const name = request.path.slice(1);
    if (!names.has(`${name}${SUFFIXES.br}`)) return next();
    response.vary('Accept-Encoding');
    // Browsers name gzip first and mean no order.
    const encoding = (['br', 'gzip'] as const).find((each) => request.acceptsEncodings(each));
    if (encoding) {
      response.type(extname(name)).set('Content-Encoding', encoding);
      request.url = `/${name}${SUFFIXES[encoding]}`;
    }
    next();
  };
}

/**
 * Answers with a screen. Remix compares an address with every route, several times for each page. So it is given only the
 * routes that the address can have, and all of them for an address that has none.
 */
function answerScreens(build: ServerBuild): Answer {
  const patternsOf = routePatterns(build.routes);
  const answers = new Map<string, Answer>([['', createRequestHandler(build, 'production')]]);
  return (request, context) => {
    const { pathname } = new URL(request.url);
    // To Remix, an empty segment is one.
    const patterns = pathname.includes('//') ? [] : patternsOf(pathname);
    const key = patterns.join(' ');
    const answer =
      answers.get(key) ??
      createRequestHandler(
        {
          ...build,
          routes: routesOf(build.routes, patterns),
          // The browser loads the whole manifest from its own address.
          assets: { ...build.assets, routes: routesOf(build.assets.routes, patterns) },
        },
        'production',
      );
    answers.set(key, answer);
    return answer(request, context);
  };
}

/** The addresses of the REST API, by its service groups. */
const REST_CALLS = /^\/(auth|crud|files|LTP)(\/|$)/i;
export const REST_PATTERNS = ['/auth/*', '/crud/*', '/files/*', '/LTP', '/LTP/*'];

/** Serves the REST API, the built screens and their files. Files with a hash in their name can be cached forever. */
export async function mountBuild(
  app: Express,
  services: Services,
  build: Awaited<ReturnType<typeof loadBuild>>,
): Promise<void> {
  const client = join(WEB_FOLDER, 'build/client');
  const assets = join(client, 'assets');
  app.use(
    '/assets',
    serveCompressed(new Set(await readdir(assets))),
    express.static(assets, { immutable: true, maxAge: '1y', index: false, fallthrough: false }),
  );
  // Check the disk for other addresses only if the build has such a file.
  const files = new Set(await readdir(client));
  const serveFile = express.static(client, { maxAge: '1h', index: false });
  app.use((request, response, next) =>
    files.has(request.path.split('/', 2)[1] ?? '') ? serveFile(request, response, next) : next(),
  );
  const isProduction = services.environment.nodeEnv === 'production';
  const screens = screenPaths(build.routes).filter((path) => !isProduction || !OF_DEVELOPMENT.includes(path));
  const serve = (answer: Answer) =>
    answerBy(answer, (request, response, body) => contextOf(services, screens, request, response, body));
  app.all(REST_CALLS, serve(build.entry.module.serveApi));
  app.all('*', serve(answerScreens(build)));
}

import { Refusal, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { parseWire, stringifyWire } from '@tapeline/domain/wire/json.ts';
import { Hono } from 'hono';
import type { z } from 'zod';
import type { RequestContext } from '../context.ts';
import { CSRF_COOKIE, csrfTokenMatches, csrfTokenOf } from '../csrf.server.ts';
import { originOf } from '../session.server.ts';
import { authenticate } from './authentication.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';
import { asRefusal, errorResponse } from './errors.ts';

/** JSON bodies beyond this are refused; files go through signed addresses. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Literal segments go before parameters, so that /funds/counts/irr is never read as an id. */
function byLiteralsFirst(a: Endpoint, b: Endpoint): number {
  const shape = (path: string) =>
    path
      .split('/')
      .map((segment) => (segment.startsWith('{') ? '~' : segment))
      .join('/');
  return shape(a.path) < shape(b.path) ? -1 : 1;
}

/** The REST API: every endpoint behind one frame of authentication, CSRF, permission, validation and error bodies. */
export function createApi(
  endpoints: readonly Endpoint[],
): (request: Request, context: RequestContext) => Promise<Response> {
  const hono = new Hono<{ Bindings: RequestContext }>();
  for (const definition of [...endpoints].sort(byLiteralsFirst)) {
    const path = definition.path.replaceAll(/\{(\w+)\}/g, ':$1');
    hono.on(definition.method, path, (c) => serve(definition, c.req.raw, c.req.param(), c.env));
  }
  hono.notFound((c) => refused(new Refusal('notFound'), c.env));
  hono.onError((error, c) => refused(error, c.env));
  return async (request, context) => {
    // Sets the cookie on the answer to a client that has none.
    csrfTokenOf(request, context);
    return hono.fetch(request, context);
  };
}

/** Double submit: an unsafe call repeats the cookie's value in a header, which another site cannot read. */
function checkCsrf(request: Request): void {
  if (csrfTokenMatches(request.headers.get('cookie'), request.headers.get('x-csrf-token'))) return;
  throw new Refusal('forbidden', `Send the value of the cookie ${CSRF_COOKIE} as the header X-CSRF-Token`);
}

function refused(error: unknown, { log, traceId }: RequestContext): Response {
  if (!asRefusal(error)) log.error({ err: error, traceId }, 'the call failed');
  return errorResponse(error, traceId);
}

async function serve(
  definition: Endpoint,
  request: Request,
  rawParams: Record<string, string>,
  context: RequestContext,
): Promise<Response> {
  if (definition.method !== 'GET') checkCsrf(request);
  const actor = await admit(definition, request, context);
  const call: Call<unknown, unknown, unknown> = {
    params: definition.params ? parse(definition.params, rawParams, 'params') : undefined,
    query: definition.query ? parse(definition.query, queryOf(request), 'query') : undefined,
    body: definition.body ? parse(definition.body, await readJson(request), 'body') : undefined,
    actor: actor as UserActor,
    context,
    request,
    origin: originOf(request, context),
  };
  const answer = await definition.handle(call as Call<never, never, never>);
  return answer instanceof Response ? answer : wireResponse(definition, answer);
}

async function admit(definition: Endpoint, request: Request, context: RequestContext): Promise<UserActor | null> {
  const { access } = definition;
  if (access === 'public' || access === 'refresh cookie') return null;
  const actor = await authenticate(request, context);
  if (!actor) throw new Refusal('unauthorized');
  if (access !== 'signed-in' && !can(actor, access)) {
    throw new Refusal('forbidden', 'You do not have enough permissions to perform this action');
  }
  return actor;
}

function parse(schema: z.ZodType, input: unknown, part: 'params' | 'query' | 'body'): unknown {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  // An id that cannot be one names nothing.
  if (part === 'params') throw new Refusal('notFound');
  throw refuseIssues(result.error.issues);
}

/** A parameter that is repeated becomes an array; one that stands once is a text. */
function queryOf(request: Request): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URL(request.url).searchParams) {
    const held = query.get(name);
    query.set(name, held === undefined ? value : Array.isArray(held) ? [...held, value] : [held, value]);
  }
  return Object.fromEntries(query);
}

/**
 * The body's text; no more of it is held than may be, whatever length was announced. What is too much is read to its
 * end within reason, since a caller that is cut off while it sends does not hear why.
 */
async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else if (bytes > 4 * MAX_BODY_BYTES) break;
  }
  if (bytes > MAX_BODY_BYTES) {
    throw new Refusal('badRequest', 'The body is too large; send files by a signed address');
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text.trim() === '') return {};
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new Refusal('badRequest', 'Send the body as JSON, with Content-Type application/json');
  try {
    return parseWire(text);
  } catch {
    throw new Refusal('badRequest', 'The body is not valid JSON');
  }
}

function wireResponse(definition: Endpoint, answer: Answer): Response {
  const status = answer.status ?? definition.status;
  const headers = new Headers({ 'cache-control': 'no-store', ...answer.headers });
  if (answer.count !== undefined) headers.set('x-docs-count', String(answer.count));
  for (const cookie of answer.cookies ?? []) headers.append('set-cookie', cookie);
  if (status === 204) return new Response(null, { status, headers });
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(stringifyWire(answer.body ?? {}), { status, headers });
}

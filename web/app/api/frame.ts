import { contentHash } from '@tapeline/db/operations/sent-requests/sent-requests.ts';
import type { Warning } from '@tapeline/db/store.ts';
import { issuesOf, plainMessage } from '@tapeline/domain/errors/issues.ts';
import { ERROR_CATALOGUE, isRefusal, Refusal, refuseIssues } from '@tapeline/domain/errors/refusal.ts';
import { can, isOutsider, sightOf, type UserActor } from '@tapeline/domain/people/actor.ts';
import { requireOnboarded } from '@tapeline/domain/people/onboarding.ts';
import { stringifyWire } from '@tapeline/domain/wire/json.ts';
import { Hono } from 'hono';
import type { z } from 'zod';
import { authenticate, hasBearer } from '../http/authentication.server.ts';
import type { RequestContext } from '../http/context.ts';
import { csrfMatcher, csrfTokenOf } from '../http/csrf.server.ts';
import { CSRF_COOKIE, heldCsrfToken } from '../http/csrf-token.server.ts';
import { errorResponse, isOwnFault } from '../http/errors.server.ts';
import { KEY_HEADER, once } from '../http/once.server.ts';
import { originOf } from '../http/session.server.ts';
import { acknowledge, acknowledgeRefusal, mayReadAnswer } from './acknowledge.ts';
import { mismatches } from './answer-check.ts';
import { acceptsKey, type Call, type Endpoint, type EndpointAnswer } from './endpoint.ts';
import { hideCalls } from './hide-calls.ts';
import { unknownFields } from './unknown-fields.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key of the request; null if it has none. @throws Refusal badRequest for one that cannot be a key */
function keyOf(definition: Endpoint, request: Request): string | null {
  const key = request.headers.get(KEY_HEADER);
  if (key === null || !acceptsKey(definition)) return null;
  if (!KEY.test(key)) {
    throw new Refusal('badRequest', `${KEY_HEADER} has 1 to 255 characters of ASCII, without spaces`);
  }
  return key;
}

/** Sorts literal segments before parameters, so that /funds/counts/irr is never read as an id. */
function byLiteralsFirst(a: Endpoint, b: Endpoint): number {
  const shape = (path: string) =>
    path
      .split('/')
      .map((segment) => (segment.startsWith('{') ? '~' : segment))
      .join('/');
  return shape(a.path) < shape(b.path) ? -1 : 1;
}

const MAX_BLANK_BYTES = 1_000;
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/** The REST API. All endpoints share the same authentication, CSRF, permission, validation and error handling. */
export function createApi(
  endpoints: readonly Endpoint[],
): (request: Request, context: RequestContext) => Promise<Response> {
  const hono = new Hono<{ Bindings: RequestContext }>();
  for (const definition of [...endpoints].sort(byLiteralsFirst)) {
    const path = definition.path.replaceAll(/\{(\w+)\}/g, ':$1');
    hono.on(definition.method, path, (c) => {
      c.env.facts.route = definition.path;
      return serve(definition, c.req.raw, c.req.param(), c.env);
    });
  }
  hono.notFound((c) => refused(new Refusal('notFound'), c.env));
  hono.onError((error, c) => refused(ofThisAddress(error), c.env, c.req.raw.signal.aborted));
  return async (request, context) => {
    // Sets the cookie on the answer if the client has none.
    if (!heldCsrfToken(request)) await csrfTokenOf(request, context);
    const answer = await hono.fetch(request, context);
    // A script of a configured origin cannot read the cookie.
    if (context.environment.corsOrigins.includes(request.headers.get('origin') ?? '')) {
      answer.headers.set('x-csrf-token', await csrfTokenOf(request, context));
    }
    return answer;
  };
}

/** The address is known, so what was not found is the document. */
function ofThisAddress(error: unknown): unknown {
  if (!isRefusal(error) || error.code !== 'notFound' || error.reason || error.flags) return error;
  return new Refusal('notFound', ERROR_CATALOGUE.notFound.other, { cause: error });
}

/** Double submit: an unsafe call repeats the cookie's value in a header. Another site cannot read that value. */
async function checkCsrf(request: Request, context: RequestContext): Promise<void> {
  const matches = await csrfMatcher(request, context);
  if (matches(request.headers.get('x-csrf-token'))) return;
  // Give the client the right token for its next call.
  await csrfTokenOf(request, context);
  throw new Refusal('forbidden', `Send the value of the ${CSRF_COOKIE} cookie in the X-CSRF-Token header`);
}

/** @param isAborted the client went away: what failed because of that is no error of ours */
function refused(error: unknown, { log, traceId }: RequestContext, isAborted = false): Response {
  if (isOwnFault(error, isAborted)) log.error({ err: error, traceId }, 'the call failed');
  return errorResponse(error, traceId);
}

async function serve(
  definition: Endpoint,
  request: Request,
  rawParams: Record<string, string>,
  context: RequestContext,
): Promise<Response> {
  if (definition.method !== 'GET') await checkCsrf(request, context);
  const actor = await admit(definition, request, context);
  const body = definition.body ? () => readJson(definition, request, context) : undefined;
  const key = keyOf(definition, request);
  const asked = { request, rawParams, actor };
  if (key === null || !actor) return answer(definition, { ...asked, body }, context);
  const { pathname, search } = new URL(request.url);
  const read = await body?.();
  const content = contentHash([pathname, search, sightOf(actor), mayReadAnswer(definition, actor), read]);
  return once<Response>(
    context.store,
    { userId: actor.userId, key, content },
    {
      isKeyed: true,
      async run(store) {
        const outcome = await answer(definition, { ...asked, body: async () => read }, { ...context, store });
        const text = context.texts.get(outcome) ?? (await outcome.clone().text());
        return { outcome, kept: { status: outcome.status, text } };
      },
      repeat: ({ text, status }) => new Response(text, { status, headers: JSON_HEADERS }),
      report: (error) => context.log.error({ err: error }, 'the answer to a request with a key was not kept'),
    },
  );
}

interface Admitted {
  readonly request: Request;
  readonly rawParams: Record<string, string>;
  readonly actor: UserActor | null;
  /** Reads the body; undefined for a call without one. */
  readonly body: (() => Promise<unknown>) | undefined;
}

async function answer(
  definition: Endpoint,
  { request, rawParams, actor, body }: Admitted,
  context: RequestContext,
): Promise<Response> {
  const origin = originOf(request, context);
  const warnings: Warning[] = [];
  const call: Call<unknown, unknown, unknown> = {
    params: definition.params ? parse(definition.params, rawParams, 'params') : undefined,
    query: definition.query ? parse(definition.query, queryOf(request), 'query') : undefined,
    body: definition.body ? parseBody(definition, await body?.()) : undefined,
    actor: actor as UserActor,
    context,
    request,
    origin,
    read: (work) => context.store.read(actor as UserActor, work),
    db: (work, options) => context.store.as(actor as UserActor, work, { ...origin, ...options, warnings }),
  };
  const handled = await definition.handle(call as Call<never, never, never>).catch((error: unknown) => {
    throw mayReadAnswer(definition, actor) ? error : acknowledgeRefusal(error);
  });
  return handled instanceof Response
    ? handled
    : wireResponse(definition, { ...handled, body: withWarnings(handled.body, warnings) }, actor, context);
}

/** The documents of an answer, each with what looks like a mistake in it. */
function withWarnings(body: unknown, warnings: readonly Warning[]): unknown {
  if (warnings.length === 0) return body;
  if (Array.isArray(body)) return body.map((document) => withWarnings(document, warnings));
  if (typeof body !== 'object' || body === null || !('id' in body)) return body;
  const own = warnings.flatMap(({ documentId, message }) => (documentId === body.id ? [message] : []));
  return own.length === 0 ? body : { ...body, warnings: own };
}

async function admit(definition: Endpoint, request: Request, context: RequestContext): Promise<UserActor | null> {
  const { access } = definition;
  if (access === 'public' || access === 'refresh cookie') return null;
  const actor = await authenticate(request, context);
  if (!actor) throw new Refusal('unauthorized', hasBearer(request) ? ERROR_CATALOGUE.unauthorized.other : undefined);
  if (!definition.path.startsWith('/auth/')) requireOnboarded(actor);
  if (access !== 'signed-in' && !can(actor, access)) {
    throw new Refusal('forbidden', ERROR_CATALOGUE.forbidden.other);
  }
  // Of a call that only reads, nothing would be left.
  if (definition.method === 'GET' && !mayReadAnswer(definition, actor)) {
    throw new Refusal('forbidden', ERROR_CATALOGUE.forbidden.other);
  }
  return actor;
}

function parse(schema: z.ZodType, input: unknown, part: 'params' | 'query' | 'body'): unknown {
  const result = schema.safeParse(input, { error: plainMessage });
  if (result.success) return result.data;
  // A malformed id matches nothing.
  if (part === 'params') throw new Refusal('notFound');
  throw refuseIssues(issuesOf(result.error, input));
}

/**
 * Parses the body. Fields that it does not have are refused, except those of the document as it is read, which an update
 * ignores.
 */
function parseBody({ method, body, response }: Endpoint, input: unknown): unknown {
  const parsed = parse(body!, input, 'body');
  const unknown = unknownFields(method === 'PUT' ? [body!, response] : [body!], input);
  if (unknown.length > 0) throw refuseIssues(unknown.map((path) => ({ path, message: 'is not a known field' })));
  return parsed;
}

/** Parses the query string. A repeated parameter becomes an array, and a single one a string. */
function queryOf(request: Request): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URL(request.url).searchParams) {
    const held = query.get(name);
    query.set(name, held === undefined ? value : Array.isArray(held) ? [...held, value] : [held, value]);
  }
  return Object.fromEntries(query);
}

/**
 * Reads the body. Called only after the caller is known and is allowed to make the call. The stream counts the bytes.
 */
async function readJson(definition: Endpoint, request: Request, context: RequestContext): Promise<unknown> {
  if (definition.maxBodyBytes) context.allowBody(definition.maxBodyBytes);
  const bytes = await request.arrayBuffer();
  if (isBlank(bytes)) return {};
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new Refusal('badRequest', 'Send the body as JSON, with Content-Type application/json');
  try {
    return await context.jsonReader.parse(bytes);
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Refusal('badRequest', 'The body is not valid JSON');
  }
}

/** A body of spaces says nothing, as one of nothing. */
const isBlank = (bytes: ArrayBuffer): boolean =>
  bytes.byteLength < MAX_BLANK_BYTES && new TextDecoder().decode(bytes).trim() === '';

function wireResponse(
  definition: Endpoint,
  answer: EndpointAnswer,
  actor: UserActor | null,
  { environment, texts }: RequestContext,
): Response {
  const status = answer.status ?? definition.status;
  const headers = new Headers({ 'cache-control': 'no-store', ...answer.headers });
  if (answer.count !== undefined) headers.set('x-docs-count', String(answer.count));
  for (const cookie of answer.cookies ?? []) headers.append('set-cookie', cookie);
  if (status === 204) return new Response(null, { status, headers });
  headers.set('content-type', 'application/json; charset=utf-8');
  const isShown = mayReadAnswer(definition, actor);
  const body = actor && isOutsider(actor.type) ? hideCalls(answer.body) : answer.body;
  const text = stringifyWire((isShown ? body : acknowledge(body)) ?? {});
  // In production, skip the check for speed.
  if (isShown && environment.nodeEnv !== 'production') checkAnswer(definition, text);
  const response = new Response(text, { status, headers });
  texts.set(response, text);
  return response;
}

/** Throws if an answer does not match its own schema, which is a bug in the endpoint. */
function checkAnswer({ method, path, response }: Endpoint, text: string): void {
  const wrong = mismatches(response, JSON.parse(text));
  if (wrong.length === 0) return;
  const lines = wrong.slice(0, 5).join('; ');
  throw new Refusal('serverError', `${method} ${path} answers what its schema does not allow: ${lines}`);
}

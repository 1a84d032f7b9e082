import { type AppLoadContext, writeReadableStreamToWritable } from '@remix-run/node';
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';
import { hostOf } from './hosts.ts';
import { openRequestBody, type RequestBody, SIGN_IN_BODY_BYTES, USUAL_BODY_BYTES } from './request-body.ts';
import { SIGN_IN_PATHS } from './requests.ts';

function toWebRequest(request: ExpressRequest, response: ExpressResponse, body: RequestBody): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headers)) {
    for (const value of Array.isArray(values) ? values : values ? [values] : []) headers.append(name, value);
  }
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  return new Request(`${request.protocol}://${hostOf(request)}${request.originalUrl}`, {
    method: request.method,
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: body.stream, duplex: 'half' } : {}),
  } as RequestInit);
}

/** The text of answers whose whole body was available at once. It is sent directly instead of through a stream. */
export const texts = new WeakMap<Response, string>();

async function send(answer: Response, response: ExpressResponse): Promise<void> {
  response.statusMessage = answer.statusText;
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.append(name, value);
  const text = texts.get(answer);
  if (text !== undefined) {
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
  } else if (answer.body) await writeReadableStreamToWritable(answer.body, response);
  else response.end();
}

/**
 * The answer to a link that the browser prefetches. A row can be removed while the pointer is on its link: then there is
 * nothing to prefetch, which is no error. If the link is followed, it is requested again and shows the error page.
 */
function toPrefetch(answer: Response): Response {
  if (answer.status < 400 || answer.status >= 500) return answer;
  void answer.body?.cancel();
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
}

/** How a request is answered: by Remix, or by the REST API. */
export type Answer = (request: Request, context: AppLoadContext) => Promise<Response>;

/** Answers requests of Express. Bodies are counted here, because Remix's own adapter sets no limit. */
export function answerBy(
  answer: Answer,
  contextOf: (request: ExpressRequest, response: ExpressResponse, body: RequestBody) => AppLoadContext,
) {
  return async (request: ExpressRequest, response: ExpressResponse, next: NextFunction): Promise<void> => {
    try {
      const limit = SIGN_IN_PATHS.test(request.path) ? SIGN_IN_BODY_BYTES : USUAL_BODY_BYTES;
      const body = openRequestBody(request, limit);
      const found = await answer(toWebRequest(request, response, body), contextOf(request, response, body));
      const isPrefetch = /\bprefetch\b/.test(request.get('Sec-Purpose') ?? request.get('Purpose') ?? '');
      await send(isPrefetch ? toPrefetch(found) : found, response);
    } catch (error) {
      next(error);
    }
  };
}

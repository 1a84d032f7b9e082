import { PassThrough } from 'node:stream';
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  createReadableStreamFromReadable,
  type EntryContext,
  type LoaderFunctionArgs,
} from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { isOwnFault } from './http/errors.server.ts';

// The API is built together with the screens, because they share their modules.
export { serveApi } from './api/api.server.ts';

const ABORT_AFTER_MS = 10_000;
export const streamTimeout = ABORT_AFTER_MS - 1_000;

/**
 * Renders a page. Crawlers (and people without JavaScript) get the complete page, browsers get it as soon as the shell
 * is ready.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, log }: AppLoadContext,
): Promise<Response> {
  const isWhole = isbot(request.headers.get('user-agent') ?? '');
  let answerStatus = status;
  return new Promise((resolve, reject) => {
    let hasAnswered = false;
    const answer = () => {
      hasAnswered = true;
      const body = new PassThrough();
      headers.set('Content-Type', 'text/html; charset=utf-8');
      // A page contains one person's figures.
      if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store');
      resolve(new Response(createReadableStreamFromReadable(body), { headers, status: answerStatus }));
      pipe(body);
    };
    const { pipe, abort } = renderToPipeableStream(
      <RemixServer context={remixContext} url={request.url} abortDelay={ABORT_AFTER_MS} nonce={nonce} />,
      {
        nonce,
        [isWhole ? 'onAllReady' : 'onShellReady']: answer,
        onShellError: reject,
        onError(error) {
          answerStatus = 500;
          // Whoever went away before the end of the page has caused no error.
          if (hasAnswered && !request.signal.aborted) log.error({ err: error }, 'rendering failed');
        },
      },
    );
    setTimeout(abort, ABORT_AFTER_MS).unref();
  });
}

/** Logs errors of loaders and actions with the request's trace id. Aborted calls and mistakes of the client are none. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (!isOwnFault(error, request.signal.aborted)) return;
  context.log.error({ err: error, path: new URL(request.url).pathname }, 'unhandled error');
}

import { Writable } from 'node:stream';
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { renderToPipeableStream } from 'react-dom/server';
import { isOwnFault } from './http/errors.server.ts';

// The API is built together with the screens, because they share their modules.
export { serveApi } from './api/api.server.ts';

const ABORT_AFTER_MS = 10_000;
export const streamTimeout = ABORT_AFTER_MS - 1_000;

/**
 * Renders a page. Loaders have read everything before, so the page is sent as a whole: React's many small parts would
 * each be compressed and sent for themselves.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, log, texts }: AppLoadContext,
): Promise<Response> {
  let answerStatus = status;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const page = new Writable({
      highWaterMark: Number.MAX_SAFE_INTEGER,
      write(part: Buffer, _encoding, done) {
        parts.push(part);
        done();
      },
      final(done) {
        const text = Buffer.concat(parts).toString('utf8');
        headers.set('Content-Type', 'text/html; charset=utf-8');
        // A page contains one person's figures.
        if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store');
        const answer = new Response(text, { headers, status: answerStatus });
        texts.set(answer, text);
        resolve(answer);
        done();
      },
    });
    const { pipe, abort } = renderToPipeableStream(
      <RemixServer context={remixContext} url={request.url} abortDelay={ABORT_AFTER_MS} nonce={nonce} />,
      {
        nonce,
        onAllReady: () => pipe(page),
        onShellError: reject,
        onError(error) {
          answerStatus = 500;
          // Nobody waits for the page of a call that was aborted.
          if (!request.signal.aborted) log.error({ err: error }, 'rendering failed');
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

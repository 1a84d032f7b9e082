import type { LoaderFunctionArgs } from '@remix-run/node';
import { readScreen } from '../../http/screen.server.ts';
import { findSession } from '../../http/session.server.ts';

/** Server-sent events: how many notifications the user has not read, now and whenever it changes. */
export async function loader(args: LoaderFunctionArgs) {
  // A browser that gets no content does not connect again. A redirect would be an error in its console.
  if (!(await findSession(args.request, args.context))) return new Response(null, { status: 204 });
  return readScreen(null, ({ actor, familyId, context, request }) => {
    const { signal } = request;
    const { readyToSend } = context;
    return new Response(context.notificationStreams.open({ actor, familyId, signal, readyToSend }), {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // Neither proxies nor our own compression may hold events back.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  })(args);
}

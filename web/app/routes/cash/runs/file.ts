import { runFileResponse } from '../../../commands/payment-runs.server.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { originOf } from '../../../http/session.server.ts';

/** The file of a released run. */
export const loader = readScreen('payments/release', ({ params, context, actor, request }) =>
  runFileResponse({ context, actor, origin: originOf(request, context) }, params.id ?? ''),
);

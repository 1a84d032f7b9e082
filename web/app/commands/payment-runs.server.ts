import { Readable } from 'node:stream';
import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import {
  downloadedFile,
  fileToRelease,
  type RunView,
  releasePaymentRun,
} from '@tapeline/db/operations/cash/payment-runs.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { RequestContext } from '../http/context.ts';

interface Caller {
  readonly context: RequestContext;
  readonly actor: UserActor;
  readonly origin?: CallOrigin;
}

/**
 * Releases a run. Its file is stored first: the same run always gives the same bytes under the same key, so that people
 * who release at once, or again after a failure, store one file.
 * @throws Refusal as `releasePaymentRun` does
 */
export async function releaseRun(
  { context, actor, origin = {} }: Caller,
  command: { id: string; version: number },
): Promise<RunView> {
  const written = await context.store.as(actor, (session) => fileToRelease(session, command), { isPreparation: true });
  if (written) {
    await context.objects.putStream(written.file.key, Readable.from([written.bytes]), { type: written.file.type });
  }
  return context.store.as(actor, (session) => releasePaymentRun(session, command), origin);
}

/** The file of a released run, as it was stored. The history records the download. @throws Refusal as `downloadedFile` does */
export async function runFileResponse({ context, actor, origin = {} }: Caller, id: string): Promise<Response> {
  const file = await context.store.as(actor, (session) => downloadedFile(session, id), origin);
  return new Response(Readable.toWeb(await context.objects.getStream(file.key)) as ReadableStream, {
    headers: {
      'content-type': file.type,
      'content-length': String(file.size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'cache-control': 'private, no-store',
    },
  });
}

import { Readable } from 'node:stream';
import type { CallOrigin } from '@tapeline/db/changed-by.ts';
import type { RunView } from '@tapeline/db/operations/cash/payment-runs.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { openRunFile, releaseRun as release } from '@tapeline/lake/storage/release-run.ts';
import type { RequestContext } from '../http/context.ts';

interface Caller {
  readonly context: RequestContext;
  readonly actor: UserActor;
  readonly origin?: CallOrigin;
}

/** Releases a run and stores its file. @throws Refusal as `releasePaymentRun` does */
export const releaseRun = (
  { context, actor, origin }: Caller,
  command: { id: string; version: number },
): Promise<RunView> => release(context, actor, command, origin);

/** The file of a released run. The history records the download. @throws Refusal as `downloadedFile` does */
export async function runFileResponse({ context, actor, origin }: Caller, id: string): Promise<Response> {
  const { file, content } = await openRunFile(context, actor, id, origin);
  return new Response(Readable.toWeb(content) as ReadableStream, {
    headers: {
      'content-type': file.type,
      'content-length': String(file.size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'cache-control': 'private, no-store',
    },
  });
}

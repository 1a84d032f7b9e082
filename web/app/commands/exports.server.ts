import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { EXPORT_TYPES, type ExportFormat, type ExportTable } from '@tapeline/lake/exports/export-table.ts';
import type { RequestContext } from '../http/context.ts';

export const EXPORT_FORMATS = Object.keys(EXPORT_TYPES) as ExportFormat[];

const mediaTypeOf = (format: ExportFormat): string => EXPORT_TYPES[format].split(';')[0]!;

/** The media types of exports, without parameters. */
export const EXPORT_MEDIA_TYPES: readonly string[] = EXPORT_FORMATS.map(mediaTypeOf);

/** Returns the export format that an Accept header prefers. Null if JSON is preferred at least as much. */
export function acceptedFormat(accept: string | null): ExportFormat | null {
  const asked = (accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) };
  });
  const qualityOf = (type: string): number => asked.find((range) => range.type === type)?.quality ?? 0;
  const json = Math.max(qualityOf('application/json'), qualityOf('*/*'), qualityOf('application/*'));
  const [best] = EXPORT_FORMATS.map((format) => ({ format, quality: qualityOf(mediaTypeOf(format)) })).sort(
    (a, b) => b.quality - a.quality,
  );
  return best && best.quality > 0 && best.quality > json ? best.format : null;
}

/** A client that reads nothing for this long is cut off, because it holds disk space for no reason. */
const STALLED_MS = 10 * 60_000;

/**
 * A file as a stream: the next piece is made after the client has taken the previous one, and making it ends if the
 * client disconnects. A failure before the first bytes is thrown, so that it becomes a normal error.
 */
export async function streamOf(
  { context, request }: { context: RequestContext; request: Request },
  pieces: AsyncGenerator<Uint8Array, void, void>,
): Promise<ReadableStream<Uint8Array>> {
  let next = await pieces.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (!(await takesMore(context))) {
            await pieces.return();
            // If the client has disconnected, just close. Otherwise the client must not mistake a truncated file for a
            // complete one.
            if (request.signal.aborted) controller.close();
            else controller.error(new Error('the client took nothing for too long'));
          } else if (next.done) controller.close();
          else {
            controller.enqueue(next.value);
            next = await pieces.next();
          }
        } catch (error) {
          // The headers have been sent, so all that is left is to abort the answer and log the reason.
          if (!request.signal.aborted)
            context.log.error({ err: error, traceId: context.traceId }, 'an export broke off');
          controller.error(error);
        }
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Returns a list as a stream of bytes in the format, with `X-Docs-Count` if a count is given.
 * @param file.name the name to save the file under, without its extension
 */
export async function exportResponse(
  asked: { context: RequestContext; request: Request; actor: UserActor },
  table: ExportTable,
  file: {
    format: ExportFormat;
    name: string;
    sheetName: string;
    count?: number;
    headers?: Readonly<Record<string, string>>;
  },
): Promise<Response> {
  const { format, sheetName } = file;
  const pieces = asked.context.exporter.make(table, format, {
    sheetName,
    owner: asked.actor.userId,
    signal: asked.request.signal,
  });
  return new Response(await streamOf(asked, pieces), {
    headers: {
      'content-type': EXPORT_TYPES[format],
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${file.name}.${format}`)}`,
      // Compressing it again would put an unbounded buffer between the query and the client.
      'cache-control': 'private, no-store, no-transform',
      ...(file.count === undefined ? {} : { 'x-docs-count': String(file.count) }),
      ...file.headers,
    },
  });
}

/**
 * Waits until the client has taken what was written. Returns false if it has disconnected, or has read nothing for too
 * long.
 */
async function takesMore({ readyToSend, log, traceId }: RequestContext): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      log.info({ traceId }, 'an export was broken off because its client took nothing for ten minutes');
      resolve(false);
    }, STALLED_MS);
  });
  try {
    return await Promise.race([readyToSend(), stalled]);
  } finally {
    clearTimeout(timer);
  }
}

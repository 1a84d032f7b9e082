import { EXPORT_TYPES, type ExportFormat, type ExportTable } from '@tapeline/db/lake/exports/export-table.ts';
import type { RequestContext } from './context.ts';

export const EXPORT_FORMATS = Object.keys(EXPORT_TYPES) as ExportFormat[];

const mediaTypeOf = (format: ExportFormat): string => EXPORT_TYPES[format].split(';')[0]!;

/** The format that an Accept header likes best of those a list can be had in; null where JSON is liked as well or better. */
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

/**
 * A list as a stream of bytes in the format, with `X-Docs-Count` where a count is given. The next rows are read when the client has taken the last; a client that
 * goes ends the query. What fails before the first bytes is an error like any other.
 * @param file.name without its ending; saved under it
 */
export async function exportResponse(
  context: RequestContext,
  request: Request,
  table: ExportTable,
  file: { format: ExportFormat; name: string; sheetName: string; count?: number },
): Promise<Response> {
  const { format, sheetName } = file;
  const pieces = context.exporter.make(table, format, { sheetName, signal: request.signal });
  let next = await pieces.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (!(await context.readyToSend())) {
            await pieces.return();
            controller.close();
          } else if (next.done) controller.close();
          else {
            controller.enqueue(next.value);
            next = await pieces.next();
          }
        } catch (error) {
          // Headers are out: all that is left is to break the answer off, and to say why in the log.
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
  return new Response(body, {
    headers: {
      'content-type': EXPORT_TYPES[format],
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${file.name}.${format}`)}`,
      // Packing it again would put a buffer without end between the query and the client.
      'cache-control': 'private, no-store, no-transform',
      ...(file.count === undefined ? {} : { 'x-docs-count': String(file.count) }),
    },
  });
}

import type { LoaderFunctionArgs } from '@remix-run/node';
import { assetExport } from '@tapeline/db/lake/asset-export.ts';
import { assetListCatalog } from '@tapeline/db/lake/assets.ts';
import { erroredExport } from '@tapeline/db/lake/errored-export.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { EXPORT_FORMATS, exportResponse } from '../exports.server.ts';
import { readScreen } from '../screen.server.ts';
import { erroredSources, tapeSources } from '../tapes/tape-sources.server.ts';

/**
 * The assets of a tape that pass the address's filter, in its order, as a file of the address's `format` (CSV where left
 * out); with `view=errored` the rows that could not become assets.
 */
export function loader(args: LoaderFunctionArgs) {
  return readScreen(args, 'assets/read', async (screen) => {
    const { context, request, url } = screen;
    const asked = url.searchParams.get('format') ?? 'csv';
    const format = EXPORT_FORMATS.find((known) => known === asked);
    if (!format) throw new Refusal('badRequest', `The format is one of ${EXPORT_FORMATS.join(', ')}`);
    const isErrored = url.searchParams.get('view') === 'errored';
    const { tape, sources, errored } = await screen.db(async (session) => {
      const found = await getTape(session, screen.params.id ?? '');
      const choice = { tapeIds: [found.id] };
      return {
        tape: found,
        sources: await tapeSources(context, session, choice),
        errored: isErrored ? await erroredSources(context, session, choice) : [],
      };
    });
    if (sources.length === 0) throw new Refusal('badRequest', 'The tape has no published assets yet');
    const name = `${tape.attachment.name.replace(/\.[^.]*$/, '')}-${isErrored ? 'errored' : 'assets'}`;
    if (isErrored) {
      const table = await erroredExport(context.lake, errored);
      return exportResponse(context, request, table, { format, name, sheetName: 'Errored rows' });
    }
    const { filter, sort } = parseListQuery(
      { filter: url.searchParams.get('filter') ?? undefined, sort: url.searchParams.get('sort') ?? undefined },
      assetListCatalog(sources),
    );
    const table = await assetExport(context.lake, sources, { filter, sort });
    return exportResponse(context, request, table, { format, name, sheetName: 'Assets' });
  });
}

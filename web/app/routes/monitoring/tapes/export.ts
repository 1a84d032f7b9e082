import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { assetExport } from '@tapeline/lake/asset-export.ts';
import { assetListCatalog } from '@tapeline/lake/asset-relation.ts';
import { erroredExport } from '@tapeline/lake/errored-export.ts';
import { EXPORT_FORMATS, exportResponse } from '../../../commands/exports.server.ts';
import { erroredSources, tapeSources } from '../../../commands/tape-sources.server.ts';
import { readScreen } from '../../../http/screen.server.ts';

/**
 * The assets of a tape as a file in the address's `format` (CSV by default), with the address's filter and sort order,
 * and the results of the address's `borrowingBase`. With `view=errored`, the rows that could not become assets.
 */
export const loader = readScreen('assets/read', async (screen) => {
  const { context, url } = screen;
  const asked = url.searchParams.get('format') ?? 'csv';
  const format = EXPORT_FORMATS.find((known) => known === asked);
  if (!format) throw new Refusal('badRequest', `The format is one of ${EXPORT_FORMATS.join(', ')}`);
  const isErrored = url.searchParams.get('view') === 'errored';
  const { tape, sources, errored } = await screen.db(async (session) => {
    const found = await getTape(session, screen.params.id ?? '');
    const borrowingBase = url.searchParams.get('borrowingBase');
    const choice = { tapeIds: [found.id], ...(borrowingBase ? { borrowingBase } : {}) };
    return {
      tape: found,
      sources: await tapeSources(context, session, choice),
      errored: isErrored ? await erroredSources(context, session, choice) : [],
    };
  });
  if (sources.length === 0) throw new Refusal('badRequest', 'The tape has no published assets');
  const name = `${tape.attachment.name.replace(/\.[^.]*$/, '')}-${isErrored ? 'errored' : 'assets'}`;
  if (isErrored) {
    const table = await erroredExport(context.lake, errored);
    return exportResponse(screen, table, { format, name, sheetName: 'Errored rows' });
  }
  const { filter, sort } = parseListQuery(
    { filter: url.searchParams.get('filter') ?? undefined, sort: url.searchParams.get('sort') ?? undefined },
    assetListCatalog(sources),
  );
  const table = await assetExport(context.lake, sources, { filter, sort });
  return exportResponse(screen, table, { format, name, sheetName: 'Assets' });
});

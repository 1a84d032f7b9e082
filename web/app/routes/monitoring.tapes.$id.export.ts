import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { exportAssetsCsv } from '@tapeline/db/lake/asset-export.ts';
import { assetListCatalog } from '@tapeline/db/lake/assets.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { readScreen } from '../screen.server.ts';
import { tapeSources } from '../tapes/tape-sources.server.ts';

/** The assets of a tape that pass the address's filter, as a CSV file with every column that the tape holds. */
export function loader(args: LoaderFunctionArgs) {
  return readScreen(args, 'assets/read', async (screen) => {
    const { context, url } = screen;
    const { tape, sources } = await screen.db(async (session) => {
      const found = await getTape(session, screen.params.id ?? '');
      return { tape: found, sources: await tapeSources(context, session, { tapeIds: [found.id] }) };
    });
    if (sources.length === 0) throw new Refusal('badRequest', 'The tape has no published assets yet');
    const { filter, sort } = parseListQuery(
      { filter: url.searchParams.get('filter') ?? undefined, sort: url.searchParams.get('sort') ?? undefined },
      assetListCatalog(sources),
    );
    const path = join(tmpdir(), `tapeline-export-${randomUUID()}.csv`);
    try {
      await exportAssetsCsv(context.lake, sources, { filter, sort }, path);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    const { size } = await stat(path);
    const content = createReadStream(path);
    content.once('close', () => void rm(path, { force: true }));
    const name = `${tape.attachment.name.replace(/\.[^.]*$/, '')}-assets.csv`;
    return new Response(Readable.toWeb(content) as ReadableStream, {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-length': String(size),
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        'cache-control': 'private, no-store',
      },
    });
  });
}

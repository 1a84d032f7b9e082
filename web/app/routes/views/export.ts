import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { exportResponse } from '../../commands/exports.server.ts';
import { MAX_SELECTED } from '../../components/grid/grid-export.ts';
import { readScreen } from '../../http/screen.server.ts';
import { exportedRows } from './exported-grids.server.ts';
import { listNamed } from './grid-lists.server.ts';

/** The selected rows of a grid (`id` repeated) as a file in the address's `format`, with its columns and its order. */
export const loader = readScreen(null, async (screen) => {
  const { url, params, actor, db } = screen;
  const list = listNamed(params.grid, actor);
  const format = url.searchParams.get('format') === 'xlsx' ? 'xlsx' : 'csv';
  const ids = [...new Set(url.searchParams.getAll('id'))];
  if (ids.length === 0) throw new Refusal('badRequest', 'Select the rows to export');
  if (ids.length > MAX_SELECTED) throw new Refusal('badRequest', `Select at most ${MAX_SELECTED} rows`);
  if (ids.some((id) => !idSchema.safeParse(id).success))
    throw new Refusal('badRequest', 'A row of the address has no id');
  const paths = (url.searchParams.get('columns') ?? '').split(',');
  const sort = url.searchParams.get('sort') ?? undefined;
  const { name, ...table } = await db((session) => exportedRows(session, list, { ids, sort, paths }));
  return exportResponse(screen, table, { format, name: list.grid, sheetName: name });
});

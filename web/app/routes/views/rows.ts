import { data } from '@remix-run/node';
import { readScreen } from '../../http/screen.server.ts';
import { listNamed } from './grid-lists.server.ts';

/** A block of a grid's rows, by the query of every list, in the order of the page's first rows. */
export const loader = readScreen(null, async ({ db, url, params, actor }) => {
  const { load, sort } = listNamed(params.grid, actor);
  const usual = Object.keys(sort).length > 0 ? { sort } : {};
  const { rows, total } = await db((session) => load(session, { ...usual, ...Object.fromEntries(url.searchParams) }));
  return data(rows, { headers: { 'X-Docs-Count': String(total) } });
});

import { data } from '@remix-run/node';
import { readScreen } from '../../http/screen.server.ts';
import { searchGroups } from './search.server.ts';

/** What `q` finds, while the user types in the palette. */
export const loader = readScreen(null, async (screen) => {
  const text = screen.url.searchParams.get('q') ?? '';
  return data({ text, groups: await searchGroups(screen, text) }, { headers: { 'cache-control': 'no-store' } });
});

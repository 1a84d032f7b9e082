import { redirect } from '@remix-run/node';
import { confirmMatches } from '@tapeline/db/operations/cash/match-payments.ts';
import { setOwnItems } from '@tapeline/db/operations/cash/own-items.ts';
import { intent } from '../../http/screen.server.ts';
import { matchesForm, ownItemsForm } from './match-form.ts';

/** What the address says was done just now. */
const DONE = ['done', 'marked'] as const;

/** Back to the page as it was, with how many payments were matched or marked. */
function backTo(url: URL, name: (typeof DONE)[number], count: number) {
  const search = new URLSearchParams(url.search);
  for (const key of [...DONE, 'index', 'skip']) search.delete(key);
  search.set(name, String(count));
  return redirect(`${url.pathname}?${search}`);
}

const countIn = (search: URLSearchParams, name: string): number =>
  Number(/^\d{1,3}$/.exec(search.get(name) ?? '')?.[0] ?? 0);

/** How many payments were matched just now, and how many were marked as not ours. */
export const doneIn = (search: URLSearchParams) => ({
  done: countIn(search, 'done'),
  marked: countIn(search, 'marked'),
});

/** What people do with payments that nobody has matched, on each page that lists some. */
export const MATCH_INTENTS = {
  match: intent({
    permission: 'payments/write',
    schema: matchesForm,
    async run({ matches }, { db, url }) {
      await db((session) => confirmMatches(session, matches));
      return backTo(url, 'done', matches.length);
    },
  }),
  own: intent({
    permission: 'payments/write',
    schema: ownItemsForm,
    async run({ items }, { db, url }) {
      await db((session) => setOwnItems(session, items));
      return backTo(url, 'marked', items.length);
    },
  }),
};

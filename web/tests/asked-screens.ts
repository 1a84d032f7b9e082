import type { RouteConfigEntry } from '@remix-run/route-config';
import { collectionOf } from '@tapeline/domain/collections/collections.ts';
import { COLLECTION_OF_GRID } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import { expect } from 'vitest';
import { EXPORTED_GRIDS } from '../app/components/grid/grid-export.ts';
import addresses from '../app/routes.ts';
import { type Asked, askAll, type Shown } from './asked.ts';
import { type MarkedDocuments, word } from './marked-documents.ts';
import { matchedRoute } from './matched-route.ts';
import type { ScreenClient } from './screen-client.ts';

/** The addresses of all screens, and of what they load and offer to download, by the file that serves them. */
function screenPaths(entries: readonly RouteConfigEntry[], parent = ''): { path: string; file: string }[] {
  return entries.flatMap(({ path = '', file, children = [] }) => {
    const whole = path === '' ? parent : `${parent}/${path}`;
    return [{ path: whole || '/', file }, ...screenPaths(children, whole)];
  });
}

/** Calls have a screen of their own, a stream stays open, the design shows no document, a sign-in is not one. */
const NOT_OPENED = /routes\/(rest|sign-in)\/|stream|shell\/|image|preferences|account/;

/** What the parameters of an address stand for: the planted document, or another one of the tenant. */
const PARAMETERS: Readonly<Record<string, DocumentCollection>> = {
  ...Object.fromEntries(
    DOCUMENT_COLLECTIONS.flatMap((name) => {
      const page = collectionOf(name)?.page;
      return page ? [[page.slice(1), name]] : [];
    }),
  ),
  'capital/calls': 'contributions',
  'capital/distributions': 'distributions',
  'capital/notices': 'contributions',
  'capital/shares': 'contributions',
  'capital/statements': 'capitalAccounts',
};
const WORDS: Readonly<Record<string, readonly string[]>> = {
  ':grid': EXPORTED_GRIDS,
  ':kind': ['LPs'],
  ':format': ['xlsx'],
  ':code': ['USD'],
  ':index': ['0'],
  ':sequence': ['1'],
};
/** The collections whose documents are decided in the queue of approvals, by kind. */
const APPROVED = {
  draw: 'draws',
  call: 'contributions',
  distribution: 'distributions',
  contract: 'contracts',
} as const;

/** The addresses of one route, with its parameters filled in. */
function addressesOf(path: string, marked: MarkedDocuments): string[] {
  const { planted, others, idOf, pageIdOf, note } = marked;
  if (path === '/history/documents/:resource/:id')
    return [...planted.keys()].map((collection) => `/history/documents/${collection}/${idOf(collection)}`);
  if (path === '/search/results') return [...planted.keys()].map((collection) => `${path}?q=${word(collection)}`);
  if (path === '/approvals/:kind/:id')
    return Object.entries(APPROVED).map(([kind, collection]) => `/approvals/${kind}/${pageIdOf(collection)}`);
  const [, prefix = '', parameters = ''] = /^\/(.*?)(\/:.*)?$/.exec(path) ?? [];
  if (parameters === '') return [path];
  const filled = parameters
    .split('/')
    .slice(1)
    .reduce<string[]>(
      (made, part) => {
        const collection = PARAMETERS[prefix];
        const values =
          part === ':commitment'
            ? [idOf('LPCommitments')]
            : part === ':note'
              ? [note.id]
              : part === ':proposal'
                ? [others.get('proposals')]
                : part === ':id' || part === ':change'
                  ? [collection ? pageIdOf(collection) : others.get(prefix)]
                  : (WORDS[part] ?? [part]);
        return made.flatMap((start) =>
          values.map((value) => {
            expect(value, `a document for ${part} of ${path}`).toBeDefined();
            return `${start}/${value}`;
          }),
        );
      },
      [`/${prefix}`],
    );
  if (path !== '/views/export/:grid') return filled;
  return filled.map((address, index) => {
    const listed = COLLECTION_OF_GRID[EXPORTED_GRIDS[index]!];
    const collection = DOCUMENT_COLLECTIONS.find((name) => name === listed);
    const id = collection ? pageIdOf(collection) : others.get(`admin/${EXPORTED_GRIDS[index]}`);
    return `${address}?format=csv&id=${id}`;
  });
}

const screen = (what: string): Asked => ({
  what,
  ask: async (client) => {
    const answer = await client.get(what);
    if (!what.startsWith('/search/results')) return answer;
    // What was searched for is not what was found.
    return { ...answer, text: JSON.stringify(JSON.parse(answer.text).groups ?? '') };
  },
});

const routeAt = ({ pathname, searchParams }: URL): string | null => {
  const file = matchedRoute(pathname)?.file;
  if (!file || NOT_OPENED.test(file)) return null;
  return `${file} ${searchParams.get('view') ?? ''} ${searchParams.get('tab') ?? ''} ${searchParams.has('fund') ? 'fund' : ''}`;
};

/** The screens of all routes, and those that their links lead to, one of each kind and part, as the client is shown them. */
export async function allScreens(
  client: ScreenClient,
  marked: MarkedDocuments,
): Promise<{ asked: Asked[]; shown: Shown[] }> {
  const routes = screenPaths(addresses as readonly RouteConfigEntry[]).filter(({ file }) => !NOT_OPENED.test(file));
  let next = [...new Set(routes.flatMap(({ path }) => addressesOf(path, marked)))];
  const all: { asked: Asked[]; shown: Shown[] } = { asked: [], shown: [] };
  const known = new Set(next.map((address) => routeAt(new URL(address, 'http://product'))));
  while (next.length > 0) {
    const asked = next.map(screen);
    const shown = await askAll(client, asked);
    all.asked.push(...asked);
    all.shown.push(...shown);
    const found = shown.flatMap(({ text }) =>
      [...text.matchAll(/href="(\/[^"]*)"/g)].map(
        ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), 'http://product'),
      ),
    );
    next = found.flatMap((url) => {
      const route = routeAt(url);
      if (route === null || known.has(route)) return [];
      known.add(route);
      return [url.pathname + url.search];
    });
  }
  return all;
}

/** The pages of the marked documents, of another document if `idOf` says so. */
export const pagesOf = (collection: DocumentCollection, id: string): string[] =>
  Object.entries(PARAMETERS).flatMap(([prefix, of]) => (of === collection ? [`/${prefix}/${id}`] : []));

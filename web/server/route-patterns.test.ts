import { matchRoutes } from '@remix-run/react';
import type { RouteConfigEntry } from '@remix-run/route-config';
import { expect, test } from 'vitest';
import addresses from '../app/routes.ts';
import { routePatterns, routesOf } from './route-patterns.ts';

const patternsOf = routePatterns(
  {
    root: { path: '' },
    shell: { parentId: 'root' },
    home: { parentId: 'shell' },
    tapes: { path: 'monitoring/tapes', parentId: 'shell' },
    newTape: { path: 'monitoring/tapes/new', parentId: 'shell' },
    tape: { path: 'monitoring/tapes/:id', parentId: 'shell' },
    correct: { path: 'correct', parentId: 'tape' },
    crud: { path: 'crud/*', parentId: 'root' },
  },
  ['/healthz', '/assets/*'],
);
const patternOf = (path: string) => patternsOf(path)[0];

test('an address has the pattern of its screen, whose parameters have no value', () => {
  expect(patternOf('/')).toBe('/');
  expect(patternOf('/_root.data')).toBe('/');
  expect(patternOf('/monitoring/tapes')).toBe('/monitoring/tapes');
  expect(patternOf('/monitoring/tapes/new')).toBe('/monitoring/tapes/new');
  expect(patternOf('/monitoring/tapes/0123456789abcdef01234567')).toBe('/monitoring/tapes/:id');
  expect(patternOf('/monitoring/tapes/0123456789abcdef01234567.data')).toBe('/monitoring/tapes/:id');
  expect(patternOf('/monitoring/tapes/new/correct')).toBe('/monitoring/tapes/:id/correct');
});

test('a splat covers what follows, and an unknown address has no pattern', () => {
  expect(patternOf('/crud/funds/1')).toBe('/crud/*');
  expect(patternOf('/crud')).toBe('/crud/*');
  expect(patternOf('/healthz')).toBe('/healthz');
  expect(patternOf('/assets/root-1234.js')).toBe('/assets/*');
  expect(patternOf('/nothing/here')).toBeUndefined();
  expect(patternOf(`/crud${'/x'.repeat(19)}`)).toBe('/crud/*');
  expect(patternOf(`/crud${'/x'.repeat(20)}`)).toBeUndefined();
});

test('an address is compared decoded and without regard to case', () => {
  expect(patternOf('/Monitoring/TAPES/New')).toBe('/monitoring/tapes/new');
  expect(patternOf('/monitoring/tapes/%6Eew')).toBe('/monitoring/tapes/new');
  expect(patternOf('/monitoring/tapes/n%2Few')).toBe('/monitoring/tapes/:id');
  expect(patternOf('/monitoring/%74apes/%zz')).toBeUndefined();
});

interface Route {
  readonly id: string;
  readonly parentId?: string;
  readonly path?: string;
  readonly index?: boolean;
}

/** The product's routes by their ids, as in its build. */
function builtRoutes(entries: readonly RouteConfigEntry[], parentId = 'root'): Record<string, Route> {
  return Object.fromEntries(
    entries.flatMap(({ id, file, path, index, children = [] }) => {
      const own = { id: id ?? file, parentId, ...(path === undefined ? {} : { path }), ...(index ? { index } : {}) };
      return [[own.id, own], ...Object.entries(builtRoutes(children, own.id))];
    }),
  );
}

const nested = (routes: Readonly<Record<string, Route>>, parent?: string): object[] =>
  Object.values(routes).flatMap((route) => {
    if (route.parentId !== parent) return [];
    const { id, path, index } = route;
    return [index ? { id, path, index } : { id, path, children: nested(routes, id) }];
  });

/** The routes and parameters that Remix finds for an address. */
const found = (routes: readonly object[], address: string) =>
  matchRoutes(routes as never, address)?.map(({ route, params, pathname }) => ({ id: route.id, params, pathname }));

test('an address can have several patterns, which Remix ranks', () => {
  expect(patternsOf('/monitoring/tapes/new')).toEqual(['/monitoring/tapes/new', '/monitoring/tapes/:id']);
});

test('the routes of an address answer it as all routes of the product do', () => {
  const routes: Record<string, Route> = { root: { id: 'root', path: '' }, ...builtRoutes(addresses) };
  const find = routePatterns(routes);
  const patterns = new Set(
    Object.keys(routes).map((id) => {
      const parts: string[] = [];
      for (let at = routes[id]; at; at = routes[at.parentId ?? '']) parts.unshift(at.path ?? '');
      return `/${parts.filter(Boolean).join('/')}`;
    }),
  );
  expect(patterns.size).toBeGreaterThan(200);
  // Ids, and segments of other addresses in the place of ids.
  const VALUES = ['0123456789abcdef01234567', 'NEW', '%6eew', 'a%2Fb', 'edit', 'export', 'register'];
  const filled = [...patterns].flatMap((pattern) =>
    (pattern.includes(':')
      ? VALUES.map((value) => pattern.replaceAll(/:\w+/g, value))
      : [pattern, pattern.toUpperCase(), `${pattern}/`, `${pattern}/none`]
    ).map((address) => address.replace('*', 'a/b')),
  );
  const all = nested(routes);
  const wrong = filled.filter((address) => {
    const own = nested(routesOf(routes, find(address)));
    return JSON.stringify(found(own, address)) !== JSON.stringify(found(all, address));
  });
  expect(wrong).toEqual([]);
});

import { matchRoutes } from '@remix-run/react';
import type { RouteConfigEntry } from '@remix-run/route-config';
import addresses from '../app/routes.ts';

export interface MatchedRoute {
  readonly file: string;
  readonly hasParameter: boolean;
}

/** By path, with ids replaced. A match compares the path with every route, and pages repeat the same few hundred links. */
const matched = new Map<string, MatchedRoute | null>();

/** The route that answers a path, or null. */
export function matchedRoute(path: string): MatchedRoute | null {
  const key = path.replaceAll(/[0-9a-f]{24}/g, ':id');
  const known = matched.get(key);
  if (known !== undefined) return known;
  const match = matchRoutes(addresses as never, path)?.at(-1);
  const { file } = (match?.route ?? {}) as Partial<RouteConfigEntry>;
  const route = match && file ? { file, hasParameter: Object.keys(match.params).length > 0 } : null;
  matched.set(key, route);
  return route;
}

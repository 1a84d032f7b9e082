import type { ServerBuild } from '@remix-run/node';

type Routes = Readonly<Record<string, Pick<ServerBuild['routes'][string], 'path' | 'parentId'>>>;

interface Segment {
  readonly literals: Map<string, Segment>;
  parameter: Segment | null;
  /** The pattern that ends here. */
  pattern: string | null;
  /** The pattern of a splat that begins here. */
  splat: string | null;
}

const segment = (): Segment => ({ literals: new Map(), parameter: null, pattern: null, splat: null });

/** Addresses of the browser's requests for the data of a screen end in it. */
const DATA = /(?:^\/_root)?\.data$/;

/** The segments of a route's whole pattern. */
function partsOf(routes: Routes, id: string): string[] {
  const route = routes[id];
  if (!route) return [];
  const parent = route.parentId ? partsOf(routes, route.parentId) : [];
  return [...parent, ...(route.path ?? '').split('/').filter(Boolean)];
}

const joined = (parts: readonly string[]): string => `/${parts.join('/')}`;

/** The segments as Remix compares them: decoded, if all of them can be. */
function decoded(parts: readonly string[]): readonly string[] {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return parts;
  }
}

/**
 * Finds the patterns that a screen's address has, such as `/monitoring/tapes/:id`, the most literal one first. It is a walk
 * over the segments, because Remix ranks all routes of the product for each address. Like Remix, it compares them decoded
 * and without regard to case.
 * @param others patterns of addresses that are not screens
 */
export function routePatterns(routes: Routes, others: readonly string[] = []): (path: string) => readonly string[] {
  const root = segment();
  const all = [
    ...Object.keys(routes).map((id) => partsOf(routes, id)),
    ...others.map((path) => path.split('/').filter(Boolean)),
  ];
  for (const parts of all) {
    const pattern = joined(parts);
    let at = root;
    for (const part of parts) {
      if (part === '*') break;
      if (part.startsWith(':')) {
        at.parameter ??= segment();
        at = at.parameter;
      } else {
        const literal = part.toLowerCase();
        const next = at.literals.get(literal) ?? segment();
        at.literals.set(literal, next);
        at = next;
      }
    }
    if (parts.at(-1) === '*') at.splat ??= pattern;
    else at.pattern ??= pattern;
  }
  const find = (at: Segment | null | undefined, parts: readonly string[]): (string | null)[] => {
    if (!at) return [];
    const [part, ...rest] = parts;
    if (part === undefined) return [at.pattern, at.splat];
    return [...find(at.literals.get(part), rest), ...find(at.parameter, rest), at.splat];
  };
  return (path) => {
    const parts = path.replace(DATA, '').split('/').filter(Boolean);
    if (parts.length > MAX_SEGMENTS) return [];
    const compared = decoded(parts).map((part) => part.toLowerCase());
    return find(root, compared).filter((pattern) => pattern !== null);
  };
}

/** More than any address of the product has. */
const MAX_SEGMENTS = 20;

/** The routes that an address of these patterns is compared with: those that end there, and what is around them. */
export function routesOf<Each extends Routes[string]>(
  routes: Readonly<Record<string, Each>>,
  patterns: readonly string[],
): Record<string, Each> {
  const kept = new Set<string>();
  for (const id of Object.keys(routes)) {
    if (!patterns.includes(joined(partsOf(routes, id)))) continue;
    for (let at: string | undefined = id; at; at = routes[at]?.parentId) kept.add(at);
  }
  return Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
}

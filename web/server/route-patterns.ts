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
const DATA = /(?:\/_root|\/_index)?\.data$/;

/**
 * Finds the pattern of a screen's address: `/monitoring/tapes/:id`. It is a walk over the segments, because Remix ranks
 * all routes of the product for each address.
 * @param others patterns of addresses that are not screens
 */
export function routePatterns(routes: Routes, others: readonly string[] = []): (path: string) => string | undefined {
  const root = segment();
  const full = (id: string): string[] => {
    const route = routes[id];
    if (!route) return [];
    return [...(route.parentId ? full(route.parentId) : []), ...(route.path ?? '').split('/').filter(Boolean)];
  };
  const all = [...Object.keys(routes).map(full), ...others.map((path) => path.split('/').filter(Boolean))];
  for (const parts of all) {
    const pattern = `/${parts.join('/')}`;
    let at = root;
    for (const part of parts) {
      if (part === '*') break;
      if (part.startsWith(':')) {
        at.parameter ??= segment();
        at = at.parameter;
      } else {
        const next = at.literals.get(part) ?? segment();
        at.literals.set(part, next);
        at = next;
      }
    }
    if (parts.at(-1) === '*') at.splat ??= pattern;
    else at.pattern ??= pattern;
  }
  const find = (at: Segment, parts: readonly string[]): string | null => {
    const [part, ...rest] = parts;
    if (part === undefined) return at.pattern ?? at.splat;
    const literal = at.literals.get(part);
    return (literal && find(literal, rest)) ?? (at.parameter && find(at.parameter, rest)) ?? at.splat;
  };
  return (path) => {
    const parts = path.replace(DATA, '').split('/').filter(Boolean);
    return parts.length > MAX_SEGMENTS ? undefined : (find(root, parts) ?? undefined);
  };
}

/** More than any address of the product has. */
const MAX_SEGMENTS = 20;

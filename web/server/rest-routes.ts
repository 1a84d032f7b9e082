import type { ServerBuild } from '@remix-run/node';

type Route = ServerBuild['routes'][string];
type ResourceModule = Pick<Route['module'], 'loader' | 'action'>;

/** What is needed of Remix's build to find a resource route. */
interface Routes {
  readonly routes: Readonly<
    Record<string, Pick<Route, 'path' | 'parentId'> & { module: ResourceModule & { default?: unknown } }>
  >;
}

/** Methods that Remix also passes unchanged to the loader or action. */
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Finds the loader or action of a resource route that matches everything under one word (`crud/*`), as Remix would.
 * Remix ranks all routes of the product twice for each request, which takes as long as answering a short list.
 * @returns null for every other address and method, which Remix has to route
 */
export function restRoutes(build: Routes): (method: string, path: string) => ResourceModule['loader'] | null {
  const byWord = new Map<string, ResourceModule>();
  for (const { path = '', parentId, module } of Object.values(build.routes)) {
    const word = /^([^/:*]+)\/\*$/.exec(path)?.[1];
    const isTop = parentId === undefined || parentId === 'root';
    if (word !== undefined && isTop && module.default === undefined) byWord.set(word, module);
  }
  return (method, path) => {
    const [, word = '', rest] = path.split('/', 3);
    const module = rest && METHODS.has(method) ? byWord.get(word) : undefined;
    return (method === 'GET' ? module?.loader : module?.action) ?? null;
  };
}

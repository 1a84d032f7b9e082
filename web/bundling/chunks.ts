import type { Rollup } from 'vite';
import { CHECKS } from './form-checks.ts';
import { type Node, type Taken, takenBy } from './syntax-tree.ts';

const ROUTE = /\/web\/app\/(routes\/.+?)\?__remix-build-client-route$/;
const PART = /\/web\/app\/(routes\/[^?]+)/;
/** What every page of a signed-in user loads. */
const FRAME = /\/web\/app\/(entry\.client|root|routes\/shell\/(layout|screen))\.tsx/;
const SCHEMA_LIBRARIES = /\/node_modules\/(.*\/)?(zod|@conform-to\/zod)\//;

/**
 * What pages need that others do not. A module is with the need of the fewest routes that all routes that load it have,
 * directly or not, so a page without forms loads no part of one, and a form without bank accounts loads no IBANs.
 */
const NEEDS: readonly (readonly [name: string, modules: RegExp])[] = [
  ['addresses', /\/node_modules\/(.*\/)?iso-3166\//],
  ['schemas', SCHEMA_LIBRARIES],
  ['accounts', /\/node_modules\/(.*\/)?ibantools\//],
  ['filters', /\/domain\/src\/filters\/(parse|pattern)\.ts$/],
  ['formulas', /\/domain\/src\/tapes\/formulas\//],
  ['lists', /\/web\/app\/components\/(grid|filters)\//],
  ['charts', /\/web\/app\/components\/charts\//],
  ['targets', /\/domain\/src\/tapes\/target-schema\.ts$/],
  ['currencies', /\/node_modules\/(.*\/)?(currency-codes|currency-symbol-map|nub|first-match)\//],
  ['countries', /\/node_modules\/(.*\/)?countries-list\//],
  ['fields', /\/node_modules\/(.*\/)?@conform-to\//],
  ['refusals', /\/domain\/src\/errors\/refusal\.ts$/],
  ['reasons', /\/domain\/src\/errors\/reason\.ts$/],
  ['activity', /\/domain\/src\/capital\/line-basis\.ts$/],
  ['progress', /\/web\/app\/components\/page\/progress-steps\.tsx$/],
  // Tables that only a few pages of funds show.
  ['closings', /\/web\/app\/routes\/funds\/closings\//],
  ['headers', /\/web\/app\/routes\/capital\/header-page\.tsx/],
];

/** What so many routes share is loaded with any of them. */
const COMMON_ROUTES = 24;
/** What so many share, and need for the same, is apart from what a few share. */
const SHARED_ROUTES = 8;

/** The areas of the product, by the first folders of their routes. */
const AREAS: readonly (readonly [RegExp, string])[] = [
  [/^routes\/monitoring\/(tapes|mappings)\//, 'tapes'],
  [/^routes\/monitoring\//, 'lending'],
  [/^routes\/(funds|investors|capital|main-funds)\//, 'funds'],
  [/^routes\//, 'office'],
];

/** Folders of routes that share much with one another and nothing with the rest of their area. */
const FOLDERS = [
  'routes/admin/',
  'routes/cash/',
  'routes/documents/',
  'routes/importer/',
  'routes/monitoring/duplicates/',
  'routes/sign-in/',
];

const folderOf = (routes: ReadonlySet<string>): string | undefined =>
  FOLDERS.find((folder) => [...routes].every((route) => route.startsWith(folder)))
    ?.split('/')
    .at(-2);

const areaOf = (route: string): string => AREAS.find(([path]) => path.test(route))?.[1] ?? 'office';

type Graph = Pick<Rollup.PluginContext, 'getModuleIds' | 'getModuleInfo'>;

/** Which modules a module needs: of one that only passes a name on, the module that has it. */
function neededBy(graph: Graph): (id: string) => ReadonlySet<string> {
  const takenFrom = new Map<string, readonly (Taken & { readonly id: string })[]>();
  const taken = (id: string) => {
    const known = takenFrom.get(id);
    if (known) return known;
    const info = graph.getModuleInfo(id);
    const all = info?.ast ? takenBy(info.ast as Node) : [];
    const sources = [...new Set(all.map(({ source }) => source))];
    const ids = info?.importedIds ?? [];
    // Rollup has them in the order of the text. Without a syntax tree, a module takes everything.
    const found =
      sources.length === ids.length
        ? all.map((each) => ({ ...each, id: ids[sources.indexOf(each.source)] ?? '' }))
        : ids.map((each) => ({ source: each, isPassedOn: false, names: null, id: each }));
    takenFrom.set(id, found);
    return found;
  };
  const homeOf = (id: string, name: string): string => {
    for (const { names, isPassedOn, id: other } of taken(id)) {
      const there = isPassedOn ? names?.get(name) : undefined;
      if (there !== undefined) return homeOf(other, there);
    }
    return id;
  };
  const needs = new Map<string, ReadonlySet<string>>();
  return (id) => {
    const known = needs.get(id);
    if (known) return known;
    const found = new Set<string>();
    for (const { names, isPassedOn, id: other } of taken(id)) {
      // What is passed on by name is needed by those who take it. Nothing takes from an entry.
      if (isPassedOn && names && !graph.getModuleInfo(id)?.isEntry) continue;
      if (!names || names.size === 0) found.add(other);
      else for (const name of names.values()) found.add(homeOf(other, name));
    }
    needs.set(id, found);
    return found;
  };
}

interface Reach {
  /** The routes, or what checks the forms of a module, that load each module. */
  readonly routes: ReadonlyMap<string, ReadonlySet<string>>;
  /** Of the `NEEDS` that every route has that loads a module, that of the fewest routes. */
  readonly needOf: (id: string) => string | null;
}

type Visit = (id: string, seen: Set<string>) => void;

/** Adds a module and all that it needs, directly or not, to those that were seen. */
function visitor(graph: Graph): Visit {
  const needs = neededBy(graph);
  const visit: Visit = (id, seen) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const needed of needs(id)) visit(needed, seen);
  };
  return visit;
}

/** @param nameOf the name of what is loaded for itself: a route, or what checks forms. Null for all other modules */
function reachOf(graph: Graph, visit: Visit, nameOf: (id: string) => string | null | undefined): Reach {
  const routes = new Map<string, Set<string>>();
  for (const id of graph.getModuleIds()) {
    const route = nameOf(id);
    if (!route) continue;
    const seen = new Set<string>();
    visit(id, seen);
    for (const each of seen) routes.set(each, (routes.get(each) ?? new Set()).add(route));
  }
  const needing = NEEDS.map(([name, modules]) => {
    const found = [...routes].flatMap(([id, loading]) => (modules.test(id) ? [...loading] : []));
    return { name, routes: new Set(found) };
  }).sort((one, other) => one.routes.size - other.routes.size);
  const needOf = (id: string): string | null => {
    const loading = routes.get(id) ?? new Set<string>();
    return needing.find((need) => loading.isSubsetOf(need.routes))?.name ?? null;
  };
  return { routes, needOf };
}

/** Every page has what the frame loads, and loads what its route does. What checks its forms is loaded later, if at all. */
function layersOf(graph: Graph): { frame: ReadonlySet<string>; pages: Reach; checks: Reach } {
  const visit = visitor(graph);
  const isEntry = (id: string): boolean => graph.getModuleInfo(id)?.isEntry ?? false;
  const frame = new Set<string>();
  for (const id of graph.getModuleIds()) if (isEntry(id) && FRAME.test(id)) visit(id, frame);
  const isLoadedLater = (id: string): boolean =>
    id.endsWith(CHECKS) && (graph.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
  return {
    frame,
    pages: reachOf(graph, visit, (id) => (isEntry(id) ? ROUTE.exec(id)?.[1] : null)),
    checks: reachOf(graph, visit, (id) => (isLoadedLater(id) ? (PART.exec(id)?.[1] ?? id) : null)),
  };
}

/**
 * Puts modules that pages share into a few files instead of one for each set of pages that share them: a page then
 * loads fewer than 20 files, of which most are in the browser's cache after the first page. A module needs only modules
 * that at least as many routes load and that need no more, so the files never import one another in a circle.
 */
export function fewChunks(): (id: string, graph: Graph) => string | undefined {
  let layers: ReturnType<typeof layersOf> | null = null;
  return (id, graph) => {
    layers ??= layersOf(graph);
    if (layers.frame.has(id)) return 'frame';
    const isOfPages = layers.pages.routes.has(id);
    const { routes: all, needOf } = isOfPages ? layers.pages : layers.checks;
    const routes = all.get(id);
    if (!routes || (isOfPages && routes.size < 2)) return undefined;
    const need = needOf(id);
    const areas = new Set([...routes].map(areaOf));
    // A part of a screen that other areas show as well is with those of its own folder or area.
    const part = PART.exec(id)?.[1];
    const [area = ''] = areas;
    const shared =
      areas.size === 1
        ? (folderOf(routes) ?? area)
        : part
          ? `parts-of-${folderOf(new Set([part])) ?? areaOf(part)}`
          : areas.size === 2
            ? [...areas].sort().join('-and-')
            : routes.size >= SHARED_ROUTES || need === null
              ? 'often'
              : 'shared';
    const group = routes.size >= COMMON_ROUTES ? 'common' : shared;
    // What the libraries of schemas need is with them.
    if (need === 'schemas' && id.includes('/node_modules/')) return 'schema-libraries';
    const name = need ? `${group}-${need}` : group;
    return isOfPages ? name : `checks-${name}`;
  };
}

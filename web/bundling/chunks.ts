import type { Rollup } from 'vite';
import { CHECKS } from './form-checks.ts';
import { PURE } from './pure-domain.ts';
import { type Node, type Taken, takenBy, type Uses, usesOf } from './syntax-tree.ts';

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
  [
    'currencies',
    /\/node_modules\/(.*\/)?(currency-codes|currency-symbol-map|nub|first-match)\/|\/forms\/currency-choices\.ts$/,
  ],
  ['countries', /\/node_modules\/(.*\/)?countries-list\//],
  // A form with a page of its own, which others of a few fields do not share much with.
  ['forms', /\/web\/app\/components\/forms\/use-screen-form\.ts$/],
  ['fields', /\/node_modules\/(.*\/)?@conform-to\//],
  ['refusals', /\/domain\/src\/errors\/refusal\.ts$/],
  ['reasons', /\/domain\/src\/errors\/reason\.ts$/],
  ['activity', /\/domain\/src\/capital\/line-basis\.ts$/],
  ['progress', /\/web\/app\/components\/page\/progress-steps\.tsx$/],
  ['choices', /\/web\/app\/components\/organizations\/country-field\.tsx$/],
  ['changes', /\/web\/app\/routes\/monitoring\/transactions\/forms\/edit-frame\.tsx$/],
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
  'routes/monitoring/draws/',
  'routes/monitoring/duplicates/',
  'routes/monitoring/transactions/',
  'routes/sign-in/',
];

const folderOf = (routes: ReadonlySet<string>): string | undefined =>
  FOLDERS.find((folder) => [...routes].every((route) => route.startsWith(folder)))
    ?.split('/')
    .at(-2);

const areaOf = (route: string): string => AREAS.find(([path]) => path.test(route))?.[1] ?? 'office';

type Graph = Pick<Rollup.PluginContext, 'getModuleIds' | 'getModuleInfo'>;

type TakenFrom = Taken & { readonly id: string };

interface Facts {
  readonly taken: readonly TakenFrom[];
  /** What each of its names needs; null if whatever is taken of the module needs all of it. */
  readonly uses: Uses | null;
}

/** Of each module that is loaded, those that it needs for what anything takes of it. */
type Needed = ReadonlyMap<string, ReadonlySet<string>>;

/** What is loaded for itself: a route, a part that a page shows only sometimes, or what checks forms. */
const loadsItself = (graph: Graph, id: string): boolean => {
  const info = graph.getModuleInfo(id);
  return Boolean(info?.isEntry) || (PART.test(id) && (info?.dynamicImporters.length ?? 0) > 0);
};

/**
 * Which modules each module needs: of one that only passes a name on, the module that has it. What nothing takes of a
 * module is dropped from the bundle, and needs nothing.
 */
function neededIn(graph: Graph): Needed {
  const needed = new Map<string, Set<string>>();
  /** The names of each module that are taken. */
  const seen = new Map<string, Set<string>>();
  const whole = new Set<string>();
  const known = new Map<string, Facts>();
  const factsOf = (id: string): Facts => {
    const before = known.get(id);
    if (before) return before;
    const info = graph.getModuleInfo(id);
    const program = info?.ast as Node | undefined;
    const all = program ? takenBy(program) : [];
    const sources = [...new Set(all.map(({ source }) => source))];
    const ids = info?.importedIds ?? [];
    // Rollup has them in the order of the text. Without a syntax tree, a module takes everything.
    const taken =
      sources.length === ids.length
        ? all.map((each) => ({ ...each, id: ids[sources.indexOf(each.source)] ?? '' }))
        : ids.map((each) => ({ source: each, isPassedOn: false, names: null, id: each }));
    const facts = { taken, uses: program && PURE.test(id) ? usesOf(program) : null };
    known.set(id, facts);
    return facts;
  };

  const takeAll = (id: string): void => {
    if (whole.has(id)) return;
    whole.add(id);
    for (const { names, isPassedOn, id: other } of factsOf(id).taken) {
      // What is passed on by name is needed by those who take it. Nothing takes from an entry.
      if (isPassedOn && names && !graph.getModuleInfo(id)?.isEntry) continue;
      if (!names || names.size === 0) take(other, null, id);
      else for (const name of names.values()) take(other, name, id);
    }
  };

  /** Takes a name of a module, and what it needs: other names of it, or of those that it imports. */
  const takeName = (id: string, name: string, own: Set<string>): void => {
    if (own.has(name)) return;
    own.add(name);
    const { taken, uses } = factsOf(id);
    for (const used of uses?.byName.get(name) ?? []) takeName(id, used, own);
    for (const { names, isPassedOn, id: other } of taken) {
      const there = isPassedOn ? undefined : names?.get(name);
      if (there !== undefined) take(other, there, id);
    }
  };

  /** @param name null for everything @param by the module that takes it; null for what is loaded for itself */
  const take = (id: string, name: string | null, by: string | null): void => {
    const { taken, uses } = factsOf(id);
    // A module that only passes a name on is not needed for it.
    for (const { names, isPassedOn, id: other } of taken) {
      const there = isPassedOn && name !== null ? names?.get(name) : undefined;
      if (there !== undefined) {
        take(other, there, by);
        return;
      }
    }
    if (by !== null) needed.set(by, (needed.get(by) ?? new Set()).add(id));
    const local = name === null ? undefined : uses?.exported.get(name);
    if (!uses || local === undefined) {
      takeAll(id);
      return;
    }
    const own = seen.get(id) ?? new Set();
    if (!seen.has(id)) {
      seen.set(id, own);
      for (const used of uses.always) takeName(id, used, own);
      // What is taken as a whole, or for its effects.
      for (const { names, isPassedOn, id: other } of taken) {
        if (!names || (names.size === 0 && !isPassedOn)) take(other, null, id);
      }
    }
    takeName(id, local, own);
  };
  for (const id of graph.getModuleIds()) if (loadsItself(graph, id)) take(id, null, null);
  return needed;
}

/** All that a module needs, directly or not, and itself. */
function allNeededBy(id: string, needed: Needed, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const other of needed.get(id) ?? []) allNeededBy(other, needed, seen);
  return seen;
}

interface Reach {
  /** The routes, or what checks the forms of a module, that load each module. */
  readonly routes: ReadonlyMap<string, ReadonlySet<string>>;
  /** The same with the parts that pages show only sometimes. */
  readonly withParts: ReadonlyMap<string, ReadonlySet<string>>;
  /** Of the `NEEDS` that every route has that loads a module, that of the fewest routes. */
  readonly needOf: (id: string) => string | null;
}

/** What loads each module. @param nameOf the name of what is loaded for itself, if it counts */
function loadedBy(
  loaded: readonly string[],
  needed: Needed,
  nameOf: (id: string) => string | undefined,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const id of loaded) {
    const name = nameOf(id);
    if (!name) continue;
    for (const each of allNeededBy(id, needed)) found.set(each, (found.get(each) ?? new Set()).add(name));
  }
  return found;
}

function reachOf(routes: Reach['routes'], withParts: Reach['withParts']): Reach {
  const needing = NEEDS.map(([name, modules]) => {
    const found = [...withParts].flatMap(([id, loading]) => (modules.test(id) ? [...loading] : []));
    return { name, routes: new Set(found) };
  }).sort((one, other) => one.routes.size - other.routes.size);
  const needOf = (id: string): string | null => {
    const loading = withParts.get(id) ?? new Set<string>();
    return needing.find((need) => loading.isSubsetOf(need.routes))?.name ?? null;
  };
  return { routes, withParts, needOf };
}

/** Every page has what the frame loads, and loads what its route does. What checks its forms is loaded later, if at all. */
function layersOf(graph: Graph): { frame: ReadonlySet<string>; pages: Reach; checks: Reach } {
  const needed = neededIn(graph);
  const loaded = [...graph.getModuleIds()].filter((id) => loadsItself(graph, id));
  const frame = new Set<string>();
  for (const id of loaded) if (FRAME.test(id)) allNeededBy(id, needed, frame);
  const routes = loadedBy(loaded, needed, (id) => ROUTE.exec(id)?.[1]);
  const parts = (id: string) => (id.endsWith(CHECKS) ? undefined : (ROUTE.exec(id) ?? PART.exec(id))?.[1]);
  const checks = loadedBy(loaded, needed, (id) => (id.endsWith(CHECKS) ? (PART.exec(id)?.[1] ?? id) : undefined));
  return {
    frame,
    pages: reachOf(routes, loadedBy(loaded, needed, parts)),
    checks: reachOf(checks, checks),
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
    const { routes: all, withParts, needOf } = isOfPages ? layers.pages : layers.checks;
    const routes = all.get(id);
    if (!routes || (isOfPages && routes.size < 2)) return undefined;
    const need = needOf(id);
    const loading = withParts.get(id) ?? routes;
    const areas = new Set([...loading].map(areaOf));
    // A part of a screen that other areas show as well is with those of its own folder or area.
    const part = PART.exec(id)?.[1];
    const [area = ''] = areas;
    const shared =
      areas.size === 1
        ? (folderOf(loading) ?? area)
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
    // Pages that have the words of accounts do not check their numbers.
    if (/\/node_modules\/(.*\/)?ibantools\//.test(id)) return 'account-numbers';
    const name = need ? `${group}-${need}` : group;
    return isOfPages ? name : `checks-${name}`;
  };
}

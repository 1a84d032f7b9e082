import { request } from 'node:http';

/** What a route loads when it is opened: its own files, those of the routes around it, and the frame of every page. */
export interface RouteWeight {
  readonly route: string;
  readonly scriptBytes: number;
  /** What it loads besides once a form is changed, or once the page can be used: at most, because its files name it. */
  readonly laterBytes: number;
  /** Whether it loads the libraries of schemas with the page. */
  readonly hasSchemas: boolean;
}

interface ManifestRoute {
  readonly id: string;
  readonly parentId?: string;
  readonly module: string;
  readonly imports?: readonly string[];
}

interface Manifest {
  readonly entry: { readonly module: string; readonly imports: readonly string[] };
  readonly routes: Readonly<Record<string, ManifestRoute>>;
}

const MANIFEST = /\/assets\/manifest-[^"']+\.js/;
const SCHEMAS = /\/schema-libraries-/;
/** What checks a form, or a part of a page that checks, as a file of the page asks for it. */
const LATER = /import\("\.\/(checks-[^"]+\.js)"\)/g;
const STATIC = /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g;

/** The size of a file as it is sent, compressed. */
function sentBytes(address: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.byteLength;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(bytes);
        else reject(new Error(`${address.pathname} was answered with ${answer.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => `/assets/${name}`);

/** Weighs every route of the product by its manifest, without opening a page. The heaviest comes first. */
export async function weighRoutes(url: string): Promise<RouteWeight[]> {
  const page = await (await fetch(new URL('/login', url))).text();
  const path = MANIFEST.exec(page)?.[0];
  if (!path) throw new Error('the page names no manifest of the routes');
  const text = await (await fetch(new URL(path, url))).text();
  const { entry, routes } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Manifest;
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = (file: string): Promise<number> => {
    const size = sizes.get(file) ?? sentBytes(new URL(file, url));
    sizes.set(file, size);
    return size;
  };
  const texts = new Map<string, Promise<string>>();
  const textOf = (file: string): Promise<string> => {
    const known = texts.get(file) ?? fetch(new URL(file, url)).then((answer) => answer.text());
    texts.set(file, known);
    return known;
  };
  const sum = async (files: Iterable<string>): Promise<number> =>
    (await Promise.all([...files].map(sizeOf))).reduce((all, each) => all + each, 0);
  /** The file and those that it imports, without what the page has. */
  const loadedWith = async (
    file: string,
    page: ReadonlySet<string>,
    found = new Set<string>(),
  ): Promise<Set<string>> => {
    if (page.has(file) || found.has(file)) return found;
    found.add(file);
    for (const each of namesIn(await textOf(file), STATIC)) await loadedWith(each, page, found);
    return found;
  };
  const weights = Object.values(routes).map(async ({ id }) => {
    const files = new Set([path, entry.module, ...entry.imports]);
    for (let route = routes[id]; route; route = routes[route.parentId ?? '']) {
      for (const file of [route.module, ...(route.imports ?? [])]) files.add(file);
    }
    const own = [routes[id]?.module ?? '', ...(routes[id]?.imports ?? [])].filter(Boolean);
    const later = new Set<string>();
    for (const file of own) {
      for (const check of namesIn(await textOf(file), LATER)) await loadedWith(check, files, later);
    }
    return {
      route: id,
      scriptBytes: await sum(files),
      laterBytes: await sum(later),
      hasSchemas: [...files].some((file) => SCHEMAS.test(file)),
    };
  });
  return (await Promise.all(weights)).sort((one, other) => other.scriptBytes - one.scriptBytes);
}

import { request } from 'node:http';

/** What a route loads when it is opened: its own files, those of the routes around it, and the frame of every page. */
export interface RouteWeight {
  readonly route: string;
  readonly scriptBytes: number;
  /** Whether it takes what a form sends. */
  readonly hasAction: boolean;
  /** Whether it loads the libraries of schemas: a form that the browser checks as well. */
  readonly hasSchemas: boolean;
}

interface ManifestRoute {
  readonly id: string;
  readonly parentId?: string;
  readonly module: string;
  readonly imports?: readonly string[];
  readonly hasAction: boolean;
}

interface Manifest {
  readonly entry: { readonly module: string; readonly imports: readonly string[] };
  readonly routes: Readonly<Record<string, ManifestRoute>>;
}

const MANIFEST = /\/assets\/manifest-[^"']+\.js/;
const SCHEMAS = /\/schema-libraries-/;

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
  const weights = Object.values(routes).map(async ({ id, hasAction }) => {
    const files = new Set([path, entry.module, ...entry.imports]);
    for (let route = routes[id]; route; route = routes[route.parentId ?? '']) {
      for (const file of [route.module, ...(route.imports ?? [])]) files.add(file);
    }
    const bytes = await Promise.all([...files].map(sizeOf));
    return {
      route: id,
      scriptBytes: bytes.reduce((sum, each) => sum + each, 0),
      hasAction,
      hasSchemas: [...files].some((file) => SCHEMAS.test(file)),
    };
  });
  return (await Promise.all(weights)).sort((one, other) => other.scriptBytes - one.scriptBytes);
}

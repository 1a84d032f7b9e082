import { build, type Plugin, type Rollup } from 'vite';

/** The modules of a bundle by their path below a product's folder: `web/app/root.tsx`. */
export type Modules = Readonly<Record<string, string>>;

const FOLDER = '/product/';
const QUERY = '?__remix-build-client-route';

/** Modules that exist only here. A package is what a file in `node_modules` says. */
function fromMemory(modules: Modules): Plugin {
  return {
    name: 'from-memory',
    enforce: 'pre',
    resolveId(source) {
      const path = source.replace(FOLDER, '').replace(QUERY, '');
      if (path in modules) return source.startsWith(FOLDER) ? source : `${FOLDER}${source}`;
      const inPackage = `node_modules/${source}/index.ts`;
      return inPackage in modules ? `${FOLDER}${inPackage}` : null;
    },
    load: (id) => modules[id.replace(FOLDER, '').replace(QUERY, '')] ?? null,
  };
}

/** Bundles modules as the web app does. @returns the files of the bundle */
export async function bundle(
  modules: Modules,
  {
    entries,
    plugins = [],
    manualChunks,
  }: { entries: readonly string[]; plugins?: Plugin[]; manualChunks?: Rollup.GetManualChunk },
): Promise<Rollup.OutputChunk[]> {
  const input = entries.map((entry) => `${FOLDER}${entry}${entry.includes('/routes/') ? QUERY : ''}`);
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [fromMemory(modules), ...plugins],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rollupOptions: {
        input,
        preserveEntrySignatures: 'exports-only',
        output: manualChunks ? { manualChunks, onlyExplicitManualChunks: true } : {},
      },
    },
  })) as Rollup.RollupOutput;
  return output.filter((file) => file.type === 'chunk');
}

import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { fewChunks } from './bundling/chunks.ts';
import { compressBuild } from './bundling/compress.ts';
import { formChecks } from './bundling/form-checks.ts';
import { pureDomain } from './bundling/pure-domain.ts';

const SERVER_PACKAGES = /^@tapeline\/(db|domain|lake|sheets|workflows)\//;

/**
 * Keeps our own packages out of the server bundle. Node runs their TypeScript directly, and the store's entities must
 * be the same objects that `server.ts` opened the store with. In the browser, the packages are bundled like any other
 * module.
 */
function keepPackagesOutside(): Plugin {
  return {
    name: 'tapeline:packages-stay-outside',
    enforce: 'pre',
    resolveId(source, _importer, options) {
      return options.ssr && SERVER_PACKAGES.test(source) ? { id: source, external: true } : null;
    },
  };
}

/** Packages of data that do not say that loading them has no effects. */
const DATA_PACKAGES =
  /\/node_modules\/(currency-codes|currency-symbol-map|first-match|nub|ibantools|iso-3166|countries-list)\//;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    keepPackagesOutside(),
    formChecks(),
    pureDomain(),
    tailwindcss(),
    remix({
      ignoredRouteFiles: ['**/*.test.*', '**/.*'],
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        // One manifest of all routes, which the browser keeps, instead of a request for the links of each page.
        v3_lazyRouteDiscovery: false,
      },
    }),
    compressBuild(),
  ],
  ssr: {
    // This package re-exports a thousand small files. Bundling it loads only the icons in use.
    noExternal: ['lucide-react'],
  },
  build: {
    target: 'es2022',
    assetsInlineLimit: 1024,
    // Leaves less than esbuild, and takes longer, which only a build does. Of comments, it keeps notices of copyright.
    minify: isSsrBuild ? false : 'terser',
    terserOptions: { compress: { passes: 2 }, format: { comments: /copyright/i } },
    rollupOptions: isSsrBuild
      ? {}
      : {
          treeshake: { moduleSideEffects: (id, isExternal) => isExternal || !DATA_PACKAGES.test(id) },
          output: { manualChunks: fewChunks(), onlyExplicitManualChunks: true },
        },
  },
}));

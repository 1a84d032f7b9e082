import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  plugins: [
    keepPackagesOutside(),
    tailwindcss(),
    remix({
      ignoredRouteFiles: ['**/*.test.*', '**/.*'],
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_lazyRouteDiscovery: true,
      },
    }),
  ],
  ssr: {
    // These packages re-export a thousand small files. Bundling them loads only the icons and parts in use.
    noExternal: ['lucide-react', 'radix-ui', /^@radix-ui\//],
  },
  build: { target: 'es2022', assetsInlineLimit: 1024 },
});

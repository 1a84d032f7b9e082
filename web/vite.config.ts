import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

const SERVER_ROOMS = /^@tapeline\/(db|domain|workflows)\//;

/**
 * On the server our own packages stay outside the bundle: Node runs their TypeScript itself, and the store's entities must be the very
 * objects that `server.ts` opened the store with. In the browser they are bundled like any other module.
 */
function keepRoomsOutside(): Plugin {
  return {
    name: 'tapeline:rooms-stay-outside',
    enforce: 'pre',
    resolveId(source, _importer, options) {
      return options.ssr && SERVER_ROOMS.test(source) ? { id: source, external: true } : null;
    },
  };
}

export default defineConfig({
  plugins: [
    keepRoomsOutside(),
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
    // Barrels of a thousand small files: bundled, so that only the icons and parts in use are loaded.
    noExternal: ['lucide-react', 'radix-ui', /^@radix-ui\//],
  },
  build: { target: 'es2022', assetsInlineLimit: 1024 },
});

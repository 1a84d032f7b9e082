import { flatRoutes } from '@remix-run/fs-routes';

/** Screens are found by file name under `routes/`; docs/screens.md says how they are named. */
export default flatRoutes({ ignoredRouteFiles: ['**/*.test.*'] });

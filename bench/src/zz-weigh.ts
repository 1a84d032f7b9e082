import { weighRoutes } from './pages/weigh-routes.ts';
for (const r of await weighRoutes(process.env['PRODUCT_URL']!)) console.log((r.scriptBytes/1000).toFixed(1), r.hasSchemas, r.hasAction, r.route);

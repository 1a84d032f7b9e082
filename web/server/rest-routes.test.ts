import { describe, expect, it } from 'vitest';
import { restRoutes } from './rest-routes.ts';

const loader = async () => new Response('loaded');
const action = async () => new Response('acted');
const Screen = () => null;
const routes = {
  root: { id: 'root', path: '', module: { default: Screen } },
  crud: { id: 'crud', parentId: 'root', path: 'crud/*', module: { loader, action } },
  splat: { id: 'splat', parentId: 'root', path: '*', module: { default: Screen, loader } },
  docs: { id: 'docs', parentId: 'root', path: 'docs/*', module: { default: Screen, loader } },
  inner: { id: 'inner', parentId: 'layout', path: 'inner/*', module: { loader } },
  one: { id: 'one', parentId: 'root', path: 'one/:id', module: { loader } },
  reads: { id: 'reads', parentId: 'root', path: 'reads/*', module: { loader } },
};
const find = restRoutes({ routes });

describe('an address under a resource route', () => {
  it('goes to its loader or action by the method', () => {
    expect(find('GET', '/crud/companies')).toBe(loader);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(find(method, '/crud/companies/a')).toBe(action);
  });
  it.each([
    ['HEAD', '/crud/companies'],
    ['OPTIONS', '/crud/companies'],
    ['POST', '/reads/it'],
    ['GET', '/crud'],
    ['GET', '/crud/'],
    ['GET', '/crudx/companies'],
    ['GET', '/CRUD/companies'],
    ['GET', '/docs/it'],
    ['GET', '/inner/it'],
    ['GET', '/one/it'],
    ['GET', '//crud/it'],
    ['GET', '/'],
  ])('%s %s is left to Remix', (method, path) => expect(find(method, path)).toBeNull());
});

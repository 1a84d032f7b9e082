import { matchRoutes } from '@remix-run/react';
import { callsOf, EVERY_COLLECTION } from '@tapeline/domain/collections/collections.ts';
import { COLLECTION_OF_GRID } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../api/api.server.ts';
import { SIGNED_IN_SCREENS } from '../../routes.ts';
import { NAVIGATION, NAVIGATION_GROUPS } from './navigation.ts';

/** The file of the screen at an address; null for the one that says that there is none. */
function screenAt(address: string): string | null {
  const found = matchRoutes(SIGNED_IN_SCREENS as never, address)?.at(-1)?.route as { file?: string } | undefined;
  return found?.file && !found.file.endsWith('not-found.tsx') ? found.file : null;
}

describe('the menu', () => {
  it('leads to screens, under labels of their own', () => {
    const items = NAVIGATION_GROUPS.flatMap((group) => NAVIGATION[group]);
    expect(items.length).toBeGreaterThan(30);
    expect(items.filter(({ to }) => screenAt(to) === null && to !== '/mailbox')).toEqual([]);
    expect(new Set(items.map(({ label }) => label)).size).toBe(items.length);
    expect(items.filter(({ icon }) => icon === undefined)).toEqual([]);
  });

  it('lists collections and other screens by rank', () => {
    expect(NAVIGATION.Administration.map(({ label }) => label)).toEqual(
      expect.arrayContaining([
        'Users',
        'Roles',
        'Permissions',
        'Managers',
        'Entities',
        'Currencies',
        'Tables',
        'History',
      ]),
    );
    const order = NAVIGATION.Administration.map(({ label }) => label);
    expect(order.indexOf('Permissions')).toBeGreaterThan(order.indexOf('Roles'));
    expect(order.indexOf('Permissions')).toBeLessThan(order.indexOf('Managers'));
    expect(order.indexOf('Currencies')).toBeLessThan(order.indexOf('Tables'));
  });
});

describe.each(EVERY_COLLECTION)('the collection %s', (_name, { list, page }) => {
  it('has a list and pages with screens', () => {
    if (list) expect(screenAt(list)).not.toBeNull();
    if (page) expect(screenAt(`${page}/${'0'.repeat(24)}`)).not.toBeNull();
  });
});

it.each(Object.entries(COLLECTION_OF_GRID))(
  'the rows of the grid %s are documents of a list in the API',
  (_grid, name) => {
    const list = endpoints.find(({ method, path }) => method === 'GET' && path === callsOf(name));
    expect(list?.load).toBeTypeOf('function');
  },
);

import { matchRoutes } from '@remix-run/react';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { callsOf, EVERY_COLLECTION } from '@tapeline/domain/collections/collections.ts';
import { COLLECTION_OF_GRID } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../api/api.server.ts';
import { SIGNED_IN_SCREENS } from '../../routes.ts';
import {
  type Account,
  accountOf,
  findPage,
  findScreen,
  itemsOfAccount,
  NAVIGATION,
  phoneItems,
  railOf,
  reachable,
  SETTINGS_ITEMS,
} from './navigation.ts';

/** The file of the screen at an address; null for the one that says that there is none. */
function screenAt(address: string): string | null {
  const found = matchRoutes(SIGNED_IN_SCREENS as never, address)?.at(-1)?.route as { file?: string } | undefined;
  return found?.file && !found.file.endsWith('not-found.tsx') ? found.file : null;
}

const ACCOUNTS = Object.keys(NAVIGATION) as Account[];
const screensOf = (account: Account) => itemsOfAccount(account).flatMap(({ screens }) => screens);
const everythingOf = (account: Account) => ({ account, items: screensOf(account).map(({ to }) => to) });
const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

describe.each(ACCOUNTS)('the navigation of the account %s', (account) => {
  it('leads to screens, each once and under a label of its own', () => {
    const items = itemsOfAccount(account);
    const screens = screensOf(account);
    expect(screens.length).toBeGreaterThan(8);
    expect(screens.filter(({ to }) => screenAt(to) === null && to !== '/mailbox')).toEqual([]);
    expect(repeated(items.map(({ label }) => label))).toEqual([]);
    expect(repeated(screens.map(({ to }) => to))).toEqual([]);
    expect(repeated(screens.flatMap(({ key }) => key ?? []))).toEqual([]);
    expect(items.length).toBeGreaterThan(3);
    for (const { screens: tabs } of items) expect(repeated(tabs.map(({ label }) => label))).toEqual([]);
  });

  it('finds the item and the tab of each of its screens', () => {
    for (const { label, screens } of [
      ...NAVIGATION[account].flatMap(({ items }) => items),
      ...SETTINGS_ITEMS[account],
    ]) {
      for (const { to } of screens) {
        const found = findScreen(to, everythingOf(account));
        expect([to, found?.screen.to, (found?.setting ?? found?.item)?.label]).toEqual([to, to, label]);
      }
    }
  });

  it('has four items on a phone, in the order of the rail', () => {
    const items = railOf(everythingOf(account)).flatMap((group) => group.items);
    const shown = phoneItems(account, items);
    expect(shown).toHaveLength(4);
    expect(items.filter((item) => shown.includes(item))).toEqual(shown);
    expect(shown[0]?.label).toBe('Home');
  });
});

describe('the navigation', () => {
  it('is the one that the kind of account needs', () => {
    const labels = (account: Account) => NAVIGATION[account].flatMap(({ items }) => items).map(({ label }) => label);
    expect(labels('manager')).toEqual([
      ...[
        'Home',
        'Approvals',
        'Calendar',
        'Monitoring',
        'Loan tapes',
        'Borrowers',
        'Funds',
        'Investors',
        'Capital activity',
        'Cash',
      ],
      ...['Documents', 'Announcements', 'Ask', 'Settings'],
    ]);
    expect(labels('borrower')).toEqual([
      ...['Home', 'Facilities', 'Loan tapes', 'Draws', 'Repayments', 'Documents', 'Calendar', 'Announcements', 'Ask'],
    ]);
    expect(labels('investor')).toEqual([
      ...['Home', 'Commitments', 'Calls and distributions', 'Documents', 'Announcements', 'Ask'],
    ]);
    expect(labels('administrator')).toEqual(['Home', 'Managers', 'People', 'Organizations', 'Health', 'Settings']);
  });

  it('has every list of a collection, for managers or for administrators', () => {
    const pages = [...screensOf('manager'), ...screensOf('administrator')].flatMap(({ to, pages: own = [] }) => [
      to,
      ...own,
    ]);
    const lists = EVERY_COLLECTION.flatMap(([, { menu, list }]) => (menu && list ? [list] : []));
    expect(lists.length).toBeGreaterThan(15);
    expect(lists.filter((list) => !pages.includes(list))).toEqual([]);
  });

  it('is that of the manager for an administrator who acts for one', () => {
    expect(accountOf(testActor({ type: 'admin', managerId: null }))).toBe('administrator');
    expect(accountOf(testActor({ type: 'admin', managerId: 'a'.repeat(24) }))).toBe('manager');
    expect(accountOf(testActor({ type: 'manager' }))).toBe('manager');
    expect(accountOf(testActor({ type: 'company' }))).toBe('borrower');
    expect([accountOf(testActor({ type: 'LP' })), accountOf(testActor({ type: 'LPGroup' }))]).toEqual([
      'investor',
      'investor',
    ]);
  });

  it('leaves out what the user cannot read or what does not exist', () => {
    const screens = screensOf('manager').map(({ to }) => to);
    const manager = { type: 'manager', managerId: 'a'.repeat(24) } as const;
    const all = reachable(testActor(manager), screens);
    expect(all).toEqual(screens);
    const few = reachable(testActor({ ...manager, permissions: ['transactionDraw/read'] }), screens);
    expect(few).toEqual(expect.arrayContaining(['/', '/calendar', '/monitoring/draws', '/settings']));
    expect(few).not.toContain('/monitoring');
    // Only who decides something has approvals.
    expect(few).not.toContain('/approvals');
    const decides = testActor({ ...manager, permissions: ['transactionDraw/read', 'transactionDraw/write'] });
    expect(reachable(decides, screens)).toContain('/approvals');
    // The item leads to what remains of it.
    const rail = railOf({ account: 'manager', items: few });
    expect(rail.flatMap(({ items }) => items).find(({ label }) => label === 'Monitoring')?.to).toBe(
      '/monitoring/draws',
    );
    expect(rail.flatMap(({ items }) => items).some(({ label }) => label === 'Funds')).toBe(false);
    expect(reachable(testActor({ type: 'manager' }), ['/'])).toEqual(['/']);
  });

  it('knows where a page is by the longest address, and where it is in the navigation of others', () => {
    const id = 'a'.repeat(24);
    const placeOf = (pathname: string, account: Account) => {
      const found = findPage(pathname, everythingOf(account));
      return found && [found.group, found.item.label, found.setting?.label ?? null, found.screen.label];
    };
    expect(placeOf(`/monitoring/transactions/${id}`, 'manager')).toEqual(['Lending', 'Monitoring', null, 'Facilities']);
    expect(placeOf(`/monitoring/draws/${id}`, 'manager')).toEqual(['Lending', 'Monitoring', null, 'Draws']);
    expect(placeOf(`/monitoring/mappings/${id}`, 'manager')).toEqual(['Lending', 'Loan tapes', null, 'Mappings']);
    expect(placeOf(`/monitoring/companies/${id}`, 'manager')).toEqual(['Lending', 'Borrowers', null, 'Borrowers']);
    expect(placeOf(`/main-funds/${id}`, 'manager')).toEqual(['Funds', 'Funds', null, 'Funds']);
    expect(placeOf(`/admin/users/${id}/edit`, 'manager')).toEqual([null, 'Settings', 'People and access', 'Users']);
    expect(placeOf(`/admin/users/${id}/edit`, 'administrator')).toEqual([null, 'People', null, 'Users']);
    expect(placeOf(`/monitoring/draws/${id}`, 'borrower')).toEqual([null, 'Draws', null, 'Draws']);
    // A document of a facility and one of a fund have addresses of one form.
    expect(placeOf(`/documents/${id}`, 'manager')).toEqual([null, 'Documents', null, 'Fund documents']);
    expect(placeOf(`/documents/${id}`, 'borrower')).toEqual([null, 'Documents', null, 'Facility documents']);
    // A page that only others have in their navigation.
    expect(findScreen('/monitoring/contracts', everythingOf('borrower'))).toBeNull();
    expect(placeOf('/monitoring/contracts', 'borrower')).toEqual(['Lending', 'Monitoring', null, 'Contracts']);
    expect(placeOf('/no/such/page', 'manager')).toBeNull();
    expect(placeOf('/fundsandmore', 'manager')).toBeNull();
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

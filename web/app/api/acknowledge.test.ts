import { staleRefusal } from '@tapeline/db/database-refusals.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { atItem, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { PERMISSION_KEYS, type PermissionKey, readKeyOf } from '@tapeline/domain/people/actor.ts';
import { exactNumber, stringifyWire } from '@tapeline/domain/wire/json.ts';
import { expect, test } from 'vitest';
import { acknowledge, acknowledgeRefusal, mayReadAnswer } from './acknowledge.ts';
import { endpoints } from './api.server.ts';

const holding = (...permissions: PermissionKey[]) => testActor({ type: 'manager', permissions });

test('of each document only its id and version are left, however deep it is', () => {
  const fund = { id: '1', version: 3, title: 'Harbor', targetSize: { sum: 5 }, warnings: ['above its hard cap of 5'] };
  expect(acknowledge(fund)).toEqual({ id: '1', version: 3 });
  expect(acknowledge([fund, { id: '2', title: 'Alder' }])).toEqual([{ id: '1', version: 3 }, { id: '2' }]);
  expect(acknowledge({ loanTapeId: '4', proposal: fund })).toEqual({
    loanTapeId: '4',
    proposal: { id: '1', version: 3 },
  });
});

test('what is no document is left as it is', () => {
  const body = { ids: ['1'], count: exactNumber('144589166.10'), at: new Date(0), none: null };
  expect(stringifyWire(acknowledge(body))).toBe(stringifyWire(body));
  expect([acknowledge(null), acknowledge(undefined), acknowledge('x')]).toEqual([null, undefined, 'x']);
});

test('a change shows its documents to who may read them', () => {
  const change = { access: 'funds/write' } as const;
  expect(mayReadAnswer(change, holding('funds/write', 'funds/read'))).toBe(true);
  expect(mayReadAnswer(change, holding('funds/write', 'LPs/read'))).toBe(false);
  for (const access of ['funds/read', 'signed-in', 'public'] as const)
    expect(mayReadAnswer({ access }, holding())).toBe(true);
});

test('the documents that a call changes are read with the permission beside the one to write', () => {
  const changes = endpoints.filter(({ access }) => access.endsWith('/write'));
  expect(changes.length).toBeGreaterThan(80);
  let compared = 0;
  for (const { path, access } of changes) {
    const read = readKeyOf(access as PermissionKey);
    expect(PERMISSION_KEYS).toContain(read);
    const listsAt = (pattern: RegExp) => {
      const [collection] = pattern.exec(path) ?? [];
      return endpoints.filter(({ method, path: listed }) => method === 'GET' && listed === collection);
    };
    const parts = listsAt(/^\/crud\/\w+\/\{id\}\/\w+/);
    const lists = parts.length > 0 ? parts : listsAt(/^\/crud\/\w+/);
    // What everyone who is signed in can list, each sees as its own rights allow.
    for (const list of lists) expect([read, 'signed-in'], path).toContain(list.access);
    compared += lists.length;
  }
  expect(compared).toBeGreaterThan(60);
});

test('a change that came too late does not say who came first, also as one of many', () => {
  type Stored = NonNullable<Parameters<typeof staleRefusal>[0]>;
  const metadata = {
    iat: '2026-11-25T08:00:00.000Z',
    createdBy: { entity: { firstName: 'Ann', lastName: 'Moss' } },
  } as unknown as Stored['metadata'];
  const stale = staleRefusal({ id: '1', version: 4, metadata }, 3);
  expect(stale.message).toContain('Ann Moss');
  for (const error of [stale, atItem(stale, 1)]) {
    const told = acknowledgeRefusal(error) as Refusal;
    expect([told.code, told.conflict, Object.values(told.flags ?? {})]).toEqual([
      'badRequest',
      undefined,
      ['is not the latest'],
    ]);
    expect(told.message).toBe('Someone else has changed this. Reload it and make your change again.');
  }
  const other = new Refusal('badRequest', 'Give a title');
  expect(acknowledgeRefusal(other)).toBe(other);
});
